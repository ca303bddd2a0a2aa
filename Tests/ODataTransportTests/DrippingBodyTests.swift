import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataWorld
import Synchronization
import Testing

@testable import ODataTransport

/// Bodies whose bytes come too steadily for the limit of a silence to end them.
@Suite struct DrippingBodyTests {
    /// A world in which a second goes by whenever somebody looks at the clock.
    private final class HastyWorld: VariedWorld {
        let live = LiveWorld()
        private let seconds = Mutex(0)

        func uptime() -> Duration {
            seconds.withLock { seconds in
                seconds += 1
                return .seconds(seconds)
            }
        }
        func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool { true }
    }

    /// Reads one byte after another from an answer that never ends.
    private static func bytesRead(limit: Duration?) throws -> Int {
        let answer = PulledAnswer(
            options: TransportOptions(idleTimeout: .seconds(1_000), totalTimeout: limit),
            world: HastyWorld(), request: RequestMessage(method: "GET", url: "http://h/s/"))
        defer { answer.close() }
        answer.receive(status: 200, headers: HeaderFields())
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { buffer.deallocate() }
        var count = 0
        while count < 500 {
            _ = answer.receive(Data([7]))
            count += try answer.read(into: buffer)
        }
        return count
    }

    @Test func theLimitOfTheExchangeEndsThem() throws {
        #expect(try Self.bytesRead(limit: nil) == 500)
        let error = #expect(throws: ODataError.self) {
            try Self.bytesRead(limit: .seconds(60))
        }
        #expect(error?.code == .timeout)
    }
}
