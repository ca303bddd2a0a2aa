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
        /// The position of the change behind each message; an update may need several.
        case changes(ChangeSet, owners: [Int])
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
            case .changes(let changes, let owners): record(outcome, changes, owners)
            }
        }
    }

    private func message(_ parts: [OnlinePart], _ dialect: Dialect) throws -> RequestMessage {
        if service.batchAsJSON, !dialect.wrapsPayload {
            // JSON batches go on after errors by themselves.
            return try JSONBatch.request(of: parts.map(\.part))
        }
        let identifier = world.makeIdentifier()
        var headers: HeaderFields = ["Accept": "multipart/mixed"]
        if !dialect.wrapsPayload { headers["Prefer"] = "odata.continue-on-error" }
        return try BatchWriter.request(
            parts.map(\.part),
            boundary: "batch_\(Guid(high: identifier.0, low: identifier.1))", headers: headers)
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
            var requests: [BatchRequest] = []
            var owners: [Int] = []
            var created: [ObjectIdentifier: String] = [:]
            for (index, change) in changes.members.enumerated() {
                var writer = writer(model(of: change))
                for message in try messages(of: change, &writer, created) {
                    nextID += 1
                    let id = "\(nextID)"
                    if let entity = change.created { created[ObjectIdentifier(entity)] = id }
                    requests.append(
                        BatchRequest(
                            contentID: id, inner(message, change.headers, writer.dialect)))
                    owners.append(index)
                }
            }
            guard !requests.isEmpty else { return nil }
            return OnlinePart(
                member: position, content: .changes(changes, owners: owners),
                part: .changeSet(requests))
        }
    }

    /// A message inside a batch: the headers of the batch as a whole stay outside.
    private func inner(
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

    private func model(of change: ChangeSet.Member) -> MetadataModel {
        switch change.operation {
        case .create(let entity), .createRelated(let entity, _, _), .update(let entity),
            .delete(let entity), .createLink(let entity, _, _), .updateLink(let entity, _, _),
            .deleteLink(let entity, _, _):
            entity.entityType.model
        case .action(let query): query.model ?? model
        }
    }

    private func messages(
        of change: ChangeSet.Member, _ writer: inout OnlineWriter,
        _ created: [ObjectIdentifier: String]
    ) throws -> [RequestMessage] {
        var address = writer.address
        address.created = created
        writer = OnlineWriter(dialect: writer.dialect, address: address, service: service)
        let options = change.options
        switch change.operation {
        case .create(let entity):
            return [repeatable(try writer.create(entity, options), options)]
        case .createRelated(let entity, let parent, let property):
            entity.parentEntity = parent
            entity.parentProperty = property
            return [repeatable(try writer.create(entity, options), options)]
        case .update(let entity):
            let update = try writer.update(entity, options).map { repeatable($0, options) }
            return (update.map { [$0] } ?? []) + (try unbinds(of: entity, writer))
        case .delete(let entity): return [repeatable(try writer.delete(entity), options)]
        case .createLink(let source, let property, let target),
            .updateLink(let source, let property, let target):
            return [try writer.putLink(source, property, target)]
        case .deleteLink(let source, let property, let target):
            return [
                try writer.deleteLink(
                    source, property, target ?? EntityValue(type: source.entityType))
            ]
        case .action(let query):
            guard let call = query.methodCall else {
                throw ODataError(.usage, "Expected a call of an action in a change set.")
            }
            return [try writer.action(query, call)]
        }
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
            guard answer.isSuccess else { throw DataServiceError.of(answer) }
            messages.hear(answer)
            let found = QueryResult(
                query: query, result: try result(of: answer, read), status: answer.status)
            found.messages = OnlineMessages.list(of: answer)
            batch.members[position].result = found
        } catch {
            batch.members[position].error = ErrorBase.from(any: error)
        }
    }

    private func record(_ outcome: BatchOutcome, _ changes: ChangeSet, _ owners: [Int]) {
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
                guard complete.count == owners.count else { throw Self.unanswered }
                for (owner, answer) in zip(owners, complete) {
                    try record(answer, &changes.members[owner])
                }
                changes.status = complete.last?.status ?? 200
            }
        } catch {
            changes.error = DataServiceError.wrapping(error)
            changes.status = changes.error?.status ?? 0
        }
    }

    private func record(_ answer: ResponseMessage, _ change: inout ChangeSet.Member) throws {
        messages.hear(answer)
        switch change.operation {
        case .create(let entity), .createRelated(let entity, _, _):
            try record(answer, created: entity)
        case .update(let entity):
            try record(answer, updated: entity)
            entity.bindings = []
        case .delete(let entity):
            entity.flags.subtract([.new, .local])
            entity.isDeleted = true
        case .createLink, .updateLink, .deleteLink: break
        case .action(let query):
            let model = query.model ?? model
            var read = OnlineRead(
                message: RequestMessage(method: "POST", url: ""),
                resource: ResolvedResource(kind: .nothing), model: model,
                dialect: dialect(model), followsPages: false)
            read.resource = try ResourceResolver.resolve(query.query.path, in: model.graph)
            change.result = try result(of: answer, read)
        }
    }
}

extension ChangeSet.Member {
    /// The entity that the change creates.
    fileprivate var created: EntityValue? {
        switch operation {
        case .create(let entity), .createRelated(let entity, _, _): entity
        default: nil
        }
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
