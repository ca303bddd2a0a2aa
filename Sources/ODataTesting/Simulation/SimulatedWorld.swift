import Dispatch
import Foundation
import ODataText
import ODataWorld

/// The world of tests: one worker at a time holds a baton, the seed picks who runs next, and time passes only when
/// everybody waits.
///
/// Everything mutable is guarded by `lock`; workers are real threads, but at most one of them is running: whoever asks
/// anything here has the baton. Each waits at a semaphore of its own, so that a step wakes nobody but who is next.
package final class SimulatedWorld: World, @unchecked Sendable {
    private enum Waiting {
        case ready
        case sleeping(until: Duration)
        case onMonitor(ObjectIdentifier, until: Duration?)
        case joining(Int)
    }

    /// A worker that has not ended.
    private struct Worker {
        var waiting = Waiting.ready
        let turn = DispatchSemaphore(value: 0)
    }

    private let lock = NSLock()
    private var generator: SeededGenerator
    private var workers: [Int: Worker] = [0: Worker()]
    private var running = 0
    private var nextWorker = 1
    private var clock = Duration.zero
    /// How far somebody has moved the wall clock, in seconds.
    private var shift: Int64 = 0
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
        if token?.isCancelled != true { passBaton { .sleeping(until: $0 + duration) } }
        return token?.isCancelled != true
    }

    package func startWorker(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) -> any WorkerHandle {
        let (id, worker) = locked { () -> (Int, Worker) in
            defer { nextWorker += 1 }
            let worker = Worker()
            workers[nextWorker] = worker
            return (nextWorker, worker)
        }
        WorkerThreads.run { [self] in
            awaitTurn(worker.turn)
            body()
            finish(id)
        }
        return SimulatedWorker(world: self, id: id)
    }

    package func makeMonitor() -> any Monitor { SimulatedMonitor(world: self) }

    package func checkpoint(_ name: StaticString) {
        onCheckpoint("\(name)")
        passBaton { _ in .ready }
    }

    // MARK: The baton

    fileprivate func join(_ id: Int) {
        guard locked({ workers[id] != nil }) else { return }
        passBaton { _ in .joining(id) }
    }

    fileprivate func wait(on monitor: ObjectIdentifier, timeout: Duration?) -> Bool {
        let limit = timeout.map { uptime() + $0 }
        passBaton { _ in .onMonitor(monitor, until: limit) }
        return limit.map { uptime() < $0 } ?? true
    }

    fileprivate func signal(_ monitor: ObjectIdentifier) {
        locked {
            for (id, worker) in workers {
                if case .onMonitor(monitor, _) = worker.waiting { workers[id]?.waiting = .ready }
            }
        }
    }

    private func makeReady(_ id: Int) {
        locked {
            if case .sleeping? = workers[id]?.waiting { workers[id]?.waiting = .ready }
        }
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    private func current() -> Int { locked { running } }

    /// Gives the baton away and blocks until it comes back.
    ///
    /// - Parameter state: how the worker waits, from the time that it is.
    private func passBaton(_ state: (Duration) -> Waiting) {
        let turns = locked { () -> (mine: DispatchSemaphore?, next: DispatchSemaphore?) in
            let me = running
            workers[me]?.waiting = state(clock)
            pickNext()
            return me == running ? (nil, nil) : (workers[me]?.turn, workers[running]?.turn)
        }
        turns.next?.signal()
        if let mine = turns.mine { awaitTurn(mine) }
    }

    private func awaitTurn(_ turn: DispatchSemaphore) {
        precondition(
            turn.wait(timeout: .now() + Self.patienceSeconds) == .success,
            "A simulated worker held the baton for \(Self.patienceSeconds) s: it waits for a lock.")
    }

    private func finish(_ id: Int) {
        let next = locked { () -> DispatchSemaphore? in
            workers[id] = nil
            for (other, worker) in workers {
                if case .joining(id) = worker.waiting { workers[other]?.waiting = .ready }
            }
            pickNext()
            return workers[running]?.turn
        }
        next?.signal()
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
    }

    private func readyWorkers() -> [Int] {
        workers.compactMap { id, worker in
            if case .ready = worker.waiting { id } else { nil }
        }.sorted()
    }

    private func advanceClock() {
        let deadlines = workers.compactMapValues { worker -> Duration? in
            switch worker.waiting {
            case .sleeping(let until): until
            case .onMonitor(_, let until): until
            default: nil
            }
        }
        guard let earliest = deadlines.values.min() else { return }
        clock = max(clock, earliest)
        for (id, deadline) in deadlines where deadline <= clock { workers[id]?.waiting = .ready }
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
