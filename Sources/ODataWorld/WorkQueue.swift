import Synchronization

/// Runs blocking work on threads of the library's own, at most so many pieces at once, in the order they came.
///
/// Threads live while there is work. Callers bound what waits: each piece stands for one call of theirs.
package final class WorkQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
    }

    private let name: String
    private let width: Int
    private let world: any World
    private let state = Mutex(State())

    package init(_ name: String, width: Int, world: any World = LiveWorld()) {
        self.name = name
        self.width = width
        self.world = world
    }

    /// Runs `work` as soon as a thread is free; returns at once.
    package func add(_ work: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state -> Bool in
            state.waiting.append(work)
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if startsThread { _ = world.startWorker(name) { [self] in drain() } }
    }

    /// Whether work waits behind what runs.
    package var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    private func drain() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }
}
