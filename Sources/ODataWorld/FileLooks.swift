import Synchronization

/// Looks at a file for what others have done to it, on a worker: when the system says that it was written, or at an interval
/// where the system says nothing.
///
/// What is written to a log counts only when its writer has made it safe, of which the system tells nobody. So one event leads
/// to several looks, further apart each time; behind them nothing happens until the next event.
package final class FileLooks: Sendable {
    private struct State {
        var isDue = true
        var watch: (any FileEvents)?
        var looks = 0
        var isResting = false
    }

    /// The first look behind one that an event led to; the next ones take twice as long each.
    private static let first = Duration.milliseconds(2)
    /// Events come in hundreds; no two looks are nearer to each other.
    private static let nearest = Duration.milliseconds(1)

    private let world: any World
    private let path: String
    private let interval: Duration
    private let longest: Duration
    private let look: @Sendable () -> Bool
    private let state = Mutex(State())
    private let monitor: any Monitor
    private let flag = CancellationFlag()

    /// - Parameters:
    ///   - interval: the time between two looks where the system gives no events.
    ///   - longest: how long behind an event the last look comes, about half of it.
    ///   - look: false ends the looks.
    package init(
        at path: String, _ world: any World, interval: Duration,
        longest: Duration = .seconds(4), look: @escaping @Sendable () -> Bool
    ) {
        (self.path, self.world, self.interval) = (path, world, interval)
        (self.longest, self.look) = (longest, look)
        monitor = world.makeMonitor()
    }

    package func start() {
        let watch = world.watch(path) { [weak self] in self?.changed() }
        state.withLock { $0.watch = watch }
        // Who has stopped it by now may have found none.
        if flag.isCancelled { watch?.stop() }
        _ = world.startWorker("OData.look") { [self] in
            watch == nil ? lookAtIntervals() : lookAtEvents()
        }
    }

    package func stop() {
        flag.cancel()
        let watch = state.withLock { state in
            defer { state.watch = nil }
            return state.watch
        }
        watch?.stop()
        monitor.withLock { monitor.signal() }
    }

    /// Whether the system says when there is something to look at.
    package var isTold: Bool { state.withLock { $0.watch != nil } }
    /// How often it has looked.
    package var count: Int { state.withLock { $0.looks } }
    /// Whether nothing happens until the system says something: no time is waited for.
    package var isResting: Bool { state.withLock { $0.isResting } }

    private func changed() {
        state.withLock { $0.isDue = true }
        monitor.withLock { monitor.signal() }
    }

    private func lookOnce() -> Bool {
        guard !flag.isCancelled else { return false }
        state.withLock { state in
            state.isDue = false
            state.looks += 1
        }
        return look()
    }

    private func lookAtIntervals() {
        while world.sleep(interval, token: flag) {
            guard lookOnce() else { return }
        }
    }

    private func lookAtEvents() {
        while waitForEvent(nil) {
            var pause = Self.first
            while pause <= longest {
                guard lookOnce(), world.sleep(Self.nearest, token: flag) else { return }
                pause = waitForEvent(pause) ? Self.first : pause * 2
            }
            guard lookOnce() else { return }
        }
    }

    /// - Parameter limit: nil to wait for the next event however long that takes.
    /// - Returns: whether there was an event; without a limit, false when it is over.
    private func waitForEvent(_ limit: Duration?) -> Bool {
        let end = limit.map { world.uptime() + $0 }
        return monitor.withLock {
            defer { state.withLock { $0.isResting = false } }
            while true {
                let isDue = state.withLock { state in
                    state.isResting = limit == nil && !state.isDue
                    return state.isDue
                }
                if flag.isCancelled { return false }
                if isDue { return true }
                let rest = end.map { $0 - world.uptime() }
                if let rest, rest <= .zero { return false }
                _ = monitor.wait(timeout: rest)
            }
        }
    }
}
