import ODataQuery
import ODataSync
import ODataWire

/// Writes what a call does to the log, and passes on what the service says.
struct OnlineObserver: ServiceCallObserver {
    let trace: OnlineTrace
    let messages: OnlineMessages

    func answered(_ request: RequestMessage, _ answer: ResponseMessage, after time: Duration) {
        trace.answered(request, answer, after: time)
    }

    func failed(_ request: RequestMessage, _ error: any Error) { trace.failed(request, error) }

    func heard(_ messages: [ServiceMessage]) { self.messages.hear(messages) }
}
