import ODataModel
import ODataSyncPlan
import Testing

@Suite struct QueueRuleTests {
    private static func fixture(_ join: Bool = true) -> QueueFixture {
        QueueFixture(join: JoinOnWrite(combinesUpdates: join, combinesDeletes: join))
    }

    @Test func aReferenceToANewRowIsADependency() {
        var fixture = Self.fixture()
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        fixture.record(.create, -2, QueueFixture.values(nil, 2), binds: [-1])
        fixture.record(.create, -3, QueueFixture.values(nil, 3), binds: [-2])
        fixture.record(.update(.merge), 9, QueueFixture.values(nil, 4))
        let dependencies = RequestDependencies(fixture.queue)
        #expect(dependencies.closure(of: [1]) == [1, 2, 3])
        #expect(dependencies.requirements(of: [3]) == [1, 2, 3])
        #expect(RequestDependencies.quarantine(after: [1], in: fixture.queue) == [2: 1, 3: 1])
        #expect(Cancellation(of: [2], in: fixture.queue).gone == [2, 3])
    }

    @Test func deletingWhatIsReferredToOnlyFollows() {
        var fixture = Self.fixture()
        fixture.record(.update(.merge), 5, QueueFixture.values(nil, 1), binds: [9])
        fixture.record(.delete, 9)
        let dependencies = RequestDependencies(fixture.queue)
        #expect(dependencies.dependencies(of: 2).isEmpty)
        #expect(dependencies.predecessors(of: 2) == [1])
    }

    @Test func nothingJoinsIntoWhatWasSentOrStandsApart() {
        for change in 0..<4 {
            var fixture = Self.fixture()
            fixture.record(.update(.merge), 1, QueueFixture.values(nil, 1))
            switch change {
            case 0: fixture.queue[0].identity.firstSent = 5
            case 1: fixture.queue[0].state = .frozen(attempt: 1)
            case 2: fixture.queue[0].flags = .unmodifiable
            default: fixture.queue[0].uploadGroup = "g"
            }
            fixture.record(.update(.merge), 1, QueueFixture.values(nil, 2))
            fixture.record(.delete, 1)
            #expect(fixture.queue.count == 3, "change \(change)")
        }
    }

    @Test func anUpdateThatRefersToALaterCreationIsNotMovedInFrontOfIt() {
        var fixture = Self.fixture()
        fixture.record(.update(.merge), 1, QueueFixture.values(nil, 1))
        fixture.record(.create, -2, QueueFixture.values(nil, 2))
        fixture.record(.update(.merge), 1, QueueFixture.values(nil, 3), binds: [-2])
        #expect(fixture.queue.map(\.operation) == [.update(.merge), .create, .update(.merge)])
    }

