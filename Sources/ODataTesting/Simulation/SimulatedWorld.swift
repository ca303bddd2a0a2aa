import Foundation
import ODataText
import ODataWorld

/// The world of tests: one worker at a time holds a baton, the seed picks who runs next, and time passes only when
/// everybody waits.
///
/// Everything mutable is guarded by `condition`; workers are real threads, but at most one of them is running.
package final class SimulatedWorld: World, @unchecked Sendable {
    private enum Waiting {
        case ready
        case sleeping(until: Duration)
        case onMonitor(ObjectIdentifier, until: Duration?)
        case joining(Int)
        case finished
    }

    private let condition = NSCondition()
    private var generator: SeededGenerator
    private var workers: [Int: Waiting] = [0: .ready]
    private var running = 0
    private var nextWorker = 1
    private var clock = Duration.zero
    /// How far somebody has moved the wall clock, in seconds.
    private var shift: Int64 = 0
    private var threadWorker: [ObjectIdentifier: Int] = [:]
    /// How many baton passes have happened; equal seeds give equal counts.
    package private(set) var steps = 0
    /// Called at each checkpoint with its name, before the baton may pass on: where tests inject faults.
    package let onCheckpoint: @Sendable (String) -> Void
    private let start: Instant
    /// How long a worker may work before the others take it for stuck.
    private static let patienceSeconds = 120.0

    /// The calling thread becomes the first worker.
    package init(
        seed: UInt64, start: Instant = Instant(seconds: 1_900_000_000),
        onCheckpoint: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        generator = SeededGenerator(seed: seed)
        self.start = start
        self.onCheckpoint = onCheckpoint
        threadWorker[ObjectIdentifier(Thread.current)] = 0
    }

    package func now() -> Instant {
        let (seconds, attoseconds) = uptime().components
        return Instant(
            seconds: start.seconds + seconds + locked { shift },
            nanoseconds: Int32(attoseconds / 1_000_000_000))
    }

    package func uptime() -> Duration { locked { clock } }

    /// Moves the wall clock by so many seconds, backwards too, as a user or a time service does.
    package func moveClock(seconds: Int64) { locked { shift += seconds } }

    package func makeIdentifier() -> (UInt64, UInt64) {
        locked { UUIDBits.version4(generator.next(), generator.next()) }
    }

    package func random() -> UInt64 { locked { generator.next() } }

    @discardableResult
    package func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        let me = current()
        let listener = token?.onCancel { [weak self] in self?.makeReady(me) }
        defer { listener.map { token?.removeListener($0) } }
        locked {
            guard token?.isCancelled != true else { return }
            passBaton(me, .sleeping(until: clock + duration))
        }
        return token?.isCancelled != true
    }

    package func startWorker(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) -> any WorkerHandle {
        let id = locked { () -> Int in
            defer { nextWorker += 1 }
            workers[nextWorker] = .ready
            return nextWorker
        }
        let thread = Thread { [self] in
            locked {
                threadWorker[ObjectIdentifier(Thread.current)] = id
                awaitBaton(id)
            }
            body()
            locked { finish(id) }
        }
        thread.name = name
        thread.start()
        return SimulatedWorker(world: self, id: id)
    }

    package func makeMonitor() -> any Monitor { SimulatedMonitor(world: self) }

    package func checkpoint(_ name: StaticString) {
        onCheckpoint("\(name)")
        let me = current()
        locked { passBaton(me, .ready) }
    }

    // MARK: The baton

    fileprivate func join(_ id: Int) {
        let me = current()
        locked {
            if case .finished? = workers[id] { return }
            passBaton(me, .joining(id))
        }
    }

    fileprivate func wait(on monitor: ObjectIdentifier, timeout: Duration?) -> Bool {
        let me = current()
        return locked {
            let limit = timeout.map { clock + $0 }
            passBaton(me, .onMonitor(monitor, until: limit))
            return limit.map { clock < $0 } ?? true
        }
    }

    fileprivate func signal(_ monitor: ObjectIdentifier) {
        locked {
            for (id, waiting) in workers {
                if case .onMonitor(monitor, _) = waiting { workers[id] = .ready }
            }
        }
    }

    private func makeReady(_ id: Int) {
        locked {
            if case .sleeping? = workers[id] { workers[id] = .ready }
        }
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    private func current() -> Int {
        locked { threadWorker[ObjectIdentifier(Thread.current)] ?? running }
    }

    /// Inside the lock: gives the baton away in the given state and blocks until it comes back.
    private func passBaton(_ me: Int, _ state: Waiting) {
        workers[me] = state
        pickNext()
        awaitBaton(me)
    }

    private func awaitBaton(_ me: Int) {
        let limit = Date(timeIntervalSinceNow: Self.patienceSeconds)
        while running != me {
            precondition(
                condition.wait(until: limit) || running == me,
                "A simulated worker held the baton for \(Self.patienceSeconds) s: it waits for a lock."
            )
        }
    }

    private func finish(_ id: Int) {
        workers[id] = .finished
        for (other, waiting) in workers {
            if case .joining(id) = waiting { workers[other] = .ready }
        }
        pickNext()
    }

    private func pickNext() {
        steps += 1
        var ready = readyWorkers()
        if ready.isEmpty {
            advanceClock()
            ready = readyWorkers()
        }
        precondition(!ready.isEmpty, "Every simulated worker waits for another one.")
        running = ready[Int(generator.next() % UInt64(ready.count))]
        condition.broadcast()
    }

    private func readyWorkers() -> [Int] {
        workers.compactMap { id, waiting in
            if case .ready = waiting { id } else { nil }
        }.sorted()
    }

    private func advanceClock() {
        let deadlines = workers.compactMapValues { waiting -> Duration? in
            switch waiting {
            case .sleeping(let until): until
            case .onMonitor(_, let until): until
            default: nil
            }
        }
        guard let earliest = deadlines.values.min() else { return }
        clock = max(clock, earliest)
        for (id, deadline) in deadlines where deadline <= clock { workers[id] = .ready }
    }
}

private struct SimulatedWorker: WorkerHandle {
    let world: SimulatedWorld
    let id: Int

    func join() { world.join(id) }
}

/// A lock that only the holder of the baton can take; `isHeld` is read and written by that one thread.
private final class SimulatedMonitor: Monitor, @unchecked Sendable {
    private let world: SimulatedWorld
    private var isHeld = false

    init(world: SimulatedWorld) { self.world = world }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        while isHeld { world.checkpoint("monitor") }
        isHeld = true
        defer { isHeld = false }
        return try body()
    }

    func wait(timeout: Duration?) -> Bool {
        isHeld = false
        let isInTime = world.wait(on: ObjectIdentifier(self), timeout: timeout)
        while isHeld { world.checkpoint("monitor") }
        isHeld = true
        return isInTime
    }

    func signal() { world.signal(ObjectIdentifier(self)) }
}
