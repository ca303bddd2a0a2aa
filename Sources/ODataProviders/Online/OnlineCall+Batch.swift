import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// One part of a batch that is sent, and whom its answer belongs to.
private struct OnlinePart {
    enum Content {
        case read(OnlineRead)
        case changes(ChangeSet, OnlineChangeSet)
    }

    /// The position in the batch.
    let member: Int
    let content: Content
    let part: BatchPart
}

extension OnlineCall {
    /// Sends a batch and puts its answers where they belong (Protocol 4.01, section 11.7.7).
    ///
    /// - Throws: What stands in the way of the batch as a whole; the failures of its parts stand on the batch.
    func process(_ batch: RequestBatch) throws {
        let dialect = dialect(model)
        var nextID = 0
        var parts: [OnlinePart] = []
        for position in batch.members.indices {
            if let part = try part(batch, position, dialect, &nextID) { parts.append(part) }
        }
        guard !parts.isEmpty else { return }
        guard service.supportsBatch else {
            throw ODataError(
                .usage, "Expected a service with batches; supportsBatch says there are none.")
        }
        let answer: ResponseMessage
        do {
            answer = try exchange(try message(parts, dialect), dialect)
        } catch let error as DataServiceError {
            batch.status = error.status
            batch.error = error
            throw error
        }
        batch.status = answer.status
        let isJSON = MediaType(parsing: answer.headers["Content-Type"] ?? "")?.isJSON ?? false
        let outcomes =
            isJSON
            ? try JSONBatch.outcomes(of: answer, for: parts.map(\.part))
            : try BatchMatcher.match(parts.map(\.part), try BatchReader.parts(of: answer).parts)
        for (part, outcome) in zip(parts, outcomes) {
            switch part.content {
            case .read(let read): record(outcome, read, batch, part.member)
            case .changes(let changes, let plan): record(outcome, changes, plan)
            }
        }
    }

    private func message(_ parts: [OnlinePart], _ dialect: Dialect) throws -> RequestMessage {
        if service.batchAsJSON, !dialect.wrapsPayload {
            // JSON batches go on after errors by themselves.
            return try JSONBatch.request(of: parts.map(\.part))
        }
        var headers: HeaderFields = ["Accept": "multipart/mixed"]
        if !dialect.wrapsPayload { headers["Prefer"] = "odata.continue-on-error" }
        return try BatchWriter.request(
            parts.map(\.part),
            boundary: BatchWriter.boundary(world.makeIdentifier()), headers: headers)
    }

    // MARK: Requests

    private func part(
        _ batch: RequestBatch, _ position: Int, _ dialect: Dialect, _ nextID: inout Int
    ) throws -> OnlinePart? {
        let member = batch.members[position]
        switch member.part {
        case .query(let query), .function(let query):
            let read = try plan(query, member.headers.fields)
            let message = inner(read.message, member.headers, dialect)
            return OnlinePart(
                member: position, content: .read(read), part: .request(message, contentID: nil))
        case .changes(let changes):
            changes.status = 0
            changes.error = nil
            let plan = try OnlineChangeSet(self, changes, after: nextID)
            nextID = plan.nextID
            guard !plan.requests.isEmpty else { return nil }
            return OnlinePart(
                member: position, content: .changes(changes, plan),
                part: .changeSet(plan.requests))
        }
    }

    /// A message inside a batch: the headers of the batch as a whole stay outside.
    func inner(
        _ message: RequestMessage, _ headers: HTTPHeaders, _ dialect: Dialect
    ) -> RequestMessage {
        var request = message
        request.headers["Accept"] = request.headers["Accept"] ?? "application/json"
        if !dialect.wrapsPayload {
            request.headers["OData-Version"] = "4.0"
            request.headers["OData-MaxVersion"] = "4.01"
        }
        request.headers.merge(headers.fields)
        return request
    }

    // MARK: Answers

    private static let unanswered = DataNetworkError(
        message: "Expected an answer to each part of the batch; this one has none.")

    private func record(
        _ outcome: BatchOutcome, _ read: OnlineRead, _ batch: RequestBatch, _ position: Int
    ) {
        guard case .answered(let answer) = outcome else {
            batch.members[position].error = Self.unanswered
            return
        }
        let query = batch.dataQuery(position)
        do {
            guard answer.isSuccess else {
                throw DataServiceError.of(answer, to: connection.absolute(read.message.url))
            }
            messages.hear(answer)
            let found = QueryResult(
                query: query, result: try result(of: answer, read), status: answer.status)
            found.messages = OnlineMessages.list(of: answer)
            batch.members[position].result = found
        } catch {
            batch.members[position].error = ErrorBase.from(any: error)
        }
    }

    private func record(
        _ outcome: BatchOutcome, _ changes: ChangeSet, _ plan: OnlineChangeSet
    ) {
        do {
            switch outcome {
            case .changeSetFailed(let answer), .answered(let answer):
                throw DataServiceError.of(answer)
            case .unanswered: throw Self.unanswered
            case .changeSet(let answers):
                let complete = answers.compactMap { $0 }
                if let failed = complete.first(where: { !$0.isSuccess }) {
                    throw DataServiceError.of(failed)
                }
                guard complete.count == plan.requests.count else { throw Self.unanswered }
                try plan.record(complete, in: changes)
                changes.status = complete.last?.status ?? 200
            }
        } catch {
            changes.error = DataServiceError.wrapping(error)
            changes.status = changes.error?.status ?? 0
        }
    }

    /// What an action has returned.
    func result(of answer: ResponseMessage, calledBy query: DataQuery) throws -> DataValue? {
        let model = query.model ?? model
        var read = OnlineRead(
            message: RequestMessage(method: "POST", url: ""),
            resource: ResolvedResource(kind: .nothing), model: model,
            dialect: dialect(model), followsPages: false)
        read.resource = try ResourceResolver.resolve(query.query.path, in: model.graph)
        return try result(of: answer, read)
    }
}

extension DataServiceError {
    /// The error itself when it is one of a service, else one with it beneath.
    static func wrapping(_ error: any Error) -> DataServiceError {
        if let error = error as? DataServiceError { return error }
        let cause = ErrorBase.from(any: error)
        return make(status: 0, message: cause.message, response: nil, cause: cause)
    }
}
