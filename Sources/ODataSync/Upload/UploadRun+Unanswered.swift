import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld
import ODataWire

extension UploadRun {
    /// Looks at the service for the effect of each member.
    ///
    /// - Returns: a failure where the service could not be asked, or somebody else answered.
    func look(
        at attempt: Attempt, isAnswered: Bool
    ) throws -> Result<[Int64: ResendPolicy.Finding], ODataError> {
        let requests = try store.requests(Set(attempt.members.map(\.request)))
        let probe = effectProbe
        do {
            var findings: [Int64: ResendPolicy.Finding] = [:]
            var hasAsked = false
            for request in requests {
                try checkCancellation()
                let question = probe.question(
                    for: request, isAnswered: isAnswered, address: store.knownAddress,
                    key: store.knownKey)
                if case .nothing(let finding) = question {
                    findings[request.id] = finding
                } else {
                    findings[request.id] = try look(for: request, question, probe)
                    hasAsked = true
                }
            }
            // Whether the service is there at all: without that nothing else should be sent.
            if isAnswered, !hasAsked { _ = try read("") }
            return .success(findings)
        } catch let error as ODataError {
            return .failure(error)
        }
    }

    /// Looks at the service for the effect of one request.
    func look(
        for request: QueuedRequest, _ question: EffectProbe.Question, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        switch question {
        case .nothing(let finding): return finding
        case .entity(let url):
            return try settled { try probe.finding(of: read(url), about: request) }
        case .target:
            let url = try store.address(of: request.target)
            return try settled { try probe.finding(of: read(url), about: request) }
        case .content: return try settled { try lookAtContent(request, probe) }
        case .link(let url): return try settled { try lookAtLink(url, request, probe) }
        case .alternateKey(let url):
            return try settled {
                let found = try probe.entities(in: read(url), about: request)
                guard let entity = found.first else { return .notCarriedOut }
                guard found.count == 1, let url = probe.url(of: entity, for: request) else {
                    return .undecided
                }
                return try probe.finding(
                    of: read(url), about: request, isProbed: probe.isProbed(request))
            }
        }
    }

    /// A refusal of the service to show something does not keep the rest: nobody can tell, then.
    private func settled(
        _ body: () throws -> ResendPolicy.Finding
    ) throws -> ResendPolicy.Finding {
        do {
            return try body()
        } catch let error as ODataError
            where error.code == .service && ![401, 403, 407, 429, 503].contains(error.status)
        {
            return .undecided
        }
    }

    /// Services that do not know the way to a single target of a link answer 404 in many forms: nothing is known then.
    private func lookAtLink(
        _ url: String, _ request: QueuedRequest, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        let answer = try connection.exchange(
            builder.writer.alone(RequestMessage(method: "GET", url: url)),
            cancellation: cancellation)
        let marks = ServiceMarks(sendsVersion: connection.hasSeenVersion)
        guard marks.origin(of: answer, to: .data) != .foreign else {
            guard answer.status == 404 else {
                throw ForeignAnswer.error(answer, of: connection.absolute(url))
            }
            return .repeatable
        }
        let target = request.navigation?.row.flatMap { try? store.knownKey(of: $0) }
        return try probe.finding(ofLink: answer, about: request, target: target)
    }

    private func lookAtContent(
        _ request: QueuedRequest, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        let url = try builder.writer.streamURL(of: request, store.address(of:))
        let answer = try ResumingRead(
            connection,
            builder.writer.alone(
                RequestMessage(
                    method: "GET", url: url,
                    headers: ["Accept": "*/*", "Accept-Encoding": "identity"])),
            cancellation: cancellation)
        defer { answer.close() }
        let head = ResponseMessage(status: answer.status, headers: answer.headers)
        return try probe.finding(ofContent: head, about: request) {
            guard let stream = try store.stream(ofRequest: request.id) else { return false }
            return try ContentReader(store, stream).holds(answer.next)
        }
    }

    /// - Throws: `network` for an answer that is not the service's.
    func read(_ url: String) throws -> ResponseMessage {
        let answer = try connection.exchange(
            builder.writer.alone(RequestMessage(method: "GET", url: url)),
            cancellation: cancellation)
        let marks = ServiceMarks(sendsVersion: connection.hasSeenVersion)
        guard marks.origin(of: answer, to: .data) != .foreign else {
            throw ForeignAnswer.error(answer, of: connection.absolute(url))
        }
        return answer
    }

    /// The service is known to recognise repetitions: it says so, or has done so before.
    func isRepeatable() -> Bool {
        guard settings.sendsRepeatability else { return false }
        if let known = profile.flag(.repeatable) { return known }
        return ServiceCapabilities(builder.writer.graph).supportsRepeatability == true
    }

    /// Identities are told the time by the service's clock; before its first answer nothing is known of that.
    func learnClock() throws {
        guard isRepeatable(), !connection.clock.isKnown else { return }
        try checkCancellation()
        _ = try? read("")
    }

    /// Remembers that the service answered about an identity.
    mutating func noteRepeatability(_ answers: [AttemptAnswers.Answer]) throws {
        let isAccepted = answers.contains { answer in
            guard case .answered(let message) = answer.outcome else { return false }
            return RepeatabilityResult(message.headers) == .accepted
        }
        if isAccepted { try learn(.repeatable) }
    }

    /// Keeps that an entry of the profile was met.
    mutating func learn(_ entry: ProfileEntry) throws {
        guard profile.flag(entry) != true else { return }
        profile = try store.learn(entry)
    }
}
