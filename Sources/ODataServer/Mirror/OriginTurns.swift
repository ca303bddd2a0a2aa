import ODataQuery
import ODataText
import ODataWorld

/// Lets a bounded number of changes to the service that is mirrored run at a time, and those of one row, or under one
/// identity, one after the other.
final class OriginTurns: Sendable {
    private let monitor: any Monitor
    private let world: any World
    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let patience: Duration
    private let store = Store()

    /// Guarded by `monitor`.
    private final class Store: @unchecked Sendable {
        var running: [Set<String>] = []
        var waiting = 0
    }

    /// Of the threads that answer requests, some are left to those that read.
    init(_ configuration: ServiceConfiguration) {
        world = configuration.world
        patience = configuration.requestTime
        monitor = world.makeMonitor()
        let threads = configuration.workerThreads
        maximumRunning = max(1, threads / 2)
        maximumWaiting = max(0, threads - maximumRunning - 1)
    }

    /// Runs `body` when nothing else runs under one of the names.
    ///
    /// - Throws: 503 where too many wait already or it takes too long, and what `body` throws.
    func run<Result>(_ names: Set<String>, _ body: () throws -> Result) throws -> Result {
        guard enter(names) else {
            throw ODataError(
                ServiceCode.overloaded,
                "Expected fewer changes at a time; nothing was done about this one.", status: 503)
        }
        defer { leave(names) }
        return try body()
    }

    private func enter(_ names: Set<String>) -> Bool {
        let end = world.uptime() + patience
        return monitor.withLock {
            if !isFree(names) {
                guard store.waiting < maximumWaiting else { return false }
                store.waiting += 1
                defer { store.waiting -= 1 }
                while !isFree(names) {
                    let left = end - world.uptime()
                    guard left > .zero, RequestDeadline.current?.hasPassed != true else {
                        return false
                    }
                    _ = monitor.wait(timeout: min(left, Self.look))
                }
            }
            store.running.append(names)
            return true
        }
    }

    private func isFree(_ names: Set<String>) -> Bool {
        store.running.count < maximumRunning
            && store.running.allSatisfy { $0.isDisjoint(with: names) }
    }

    private func leave(_ names: Set<String>) {
        monitor.withLock {
            if let position = store.running.firstIndex(of: names) {
                store.running.remove(at: position)
            }
            monitor.signal()
        }
    }

    /// How often whoever waits sees whether its client is still there.
    private static let look = Duration.seconds(1)
}
