import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

extension ServiceCall {
    /// The answer itself, waited for where the service has said that it comes later.
    ///
    /// - Throws: `cancelled`; `limitExceeded` when the answer does not come; what the transport throws.
    func awaited(
        _ answer: ResponseMessage, to request: RequestMessage
    ) throws -> ResponseMessage {
        guard
            var later = try AsynchronousAnswer(answer, to: request, root: connection.root)
        else { return answer }
        var headers = request.headers
        for name in ["Prefer", "Content-Type", "Content-Length", "If-Match", "If-None-Match"] {
            headers[name] = nil
        }
        for _ in 0..<AsynchronousAnswer.maximumLooks {
            guard world.sleep(later.pause, token: cancellation) else {
                throw ODataError(.cancelled, "The request was cancelled.")
            }
            let message = RequestMessage(
                method: "GET", url: connection.absolute(later.monitor), headers: headers)
            let look = try observing(message) {
                try connection.exchange(
                    message, limit: Self.answerLimit, content: nil, cancellation: cancellation)
            }
            if let found = try later.answer(in: look) { return found }
        }
        throw ODataError(
            .limitExceeded, "Expected an answer that becomes ready, found none.",
            at: .resource(of: later.monitor))
    }
}
