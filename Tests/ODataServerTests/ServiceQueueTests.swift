import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import ODataWorld
import Synchronization
import Testing

/// Requests that wait for a thread.
@Suite struct ServiceQueueTests {
    /// An edge with one thread, which a request for `/hold` keeps until it is let go.
    private final class Place: Sendable {
        let clock = StoppedClock()
        let edge: HTTPEdge
        private let held: DispatchSemaphore
        private let letGo: DispatchSemaphore
        private let seen: Seen

        private final class Seen: Sendable {
            let urls = Mutex<[String]>([])
        }

        init(maximumWaiting: Int = 1_000) {
            var configuration = HTTPEdge.Configuration()
            configuration.workerThreads = 1
            configuration.maximumWaiting = maximumWaiting
            configuration.waitingTime = .seconds(60)
            configuration.world = clock
            let (held, letGo, seen) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Seen()
            )
            edge = HTTPEdge(configuration) { request in
                seen.urls.withLock { $0.append(request.url) }
                if request.url == "/hold" {
                    held.signal()
                    letGo.wait()
                }
                return .answer(ResponseMessage(status: 200, body: Array("here".utf8)))
            }
            (self.held, self.letGo, self.seen) = (held, letGo, seen)
        }

        var urls: [String] { seen.urls.withLock { $0 } }

        /// Keeps the thread; the answer comes when it is let go.
        func hold(_ port: Int) -> Answer {
            let answer = Answer("/hold", port)
            held.wait()
            return answer
        }

        func release() { letGo.signal() }
    }

    /// An answer that comes while others are waited for.
    private final class Answer: Sendable {
        private let text = Mutex("")
        private let isThere = DispatchSemaphore(value: 0)

        init(_ path: String, _ port: Int, then: DispatchSemaphore? = nil) {
            Thread.detachNewThread { [self] in
                let found = Self.get(path, port)
                text.withLock { $0 = found }
                isThere.signal()
                then?.signal()
            }
        }

        /// What there is by now.
        var present: String { text.withLock { $0 } }

        func wait() -> String {
            isThere.wait()
            return present
        }

        static func get(_ path: String, _ port: Int) -> String {
            ServiceSocketTests.exchange(
                "GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port)
        }
    }

    private func served(
        _ place: Place, _ body: @escaping @Sendable (Int) throws -> Void
    ) async throws {
        try await onOwnThread {
            let port = try place.edge.start()
            defer {
                // Nothing that failed keeps the thread.
                place.release()
                place.edge.stop()
            }
            try body(port)
        }
    }

    @Test func whoFindsTheQueueFullIsToldAtOnce() async throws {
        let place = Place(maximumWaiting: 1)
        try await served(place) { port in
            let first = place.hold(port)
            let isTold = DispatchSemaphore(value: 0)
            let others = ["/a", "/b"].map { Answer($0, port, then: isTold) }
            // The thread is kept: one of the two waits, and the first answer is the other's.
            isTold.wait()
            let refused = others.map(\.present).filter { !$0.isEmpty }
            #expect(refused.count == 1)
            #expect(refused.first?.hasPrefix("HTTP/1.1 503 ") == true, "\(refused)")
            #expect(refused.first?.lowercased().contains("\r\nretry-after: ") == true)
            #expect(refused.first?.contains("serviceOverloaded") == true)
            #expect(place.urls == ["/hold"])
            place.release()
            #expect(first.wait().hasSuffix("here"))
            #expect(others.map { $0.wait() }.count { $0.hasSuffix("here") } == 1)
            // There is room again.
            #expect(Answer.get("/c", port).hasSuffix("here"))
            #expect(place.urls.count == 3)
        }
    }

    @Test func whoWaitedTooLongIsToldWithoutAnyWork() async throws {
        let place = Place()
        try await served(place) { port in
            let first = place.hold(port)
            let looks = place.clock.looks
            let late = Answer("/late", port)
            place.clock.wait(until: looks + 1)
            place.clock.advance(by: .seconds(61))
            place.release()
            let answer = late.wait()
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            #expect(answer.lowercased().contains("\r\nretry-after: "))
            #expect(first.wait().hasSuffix("here"))
            #expect(place.urls == ["/hold"])
        }
    }

    /// The time for the work begins with it.
    @Test func whoWaitedLongIsAnswered() async throws {
        let place = Place()
        try await served(place) { port in
            let first = place.hold(port)
            let looks = place.clock.looks
            let late = Answer("/late", port)
            place.clock.wait(until: looks + 1)
            place.clock.advance(by: .seconds(59))
            place.release()
            #expect(late.wait().hasSuffix("here"))
            #expect(first.wait().hasSuffix("here"))
            #expect(place.urls == ["/hold", "/late"])
        }
    }

    @Test func nothingIsDoneForAClientThatLeftMeanwhile() async throws {
        let place = Place()
        try await served(place) { port in
            let first = place.hold(port)
            let looks = place.clock.looks
            let handle = try #require(ServiceSocketTests.connection(port: port))
            let bytes = Array("GET /gone HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            _ = bytes.withUnsafeBytes { send(handle, $0.baseAddress, $0.count, 0) }
            place.clock.wait(until: looks + 1)
            close(handle)
            // The end of what it sends shortens its time.
            place.clock.wait(until: looks + 2)
            place.clock.advance(by: .seconds(2))
            place.release()
            #expect(Answer.get("/last", port).hasSuffix("here"))
            #expect(first.wait().hasSuffix("here"))
            #expect(place.urls == ["/hold", "/last"])
        }
    }
}

/// A world whose clock is moved by hand, and that tells how often it was looked at.
private final class StoppedClock: World {
    private let live = LiveWorld()
    private let state = Mutex((time: Duration.seconds(1), looks: 0))

    var looks: Int { state.withLock { $0.looks } }

    func wait(until looks: Int) {
        for _ in 0..<20_000 where self.looks < looks { usleep(1_000) }
    }

    func advance(by duration: Duration) { state.withLock { $0.time += duration } }

    func uptime() -> Duration {
        state.withLock { state in
            state.looks += 1
            return state.time
        }
    }

    func now() -> Instant { live.now() }
    func makeIdentifier() -> (UInt64, UInt64) { live.makeIdentifier() }
    func random() -> UInt64 { live.random() }

    @discardableResult
    func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        live.sleep(duration, token: token)
    }

    func startWorker(_ name: String, _ body: @escaping @Sendable () -> Void) -> any WorkerHandle {
        live.startWorker(name, body)
    }

    func makeMonitor() -> any Monitor { live.makeMonitor() }
    func checkpoint(_ name: StaticString) {}
}
