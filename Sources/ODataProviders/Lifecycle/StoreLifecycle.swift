import Foundation
import ODataSync
import ODataSyncPlan
import ODataText
import ODataWorld

/// Carries out what ``ProviderLifecycle`` says for the openings and closings of one provider, from any thread.
///
/// Nothing of the app's is called while its lock is held. It knows the threads that work for the provider: a call that comes
/// from a callback there never waits for what is waiting for it.
package final class StoreLifecycle: @unchecked Sendable {
    // Guarded by `monitor`.
    private var machine: ProviderLifecycle
    private var opening: Opening?
    /// Counts changes of the phase, so that none is missed by who waits for one.
    private var changes = 0
    /// How many pieces of the provider's work each thread is in.
    private var insiders: [ObjectIdentifier: Int] = [:]
    /// What gives up the opening that a thread is about to ask for.
    private var openers: [ObjectIdentifier: CancellationFlag] = [:]
    private let monitor: any Monitor

    package init(reopens: Bool, world: any World) {
        machine = ProviderLifecycle(reopens: reopens)
        monitor = world.makeMonitor()
    }

    package var phase: ProviderLifecycle.Phase { monitor.withLock { machine.phase } }

    private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    // MARK: Steps

    private struct Turn {
        var step: ProviderLifecycle.Step
        var opening: Opening?
        var changes: Int
        var isInside: Bool
    }

    /// Lets the machine decide; a call from inside is told so.
    private func take(
        _ call: ProviderLifecycle.Call, inside: ProviderLifecycle.Call? = nil
    ) -> Turn {
        monitor.withLock {
            let isInside = insiders[Self.thread] != nil
            let before = machine.phase
            let step = machine.handle(isInside ? inside ?? call : call)
            if before == .claimed, machine.phase == .closed || machine.phase == .closing {
                opening?.outcome = .stopped
            }
            if before != .claimed, machine.phase == .claimed || step == .begin {
                opening = Opening()
            }
            if machine.phase != before { noteChange() }
            return Turn(step: step, opening: opening, changes: changes, isInside: isInside)
        }
    }

    private func noteChange() {
        changes += 1
        monitor.signal()
    }

    /// - Returns: false when nothing has changed for so long.
    @discardableResult
    private func waitForChange(
        since seen: Int, _ flag: CancellationFlag? = nil, atMost limit: Duration? = nil
    ) throws -> Bool {
        let listener = flag?.onCancel { [monitor] in monitor.withLock { monitor.signal() } }
        defer { listener.map { flag?.removeListener($0) } }
        return try monitor.withLock {
            while changes == seen {
                guard flag?.isCancelled != true else { throw Self.cancelled }
                if !monitor.wait(timeout: limit), limit != nil, changes == seen { return false }
            }
            return true
        }
    }

    /// How long a closing waits for what does not end, as an opening whose transport waits for the caller of this closing does
    /// not; longer than another caller may take to let the store go.
    private static let patience: Duration = .seconds(15)

    /// What became of an opening that another thread carries out.
    private func outcome(
        of opening: Opening?, _ flag: CancellationFlag?
    ) throws -> Opening.Outcome {
        guard let opening else { return .withdrawn }
        let listener = flag?.onCancel { [monitor] in monitor.withLock { monitor.signal() } }
        defer { listener.map { flag?.removeListener($0) } }
        return try monitor.withLock {
            while true {
                if let outcome = opening.outcome { return outcome }
                guard flag?.isCancelled != true else { throw Self.cancelled }
                _ = monitor.wait(timeout: nil)
            }
        }
    }

    private static var cancelled: ODataError {
        ODataError(.cancelled, "The opening was cancelled; what was stored stays.")
    }

    // MARK: Opening

    /// Opens the store, or waits for the opening that runs.
    ///
    /// - Parameters:
    ///   - claim: an opening that ``claim()`` gave.
    ///   - release: stops what runs and lets the store go, after `work` has failed; is told whether it may wait for that.
    /// - Returns: whether this call has opened it.
    /// - Throws: what `work` throws, `cancelled` when it was stopped, `usage` for a call that comes at the wrong time.
    @discardableResult
    package func open(
        _ claim: Opening? = nil, work: (OpeningFlags) throws -> Void,
        release: (_ waits: Bool) throws -> Void
    ) throws -> Bool {
        let flag = monitor.withLock { openers[Self.thread] }
        var claim = claim
        while true {
            guard flag?.isCancelled != true else { throw Self.cancelled }
            switch claim.flatMap({ claim in monitor.withLock { claim.outcome } }) {
            case nil: break
            case .opened: return false
            // Who overtook it gave up, which is no matter of this caller.
            case .withdrawn: claim = nil
            case .some(let known): throw Self.error(known)
            }
            let turn = take(claim == nil ? .open : .begin, inside: claim == nil ? .openInside : nil)
            switch turn.step {
            case .begin:
                guard let opening = turn.opening else { throw Self.cancelled }
                try carryOut(opening, flag, turn.isInside, work, release)
                return true
            case .join:
                switch try outcome(of: turn.opening, flag) {
                case .opened: return false
                case .withdrawn: continue
                case let other: throw Self.error(other)
                }
            case .wait: try waitForChange(since: turn.changes, flag)
            case .refuse(let reason): throw RefusedCall(reason: reason).error
            default: return false
            }
        }
    }

    private static func error(_ outcome: Opening.Outcome) -> any Error {
        if case .failed(let error) = outcome { return error }
        return cancelled
    }

    private func carryOut(
        _ opening: Opening, _ flag: CancellationFlag?, _ isInside: Bool,
        _ work: (OpeningFlags) throws -> Void, _ release: (Bool) throws -> Void
    ) throws {
        let listener = flag?.onCancel { opening.flags.stop() }
        defer { listener.map { flag?.removeListener($0) } }
        var failure: (any Error)?
        do {
            try inside {
                try opening.flags.check()
                try work(opening.flags)
            }
        } catch {
            failure = error
        }
        let step = monitor.withLock {
            let step = machine.handle(failure == nil ? .succeeded : .failed)
            if step != .release { opening.outcome = .opened }
            noteChange()
            return step
        }
        guard step == .release else { return }
        // The reason why the opening failed says more than what the store may add to it.
        try? release(!isInside)
        let isStopped = failure == nil || opening.flags.whole.isCancelled
        let outcome: Opening.Outcome =
            flag?.isCancelled == true
            ? .withdrawn
            : isStopped ? .stopped : .failed(failure ?? Self.cancelled)
        monitor.withLock {
            _ = machine.handle(.released)
            opening.outcome = outcome
            noteChange()
        }
        throw Self.error(outcome)
    }

    /// Takes the right to open for later, on another thread; ``open(_:work:release:)`` uses it.
    ///
    /// - Throws: `usage` when the store is open, being opened or being closed.
    package func claim() throws -> Opening {
        let turn = take(.claim)
        if case .refuse(let reason) = turn.step { throw RefusedCall(reason: reason).error }
        return turn.opening ?? Opening()
    }

    /// Runs what may open the store on this thread; the flag gives up an opening that it waits for or carries out.
    package func opening<Result>(
        underControlOf flag: CancellationFlag, _ body: () throws -> Result
    ) rethrows -> Result {
        monitor.withLock { openers[Self.thread] = flag }
        defer { monitor.withLock { openers[Self.thread] = nil } }
        return try body()
    }

    // MARK: Closing

    /// Closes the store; an opening that runs is stopped first.
    ///
    /// - Parameter release: as for ``open(_:work:release:)``.
    /// - Returns: whether this call has let the store go.
    /// - Throws: what `release` throws; `usage` for clearing from a callback of the opening.
    @discardableResult
    package func close(
        clears: Bool = false, release: (_ waits: Bool) throws -> Void
    ) throws -> Bool {
        while true {
            let turn = take(
                clears ? .clear : .close, inside: clears ? .clearInside : .closeInside)
            switch turn.step {
            case .stop:
                turn.opening?.flags.stop()
                return false
            case .stopAndWait:
                turn.opening?.flags.stop()
                guard try waitForChange(since: turn.changes, atMost: Self.patience) else {
                    return try giveUp(clears)
                }
            case .wait:
                guard try waitForChange(since: turn.changes, atMost: Self.patience) else {
                    return try giveUp(clears)
                }
            case .release:
                defer {
                    monitor.withLock {
                        _ = machine.handle(.released)
                        noteChange()
                    }
                }
                try release(!turn.isInside)
                return true
            case .refuse(let reason): throw RefusedCall(reason: reason).error
            default: return false
            }
        }
    }

    /// What was told to stop ends closed, whenever it ends; files cannot be deleted before.
    private func giveUp(_ clears: Bool) throws -> Bool {
        if clears { throw RefusedCall(reason: .isClosing).error }
        return false
    }

    /// Tells an opening that runs to stop, because a close follows.
    package func stopOpening() {
        let turn = take(.stopOpening)
        if turn.step == .stop { turn.opening?.flags.stop() }
    }

    // MARK: Use

    /// - Throws: `usage` unless the store is open.
    package func checkOpen() throws {
        if case .refuse(let reason) = take(.data).step { throw RefusedCall(reason: reason).error }
    }

    /// Waits for an opening that runs, and then runs a download or upload of the open store.
    ///
    /// - Parameters:
    ///   - needsOpen: false lets the work itself find out what it can do without an opening.
    ///   - flag: what ends the waiting.
    /// - Throws: what `body` throws; `usage` unless the store is open then, or from a callback of its opening.
    package func sync<Result>(
        needsOpen: Bool = true, stoppedBy flag: CancellationFlag? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        while true {
            let turn = take(.sync, inside: .syncInside)
            switch turn.step {
            case .wait: try waitForChange(since: turn.changes, flag)
            case .refuse(let reason) where needsOpen || reason != .notOpen:
                throw RefusedCall(reason: reason).error
            default: return try inside(body)
            }
        }
    }

    /// Stops the download or upload of an opening that is asked for or runs.
    package func cancel(_ operation: SyncEngine.Operation) {
        let turn = take(operation == .download ? .cancelDownload : .cancelUpload)
        guard let opening = turn.opening else { return }
        switch operation {
        case .download: opening.flags.download.cancel()
        case .upload: opening.flags.upload.cancel()
        }
    }

    /// Whether nothing runs that ``awaitRest(until:)`` would wait for.
    package var isAtRest: Bool { take(.awaitRest).step == .done }

    /// Waits until no opening and no closing runs, at most to this time of ``World/uptime()``.
    package func awaitRest(until deadline: Duration, _ world: any World) {
        monitor.withLock {
            while machine.handle(.awaitRest) == .wait {
                let rest = deadline - world.uptime()
                guard rest > .zero else { return }
                _ = monitor.wait(timeout: rest)
            }
        }
    }

    /// Runs work of the provider, or a callback of it, on this thread.
    package func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = Self.thread
        monitor.withLock { insiders[thread, default: 0] += 1 }
        defer {
            monitor.withLock {
                let depth = (insiders[thread] ?? 1) - 1
                insiders[thread] = depth > 0 ? depth : nil
            }
        }
        return try body()
    }
}
