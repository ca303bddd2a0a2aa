import ODataModel
import ODataQuery
import ODataText
import ODataWire

// JSON batches (JSON Format 4.01, section 19): requests in order, groups atomically, dependencies and conditions.

extension BatchRunner {
    /// Runs a JSON batch; unlike a multipart batch it goes on after failures unless that is declined.
    func runJSON(_ request: RequestMessage) throws -> ResponseMessage {
        let requests = try JSONBatch.requests(request.body, limits: limits)
        let goesOn = Preferences(requestedBy: request.headers).continuesOnError ?? true
        var state = JSONBatchState(
            now: OffsetDateTime(seconds: service.now),
            keepsBodies: requests.contains { $0.condition != nil })
        var position = 0
        while position < requests.count {
            let first = requests[position]
            var end = position + 1
            if let group = first.atomicityGroup {
                while end < requests.count, requests[end].atomicityGroup == group { end += 1 }
            }
            let members = Array(requests[position..<end])
            let answers =
                first.atomicityGroup == nil
                ? [runJSON(first, &state)] : runJSON(group: members, &state)
            for (member, answer) in zip(members, answers) { state.note(member, answer) }
            position = end
            if !goesOn, answers.contains(where: { !$0.isSuccess && $0.status != 304 }) { break }
        }
        var headers = HeaderFields()
        headers["OData-Version"] =
            request.headers["OData-MaxVersion"]?.hasPrefix("4.01") == true ? "4.01" : "4.0"
        if wantsMultipart(request) {
            let parts = state.responses.map { response in
                BatchResponsePart.response(response.message, contentID: response.id)
            }
            return try BatchWriter.response(
                parts, boundary: makeBoundary(), headers: headers)
        }
        return JSONBatch.response(state.responses, headers: headers)
    }

    /// The answers of a multipart batch for a client that wants them as JSON.
    func json(_ parts: [BatchResponsePart], for requests: [BatchPart]) -> ResponseMessage {
        var responses: [JSONBatchResponse] = []
        for (index, part) in parts.enumerated() {
            let isGroup = requests[index].requests.count > 1
            for (member, response) in part.responses.enumerated() {
                let id = response.contentID ?? "\(index + 1)" + (isGroup ? ".\(member + 1)" : "")
                responses.append(
                    JSONBatchResponse(
                        id: id, atomicityGroup: isGroup ? "g\(index + 1)" : nil, response.message))
            }
        }
        return JSONBatch.response(responses)
    }

    func wantsJSON(_ request: RequestMessage) -> Bool {
        let accept = request.headers["Accept"] ?? ""
        return accept.contains("application/json") && !accept.contains("multipart/")
    }

    private func wantsMultipart(_ request: RequestMessage) -> Bool {
        let accept = request.headers["Accept"] ?? ""
        return accept.contains("multipart/mixed") && !accept.contains("application/json")
    }

    private func runJSON(_ request: JSONBatchRequest, _ state: inout JSONBatchState)
        -> ResponseMessage
    {
        if let refusal = state.refusal(request) { return refusal }
        return alone(item(request, state), &state.references)
    }

    private func runJSON(group: [JSONBatchRequest], _ state: inout JSONBatchState)
        -> [ResponseMessage]
    {
        for member in group {
            let own = Set(group.map(\.id))
            if let refusal = state.refusal(member, apartFrom: own) {
                return group.map { _ in refusal }
            }
        }
        let items = group.map { item($0, state) }
        let (answers, failed) = answers(ofChangeSet: items, &state.references)
        guard let failed else { return answers }
        return group.map { member in
            member.id == failed ? answers[0] : JSONBatchState.dependencyFailed
        }
    }

    private func item(_ request: JSONBatchRequest, _ state: JSONBatchState) -> BatchRequest {
        var message = request.message
        for name in ["If-Match", "If-None-Match"] {
            guard let text = message.headers[name], text.hasPrefix("$"),
                let tag = state.entityTags[String(text.dropFirst())]
            else { continue }
            message.headers[name] = tag
        }
        return BatchRequest(contentID: request.id, message)
    }
}

/// What a JSON batch has done so far.
struct JSONBatchState {
    var responses: [JSONBatchResponse] = []
    /// What `$id` in a URL stands for.
    var references: [String: String] = [:]
    /// The tags that `"if-match": "$id"` stands for.
    var entityTags: [String: String] = [:]
    /// What conditions may ask for: answers by the ids of requests, and groups by theirs.
    private var answers: [String: JSONBatchCondition.Answer] = [:]
    /// The instant that `now()` is in conditions.
    private let now: OffsetDateTime?

    /// Without conditions nobody asks for bodies.
    private let keepsBodies: Bool

    init(now: OffsetDateTime?, keepsBodies: Bool) {
        self.now = now
        self.keepsBodies = keepsBodies
    }

    static let dependencyFailed = ErrorAnswer.response(
        424, code: "dependencyFailed", message: "Expected the requests it depends on to succeed.")

    mutating func note(_ request: JSONBatchRequest, _ answer: ResponseMessage) {
        responses.append(
            JSONBatchResponse(id: request.id, atomicityGroup: request.atomicityGroup, answer))
        answers[request.id] = JSONBatchCondition.Answer(
            succeeded: answer.isSuccess,
            body: keepsBodies
                ? try? JSONValue(parsing: answer.body, duplicates: .keepLast) : nil)
        if let group = request.atomicityGroup {
            let before = answers[group]?.succeeded ?? true
            answers[group] = JSONBatchCondition.Answer(succeeded: before && answer.isSuccess)
        }
        if answer.isSuccess { entityTags[request.id] = answer.headers["ETag"] }
    }

    /// Why a request does not run: its condition is not true or, without one, what it depends on failed.
    func refusal(
        _ request: JSONBatchRequest, apartFrom own: Set<String> = []
    ) -> ResponseMessage? {
        guard let text = request.condition else {
            let hasFailed = request.dependsOn.contains {
                answers[$0]?.succeeded == false && !own.contains($0)
            }
            return hasFailed ? Self.dependencyFailed : nil
        }
        do {
            let condition = try JSONBatchCondition(parsing: text)
            return try condition.isTrue(after: answers, now: now) ? nil : Self.dependencyFailed
        } catch {
            return ErrorAnswer.response(for: error)
        }
    }
}
