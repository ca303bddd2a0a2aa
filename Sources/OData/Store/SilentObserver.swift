import ODataQuery
import ODataSync
import ODataWire

/// Nobody listens to what a call does on the wire.
struct SilentObserver: ServiceCallObserver {
    func answered(_ request: RequestMessage, _ answer: ResponseMessage, after time: Duration) {}
    func failed(_ request: RequestMessage, _ error: any Error) {}
    func heard(_ messages: [ServiceMessage]) {}
}
