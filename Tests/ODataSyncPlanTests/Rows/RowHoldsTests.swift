import ODataModel
import ODataSQL
import ODataSyncPlan
import Testing

/// Who holds a row: what a source that brings it or lets it go makes of it, and what becomes of it.
@Suite struct RowHoldsTests {
    private static let whole = RowHold(place: 0, implicit: 1)

    @Test(
        arguments: [
            // place, implicit, before, taken, left
            (0, 1, 0, 0, 0), (0, 1, 1, 1, 0), (0, 1, 4, 5, 4), (0, 1, 5, 5, 4),
            (0, 0, 0, 1, 0), (1, 0, 0, 2, 0), (1, 1, 0, 3, 1), (1, 1, 2, 2, 0), (1, 1, 3, 3, 1),
            (2, 0, 2, 6, 2), (61, 0, 0, 1 << 61, 0), (70, 0, 0, 1 << 62, 0),
            (70, 1, 0, 1 | 1 << 62, 1),
            (1, 0, Int64.min, 2, 0), (0, 1, Int64.min, 1, 0),
        ] as [(Int, Int64, Int64, Int64, Int64)])
    func itsSourcesAreWhoTookItAndDidNotLeave(
        place: Int, implicit: Int64, before: Int64, taken: Int64, left: Int64
    ) {
        let hold = RowHold(place: place, implicit: implicit)
        #expect(hold.taken(before) == taken)
        #expect(hold.left(before) == left)
        // Twice is once.
        #expect(hold.taken(hold.taken(before)) == taken)
    }

    @Test func whatIsListedBesideTheTableStaysListedForOthers() {
        let hold = RowHold(place: 70)
        #expect(hold.left(RowHolds.aside | 2, isHeldAside: true) == RowHolds.aside | 2)
        #expect(hold.left(RowHolds.aside | 2) == 2)
        #expect(RowHold(place: 1).left(RowHolds.aside | 2) == RowHolds.aside)
    }

    @Test(
        arguments: [
            // sources, changes, below, reason, heirs, outcome
            (2, false, false, .left, false, .remove), (6, false, false, .left, false, .stay),
            (6, true, false, .left, false, .stay), (2, true, false, .left, false, .bury),
            (2, false, true, .left, false, .wait), (6, false, false, .deleted, false, .remove),
            (6, true, false, .deleted, false, .bury), (6, false, true, .deleted, false, .remove),
            (2, false, false, .released, false, .remove), (6, false, false, .released, true, .stay),
            (2, true, false, .released, true, .wait), (2, false, true, .released, true, .wait),
        ] as [(Int64, Bool, Bool, RowHolds.Reason, Bool, RowHolds.Departure)])
    func aRowGoesWithItsLastSourceAndWaitsForItsChanges(
        sources: Int64, hasChanges: Bool, hasChangesBelow: Bool, reason: RowHolds.Reason,
        hasHeirs: Bool, outcome: RowHolds.Departure
    ) {
        #expect(
            RowHolds.departure(
                from: RowHold(place: 1), sources: sources, state: hasChanges ? .pending : [],
                isUnsent: false, hasChanges: hasChanges, hasChangesBelow: hasChangesBelow,
                because: reason,
                hasHeirs: hasHeirs) == outcome)
    }

    /// It has no source of its own and belongs to whoever reads its set.
    @Test func whatWasMadeHereIsInheritedAndGoesWithTheLast() {
        let departure = {
            (state: EntityState, reason: RowHolds.Reason, heirs: Bool, isUnsent: Bool) in
            RowHolds.departure(
                from: Self.whole, sources: 0, state: state, isUnsent: isUnsent,
                hasChanges: state.contains(.pending), because: reason, hasHeirs: heirs)
        }
        #expect(departure(.created, .released, true, false) == .inherit)
        #expect(departure(.created, .released, false, false) == .remove)
        #expect(departure([.created, .pending], .released, false, false) == .wait)
        #expect(departure([.created, .pending], .released, true, false) == .inherit)
        // The service never had it, so it cannot have left its answer.
        #expect(departure([.created, .pending], .left, false, true) == .none)
        // Only its change was not sent.
        #expect(departure([.created, .pending], .left, false, false) == .bury)
        #expect(departure(.created, .left, false, false) == .remove)
        #expect(departure([], .released, true, false) == .remove)
    }

    /// A table without bits has one source.
    @Test func withoutBitsTheOneSourceDecides() {
        let departure = { (state: EntityState, reason: RowHolds.Reason) in
            RowHolds.departure(
                from: nil, sources: 0, state: state, isUnsent: false,
                hasChanges: state.contains(.pending), because: reason)
        }
        #expect(departure([], .left) == .remove)
        #expect(departure(.pending, .left) == .bury)
        #expect(departure(.pending, .deleted) == .bury)
    }

    @Test(
        arguments: [
            (0, 0, 0, 0), (0, 4, 0, 4), (2, 4, 0, 6), (0, 0, 1, 0), (0, 4, 1, 4), (2, 0, 1, 3),
            (Int64.min, 4, 0, 4), (Int64.min, 0, 1, 1), (Int64.min, Int64.min, 0, Int64.min),
        ] as [(Int64, Int64, Int64, Int64)])
    func whatIsOneEntityIsHeldByAllWhoHeldEither(
        made: Int64, brought: Int64, implicit: Int64, joined: Int64
    ) {
        #expect(RowHolds.joined(made, brought, implicit: implicit) == joined)
    }

    @Test(
        arguments: [
            (.none, true, nil, true), (.none, false, nil, false),
            (.successor(isComplete: true), true, nil, true),
            (.successor(isComplete: false), true, [], false), (.download, true, nil, false),
            (.download, true, [], true), (.download, true, [.init(isComplete: true)], true),
            (.download, true, [.init(isComplete: false)], false),
            (.download, true, [.init(isComplete: false, isRefused: true)], true),
            (.download, false, [.init(isComplete: true)], false),
        ] as [(SourceRelease.Condition, Bool, [SourceRelease.Other]?, Bool)])
    func aSourceGivesUpItsRowsWhenOthersHaveTheirs(
        condition: SourceRelease.Condition, areNoted: Bool, others: [SourceRelease.Other]?,
        isDue: Bool
    ) {
        #expect(SourceRelease.isDue(condition, areNoted: areNoted, others: others) == isDue)
    }
}
