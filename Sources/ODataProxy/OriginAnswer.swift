import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataText
import ODataWire

/// What an answer of the service behind a proxy says of a change, and what the client hears (pure).
///
/// Its refusals are the client's to hear. That somebody else answered in its place, or nobody, is not: then the client hears
/// which of two things is so, that nothing was done, or that nobody knows.
enum OriginAnswer {
    case success
    /// Nothing was done.
    case refused(ResponseMessage)
    /// Whether it was done is not known.
    case unanswered(ResponseMessage)

    init(
        _ answer: ResponseMessage, to question: ServiceMarks.Question, marksAreKnown: Bool
    ) {
        let marks = ServiceMarks(sendsVersion: marksAreKnown)
        let origin = marks.origin(of: answer, to: question)
        switch answer.status {
        case 200...201, 203...299,
            202 where question == .batch:
            let isBelieved = origin == .service || origin == .doubtful && !marksAreKnown
            self = isBelieved ? .success : .unanswered(Self.foreign)
        case 300..<400, 401, 407:
            // Whoever lets nobody in has done nothing; who is not let in is the proxy, not its client.
            self = .refused(Self.notLetIn(answer.status))
        case 413, 429: self = .refused(Self.passedOn(answer, status: answer.status))
        case 400..<500 where origin != .foreign && answer.status != 408:
            self = .refused(Self.passedOn(answer, status: answer.status))
        case 403, 404, 405: self = .refused(Self.notLetIn(answer.status))
        case 501 where origin == .service: self = .refused(Self.passedOn(answer, status: 501))
        case 503 where origin == .service || answer.headers["Retry-After"] != nil:
            self = .refused(Self.passedOn(answer, status: 503))
        case 500 where origin == .service: self = .refused(Self.passedOn(answer, status: 502))
        case 504: self = .unanswered(Self.silence(504))
        default: self = .unanswered(Self.silence(502))
        }
    }

    /// What became of a request that the transport could not bring to its end.
    init(_ error: any Error, isBatch: Bool) {
        guard let error = error as? ODataError, error.provesNotSent(partsCount: isBatch) else {
            self = .unanswered(Self.silence(504))
            return
        }
        self = .refused(Self.unreachable)
    }

    // MARK: What the client hears

    private static func message(
        _ status: Int, _ payload: ErrorPayload, retryAfter: String? = nil
    ) -> ResponseMessage {
        var answer = ResponseMessage(
            status: status, headers: ["Content-Type": "application/json;odata.metadata=minimal"],
            body: payload.json())
        answer.headers["Retry-After"] = retryAfter
        return answer
    }

    /// The words of the service: its code, message, target and details, nothing of what is inside of it.
    private static func passedOn(_ answer: ResponseMessage, status: Int) -> ResponseMessage {
        var payload = ErrorPayload(answer)
        payload.innerError = nil
        if payload.code.isEmpty { payload.code = "originRefused" }
        var result = message(status, payload, retryAfter: answer.headers["Retry-After"])
        if status == 405 { result.headers["Allow"] = answer.headers["Allow"] ?? "GET, HEAD" }
        result.headers["Content-ID"] = answer.headers["Content-ID"]
        return result
    }

    private static func notLetIn(_ status: Int) -> ResponseMessage {
        message(
            502,
            ErrorPayload(
                code: "originNotReached",
                message: "Expected the service behind the proxy to answer, found status \(status)"
                    + " in its place; nothing was done."))
    }

    static let unreachable = message(
        503,
        ErrorPayload(
            code: "originNotReached",
            message: "Expected to reach the service behind the proxy; nothing was done."),
        retryAfter: "5")

    private static let foreign = message(
        502,
        ErrorPayload(
            code: "originUnanswered",
            message: "Expected the service behind the proxy to answer, somebody else did;"
                + " whether the change was made is not known."))

    static func silence(_ status: Int) -> ResponseMessage {
        message(
            status,
            ErrorPayload(
                code: "originUnanswered",
                message: "Expected an answer of the service behind the proxy, there was none;"
                    + " whether the change was made is not known."))
    }
}
