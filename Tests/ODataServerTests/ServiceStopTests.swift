import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization
import Testing

/// A service that stops while clients come.
@Suite struct ServiceStopTests {
    @Test func whoComesLateIsNotToldThatTheRequestIsWrong() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools(1)").status == 200)
        try fixture.service.close()
        #expect(fixture.send("GET /Tools(1)").status == 503)
    }

    /// Without ``ConnectionList/hold(_:)`` the process traps here in most runs of the test.
    @Test func connectionsThatNobodyServesAnyMoreAreClosed() async throws {
        try await onOwnThread {
            for _ in 1...8 {
                let edge = HTTPEdge(HTTPEdge.Configuration()) { _ in .hangUp }
                let port = try edge.start()
                let isOver = Mutex(false)
                let callers = DispatchGroup()
                for _ in 1...4 {
                    callers.enter()
                    Thread.detachNewThread {
                        var open: [Int32] = []
                        while !isOver.withLock({ $0 }), open.count < 100,
                            let handle = ServiceSocketTests.connection(port: port)
                        {
                            open.append(handle)
                        }
                        for handle in open { close(handle) }
                        callers.leave()
                    }
                }
                usleep(2_000)
                edge.stop()
                isOver.withLock { $0 = true }
                callers.wait()
                #expect(ServiceSocketTests.connection(port: port) == nil)
            }
        }
    }

    /// A task that is cancelled while it takes up its work must not wait for a lock that waits for it: seen once, as a
    /// run of all tests that did not end.
    @Test func aServiceEndsHoweverSoonItIsStopped() async throws {
        try await onOwnThread {
            for round in 0..<200 {
                let fault = Mutex<String?>("It did not end within half a minute.")
                let isOver = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    let found = Result { try Self.liveAndEnd(round) }
                    fault.withLock {
                        switch found {
                        case .success(let text): $0 = text
                        case .failure(let error): $0 = "\(error)"
                        }
                    }
                    isOver.signal()
                }
                _ = isOver.wait(timeout: .now() + 30)
                let text = fault.withLock { $0 }
                #expect(text == nil, "round \(round)")
                if text != nil { return }
            }
        }
    }

    /// Starts a service and stops it twice: untouched, after a request, during one, or with an idle connection.
    ///
    /// - Returns: what is wrong.
    private static func liveAndEnd(_ round: Int) throws -> String? {
        let isAsked = DispatchSemaphore(value: 0)
        let edge = HTTPEdge(HTTPEdge.Configuration()) { request in
            if request.url == "/slow" {
                isAsked.signal()
                usleep(5_000)
            }
            return .answer(ResponseMessage(status: 200, body: Array("here".utf8)))
        }
        for _ in 1...2 {
            let port = try edge.start()
            let callers = DispatchGroup()
            var idle: Int32?
            switch round % 4 {
            case 1:
                let answer = get("/", port)
                guard answer.hasPrefix("HTTP/1.1 200"), answer.contains("\r\nDate: "),
                    answer.hasSuffix("here")
                else { return "answered: " + answer }
            case 2:
                callers.enter()
                Thread.detachNewThread {
                    _ = get("/slow", port)
                    callers.leave()
                }
                isAsked.wait()
            case 3:
                idle = ServiceSocketTests.connection(port: port)
                usleep(UInt32(round) * 20)
            default: break
            }
            edge.stop()
            callers.wait()
            if let idle { close(idle) }
            guard isClosed(port) else { return "The port is open after the end." }
        }
        return nil
    }

    /// A child that another test starts just then holds a copy of the socket until its program begins.
    private static func isClosed(_ port: Int) -> Bool {
        for _ in 0..<100 {
            guard let open = ServiceSocketTests.connection(port: port) else { return true }
            close(open)
            usleep(10_000)
        }
        return false
    }

    private static func get(_ path: String, _ port: Int) -> String {
        ServiceSocketTests.exchange(
            "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: port)
    }
}
