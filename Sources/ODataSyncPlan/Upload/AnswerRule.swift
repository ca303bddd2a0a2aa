import ODataQuery
import ODataText
import ODataWire

/// What an answer does to a request of the queue: state → edit (docs/design.md, decision 15).
package enum AnswerRule: Sendable, Hashable {
    /// The change becomes part of the base, with this answer.
    case accept(ResponseMessage)
    /// The request is in this state from now on.
    case become(RequestState)
    /// It is in this state, and the service does not take its identity any more.
    case forgotten(RequestState)
    /// It waits, as it was before it was sent.
    case wait
    /// It waits, and what was sent of it stays open.
    case waitOpen
    /// It waits, and is listed when it meets the same once more; what was sent of it stays open, where something was, and then
    /// it goes on waiting.
    case waitTurnedAway(isOpen: Bool)
    /// It stays in its attempt.
    case stay
    /// It was cancelled and leaves the queue (``Cancellation/dropped(_:in:)``).
    case drop

    /// - Parameter isOpen: an earlier sending has no answer, so that no refusal says what became of that one.
    package static func of(
        _ outcome: AttemptAnswers.Outcome, for request: QueuedRequest, isOpen: Bool
    ) -> AnswerRule {
        let rule = plain(outcome, request, isOpen: isOpen)
        return request.isCancelled ? rule.afterCancelling(request) : rule
    }

    private static func plain(
        _ outcome: AttemptAnswers.Outcome, _ request: QueuedRequest, isOpen: Bool
    ) -> AnswerRule {
        let isOpen = isOpen || request.flags.contains(.open)
        switch outcome {
        case .unanswered, .setRefused: return .stay
        case .unwritten(let code, let reason):
            return .become(unwritten(code, reason, isOpen: isOpen))
        case .undecided(let reason): return .become(.unknown(reason: reason))
        case .notCarriedOut: return .wait
        case .repeatable: return .waitOpen
        case .refusedUnprocessed, .passedOver: return isOpen ? .waitOpen : .wait
        case .turnedAway(let status, let reason):
            // Of what was sent before, it says nothing: whoever comes in again finds out.
            return request.wasTurnedAway && !isOpen
                ? .become(.failed(.turnedAway(status: status, reason)))
                : .waitTurnedAway(isOpen: isOpen)
        case .refused(let message): return refusal(message, isOpen: isOpen)
        case .refusedWithoutEffect(let message): return refusal(message, isOpen: false)
        case .answered(let message):
            let deletes =
                request.operation == .delete
                || isOpen && [.deleteLink, .deleteStream].contains(request.operation)
            if message.isSuccess || deletes && [404, 410].contains(message.status) {
                return .accept(message)
            }
            return refusal(message, isOpen: isOpen)
        }
    }

    /// The rule where the store cannot take what the answer says of rows: an acceptance counts, and is not sent again.
    package func notTaken(because error: ODataError) -> AnswerRule {
        guard case .accept = self else { return self }
        let place = error.location.map { " (\($0))" } ?? ""
        return .become(
            .unknown(
                reason: "The service accepted it, but the store cannot take the answer: "
                    + error.message + place))
    }

    private static func unwritten(
        _ code: String, _ reason: String, isOpen: Bool
    ) -> RequestState {
        guard isOpen else {
            return .failed(
                RequestFailure(
                    status: 0, code: code, message: "It cannot be written as a request: " + reason))
        }
        return .unknown(
            reason: "An earlier sending had no answer, and it cannot be written again: " + reason)
    }

    private static func refusal(_ message: ResponseMessage, isOpen: Bool) -> AnswerRule {
        let result = message.headers["Repeatability-Result"]?.lowercased()
        let payload = ErrorPayload(message)
        guard isOpen, result != "accepted" else {
            return .become(
                .failed(
                    RequestFailure(
                        status: message.status,
                        code: result == "rejected"
                            ? "RepeatabilityRejected" : payload.code.isEmpty ? nil : payload.code,
                        message: payload.message.isEmpty
                            ? StatusReason.text(message.status) : payload.message,
                        innerError: payload.innerError?.text,
                        responseBody: String(
                            decoding: message.body.prefix(1 << 20), as: UTF8.self))))
        }
        let words = payload.message.isEmpty ? "" : " (\(payload.message))"
        let state = RequestState.unknown(
            reason: "An earlier sending had no answer, and nobody can tell what became of it;"
                + " a later one was refused with \(message.status)\(words).")
        return result == "rejected" ? .forgotten(state) : .become(state)
    }
}
