import ODataQuery
import ODataServer
import ODataText
import ODataWorld

/// Ports of the loopback interface for services that stop and come back under the same URL.
package enum LoopbackPort {
    /// A port that was free a moment ago, below those that the system hands out itself, so that nobody gets it while
    /// its service is stopped.
    ///
    /// - Throws: `network` when none of ``attempts`` ports is free.
    package static func find(world: any World = LiveWorld()) throws -> Int {
        for _ in 0..<attempts {
            var settings = HTTPEdge.Configuration()
            settings.port = 20_000 + Int(world.random() % 12_000)
            settings.workerThreads = 1
            let edge = HTTPEdge(settings) { _ in .answer(ResponseMessage(status: 503)) }
            guard let port = try? edge.start() else { continue }
            edge.stop()
            return port
        }
        throw ODataError(.network, "Expected a free port, found none in \(attempts) attempts.")
    }

    private static let attempts = 50
}
