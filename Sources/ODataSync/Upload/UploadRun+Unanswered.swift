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
    mutating func look(
        at attempt: Attempt, isAnswered: Bool
    ) throws -> Result<[Int64: ResendPolicy.Finding], ODataError> {
        let requests = try store.requests(Set(attempt.members.map(\.request)))
        do {
            var findings: [Int64: ResendPolicy.Finding] = [:]
            var hasAsked = false
            for request in requests {
                try checkCancellation()
                // Of one that no longer fits the metadata it is not known in full what to look for.
                guard request.misfit == nil else {
                    findings[request.id] = .undecided
                    continue
                }
                guard !isCompared(request) else {
                    findings[request.id] = try shown { try $0.finding(ofCompared: request) }
                    hasAsked = true
                    continue
                }
                findings[request.id] = try shown { run in
                    let question = try run.question(for: request, isAnswered: isAnswered)
                    if case .nothing(let finding) = question { return finding }
                    hasAsked = true
                    return try run.look(for: request, question)
                }
            }
            // Whether the service is there at all: without that nothing else should be sent.
            if isAnswered, !hasAsked { _ = try read("") }
            return .success(findings)
        } catch let error as ODataError {
            return .failure(error)
        }
    }

    private mutating func question(
        for request: QueuedRequest, isAnswered: Bool
    ) throws -> EffectProbe.Question {
        let question = effectProbe.question(
            for: request, isAnswered: isAnswered, address: { try store.knownAddress(of: $0) },
            key: store.knownKey)
        switch question {
        case .content, .link:
            // That nothing hangs on a row looks as if the row were not understood.
            guard builder.writer.settings.keys == nil else { break }
            if let error = meetKeys(of: [request.target]).failure { throw error }
            return effectProbe.question(
                for: request, isAnswered: isAnswered,
                address: { try store.knownAddress(of: $0) }, key: store.knownKey)
        default: break
        }
        return question
    }

    /// Looks at the service for the effect of one request.
    mutating func look(
        for request: QueuedRequest, _ question: EffectProbe.Question
    ) throws -> ResendPolicy.Finding {
        switch question {
        case .nothing(let finding): return finding
        case .entity(let url):
            let answer = try readByKey(in: request.target.table) { [self] in
                entityURL(of: request, $0) ?? url
            }
            return try effectProbe.finding(of: answer, about: request)
        case .target:
            let answer = try readByKey(in: request.target.table) { [store] in
                try store.address(of: request.target, keys: $0)
            }
            return try effectProbe.finding(of: answer, about: request)
        case .content: return try lookAtContent(request, effectProbe)
        case .link(let url): return try lookAtLink(url, request, effectProbe)
        case .alternateKey(let url):
            let probe = effectProbe
            let (found, hasMore) = try probe.entities(in: read(url), about: request)
            guard let entity = found.first else { return .notCarriedOut }
            guard found.count == 1, let url = probe.url(of: entity, for: request) else {
                return .undecided
            }
            // The only one with that value, and no creation made what was there before it was sent.
            switch try store.age(of: entity, request) {
            case .before: return hasMore ? .undecided : .notCarriedOut
            case .rewritten: return .undecided
            case .new: break
            }
            let answer = try readByKey(in: request.target.table) { [self] in
                effectProbe($0).url(of: entity, for: request) ?? url
            }
            return try probe.finding(
                of: answer, about: request, isProbed: probe.isProbed(request))
        }
    }

    /// Where the entity is that a creation makes, its key in a style.
    private func entityURL(of request: QueuedRequest, _ keys: KeyStyle) -> String? {
        let question = effectProbe(keys).question(
            for: request, address: { try store.knownAddress(of: $0, keys: keys) },
            key: store.knownKey)
        if case .entity(let url) = question { return url }
        return nil
    }

    /// What the service refuses to show, or shows in a form that nobody reads, and what somebody else answers at this one place
    /// keeps nothing else: nobody can tell, then.
    mutating func shown(
        _ look: (inout UploadRun) throws -> ResendPolicy.Finding
    ) throws -> ResendPolicy.Finding {
        do {
            return try look(&self)
        } catch let error as ODataError {
            guard isOfOnePlace(error) else { throw error }
            return .undecided
        }
    }

    /// Whether a failed read says nothing of the others. Where somebody else has answered the service is asked for what it
    /// always answers.
    func isOfOnePlace(_ error: ODataError) -> Bool {
        guard !ReadFailure.asksToComeLater(error.status) else { return false }
        return switch ReadFailure(error) {
        case .ofOnePlace: true
        case .ofSomebodyElse: isServiceThere()
        case .ofEverything: false
        }
    }

    /// The service answers what it always answers, and lets us in.
    func isServiceThere() -> Bool {
        guard let answer = try? read("") else { return false }
        return !ReadFailure.asksToComeLater(answer.status)
    }

    /// Somebody else's answer as an error, which keeps the status.
    func foreign(_ answer: ResponseMessage, _ url: String) -> ODataError {
        var error = ForeignAnswer.error(answer, of: connection.absolute(url))
        error.status = answer.status
        return error
    }

    /// Services that do not know the way to a single target of a link answer 404 in many forms: nothing is known then.
    private func lookAtLink(
        _ url: String, _ request: QueuedRequest, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        let answer = try connection.exchange(
            builder.writer.alone(RequestMessage(method: "GET", url: url)),
            cancellation: cancellation)
        let origin = origin(of: answer)
        guard origin == .service || origin == .doubtful && !knownMarks.sendsVersion else {
            guard answer.status == 404 else {
                throw foreign(answer, url)
            }
            return .repeatable
        }
        let target = request.navigation?.row.flatMap { try? store.knownKey(of: $0) }
        return try probe.finding(ofLink: answer, about: request, target: target)
    }

    private func lookAtContent(
        _ request: QueuedRequest, _ probe: EffectProbe
    ) throws -> ResendPolicy.Finding {
        let url = try builder.writer.streamURL(of: request) { try store.address(of: $0) }
        let answer = try ResumingRead(
            connection,
            builder.writer.alone(
                RequestMessage(
                    method: "GET", url: url,
                    headers: ["Accept": "*/*", "Accept-Encoding": "identity"])),
            cancellation: cancellation)
        defer { answer.close() }
        let head = ResponseMessage(status: answer.status, headers: answer.headers)
        // That there is no content, only the service can say.
        let isCertain = knownMarks.origin(of: head, to: .data) == .service
        if !isCertain, head.status >= 300,
            ![404, 410].contains(head.status), !ReadFailure.asksToComeLater(head.status)
        {
            throw foreign(head, url)
        }
        return try probe.finding(ofContent: head, about: request, isCertain: isCertain) {
            guard let stream = try store.stream(ofRequest: request.id) else { return false }
            return try ContentReader(store, stream).holds(answer.next)
        }
    }

    /// - Throws: `network` for an answer that is not the service's.
    func read(_ url: String) throws -> ResponseMessage { try checked(ask(url), of: url) }

    /// Whatever is answered, by whomever.
    func ask(_ url: String) throws -> ResponseMessage {
        try connection.exchange(
            builder.writer.alone(RequestMessage(method: "GET", url: url)),
            cancellation: cancellation)
    }

    func checked(_ answer: ResponseMessage, of url: String) throws -> ResponseMessage {
        // A look at an entity ends in the entity or in a refusal: what may be somebody else's, a bare 204, shows nothing.
        guard origin(of: answer) == .service else {
            throw foreign(answer, url)
        }
        return answer
    }

    func origin(of answer: ResponseMessage) -> ServiceMarks.Origin {
        knownMarks.origin(of: answer, to: .data)
    }

    private var knownMarks: ServiceMarks {
        ServiceMarks(sendsVersion: marks.sendsVersion || connection.hasSeenVersion)
    }

    /// The service is known to recognise repetitions: it says so, or has done so before.
    func isRepeatable() -> Bool {
        guard settings.sendsRepeatability else { return false }
        if let known = profile.flag(.repeatable) { return known }
        return ServiceCapabilities(builder.writer.graph).supportsRepeatability == true
    }

    /// Identities are told the time by the service's clock, whether it is known to read them or not; before its first answer
    /// nothing is known of that.
    func learnClock() throws {
        guard builder.writer.sendsRepeatability, !connection.clock.isAsked,
            try store.allRequests().contains(where: { $0.identity.firstSent == nil })
        else { return }
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
