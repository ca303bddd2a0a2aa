import Foundation
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld
import Synchronization

/// A system that carries transfers in the background, in the test's own process: it keeps them in files, goes on with them when
/// the process that began them is gone, and another process finds them by their names.
package final class StoredTransfers: Sendable {
    private struct State {
        var begun: [RequestMessage] = []
        var flags: [String: CancellationFlag] = [:]
        var listeners: [String: [@Sendable () -> Void]] = [:]
        var isHeld = false
        var keepsNothing = false
        var released: [@Sendable () -> Void] = []
    }

    private let folder: TransferFolder
    private let transport: any HTTPTransport
    private let world: any World
    private let state = Mutex(State())
    /// Signalled when a transfer has begun or ended.
    private let moved: any Monitor

    /// - Parameters:
    ///   - folder: an own folder, where what another object has left is found.
    ///   - transport: the network as the system has it.
    package init(
        folder: URL, over transport: any HTTPTransport, world: any World = LiveWorld()
    ) throws {
        self.folder = try TransferFolder(path: folder.path)
        self.transport = transport
        self.world = world
        moved = world.makeMonitor()
    }

    /// What was begun so far, in order.
    package var begun: [RequestMessage] { state.withLock { $0.begun } }
    /// The names that are known, whoever began them.
    package var names: Set<String> { folder.names() }
    /// How many of them have an answer that nobody took.
    package var answerCount: Int {
        names.count { if case .answered = folder.state(of: $0) { true } else { false } }
    }

    /// Waits until so many transfers were begun; false where that takes longer than a busy machine may need.
    package func awaitBeginning(of count: Int) -> Bool { wait { begun.count >= count } }

    /// Waits until somebody waits for the end of a transfer that runs.
    package func awaitListener() -> Bool {
        wait { state.withLock { $0.listeners.values.contains { !$0.isEmpty } } }
    }

    /// Waits until so many answers are there that nobody took.
    package func awaitAnswers(_ count: Int) -> Bool { wait { answerCount >= count } }

    private func wait(until condition: () -> Bool) -> Bool {
        moved.withLock {
            while !condition() {
                guard moved.wait(timeout: .seconds(HeldRequest.patience)) else { return false }
            }
            return true
        }
    }

    /// Begins no transfer until ``release()``: what is asked for waits for a network.
    package func hold() { state.withLock { $0.isHeld = true } }

    /// Sends what was held, and what comes from now on at once.
    package func release() {
        let waiting = state.withLock { state in
            defer { (state.isHeld, state.released) = (false, []) }
            return state.released
        }
        for start in waiting { start() }
    }

    /// Has no room for answers from now on: what it carries is lost when it comes.
    package func keepNothing() { state.withLock { $0.keepsNothing = true } }

    /// What was begun and is not on its way here is lost, as after a process that ended between the mark and the start.
    package func loseUntold() throws {
        for name in names where folder.state(of: name) == .running {
            guard state.withLock({ $0.flags[name] == nil }) else { continue }
            try folder.keep(failure: .wait, of: name)
            tell(name)
        }
    }

    /// Loses the bodies of the answers that are there, and keeps their heads.
    package func loseBodies() {
        for name in names { try? FileManager.default.removeItem(atPath: folder.body(of: name)) }
    }

    /// A process that uses the transfers, from now until it is gone.
    package func process() -> Process { Process(system: self) }

    /// One process's view of the system.
    package final class Process: BackgroundTransfer {
        private let system: StoredTransfers
        private let life = Mutex<(isOver: Bool, waiting: [@Sendable () -> Void])>((false, []))

        fileprivate init(system: StoredTransfers) { self.system = system }

        /// The process is gone: nothing that it still does reaches the system, and what it waits for never comes.
        package func die() {
            let waiting = life.withLock { life in
                defer { life = (true, []) }
                return life.waiting
            }
            system.state.withLock { $0.listeners = [:] }
            for wake in waiting { wake() }
        }

        private var isDead: Bool { life.withLock { $0.isOver } }

        package func state(of name: String) -> BackgroundState? {
            isDead ? .failed(.wait) : system.folder.state(of: name)
        }

        package func begin(
            _ name: String, _ request: RequestMessage, _ body: (any RequestContent)?
        ) throws {
            guard !isDead else { return }
            var request = request
            if let body { request.body = try body.readAll() }
            try system.begin(name, request)
        }

        package func whenEnded(_ name: String, _ action: @escaping @Sendable () -> Void) {
            let isOver = life.withLock { life in
                if !life.isOver { life.waiting.append(action) }
                return life.isOver
            }
            if isOver { action() } else { system.whenEnded(name, action) }
        }

        package func forget(_ name: String) {
            if !isDead { system.forget(name) }
        }

        package func names() -> Set<String> { isDead ? [] : system.names }
    }

    // MARK: The system's side

    private func begin(_ name: String, _ request: RequestMessage) throws {
        try folder.noteBeginning(of: name)
        let flag = CancellationFlag()
        let start: @Sendable () -> Void = { [self] in
            _ = world.startWorker("transfer") { [self] in carry(name, request, flag) }
        }
        let isHeld = state.withLock { state in
            state.begun.append(request)
            state.flags[name] = flag
            if state.isHeld { state.released.append(start) }
            return state.isHeld
        }
        moved.withLock { moved.signal() }
        if !isHeld { start() }
    }

    private func carry(_ name: String, _ request: RequestMessage, _ flag: CancellationFlag) {
        guard !flag.isCancelled else { return }
        do {
            let answer = try transport.send(request, options: TransportOptions(cancellation: flag))
                .readAll()
            try keep(name, flag) {
                try Data(answer.body).write(to: URL(fileURLWithPath: folder.body(of: name)))
                try folder.keep(status: answer.status, headers: answer.headers, of: name)
            }
        } catch {
            let failure = (error as? ODataError)?.underlying as? NetworkFailure
            try? keep(name, flag) {
                try folder.keep(failure: failure?.phase ?? .wait, of: name)
            }
        }
        tell(name)
    }

    /// Writes nothing behind ``forget(_:)``; what there is no room for is not there.
    private func keep(
        _ name: String, _ flag: CancellationFlag, _ write: () throws -> Void
    ) throws {
        try state.withLock { state in
            guard !flag.isCancelled else { return }
            if state.keepsNothing { folder.forget(name) } else { try write() }
        }
    }

    private func whenEnded(_ name: String, _ action: @escaping @Sendable () -> Void) {
        let isRunning = state.withLock { state in
            guard folder.state(of: name) == .running else { return false }
            state.listeners[name, default: []].append(action)
            return true
        }
        if isRunning { moved.withLock { moved.signal() } } else { action() }
    }

    private func forget(_ name: String) {
        let flag = state.withLock { $0.flags.removeValue(forKey: name) }
        // Not inside: what carries it may be told at once, and ends.
        flag?.cancel()
        state.withLock { _ in folder.forget(name) }
        tell(name)
    }

    private func tell(_ name: String) {
        let listeners = state.withLock { $0.listeners.removeValue(forKey: name) ?? [] }
        for listener in listeners { listener() }
        moved.withLock { moved.signal() }
    }
}
