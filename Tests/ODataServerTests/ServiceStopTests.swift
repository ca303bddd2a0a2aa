import Foundation
import ODataServer
import ODataTesting
import Synchronization
import Testing

/// A service that stops while clients come.
@Suite struct ServiceStopTests {
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
}
