/// Which rounds of a synchronisation that goes on by itself there are, and when: whole ones at its pace, and others in between
/// for the sources that have news.
package struct LiveRounds: Sendable, Hashable {
    /// What came of a round.
    package enum Outcome: Sendable, Hashable {
        case done
        /// Nothing has failed, and nothing was done.
        case postponed
        case failed
        /// There is nothing to keep in step any more.
        case over
    }

    private var pace: LivePace
    /// The next round is a whole one, and is not waited for.
    package private(set) var isWanted = true
    /// When that is due at the latest.
    private var due = Duration.zero
    /// There are no more of them.
    package private(set) var isOver = false

    /// - Parameter interval: the time between two whole rounds; a second at least.
    package init(every interval: Duration, hints: LiveHints) {
        pace = LivePace(interval: interval)
        pace.hints = hints
    }

    /// Counts from the next round on.
    package var hints: LiveHints {
        get { pace.hints }
        set { pace.hints = newValue }
    }

    /// Whether the last round that was not postponed has failed.
    package var isFailing: Bool { pace.failures > 0 }

    /// Whether the service may be asked to hold requests.
    package var mayHold: Bool { pace.mayHold }

    /// The next round is to be a whole one, now.
    package mutating func want() { isWanted = true }

    /// None begins any more.
    package mutating func stop() { isOver = true }

    /// - Returns: whether the round that begins is a whole one; nil where none begins.
    package mutating func begin() -> Bool? {
        guard !isOver else { return nil }
        defer { isWanted = false }
        return isWanted
    }

    /// - Parameter chance: from 0 to 1.
    /// - Returns: how long the next whole round is waited for where none is wanted; nil where there is none.
    package mutating func end(
        _ outcome: Outcome, isWhole: Bool, at now: Duration, chance: Double
    ) -> Duration? {
        switch outcome {
        case .done: pace.succeed()
        case .postponed: break
        case .failed: pace.fail()
        case .over: isOver = true
        }
        guard !isOver else { return nil }
        // However often there is news: what nobody tells of has its turn, too.
        if isWhole || outcome == .failed { due = now + pace.wait(chance: chance) }
        return max(due - now, .zero)
    }
}
