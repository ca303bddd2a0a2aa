import ODataQuery
import ODataTransport
import Synchronization
import Testing

@testable import SAPOfflineOData

/// What the provider adds to each request, and counts of it.
@Suite struct TransferCounterTests {
    /// Keeps what it is given.
    private final class Seen: HTTPTransport {
        let requests = Mutex<[RequestMessage]>([])

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            requests.withLock { $0.append(request) }
            return BufferedAnswer(ResponseMessage(status: 200, headers: [:], body: [1, 2, 3]))
        }
    }

    @Test(arguments: [true, false]) func requestsThatOthersCarryAreCountedAndHaveTheAppsCookies(
        isCarried: Bool
    ) throws {
        let (base, carrier) = (Seen(), Seen())
        let counter = TransferCounter(base)
        counter.configure(cookies: ["a": "b"], idleSeconds: nil)
        var options = TransportOptions()
        if isCarried { options.carrier = carrier }
        let request = RequestMessage(method: "POST", url: "http://h/s/Items", body: [9, 9])
        _ = try counter.carry(request, options: options).readAll()
        let seen = (isCarried ? carrier : base).requests.withLock { $0 }
        #expect(seen.map { $0.headers["Cookie"] } == ["a=b"])
        #expect((isCarried ? base : carrier).requests.withLock { $0.isEmpty })
        #expect(counter.count.sent == 2 && counter.count.received == 3)
    }
}
