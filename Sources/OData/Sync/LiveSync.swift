import ODataWorld
import Synchronization

/// A synchronisation that goes on by itself: again and again at an interval, at once after a local change, and later each
/// time while it fails. It goes on until it is stopped or the store is closed.
public final class LiveSync: Sendable {
    /// What it does just now.
    public enum State: Sendable, Hashable {
        /// It sends and reads.
        case synchronising
        /// The last round ended well; the next one comes by itself.
        case waiting
        /// The last round failed, for this reason; it is tried again by itself.
        case retrying(ODataError)
        /// It has ended, or the store was closed.
        case stopped
    }

    private struct Loop {
        var pace: LiveSyncPace
        /// Ends the present wait.
        var wait: CancellationFlag?
        /// Ends the present round.
        var round: CancellationFlag?
        /// A round was asked for while another one ran.
        var isWanted = false
        var isOver = false
        /// Who waits for the end.
        var ending: [CheckedContinuation<Void, Never>] = []
    }

    private struct Home {
        weak var core: StoreCore?
    }

    private let loop: Mutex<Loop>
    private let broadcast = Broadcast(State.synchronising)
    /// Not kept open by this.
    private let home: Mutex<Home>
    private let world: any World

    init(_ core: StoreCore, every interval: Duration) {
        home = Mutex(Home(core: core))
        world = core.settings.world
        loop = Mutex(Loop(pace: LiveSyncPace(interval: interval)))
    }

    private var core: StoreCore? { home.withLock { $0.core } }

    /// What it does now.
    public var state: State { broadcast.value }

    /// What it does now, and then the newest state whenever that changes; ends behind `stopped`.
    public var states: AsyncStream<State> { broadcast.follow() }

    /// Synchronises now rather than later, as when the network is back or the app comes to the front.
    public func wake() {
        let wait = loop.withLock { loop in
            loop.isWanted = true
            return loop.wait
        }
        wait?.cancel()
    }

    /// Ends it; a round that runs is ended between two requests, and is over when this returns.
    public func stop() async {
        await withCheckedContinuation { continuation in
            let isIdle = loop.withLock { loop in
                // Between rounds nothing has to be waited for.
                guard loop.round != nil else { return true }
                loop.ending.append(continuation)
                return false
            }
            end()
            if isIdle { continuation.resume() }
        }
    }

    /// Ends it, and does not wait for a round that runs.
    func end() {
        let flags = loop.withLock { loop in
            loop.isOver = true
            return [loop.wait, loop.round]
        }
        for flag in flags { flag?.cancel() }
        broadcast.update { $0 = .stopped }
        broadcast.finish()
    }

    // MARK: Rounds

    /// Has its turn among the synchronisations of the store.
    func begin() {
        guard let core else { return end() }
        core.syncs.add { [self] in
            guard let flag = beginRound() else { return }
            let failure = run(flag)
            let (wait, flagOfWait, ending) = endRound(failure)
            for continuation in ending { continuation.resume() }
            // Also where the store was closed under it: who follows it is told.
            guard let wait, let flagOfWait else { return end() }
            let reason = failure.flatMap { $0.code == .storeSuspended ? nil : $0 }
            broadcast.update { $0 = reason.map { .retrying($0) } ?? .waiting }
            _ = world.startWorker("OData.pause") { [self] in
                world.sleep(wait, token: flagOfWait)
                begin()
            }
        }
    }

    private func beginRound() -> CancellationFlag? {
        let flag = loop.withLock { loop -> CancellationFlag? in
            guard !loop.isOver else { return nil }
            let flag = CancellationFlag()
            (loop.wait, loop.round, loop.isWanted) = (nil, flag, false)
            return flag
        }
        if flag != nil { broadcast.update { $0 = .synchronising } }
        return flag
    }

    /// Why the round failed; nil where it ended well.
    private func run(_ flag: CancellationFlag) -> ODataError? {
        guard let core else { return .storeClosed }
        do {
            try core.checkOwner()
            _ = try core.synchronise(nil, flag)
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return .from(error)
        }
    }

    private func endRound(
        _ failure: ODataError?
    ) -> (wait: Duration?, flag: CancellationFlag?, ending: [CheckedContinuation<Void, Never>]) {
        let chance = Double(world.random() >> 11) / Double(1 << 53)
        return loop.withLock { loop in
            loop.round = nil
            let ending = loop.ending
            loop.ending = []
            guard !loop.isOver, failure?.code != .storeClosed else {
                loop.isOver = true
                return (nil, nil, ending)
            }
            switch failure?.code {
            case nil: loop.pace.succeed()
            // Nothing has failed: it waits for the resumption, which wakes it.
            case .storeSuspended?: break
            default: loop.pace.fail()
            }
            let flag = CancellationFlag()
            loop.wait = flag
            if loop.isWanted { flag.cancel() }
            return (loop.pace.wait(chance: chance), flag, ending)
        }
    }
}

extension OfflineStore {
    /// Keeps the store in step with the service by itself from now on: a first round at once, then one at each interval and
    /// one after each local change. It takes the place of one that was started before.
    ///
    /// ```swift
    /// let live = try store.startLiveSync(every: .seconds(60))
    /// for await state in live.states { … }
    /// ```
    ///
    /// It runs as long as the store is open, held or not; while the store is suspended it waits.
    ///
    /// - Parameter interval: The time between two rounds, give or take a tenth; a second at least. While rounds fail, the
    ///   waits begin with 2 seconds and double up to 5 minutes.
    /// - Throws: ``ODataError`` with `readOnly` for a reader, `storeClosed` or `storeSuspended`.
    @discardableResult
    public func startLiveSync(every interval: Duration = .seconds(60)) throws -> LiveSync {
        try core.checkOwner()
        let live = LiveSync(core, every: interval)
        let earlier = core.liveSync.withLock { current in
            defer { current = live }
            return current
        }
        earlier?.end()
        live.begin()
        return live
    }
}
