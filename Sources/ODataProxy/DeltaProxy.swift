import Foundation
import Logging
import ODataQuery
import ODataServer
import ODataText
import ODataWorld
import Synchronization

/// A service in front of another one that cannot say what changed: reads that one at intervals and on demand, keeps what
/// differs, and offers its entity sets with delta links; where asked for, changes of them are passed on to that one.
///
/// What cannot be read stays as it was last read; ``OriginState`` says so on every answer and in the log. Blocking calls:
/// never made from the cooperative pool.
package final class DeltaProxy: Sendable {
    /// Which service is read, how often, and where what was read is kept.
    package struct Settings: Sendable {
        /// The root of the service that is read; credentials in it are sent, and never stored or shown.
        package var origin: String
        /// Header fields for every request to it.
        package var headers: [(name: String, value: String)] = []
        /// How long after the end of a sweep the next one begins; nil sweeps on demand only.
        package var interval: Duration? = .seconds(60)
        /// The longest that a request waits for a sweep that it asked for.
        package var patience = Duration.seconds(20)
        /// Changes are passed on to the service; else clients read only.
        package var takesChanges = false
        /// Where the service listens; its database is the file that keeps rows and log.
        package var service: ServiceConfiguration

        package init(origin: String, service: ServiceConfiguration) {
            self.origin = origin
            self.service = service
        }
    }

    /// Offers what was read.
    package let service: ODataService
    private let reader: OriginReader
    private let state: OriginState
    private let interval: Duration?
    private let world: any World
    private let worker = Mutex<(any WorkerHandle)?>(nil)
    /// Held during a sweep. True when the last one of this run read everything to its end: then the next one goes on with
    /// nothing that came before.
    private let isComplete = Mutex(false)
    private let log = Logger(label: "odata.proxy")

    /// Opens what was kept, or asks the origin for its metadata; no set is read yet.
    ///
    /// - Throws: What the network or the origin says where nothing is kept; `storage` for files that cannot be used.
    package init(_ settings: Settings) throws {
        world = settings.service.world
        interval = settings.interval
        reader = try OriginReader(settings)
        state = OriginState(settings, world)
        var configuration = settings.service
        configuration.gate = state
        if settings.takesChanges {
            configuration.origin = reader.writer(settings) { [state] in state.demandSweep() }
        }
        service = try ODataService(
            configuration, mirroring: try reader.model(), of: reader.root)
        state.note(times: try service.mirrorTimes())
    }

    /// What is not offered, and why.
    package var notes: [String] { service.notes }

    /// Reads the origin for the first time where nothing is known of it, and listens; returns the port.
    ///
    /// - Throws: when the address is taken, or the service runs already.
    @discardableResult
    package func start() throws -> Int {
        if state.isUnread { sweep() }
        let port = try service.start()
        let started = world.startWorker("odata-proxy") { [weak self] in
            // The proxy may go while the worker waits.
            guard let state = self?.state, let interval = self.map(\.interval) else { return }
            while state.waitForDemand(interval) { self?.sweep() }
        }
        worker.withLock { $0 = started }
        return port
    }

    /// Ends a sweep that runs, and makes later ones end at once: the proxy is about to be closed.
    package func stopReading() { reader.cancel() }

    /// Stops listening and reading, and closes the files; tokens hold when the proxy is started again.
    ///
    /// - Throws: an error of SQLite when a file cannot be closed.
    package func close() throws {
        reader.cancel()
        state.stop()
        service.stop()
        worker.withLock { $0.take() }?.join()
        reader.close()
        try service.close()
    }

    /// Reads what changed in the origin, once; every failure is noted and leaves what was read before.
    package func sweep() { isComplete.withLock { sweep(behindWhole: &$0) } }

    private func sweep(behindWhole isComplete: inout Bool) {
        let start = world.uptime()
        let wasComplete = isComplete
        isComplete = false
        let turn = state.beginSweep()
        do {
            let written = try service.lastWritten()
            let found = try reader.read()
            if let model = found.model { try service.adopt(model) }
            let counts = try service.mirror(
                reader.storePath, sets: found.sets, releasing: wasComplete ? written : nil)
            isComplete = found.failure == nil
            state.endSweep(turn, times: try service.mirrorTimes(), failure: found.failure)
            say(counts, found, world.uptime() - start)
        } catch {
            let failure = OriginReader.sentence(error)
            state.endSweep(turn, times: nil, failure: failure)
            log.warning("the origin was not read: \(failure); \(state.sentence)")
        }
    }

    private func say(
        _ counts: ODataService.MirrorCounts, _ found: OriginReader.Found, _ time: Duration
    ) {
        let rows =
            "\(counts.inserted) new, \(counts.updated) changed, \(counts.removed) removed"
        log.info("read \(found.sets.count) sets in \(time.components.seconds) s: \(rows)")
        if let failure = found.failure {
            log.warning("\(failure); \(state.sentence)")
        }
    }
}
