import ODataSyncPlan
import ODataWorld
import Synchronization

/// A synchronisation that goes on by itself until it is stopped: a round at once, then one at each interval, one when it is
/// woken, and one of the sources that the service says have changed, where it holds requests until then. While rounds fail
/// the waits are longer each time.
package final class LiveMode: Sendable {
    /// What it does just now.
    package enum State: Sendable, Hashable {
        /// It sends and reads.
        case synchronising
        /// The last round ended well. Of so many sources the service will say that they have changed; the others are looked at
        /// by the next round.
        case waiting(told: Int)
        /// The last round failed; it is tried again by itself.
        case retrying
        /// It has ended.
        case stopped
    }

    package typealias Outcome = LiveRounds.Outcome

    /// What there is to do.
    package struct Work: Sendable {
        /// Runs a piece of work in its turn, on a thread that it may block.
        var turn: @Sendable (@escaping @Sendable () -> Void) -> Void
        /// A round of everything, or a download of some sources, until the flag is set.
        var round: @Sendable (Set<String>?, CancellationFlag) -> Outcome
        /// The links that the service may hold requests for; nil where it is not to be asked.
        var links: @Sendable () -> ChangeLinks?
        /// Told whenever the state may be another one; returns at once and calls nothing of the mode.
        var told: @Sendable (State) -> Void

        package init(
            turn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
            round: @escaping @Sendable (Set<String>?, CancellationFlag) -> Outcome,
            links: @escaping @Sendable () -> ChangeLinks?,
            told: @escaping @Sendable (State) -> Void
        ) {
            (self.turn, self.round, self.links, self.told) = (turn, round, links, told)
        }
    }

    private struct Loop {
        var rounds: LiveRounds
        /// Ends the present wait.
        var wait: CancellationFlag?
        /// Ends the present round.
        var round: CancellationFlag?
        /// Called at the end of the present round.
        var ending: [@Sendable () -> Void] = []
    }

    private let world: any World
    private let work: Work
    private let loop: Mutex<Loop>
    private let watch: ChangeWatch

    /// - Parameter interval: the time between two rounds; a second at least.
    package init(_ world: any World, every interval: Duration, hints: LiveHints, _ work: Work) {
        self.world = world
        self.work = work
        loop = Mutex(Loop(rounds: LiveRounds(every: interval, hints: hints)))
        watch = ChangeWatch(world)
    }

    deinit { watch.stop() }

    /// Begins with a whole round.
    package func start() { begin() }

    /// A whole round now rather than later.
    package func wake() {
        let wait = loop.withLock { loop in
            loop.rounds.want()
            return loop.wait
        }
        wait?.cancel()
    }

    /// Counts from the next round on.
    package func setHints(_ hints: LiveHints) {
        let wait = loop.withLock { loop -> CancellationFlag? in
            guard loop.rounds.hints != hints else { return nil }
            loop.rounds.hints = hints
            loop.rounds.want()
            return loop.wait
        }
        wait?.cancel()
    }

    package var hints: LiveHints { loop.withLock { $0.rounds.hints } }

    /// Lets go of what the service holds, until the next whole round.
    package func rest() { follow(nil, isWhole: false) }

    /// Ends it.
    ///
    /// - Parameter ended: called when no round runs any more.
    package func stop(then ended: (@Sendable () -> Void)? = nil) {
        let (flags, isIdle) = loop.withLock { loop in
            loop.rounds.stop()
            work.told(.stopped)
            // Between rounds nothing has to be waited for.
            if loop.round != nil, let ended { loop.ending.append(ended) }
            return ([loop.wait, loop.round], loop.round == nil)
        }
        watch.stop()
        for flag in flags { flag?.cancel() }
        if isIdle { ended?() }
    }

    // MARK: Rounds

    private func begin() {
        work.turn { [self] in
            guard let (flag, isWhole) = beginRound() else { return }
            let news = watch.takeNews()
            let outcome = isWhole || !news.isEmpty ? work.round(isWhole ? nil : news, flag) : .done
            let (next, ending) = endRound(outcome, isWhole: isWhole)
            for ended in ending { ended() }
            guard let next else { return stop() }
            follow(behind: outcome, isWhole: isWhole)
            _ = world.startWorker("OData.pause") { [self] in pause(next.wait, next.flag) }
        }
    }

    private func beginRound() -> (CancellationFlag, isWhole: Bool)? {
        loop.withLock { loop -> (CancellationFlag, isWhole: Bool)? in
            guard let isWhole = loop.rounds.begin() else { return nil }
            let flag = CancellationFlag()
            (loop.wait, loop.round) = (nil, flag)
            work.told(.synchronising)
            return (flag, isWhole)
        }
    }

    private func endRound(
        _ outcome: Outcome, isWhole: Bool
    ) -> (next: (wait: Duration, flag: CancellationFlag)?, ending: [@Sendable () -> Void]) {
        let chance = Double(world.random() >> 11) / Double(1 << 53)
        let now = world.uptime()
        return loop.withLock { loop in
            loop.round = nil
            let ending = loop.ending
            loop.ending = []
            let wait = loop.rounds.end(outcome, isWhole: isWhole, at: now, chance: chance)
            guard let wait else { return (nil, ending) }
            let flag = CancellationFlag()
            loop.wait = flag
            if loop.rounds.isWanted { flag.cancel() }
            return ((wait, flag), ending)
        }
    }

    /// Asks the service to say what changes from here on.
    private func follow(behind outcome: Outcome, isWhole: Bool) {
        let mayHold = outcome == .done && loop.withLock { $0.rounds.mayHold }
        follow(mayHold ? work.links() : nil, isWhole: isWhole)
        loop.withLock { loop in
            // In the lock: nothing is told behind the end, and the last count is the newest.
            guard !loop.rounds.isOver else { return }
            work.told(outcome == .failed ? .retrying : .waiting(told: watch.count))
        }
    }

    private func follow(_ links: ChangeLinks?, isWhole: Bool) {
        watch.follow(links, isWhole: isWhole) { [weak self] in self?.look() }
    }

    private func pause(_ wait: Duration, _ flag: CancellationFlag) {
        // News of before the wait has nobody to end it.
        if watch.hasNews { flag.cancel() }
        if world.sleep(wait, token: flag) { loop.withLock { $0.rounds.want() } }
        begin()
    }

    /// The watch has news, or holds less than before.
    private func look() {
        let hasNews = watch.hasNews
        let wait = loop.withLock { loop in
            if !hasNews, loop.wait != nil, !loop.rounds.isOver, !loop.rounds.isFailing {
                work.told(.waiting(told: watch.count))
            }
            return loop.wait
        }
        if hasNews { wait?.cancel() }
    }
}
