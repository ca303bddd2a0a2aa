import ODataQuery
import ODataText
import ODataWire

/// What became of one sending of an attempt (docs/design.md, decision 15).
package enum SendingOutcome: Sendable {
    /// The transport proves that nobody got it.
    case notSent(ODataError)
    /// An answer that says by its nature that the request was not looked at.
    case refusedUnprocessed(Refusal)
    /// The batch as a whole is too large: its parts were not looked at.
    case tooLarge(ResponseMessage)
    /// There is no `$batch`, or none of this form: its parts were not looked at.
    case noBatch(ResponseMessage)
    /// Somebody says that there is no `$batch`: its parts may have been looked at.
    case perhapsNoBatch(ResponseMessage, ODataError)
    /// The service's own refusal of a batch that names no part of it.
    case refusedWhole(ResponseMessage)
    /// The service's answer, member by member.
    case answered([AttemptAnswers.Answer])
    /// An answer that may be the service's or somebody else's: the service has to be looked at before it counts.
    case doubtful(ResponseMessage, ODataError)
    /// Nobody answered.
    case unanswered(ODataError)

    /// An answer that settles nothing and forgets nothing.
    package struct Refusal: Sendable {
        package var status: Int
        package var error: ODataError
        /// After how many seconds it may be tried again, where the answer says so.
        package var retryAfter: Int64?

        package init(status: Int, error: ODataError, retryAfter: Int64? = nil) {
            self.status = status
            self.error = error
            self.retryAfter = retryAfter
        }
    }
}

extension SendingOutcome {
    /// What an exchange means for an attempt.
    ///
    /// - Parameters:
    ///   - question: what the attempt asks for.
    ///   - root: the service root, for what is said about answers that are not the service's.
    ///   - tokenHeader: the header that demands a security token.
    ///   - now: seconds since 1970, for a `Retry-After` that names an instant.
    ///   - wasOnItsWay: an earlier process has begun the sending: whatever failed here, the request may have left before.
    package static func of(
        _ result: Result<ResponseMessage, ODataError>, to attempt: Attempt,
        asking question: ServiceMarks.Question, marks: ServiceMarks, root: String,
        tokenHeader: String? = "X-CSRF-Token", now: Int64 = 0, wasOnItsWay: Bool = false
    ) -> SendingOutcome {
        let answer: ResponseMessage
        switch result {
        case .success(let found): answer = found
        case .failure(let error):
            guard !wasOnItsWay else { return .unanswered(error) }
            // What cannot be asked for was not asked.
            let isOurs = error.code == .usage || error.code == .invalidQuery
            let isNotSent = isOurs || error.provesNotSent(partsCount: attempt.isBatch)
            return isNotSent ? .notSent(error) : .unanswered(error)
        }
        var origin = marks.origin(of: answer, to: question)
        if origin == .doubtful, question == .create, [201, 204].contains(answer.status),
            CreatedLocation.isNamed(in: answer.headers, url: attempt.message.url, root: root)
        {
            origin = .service
        }
        var foreign = ForeignAnswer.error(
            answer, of: ServiceURL.absolute(attempt.message.url, root: root),
            method: attempt.message.method)
        if answer.status >= 300 { (foreign.code, foreign.status) = (.service, answer.status) }
        if let refusal = refusal(answer, origin, foreign, tokenHeader, now) {
            return .refusedUnprocessed(refusal)
        }
        if attempt.isBatch {
            // Whoever says it: a request is too large before anybody deals with it, and a proxy with a limit of its own
            // passes none of it on (RFC 9110, section 15.5.14). An answer that is too large is no 413, but a 5xx.
            if answer.status == 413 { return .tooLarge(answer) }
            if ReadProfile.refusesBatches(answer.status) {
                // Gateways write errors in the form of the protocol, too.
                let isCertain =
                    origin == .service
                    && (ServiceMarks.isCertain(answer.headers) || !marks.sendsVersion)
                return isCertain ? .noBatch(answer) : .perhapsNoBatch(answer, foreign)
            }
        } else if answer.status == 413 {
            return .answered(attempt.members.map { .init(request: $0.request, answer) })
        }
        switch origin {
        case .foreign, .doubtful: return .doubtful(answer, foreign)
        case .service: break
        }
        // Who waits for a server behind itself does not know what that one did; the service says so with its marks at most.
        let isOfGateway =
            [502, 504].contains(answer.status)
            || answer.status == 503 && !ServiceMarks.isCertain(answer.headers)
        if isOfGateway {
            return .doubtful(answer, ErrorPayload(answer).error(status: answer.status))
        }
        guard attempt.isBatch, !answer.isSuccess else {
            do {
                return .answered(try AttemptAnswers.read(answer, of: attempt))
            } catch {
                let error = error as? ODataError ?? ODataError(.invalidPayload, "\(error)")
                return .doubtful(answer, error)
            }
        }
        return .refusedWhole(answer)
    }

    /// What says by its nature that nothing was done (RFC 9110, 15.4, 15.5.2, 15.5.8; RFC 6585, 4; RFC 8470, 5.2).
    private static func refusal(
        _ answer: ResponseMessage, _ origin: ServiceMarks.Origin, _ foreign: ODataError,
        _ tokenHeader: String?, _ now: Int64
    ) -> Refusal? {
        let isRefused: Bool
        switch answer.status {
        case 300..<400, 401, 407, 425, 429: isRefused = true
        case 403:
            isRefused = tokenHeader.flatMap { answer.headers[$0] }?.lowercased() == "required"
        case 503: isRefused = origin == .service && answer.headers["Retry-After"] != nil
        default: isRefused = false
        }
        guard isRefused else { return nil }
        let seconds = answer.headers["Retry-After"].flatMap { text in
            Int64(text) ?? HTTPDate.secondsSince1970(text).map { max(0, $0 - now) }
        }
        return Refusal(
            status: answer.status, error: error(answer, origin, foreign), retryAfter: seconds)
    }

    private static func error(
        _ answer: ResponseMessage, _ origin: ServiceMarks.Origin, _ foreign: ODataError
    ) -> ODataError {
        if (300..<400).contains(answer.status) {
            let place = answer.headers["Location"].map { " to \(ServiceURL.host(of: $0))" } ?? ""
            return ODataError(
                .service, "The request was not carried out: it was redirected\(place).",
                at: foreign.location, status: answer.status)
        }
        guard origin == .service else { return foreign }
        return ErrorPayload(answer).error(status: answer.status)
    }
}

extension AttemptAnswers.Answer {
    /// A plain answer.
    init(request: Int64, _ message: ResponseMessage) {
        self.init(request: request, outcome: .answered(message))
    }
}