    @Test func anUpdateOfANestedRowJoinsIntoTheCreationAroundIt() throws {
        func inner(_ value: Int64) -> RequestBody.InlineEntity {
            .init(
                navigation: "N", row: QueueFixture.row(-2),
                body: RequestBody(values: QueueFixture.values(nil, value)))
        }
        var creation = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: ""), operation: .create,
            target: QueueFixture.row(-1),
            body: RequestBody(values: QueueFixture.values(nil, 1), inline: [inner(2)]))
        let update = QueuedRequest(
            id: 0, identity: RepeatabilityIdentity(id: ""), operation: .update(.merge),
            target: QueueFixture.row(-2), body: RequestBody(values: QueueFixture.values(nil, 5)))
        let edits = JoinOnWrite().edits(recording: update, behind: [creation])
        creation.body?.inline = [inner(5)]
        #expect(edits == [.replace(creation)])
    }

    /// What an earlier request wrote into a row beside its own has to be there first.
    @Test func whoWritesWhatAnotherWroteComesBehindIt() {
        func request(
            _ id: Int64, _ operation: QueuedRequest.Operation, row: Int64,
            effects: [RequestEffect] = []
        ) -> QueuedRequest {
            QueuedRequest(
                id: id, identity: RepeatabilityIdentity(id: ""), operation: operation,
                target: QueueFixture.row(row), effects: effects)
        }
        let values = QueueFixture.values(nil, 1)
        let link = request(
            1, .createLink, row: 1,
            effects: [.values(row: QueueFixture.row(2), values: values, principal: nil)])
        let dependencies = RequestDependencies([link, request(2, .update(.merge), row: 2)])
        #expect(dependencies.predecessors(of: 2) == [1])
        #expect(dependencies.predecessors(of: 1).isEmpty)
    }

    @Test func aRequestReliesOnNothingThatItMakesItself() {
        let inner = RequestBody(
            values: QueueFixture.values(nil, 1),
            binds: [.init(navigation: "N", targets: [-1, 9].map(QueueFixture.row))])
        let creation = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: ""), operation: .create,
            target: QueueFixture.row(-1),
            body: RequestBody(
                values: QueueFixture.values(nil, 1),
                inline: [.init(navigation: "N", row: QueueFixture.row(-2), body: inner)]),
            principals: [QueueFixture.row(-2)])
        #expect(creation.referencedRows == [QueueFixture.row(9)])
    }

    @Test func nothingIsLeftToChangeOfADeletedRow() {
        var fixture = QueueFixture(
            join: JoinOnWrite(combinesUpdates: false, combinesDeletes: false))
        fixture.record(.delete, 1)
        #expect(fixture.state(1, .present(QueueFixture.values(1, 2))) == nil)
        fixture.record(.update(.merge), 1, QueueFixture.values(nil, 3))
        #expect(fixture.state(1, .present(QueueFixture.values(1, 2))) == nil)
    }

    @Test func aLinkOfARowThatWasMadeHereIsWrittenAndRead() {
        let row = RowReference(table: "T", id: -7)
        #expect(
            LocalLink.control(for: row)
                == #"{"id":"T(~local-7)","readLink":"T(~local-7)","editLink":"T(~local-7)"}"#)
        #expect(LocalLink.row(LocalLink.text(row)) == row)
        #expect(LocalLink.row("T(~local-0)") == nil && LocalLink.row("T(7)") == nil)
    }

    @Test func whatIsReplacedIsReplacedAtEachDepth() throws {
        func request(_ row: Int64) -> QueuedRequest {
            let inner = RequestBody(
                values: QueueFixture.values(nil, 1),
                binds: [.init(navigation: "N", targets: [QueueFixture.row(row)])])
            let outer = RequestBody(
                values: QueueFixture.values(nil, 2),
                inline: [.init(navigation: "N", row: QueueFixture.row(row), body: inner)])
            return QueuedRequest(
                id: 1, identity: RepeatabilityIdentity(id: ""), operation: .create,
                target: QueueFixture.row(-1), body: outer)
        }
        #expect(
            request(-2).replacing(QueueFixture.row(-2), by: QueueFixture.row(7)) == request(7))
    }

    @Test func aCreateThatOthersReferToIsDeletedByARequest() {
        var fixture = Self.fixture()
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        fixture.record(.create, -2, QueueFixture.values(nil, 2), binds: [-1])
        fixture.record(.delete, -1)
        #expect(fixture.queue.map(\.operation) == [.create, .create, .delete])
    }

    @Test func undoCutsReferencesToWhatVanishes() {
        var fixture = Self.fixture()
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        fixture.record(.create, -2, QueueFixture.values(nil, 2), binds: [-1])
        fixture.undo([-1])
        #expect(fixture.queue.map(\.target.id) == [-2])
        #expect(fixture.queue[0].body?.binds == [])
    }

    @Test func undoLeavesWhatIsSealed() {
        var fixture = Self.fixture(false)
        fixture.record(.update(.merge), 1, QueueFixture.values(nil, 1))
        fixture.queue[0].state = .frozen(attempt: 3)
        fixture.record(.update(.merge), 1, QueueFixture.values(nil, 2))
        let rules = UndoRules(undoing: [QueueFixture.row(1)], in: fixture.queue)
        #expect(rules.kept == [1] && rules.edits == [.remove(2)])
        #expect(Cancellation(of: [1, 2], in: fixture.queue).gone == [2])
    }

    @Test func aFailedDeleteIsNotFolded() {
        var fixture = Self.fixture()
        fixture.record(.delete, 1)
        fixture.queue[0].state = .failed(RequestFailure(status: 409))
        let state = QueueFold(graph: QueueFixture.graph).state(
            of: QueueFixture.row(1), base: QueueSequenceTests.base, requests: fixture.queue)
        #expect(state.values == QueueFixture.values(1, 10, 20))
        #expect(state.flags == [.isLocal, .hasPendingChanges, .inErrorState, .isDeleteError])
    }

    @Test func anEditStaysInViewOverATombstone() {
        var fixture = Self.fixture()
        fixture.record(.update(.merge), 1, QueueFixture.values(nil, 11))
        #expect(
            fixture.state(1, .tombstone(QueueFixture.values(1, 10, 20)))
                == QueueFixture.values(1, 11, 20))
    }

    @Test func repairsJoinIntoTheRefusedRequest() {
        var fixture = Self.fixture()
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        fixture.queue[0].state = .failed(RequestFailure(status: 400))
        fixture.record(.update(.merge), -1, QueueFixture.values(nil, 2))
        #expect(fixture.queue.count == 2)
        fixture.queue[0].state = .waiting
        var next: Int64 = 9
        let merged = QueueEdit.apply(
            QueueMerge(respectsTransactionIDs: true).edits(fixture.queue) {
                $0.target == QueueFixture.row(-1)
            },
            to: fixture.queue, nextID: &next)
        #expect(merged.map(\.id) == [1])
        #expect(merged[0].body?.values == QueueFixture.values(nil, 2))
        fixture.queue[1].operation = .delete
        fixture.queue[1].body = nil
        #expect(
            QueueEdit.apply(
                QueueMerge(respectsTransactionIDs: true).edits(fixture.queue) {
                    $0.target == QueueFixture.row(-1)
                },
                to: fixture.queue, nextID: &next
            ).isEmpty)
    }
}
