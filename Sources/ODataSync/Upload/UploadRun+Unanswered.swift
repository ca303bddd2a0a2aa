import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld
import ODataWire

extension UploadRun {
    /// Settles an attempt that an earlier upload left without an answer: by sending it again, or first by a look at what
    /// the service made of it.
    mutating func settleAgain(_ attempt: Attempt) throws {
        let requests = try store.requests(Set(attempt.members.map(\.request)))
        let isBlind = ResendPolicy.resendsBlindly(
            requests, wasSent: attempt.sendCount > 0, isRepeatable: try isRepeatable())
        if isBlind { return try settle(attempt) }
        try checkCancellation()
        let probe = EffectProbe(graph: builder.writer.graph, dialect: builder.writer.dialect)
        var findings: [Int64: ResendPolicy.Finding] = [:]
        for request in requests { findings[request.id] = try look(for: request, probe) }
        let verdicts = ResendPolicy.verdicts(attempt.members, requests, findings)
        if verdicts.values.allSatisfy({ $0 == .again }) { return try settle(attempt) }
        let outcome = try store.record(
            attempt.members.map { member in
                AttemptAnswers.Answer(
                    request: member.request, outcome: Self.outcome(verdicts[member.request]))
            }, of: attempt.id)
        world.checkpoint("upload.recorded")
        try fetchETags(of: outcome.needsETag)
        progress.sent += outcome.accepted.count + outcome.unknown.count
        progress.accepted += outcome.accepted.count
        progress.refused += outcome.unknown.count
        report(progress)
    }

    private static func outcome(_ verdict: ResendPolicy.Verdict?) -> AttemptAnswers.Outcome {
        switch verdict {
        case .accepted(let answer)?: .answered(answer)
        case .again?: .unanswered
        case .unknown?, nil: .undecided
        }
    }

    /// Looks at the service for the effect of one request.
    private func look(
        for request: QueuedRequest, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        switch probe.question(for: request, address: store.knownAddress) {
        case .nothing(let finding): return finding
        case .entity(let url): return try probe.finding(of: read(url), about: request)
        case .target:
            return try probe.finding(of: read(store.address(of: request.target)), about: request)
        case .content: return try lookAtContent(request, probe)
        case .alternateKey(let url):
            let found = try probe.entities(in: read(url), about: request)
            guard let entity = found.first else { return .notCarriedOut }
            guard found.count == 1, let url = probe.url(of: entity, for: request) else {
                return .undecided
            }
            return try probe.finding(of: read(url), about: request)
        }
    }

    private func lookAtContent(
        _ request: QueuedRequest, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        let url = try builder.writer.streamURL(of: request, store.address(of:))
        let answer = try ResumingRead(
            connection,
            RequestMessage(
                method: "GET", url: url, headers: ["Accept": "*/*", "Accept-Encoding": "identity"]),
            cancellation: cancellation)
        defer { answer.close() }
        let head = ResponseMessage(status: answer.status, headers: answer.headers)
        return try probe.finding(ofContent: head, about: request) {
            guard let stream = try store.stream(ofRequest: request.id) else { return false }
            return try ContentReader(store, stream).holds(answer.next)
        }
    }

    private func read(_ url: String) throws -> ResponseMessage {
        try connection.exchange(
            RequestMessage(method: "GET", url: url, headers: ["Accept": "application/json"]),
            cancellation: cancellation)
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

    /// Reads the entity tags that answers left out, so that waiting changes of the same rows are not refused for an old one.
    func fetchETags(of rows: [RowReference]) throws {
        for row in rows {
            let answer = try read(store.address(of: row))
            guard answer.isSuccess else { continue }
            let body = try? JSONValue(parsing: answer.body, duplicates: .keepLast)
            let etag =
                answer.headers["ETag"] ?? body?["@odata.etag"]?.string
                ?? body?["@etag"]?.string
            try store.setETag(etag, of: row)
        }
    }
}
