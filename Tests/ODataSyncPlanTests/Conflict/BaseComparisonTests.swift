import ODataModel
import ODataSQL
import ODataSyncPlan
import Testing

/// Whether a row of the service is the one that a change was made for.
@Suite struct BaseComparisonTests {
    private static func isUnchanged(
        _ base: StructureValue, _ server: StructureValue, state: EntityState = [],
        _ operation: QueuedRequest.Operation = .update(.merge),
        _ change: StructureValue? = QueueFixture.values(nil, 9), ignoresNulls: Bool = false,
        isWhole: Bool = false, effects: [RequestEffect] = []
    ) -> Bool {
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: operation,
            target: QueueFixture.row(1), body: change.map { RequestBody(values: $0) },
            effects: effects)
        return BaseComparison(graph: QueueFixture.graph, ignoresNulls: ignoresNulls).isUnchanged(
            StoredRow(id: 1, values: base, state: state), in: server, under: request,
            isWhole: isWhole)
    }

    private static let base = QueueFixture.values(1, 2, 3)
    /// The service, or somebody else, has changed what the change leaves alone.
    private static let beside = QueueFixture.values(1, 2, 4)
    /// Somebody else has changed what the change says anew.
    private static let below = QueueFixture.values(1, 4, 3)

    @Test(arguments: [EntityState(), .updated, .created])
    func aRowThatWasSeenHasToBeAsItWas(state: EntityState) {
        #expect(Self.isUnchanged(Self.base, Self.base, state: state))
        #expect(!Self.isUnchanged(Self.base, Self.beside, state: state))
        #expect(!Self.isUnchanged(Self.base, Self.below, state: state))
    }

    @Test func ofOneThatWasNotSeenOnlyWhatIsOverwrittenCounts() {
        #expect(Self.isUnchanged(Self.base, Self.beside, state: [.updated, .unseen]))
        #expect(!Self.isUnchanged(Self.base, Self.below, state: [.updated, .unseen]))
        // Foreign keys that follow a bind are overwritten, too.
        let follows = RequestEffect.values(
            row: QueueFixture.row(1), values: QueueFixture.values(nil, nil, 8), principal: nil)
        #expect(!Self.isUnchanged(Self.base, Self.beside, state: .unseen, effects: [follows]))
    }

    @Test func whatSaysAllOfTheRowOverwritesAllOfIt() {
        #expect(!Self.isUnchanged(Self.base, Self.beside, state: .unseen, .update(.replace)))
        #expect(!Self.isUnchanged(Self.base, Self.beside, state: .unseen, .delete, nil))
        #expect(!Self.isUnchanged(Self.base, Self.beside, state: .unseen, isWhole: true))
        #expect(Self.isUnchanged(Self.base, Self.base, state: .unseen, .delete, nil))
    }

    @Test func whatTheServiceHasFilledInIsNotKnownOfACreation() {
        let sent = StructureValue(
            type: StructureID(0), slots: [.scalar(.integer(1)), .null, .scalar(.integer(3))])
        #expect(Self.isUnchanged(sent, Self.base, state: [.created, .unseen]))
        #expect(!Self.isUnchanged(sent, Self.base, state: [.updated, .unseen]))
        #expect(Self.isUnchanged(sent, Self.base, state: [.updated, .unseen], ignoresNulls: true))
        #expect(!Self.isUnchanged(sent, Self.base, state: .created))
    }

    @Test func whatAnAnswerLeavesOutIsNotDifferent() {
        let part = QueueFixture.values(1, nil, 3)
        #expect(Self.isUnchanged(Self.base, part))
        #expect(Self.isUnchanged(Self.base, part, state: .unseen, .delete, nil))
    }
}
