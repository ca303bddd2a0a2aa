import ODataModel
import ODataSyncPlan
import Testing

/// What a decision about a conflict does: outcome and both sides' states → base image and queue.
@Suite struct ConflictPlanTests {
    private static let refusal = RequestState.failed(RequestFailure(status: 412))

    /// A row that the service has, with a tag.
    private static func server(_ first: Int64, _ second: Int64? = nil) -> StructureValue {
        var values = QueueFixture.values(1, first, second)
        values.control.etag = "W/\"2\""
        return values
    }

    private static func request(
        _ id: Int64, _ operation: QueuedRequest.Operation, _ values: StructureValue? = nil,
        row: Int64 = 1, state: RequestState = refusal, changeSet: String? = nil
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "first", firstSent: 5),
            operation: operation, target: QueueFixture.row(row),
            body: values.map { RequestBody(values: $0) }, ifMatch: "W/\"1\"",
            changeSet: changeSet, state: state)
    }

    private static func plan(
        _ request: QueuedRequest, _ outcome: WriteConflictOutcome,
        local: StructureValue? = QueueFixture.values(1, 7, 3), server: StructureValue?,
        queue: [QueuedRequest] = []
    ) -> ConflictPlan? {
        ConflictPlan(
            WriteConflict(
                request: request, base: QueueFixture.values(1, 5, 3), local: local,
                server: server), outcome, policy: "test", queue: [request] + queue,
            graph: QueueFixture.graph)
    }

    private static func replaced(_ plan: ConflictPlan?) -> [QueuedRequest] {
        (plan?.edits ?? []).compactMap {
            if case .replace(let request) = $0 { request } else { nil }
        }
    }

    @Test(arguments: [
        (QueuedRequest.Operation.putStream, "content"), (.deleteStream, "content"),
        (.createLink, "link"), (.updateLink, "link"), (.deleteLink, "link"),
    ])
    func noPolicyDecidesAboutContentsAndLinks(
        operation: QueuedRequest.Operation, part: String
    ) throws {
        let request = Self.request(3, operation)
        let reason = try #require(WriteConflict.reasonUndecided(request))
        #expect(reason.hasPrefix("T (request 3):") && reason.contains("the \(part) belongs"))
        #expect(!WriteConflict.isPossible(request))
        for other in [RequestState.waiting, .failed(RequestFailure(status: 400))] {
            #expect(WriteConflict.reasonUndecided(Self.request(3, operation, state: other)) == nil)
        }
        #expect(WriteConflict.reasonUndecided(Self.request(3, .delete)) == nil)
    }

    @Test func theClientsChangeGoesAgainWithTheTagOfNowAsANewRequest() throws {
        let update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7))
        let later = Self.request(
            2, .update(.merge), QueueFixture.values(nil, nil, 8), state: .blocked(by: 1))
        let plan = Self.plan(update, .keepLocal, server: Self.server(6, 4), queue: [later])
        #expect(plan?.image == .present(Self.server(6, 4)))
        let edits = Self.replaced(plan)
        #expect(edits.map(\.id) == [1, 2] && edits.allSatisfy { $0.state == .waiting })
        #expect(edits.first?.ifMatch == "W/\"2\"" && edits.first?.wasSent == false)
        #expect(edits.first?.identity.id == "" && edits.first?.body == update.body)
        let overwrite = try #require(plan?.overwrite)
        #expect(overwrite.side == .service && overwrite.properties(in: QueueFixture.graph) == ["A"])
        // What the client did not change stays as the service has it.
        #expect(overwrite.after?.slots == QueueFixture.values(1, 7, 4).slots)
    }

    /// A foreign key that people have chosen does not follow the row that the change was made with.
    @Test func aMergedForeignKeyFollowsNoOtherRow() throws {
        func effect(_ first: Int64?, _ second: Int64?, row: Int64 = 1) -> RequestEffect {
            .values(
                row: QueueFixture.row(row), values: QueueFixture.values(nil, first, second),
                principal: QueueFixture.row(9))
        }
        var update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7))
        update.effects = [effect(7, nil), effect(nil, 7), effect(7, nil, row: 2)]
        let merged = Self.plan(
            update, .merged(QueueFixture.values(1, 8, 4)), server: Self.server(6, 4))
        let sent = try #require(Self.replaced(merged).first)
        #expect(sent.effects == [effect(nil, 7), effect(7, nil, row: 2)])
    }

    /// Without a tag nobody would see a third change in between.
    @Test func aServiceThatDoesNotSayItsTagIsNotOverwritten() {
        let update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7))
        #expect(Self.plan(update, .keepLocal, server: QueueFixture.values(1, 6)) == nil)
        #expect(Self.plan(update, .takeServer, server: QueueFixture.values(1, 6)) != nil)
    }

    @Test func theServicesStateTakesThePlaceOfAllChangesOfTheRow() {
        let update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7))
        let later = Self.request(
            2, .update(.merge), QueueFixture.values(nil, nil, 8), state: .blocked(by: 1))
        let other = Self.request(
            3, .update(.merge), QueueFixture.values(nil, 9), row: 2, state: .waiting)
        let plan = Self.plan(update, .takeServer, server: Self.server(6), queue: [later, other])
        #expect(plan?.edits == [.remove(1), .remove(2)])
        #expect(plan?.isSentAgain == false && plan?.overwrite?.side == .local)
        #expect(plan?.overwrite?.before?.slots == QueueFixture.values(1, 7, 3).slots)
        #expect(plan?.overwrite?.after?.slots == Self.server(6).slots)
    }

    @Test func aMergedRowIsSentAsFarAsItDiffersFromTheServices() {
        let update = Self.request(1, .update(.replace), QueueFixture.values(nil, 7, 3))
        let plan = Self.plan(
            update, .merged(QueueFixture.values(1, 6, 9)), server: Self.server(6, 4))
        let sent = Self.replaced(plan).first
        #expect(sent?.operation == .update(.merge))
        #expect(sent?.body?.values.slots == QueueFixture.values(nil, nil, 9).slots)
        // As the service has it: nothing is left to send.
        let same = Self.plan(
            update, .merged(QueueFixture.values(1, 6, 4)), server: Self.server(6, 4))
        #expect(same?.edits == [.remove(1)] && same?.isSentAgain == false)
    }

    @Test func aRowThatIsGoneThereIsMadeAgainOrGoesHere() {
        let update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7))
        let again = Self.plan(update, .keepLocal, server: nil)
        #expect(again?.image == .absent)
        let creation = Self.replaced(again).first
        #expect(creation?.operation == .create && creation?.ifMatch == nil)
        #expect(creation?.body?.values.slots == QueueFixture.values(1, 7, 3).slots)
        #expect(again?.overwrite?.before == nil && again?.overwrite?.after != nil)
        let gone = Self.plan(update, .takeServer, server: nil)
        #expect(gone?.image == .tombstone && gone?.edits == [.remove(1)])
        #expect(gone?.overwrite?.after == nil)
    }

    @Test func aDeletionIsSentAgainTakenBackOrBecomesAChange() {
        let delete = Self.request(1, .delete)
        let again = Self.plan(delete, .keepLocal, local: nil, server: Self.server(6))
        #expect(Self.replaced(again).first?.ifMatch == "W/\"2\"")
        #expect(again?.overwrite?.before == Self.server(6) && again?.overwrite?.after == nil)
        let back = Self.plan(delete, .takeServer, local: nil, server: Self.server(6))
        #expect(back?.edits == [.remove(1)] && back?.overwrite?.before == nil)
        let changed = Self.plan(
            delete, .merged(QueueFixture.values(1, 8)), local: nil, server: Self.server(6))
        #expect(Self.replaced(changed).first?.operation == .update(.merge))
        // Gone on both sides: there is nothing to decide.
        let both = Self.plan(delete, .keepLocal, local: nil, server: nil)
        #expect(both?.edits == [.remove(1)] && both?.overwrite == nil)
    }

    /// The service refused the change set because of one of them.
    @Test func membersOfAChangeSetGoAgainTogether() {
        let update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7), changeSet: "s")
        let partner = Self.request(
            2, .update(.merge), QueueFixture.values(nil, 9), row: 2, changeSet: "s")
        let plan = Self.plan(update, .keepLocal, server: Self.server(6), queue: [partner])
        let edits = Self.replaced(plan)
        #expect(edits.map(\.id) == [1, 2] && edits.allSatisfy { $0.state == .waiting })
        #expect(edits.last?.ifMatch == "W/\"1\"")
    }

    @Test func whatWasLeftChangesNothing() {
        let update = Self.request(1, .update(.merge), QueueFixture.values(nil, 7))
        #expect(Self.plan(update, .leave, server: Self.server(6)) == nil)
    }

    private static let possible: [(QueuedRequest.Operation, Int, Bool)] = [
        (.update(.merge), 412, true), (.update(.merge), 404, true), (.update(.merge), 409, true),
        (.update(.merge), 400, false), (.delete, 412, true), (.delete, 404, false),
        (.create, 412, false), (.putStream, 412, false), (.createLink, 412, false),
    ]

    @Test func onlySomeRefusalsMayBeConflicts() {
        for (operation, status, isPossible) in Self.possible {
            let request = Self.request(
                1, operation, state: .failed(RequestFailure(status: status)))
            #expect(WriteConflict.isPossible(request) == isPossible, "\(operation) \(status)")
        }
        // The service did not look at the tag.
        let rejected = RequestFailure(status: 412, code: "RepeatabilityRejected")
        #expect(!WriteConflict.isPossible(Self.request(1, .delete, state: .failed(rejected))))
        #expect(!WriteConflict.isPossible(Self.request(1, .delete, state: .waiting)))
    }

    @Test func aConflictIsRealWhereTheServicesRowIsAnotherOne() {
        func isReal(_ server: StructureValue?, tag: String? = "W/\"1\"", status: Int = 412) -> Bool
        {
            var request = Self.request(
                1, .update(.merge), state: .failed(RequestFailure(status: status)))
            request.ifMatch = tag
            return WriteConflict(
                request: request, base: QueueFixture.values(1, 5, 3), local: nil, server: server
            ).isReal(in: QueueFixture.graph)
        }
        var same = QueueFixture.values(1, 5, 3)
        #expect(isReal(nil))
        #expect(isReal(Self.server(5, 3)))
        #expect(!isReal(same, tag: nil, status: 409))
        #expect(isReal(QueueFixture.values(1, 6, 3), tag: nil, status: 409))
        same.control.etag = "W/\"1\""
        #expect(!isReal(same))
    }
}
