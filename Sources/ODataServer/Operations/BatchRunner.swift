import ODataQuery
import ODataText
import ODataWire
import ODataWorld

/// Runs batches (Protocol 4.01, section 11.7): parts in order, change sets atomically.
struct BatchRunner {
    let service: ODataService
    let address: ServiceAddress

    static func isBatch(_ address: ServiceAddress) -> Bool {
        guard address.relativeURL.beginsLikeSystemResource else { return false }
        let path = address.relativeURL.pathOfURL
        return path == "$batch" || path == "%24batch"
    }

    func run(_ request: RequestMessage) throws -> ResponseMessage {
        try AnswerBudget.withBudget(service.configuration) { try answer(request) }
    }

    private func answer(_ request: RequestMessage) throws -> ResponseMessage {
        if try isJSON(request) { return try runJSON(request) }
        let parts = try BatchReader.requests(of: request, limits: limits)
        try Self.checkContentIDs(parts)
        let goesOn = Preferences(requestedBy: request.headers).continuesOnError ?? false
        var answers: [BatchResponsePart] = []
        var references: [String: String] = [:]
        for part in parts {
            let answer = run(part, &references)
            answers.append(answer)
            let hasFailed = answer.responses.contains {
                !$0.message.isSuccess && $0.message.status != 304
            }
            if hasFailed, !goesOn { break }
        }
        var response =
            try wantsJSON(request)
            ? json(answers, for: parts)
            : BatchWriter.response(
                answers,
                boundary: makeBoundary())
        response.headers["OData-Version"] =
            request.headers["OData-MaxVersion"]?.hasPrefix("4.01") == true ? "4.01" : "4.0"
        if goesOn { response.headers["Preference-Applied"] = "odata.continue-on-error" }
        return response
    }

    var limits: BatchLimits {
        var limits = BatchLimits()
        limits.messages = service.configuration.maximumBatchRequests
        limits.bodyBytes = service.configuration.maximumBodyBytes
        return limits
    }

    /// Whether the batch is one of JSON; otherwise it is multipart.
    ///
    /// - Throws: 405, 412, 415 or 400 for headers that may not stand on a batch.
    private func isJSON(_ request: RequestMessage) throws -> Bool {
        guard request.method == "POST" else {
            throw AllowedMethods.error("POST")
        }
        let headers = request.headers
        guard headers["If-Match"] == nil, headers["If-None-Match"] == nil else {
            throw ODataError(
                .invalidPayload, "Expected preconditions on the requests inside a batch only.",
                status: 400)
        }
        guard headers["Repeatability-Request-ID"] == nil else {
            throw ODataError(
                ServiceCode.rejected,
                "Expected repeatability headers on the requests inside a batch only.", status: 400)
        }
        try RequestRules.checkHead(headers)
        try requireAcceptable(request)
        guard let type = MediaType(parsing: headers["Content-Type"] ?? ""),
            type.name == "multipart/mixed"
                || type.name == "application/json"
                    && ResponseFormat.isKnown(json: type, levels: ResponseFormat.sentLevels)
        else {
            throw ODataError(
                ServiceCode.unsupportedMediaType,
                "Expected a batch of multipart/mixed or application/json.", status: 415)
        }
        return !type.isMultipart
    }

    /// - Throws: 406 when the client takes neither form of batch answers.
    private func requireAcceptable(_ request: RequestMessage) throws {
        guard let accept = request.headers["Accept"] else { return }
        let format = try ResponseFormat(accept: accept, relativeURL: "")
        let takesParts = HeaderText.split(accept, separator: UInt8(ascii: ",")).contains {
            MediaType(parsing: $0)?.isMultipart == true
        }
        guard takesParts || format.acceptsJSON else {
            throw ResponseFormat.refused("Expected multipart/mixed or application/json.")
        }
    }

    /// - Throws: 400 for a Content-ID that two requests have (Protocol 4.01, section 11.7.1).
    static func checkContentIDs(_ parts: [BatchPart]) throws {
        var seen: Set<String> = []
        for id in parts.flatMap(\.requests).compactMap(\.contentID) {
            guard seen.insert(id).inserted else {
                throw ODataError(
                    .invalidPayload, "Expected each Content-ID once in a batch, found one twice.",
                    status: 400)
            }
        }
    }

    private func run(_ part: BatchPart, _ references: inout [String: String]) -> BatchResponsePart {
        switch part {
        case .request(let item):
            let answer = alone(item, &references)
            return .response(answer, contentID: item.contentID)
        case .changeSet(let items):
            return changeSet(items, &references)
        }
    }

    func alone(_ item: BatchRequest, _ references: inout [String: String])
        -> ResponseMessage
    {
        service.observer.note(item.message, isInBatch: true)
        do {
            let member = try member(item)
            let run = { [references] in
                service.single(member.request, member.address, references: references)
            }
            let isWrite = RequestKind(member.request.method) == .write
            let answer = isWrite ? run() : try AnswerBudget.read(run)
            if let id = item.contentID, answer.isSuccess {
                references[id] = ODataService.reference(to: answer, of: member, references)
            }
            return answer
        } catch {
            return ErrorAnswer.response(for: error)
        }
    }

    private func changeSet(_ items: [BatchRequest], _ references: inout [String: String])
        -> BatchResponsePart
    {
        guard !items.isEmpty else {
            service.observer.note(changeSet: [])
            return .changeSet([])
        }
        let (answers, failed) = answers(ofChangeSet: items, &references)
        if failed != nil { return .response(answers[0]) }
        return .changeSet(
            zip(items, answers).map { BatchResponse(contentID: $0.contentID, $1) })
    }

    /// One answer for each member, or the answer and name of the one that failed, so that nothing happened.
    func answers(
        ofChangeSet items: [BatchRequest], _ references: inout [String: String]
    ) -> (answers: [ResponseMessage], failed: String?) {
        service.observer.note(changeSet: items.map(\.message))
        let first = items.first?.contentID ?? ""
        do {
            let members = try items.map { item in
                guard RequestKind(item.message.method) == .write else {
                    throw ODataError(
                        .invalidPayload, "Expected changes only in a change set.", status: 400)
                }
                return try member(item)
            }
            let answers = service.group(members, references: references)
            guard answers.count == items.count, answers.allSatisfy(\.isSuccess) else {
                var failure = answers.first { !$0.isSuccess } ?? answers[0]
                let name = failure.headers["Content-ID"] ?? first
                failure.headers["Content-ID"] = nil
                return ([failure], name)
            }
            for (member, answer) in zip(members, answers) {
                guard let id = member.contentID else { continue }
                references[id] = ODataService.reference(to: answer, of: member, references)
            }
            return (answers, nil)
        } catch {
            return ([ErrorAnswer.response(for: error)], first)
        }
    }

    private func member(_ item: BatchRequest) throws -> GroupMember {
        let inner = try ServiceAddress(
            item.message.url, within: address,
            rootPath: service.configuration.rootPath)
        guard !Self.isBatch(inner) else {
            throw ODataError(.invalidPayload, "Expected no batch inside a batch.", status: 400)
        }
        return GroupMember(request: item.message, address: inner, contentID: item.contentID)
    }

    func makeBoundary() -> String {
        BatchWriter.boundary(service.configuration.world.makeIdentifier())
    }
}
