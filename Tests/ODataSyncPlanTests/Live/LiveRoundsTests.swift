import ODataSyncPlan
import Testing

/// Which round of a synchronisation that goes on by itself comes next, and when.
@Suite struct LiveRoundsTests {
    private func rounds() -> LiveRounds {
        var rounds = LiveRounds(every: .seconds(10), hints: LiveHints())
        #expect(rounds.begin() == true)
        return rounds
    }

    @Test func whatNobodyTellsOfHasItsTurnHoweverOftenThereIsNews() {
        var rounds = rounds()
        #expect(rounds.end(.done, isWhole: true, at: .seconds(1), chance: 0.5) == .seconds(10))
        for (second, left) in [(4, 7), (8, 3), (12, 0)] {
            #expect(rounds.begin() == false)
            let wait = rounds.end(.done, isWhole: false, at: .seconds(second), chance: 0.5)
            #expect(wait == .seconds(left))
        }
    }

    @Test func whatIsWantedWhileARoundRunsComesAtOnceAndOnce() {
        var rounds = rounds()
        rounds.want()
        #expect(rounds.end(.done, isWhole: true, at: .zero, chance: 0.5) == .seconds(10))
        #expect(rounds.isWanted)
        #expect(rounds.begin() == true)
        #expect(!rounds.isWanted)
        #expect(rounds.end(.done, isWhole: true, at: .zero, chance: 0.5) == .seconds(10))
        #expect(rounds.begin() == false)
    }

    @Test func aFailureOfSomeSourcesIsTriedAgainSoonAndAPostponedRoundIsNone() {
        var rounds = rounds()
        #expect(rounds.end(.done, isWhole: true, at: .zero, chance: 0.5) == .seconds(10))
        #expect(rounds.begin() == false && rounds.mayHold)
        #expect(rounds.end(.failed, isWhole: false, at: .seconds(1), chance: 0.5) == .seconds(2))
        #expect(rounds.isFailing && !rounds.mayHold)
        rounds.want()
        #expect(rounds.begin() == true)
        #expect(rounds.end(.postponed, isWhole: true, at: .seconds(2), chance: 0.5) == .seconds(2))
        #expect(rounds.isFailing)
        #expect(rounds.begin() == false)
        #expect(rounds.end(.done, isWhole: true, at: .seconds(3), chance: 0.5) == .seconds(10))
        #expect(!rounds.isFailing && rounds.mayHold)
    }

    @Test func behindTheEndNoneBegins() {
        var rounds = rounds()
        #expect(rounds.end(.over, isWhole: true, at: .zero, chance: 0.5) == nil)
        #expect(rounds.isOver && rounds.begin() == nil)
        var stopped = self.rounds()
        stopped.stop()
        stopped.want()
        #expect(stopped.end(.done, isWhole: true, at: .zero, chance: 0.5) == nil)
        #expect(stopped.begin() == nil)
    }
}
