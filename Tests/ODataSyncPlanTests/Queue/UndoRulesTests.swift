import ODataSyncPlan
import Testing

/// What undoing takes along and what it leaves, as edits of the queue.
@Suite struct UndoRulesTests {
    private let row = QueueFixture.row

    private func creation(
        _ id: Int64, of row: Int64, below parent: Int64? = nil, isContained: Bool = false,
        body: RequestBody = RequestBody(values: QueueFixture.values(nil, 1))
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: ""), operation: .create,
            target: QueueFixture.row(row),
            navigation: parent.map {
                QueuedRequest.Navigation(
                    property: "N", row: QueueFixture.row($0), isContained: isContained)
            }, body: body)
    }

    @Test func aContainedRowGoesWithItsParentAndOnlyWithThat() {
        let queue = [
            creation(1, of: 1), creation(2, of: 2),
            creation(3, of: 3, below: 1, isContained: true),
            creation(4, of: 4, below: 2, isContained: true),
            creation(5, of: 5, below: 3, isContained: true),
        ]
        let rules = UndoRules(undoing: [row(1)], in: queue)
        #expect(rules.vanished == [row(1), row(3), row(5)])
        #expect(rules.edits == [.remove(1), .remove(3), .remove(5)])
    }

    @Test func aRowThatWasOnlyMadeBelowAnotherStaysByItself() {
        var alone = creation(2, of: 2, below: 1)
        let rules = UndoRules(undoing: [row(1)], in: [creation(1, of: 1), alone])
        #expect(rules.vanished == [row(1)])
        alone.navigation = nil
        #expect(rules.edits == [.remove(1), .replace(alone)])
    }

    @Test func whatNestedEntitiesReferToIsCutToo() throws {
        let bind = RequestBody.Bind(navigation: "N", targets: [row(1), row(9)])
        let inner = RequestBody(values: QueueFixture.values(nil, 2), binds: [bind])
        let outer = RequestBody(
            values: QueueFixture.values(nil, 3),
            inline: [.init(navigation: "N", row: row(3), body: inner)])
        let rules = UndoRules(
            undoing: [row(1)], in: [creation(1, of: 1), creation(2, of: 2, body: outer)])
        guard case .replace(let changed) = try #require(rules.edits.last) else {
            Issue.record("\(rules.edits)")
            return
        }
        #expect(changed.body?.inline.first?.body.binds.map(\.targets) == [[row(9)]])
    }

    @Test func whatAnUndoneCreationCarriedIsANewRequestInItsPlace() throws {
        let inner = RequestBody(values: QueueFixture.values(nil, 2))
        let outer = RequestBody(
            values: QueueFixture.values(nil, 3),
            inline: [.init(navigation: "N", row: row(3), body: inner)])
        var sent = creation(2, of: 2, body: outer)
        sent.ifMatch = "W/1"
        var alone = creation(0, of: 3, body: inner)
        alone.position = 2
        #expect(
            UndoRules(undoing: [row(2)], in: [sent]).edits == [.remove(2), .append(alone)])
    }

    /// A bind to many writes its foreign key into the row at the other end, which is undone with that row.
    @Test(arguments: [false, true])
    func aBindThatWroteIntoAnUndoneRowIsCut(hasValues: Bool) {
        var update = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: ""), operation: .update(.merge),
            target: row(2),
            body: RequestBody(
                values: QueueFixture.values(nil, hasValues ? 1 : nil),
                binds: [.init(navigation: "N", targets: [row(5)])]),
            effects: [.values(row: row(5), values: QueueFixture.values(nil, 2), principal: row(2))])
        let edits = UndoRules(undoing: [row(5)], in: [update]).edits
        update.body?.binds = []
        update.effects = []
        #expect(edits == [hasValues ? .replace(update) : .remove(1)])
    }

    /// A foreign key that was set by its value names a row by a key that only we know.
    @Test(arguments: [1, 9] as [Int64])
    func aForeignKeyThatFollowedAVanishedRowIsCut(principal: Int64) {
        let keys = QueueFixture.values(nil, 1)
        var child = creation(2, of: 2, body: RequestBody(values: keys))
        child.effects = [.values(row: row(2), values: keys, principal: row(principal))]
        child.principals = [row(principal)]
        let edits = UndoRules(undoing: [row(1)], in: [creation(1, of: 1), child]).edits
        guard principal == 1 else { return #expect(edits == [.remove(1)]) }
        child.body?.values = QueueFixture.values(nil, nil)
        child.effects = []
        child.principals = []
        #expect(edits == [.remove(1), .replace(child)])
    }

    @Test func whatIsAppendedStandsLastUnlessItHasAPlace() {
        var next: Int64 = 7
        var placed = creation(0, of: 2)
        placed.position = 3
        let queue = QueueEdit.apply(
            [.append(creation(0, of: 1)), .append(placed)], to: [], nextID: &next)
        #expect(queue.map(\.id) == [8, 7])
        #expect(queue.map(\.position) == [3, 7])
    }
}
