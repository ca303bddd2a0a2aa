import ODataSync
import ODataSyncPlan
import ODataWorld
import Synchronization

/// A synchronisation that goes on by itself: again and again at an interval, at once after a local change, when the service
/// tells of a change, and later each time while it fails. It goes on until it is stopped or the store is closed.
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

    /// What the device wants to be spared.
    public struct Hints: Sendable, Hashable {
        /// The network is paid for by what goes over it.
        public var isMetered: Bool
        /// The device saves energy.
        public var isLowPower: Bool

        /// Both hints; nothing is to be spared where nothing is said.
        public init(isMetered: Bool = false, isLowPower: Bool = false) {
            (self.isMetered, self.isLowPower) = (isMetered, isLowPower)
        }
    }

    private final class Home: Sendable {
        private let core: Mutex<Reference>
        let states = Broadcast(State.synchronising)
        let told = Atomic(0)
        let asks: Bool
        /// Why the last round failed that did.
        private let failure = Mutex<ODataError?>(nil)

        private struct Reference {
            weak var core: StoreCore?
        }

        init(_ core: StoreCore, asks: Bool) {
            self.core = Mutex(Reference(core: core))
            self.asks = asks
        }

        /// Not kept open by this.
        var present: StoreCore? { core.withLock { $0.core } }

        func take(_ state: LiveMode.State) {
            switch state {
            case .synchronising: states.update { $0 = .synchronising }
            case .waiting(let count):
                told.store(count, ordering: .relaxed)
                states.update { $0 = .waiting }
            case .retrying:
                told.store(0, ordering: .relaxed)
                let reason = failure.withLock { $0 }
                if let reason { states.update { $0 = .retrying(reason) } }
            case .stopped:
                told.store(0, ordering: .relaxed)
                states.update { $0 = .stopped }
                states.finish()
            }
        }

        func round(_ only: Set<String>?, _ flag: CancellationFlag) -> LiveMode.Outcome {
            guard let core = present else { return .over }
            do {
                try core.checkOwner()
                _ = try core.synchronise(nil, flag, only: only)
                return .done
            } catch is CancellationError {
                return .done
            } catch {
                let reason = ODataError.from(error)
                switch reason.code {
                case .storeClosed: return .over
                // Nothing has failed: it waits for the resumption, which wakes it.
                case .storeSuspended: return .postponed
                default:
                    failure.withLock { $0 = reason }
                    return .failed
                }
            }
        }

        func links() -> ChangeLinks? {
            guard asks, let core = present, (try? core.checkOwner()) != nil,
                let scope = try? core.scope()
            else { return nil }
            return try? ODataSync.Download(scope).changeLinks()
        }
    }

    private let home: Home
    private let mode: LiveMode

    /// - Parameter asks: whether the service is asked to hold requests until something changes.
    init(_ core: StoreCore, every interval: Duration, asks: Bool) {
        let home = Home(core, asks: asks)
        self.home = home
        mode = LiveMode(
            core.settings.world, every: interval, hints: LiveHints(),
            LiveMode.Work(
                turn: { work in
                    // Nobody is told any more where there is no store.
                    home.present?.syncs.add(work)
                }, round: { home.round($0, $1) }, links: { home.links() },
                told: { home.take($0) }))
    }

    /// What it does now.
    public var state: State { home.states.value }

    /// What it does now, and then the newest state whenever that changes; ends behind `stopped`.
    public var states: AsyncStream<State> { home.states.follow() }

    /// Of how many downloads the service will say that they have changed, so that changes come when they happen. The others
    /// come at the interval: where the service holds no requests (`Prefer: wait`, RFC 7240), beyond eight, and while
    /// something is to be spared.
    public var toldDownloads: Int { home.told.load(ordering: .relaxed) }

    /// What the device wants to be spared, at first nothing: with any of the hints the service is asked to hold no requests,
    /// and four intervals pass between two rounds.
    public var hints: Hints {
        get { Hints(isMetered: mode.hints.isMetered, isLowPower: mode.hints.isLowPower) }
        set {
            mode.setHints(
                LiveHints(isMetered: newValue.isMetered, isLowPower: newValue.isLowPower))
        }
    }

    /// Synchronises now rather than later, as when the network is back or the app comes to the front.
    public func wake() { mode.wake() }

    /// Ends it; a round that runs is ended between two requests, and is over when this returns.
    public func stop() async {
        await withCheckedContinuation { continuation in
            mode.stop { continuation.resume() }
        }
    }

    /// Ends it, and does not wait for a round that runs.
    func end() { mode.stop() }

    /// Lets go of what the service holds until it is woken.
    func rest() { mode.rest() }

    func begin() { mode.start() }
}

extension OfflineStore {
    /// Keeps the store in step with the service by itself from now on: a first round at once, then one at each interval, one
    /// after each local change, and a download of what the service says has changed. It takes the place of one that was started before.
    ///
    /// ```swift
    /// let live = try store.startLiveSync(every: .seconds(60))
    /// for await state in live.states { … }
    /// ```
    ///
    /// It runs as long as the store is open, held or not; while the store is suspended it waits.
    ///
    /// - Parameters:
    ///   - interval: The time between two rounds, give or take a tenth; a second at least. While rounds fail, the waits begin
    ///     with 2 seconds and double up to 5 minutes.
    ///   - asksToBeTold: Whether the service is asked to say when something changes, so that it is read then and not at the
    ///     next round. Each download takes a connection and a thread, eight at most.
    /// - Throws: ``ODataError`` with `readOnly` for a reader, `storeClosed` or `storeSuspended`.
    @discardableResult
    public func startLiveSync(
        every interval: Duration = .seconds(60), asksToBeTold: Bool = true
    ) throws -> LiveSync {
        try core.checkOwner()
        let live = LiveSync(core, every: interval, asks: asksToBeTold)
        let earlier = core.liveSync.withLock { current in
            defer { current = live }
            return current
        }
        earlier?.end()
        live.begin()
        return live
    }
}
