import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire

extension UploadRun {
    /// Settles an attempt that an earlier upload left without an answer.
    mutating func settleAgain(_ attempt: Attempt) throws {
        let ids = attempt.members.map(\.request)
        let requests = try store.requests(Set(ids))
        let decision = ResendPolicy.decide(
            requests, wasSent: attempt.sendCount > 0,
            isRepeatable: try isRepeatable(), hasKey: { createdURL($0) != nil })
        switch decision {
        case .resend: try settle(attempt)
        case .unknown: try store.markUnknown(attempt.id)
        case .probe(let creates):
            let found = try probe(requests.filter { creates.contains($0.id) })
            guard !found.isEmpty else { return try settle(attempt) }
            _ = try store.record(
                ids.map { id in
                    AttemptAnswers.Answer(
                        request: id, outcome: found[id].map { .answered($0) } ?? .unanswered)
                }, of: attempt.id)
        }
    }

    /// The service is known to recognise repetitions: it says so, or has done so before.
    private func isRepeatable() throws -> Bool {
        guard settings.sendsRepeatability else { return false }
        if try store.flag(.repeatability) { return true }
        return ServiceCapabilities(builder.writer.graph).supportsRepeatability == true
    }

    /// Remembers that the service answered about an identity.
    func noteRepeatability(_ answers: [AttemptAnswers.Answer]) throws {
        let isAccepted = answers.contains { answer in
            guard case .answered(let message) = answer.outcome else { return false }
            return RepeatabilityResult(message.headers) == .accepted
        }
        guard isAccepted, try !store.flag(.repeatability) else { return }
        try store.setFlag(true, for: .repeatability)
    }

    /// What the service has of the entities that these creates would make.
    private func probe(_ creates: [QueuedRequest]) throws -> [Int64: ResponseMessage] {
        var found: [Int64: ResponseMessage] = [:]
        for create in creates {
            guard let url = createdURL(create) else { continue }
            let answer = try connection.exchange(
                RequestMessage(method: "GET", url: url, headers: ["Accept": "application/json"]),
                cancellation: cancellation)
            switch answer.status {
            case 200: found[create.id] = answer
            case 404, 410: continue
            default: throw ErrorPayload(answer).error(status: answer.status)
            }
        }
        return found
    }

    /// The URL that a create with a key of the client's makes; nil where the service chooses the key.
    private func createdURL(_ request: QueuedRequest) -> String? {
        guard request.operation == .create, request.navigation == nil,
            let values = request.body?.values
        else { return nil }
        let graph = builder.writer.graph
        let key = graph[values.type].key.compactMap { part -> Scalar? in
            graph[values.type].slot(named: part.path).flatMap { values.slots[$0]?.scalar }
        }
        return try? EntityURL(graph: graph, dialect: builder.writer.dialect)
            .text(set: request.target.table, key: key)
    }

    /// Reads the entity tags that answers left out, so that waiting changes of the same rows are not refused for an old one.
    func fetchETags(of rows: [RowReference]) throws {
        for row in rows {
            let answer = try connection.exchange(
                RequestMessage(
                    method: "GET", url: try store.address(of: row),
                    headers: ["Accept": "application/json"]), cancellation: cancellation)
            guard answer.isSuccess else { continue }
            let body = try? JSONValue(parsing: answer.body, duplicates: .keepLast)
            let etag =
                answer.headers["ETag"] ?? body?["@odata.etag"]?.string
                ?? body?["@etag"]?.string
            try store.setETag(etag, of: row)
        }
    }
}
