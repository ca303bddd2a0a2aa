import ErrorFixture
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Queues that meet another model: each request is readable from its own stored form, what no longer fits is listed as
/// failed, and the rest of the queue goes on (decision 8 of docs/design.md).
@Suite struct ChangedModelTests {
    /// A change of the model as texts of the document and what takes their place.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        var texts: [(String, String)]
        /// The requests that no longer fit, by their place in the queue.
        var misfits: Set<Int>
        var testDescription: String { name }
    }

    private static let title = "<Property Name=\"Title\" Type=\"Edm.String\"/>"
    private static let ordersSet = """
        <EntitySet Name="Orders" EntityType="Shop.Order">
            <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet>
        """
    private static let tags =
        "<NavigationProperty Name=\"Tags\" Type=\"Collection(Shop.Tag)\"/>"
    private static let tagsBinding =
        "<NavigationPropertyBinding Path=\"Tags\" Target=\"Tags\"/>"
    private static let constraint = """
        <NavigationProperty Name="Customer" Type="Shop.Customer" Partner="Orders">
            <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/>
          </NavigationProperty>
        """

    private static func title(_ type: String) -> Change {
        Change(
            name: "Title is \(type)",
            texts: [(title, "<Property Name=\"Title\" Type=\"\(type)\"/>")], misfits: [0, 2])
    }

    static let changes: [Change] = [
        Change(name: "Title is gone", texts: [(title, "")], misfits: [0, 2]),
        Change(
            name: "Title has another name",
            texts: [(title, title.replacing("Title", with: "Heading"))], misfits: [0, 2]),
        title("Edm.Int32"), title("Edm.Boolean"), title("Edm.Date"), title("Edm.Guid"),
        title("Edm.GeographyPoint"),
        title("Collection(Edm.String)"), title("Shop.Address"),
        Change(
            name: "orders are of another type",
            texts: [
                ("Name=\"Order\"", "Name=\"Sale\""), ("Shop.Order\"", "Shop.Sale\""),
                ("Shop.Order)", "Shop.Sale)"),
            ], misfits: [0, 2]),
        Change(
            name: "orders are gone",
            texts: [
                (ordersSet, ""),
                ("<NavigationPropertyBinding Path=\"Orders\" Target=\"Orders\"/>", ""),
            ], misfits: [0, 2]),
        Change(
            name: "City is gone", texts: [("<Property Name=\"City\" Type=\"Edm.String\"/>", "")],
            misfits: [1]),
        Change(
            name: "Address is a text", texts: [("Type=\"Shop.Address\"", "Type=\"Edm.String\"")],
            misfits: [1]),
        Change(
            name: "Tags is gone", texts: [(tags, ""), (tagsBinding, "")], misfits: [3]),
        Change(
            name: "Tags are gone",
            texts: [
                (tags, ""), (tagsBinding, ""),
                ("<EntitySet Name=\"Tags\" EntityType=\"Shop.Tag\"/>", ""),
            ], misfits: [3]),
    ]

    /// A change of an order, one of a customer's address, an order created here, a link, and the name of a customer.
    private func fixture() throws -> (StoreFixture, ids: [Int64], rows: [RowReference]) {
        let fixture = try StoreFixture()
        let order = try fixture.downloadOrder(1, "first", customer: nil)
        let (bo, cy) = (
            try fixture.downloadCustomer(1, "Bo"), try fixture.downloadCustomer(2, "Cy")
        )
        let di = try fixture.downloadCustomer(3, "Di")
        try fixture.download("Tags", #"{"Code":"a"}"#)
        let tag = try #require(try fixture.store.row(in: "Tags", key: [.string("a")]))
        try fixture.update(order, ["Title": .text("changed")])
        try fixture.update(bo, ["Address": try fixture.address("Bonn")])
        let created = try fixture.create("Orders", ["ID": .number(7), "Title": .text("made here")])
        try fixture.store.perform(.createLink(di, navigation: "Tags", target: tag))
        try fixture.update(cy, ["Name": .text("Cyd")])
        let ids = try fixture.store.allRequests().map(\.id)
        #expect(ids.count == 5)
        return (fixture, ids, [order, bo, created, di, cy])
    }

    private func passes() -> QueuePasses {
        var passes = QueuePasses()
        passes.mergesRequests = true
        passes.buildsTransactions = true
        passes.undoesCreations = true
        return passes
    }

    private func adopt(_ fixture: StoreFixture, _ change: Change) throws {
        var text = StoreFixture.metadata
        for (old, new) in change.texts {
            #expect(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        try fixture.store.adopt(metadata: text, graph: try CSDLReader.read(Array(text.utf8)))
    }

    @Test(arguments: changes) func whatDoesNotFitIsListedAndTheRestWaits(change: Change) throws {
        let (fixture, ids, _) = try fixture()
        let bodies = try fixture.sql("SELECT body, effects FROM _odata_request ORDER BY id")
        try adopt(fixture, change)
        for _ in 0..<2 {
            let listed = try fixture.store.failedRequests()
            #expect(Set(listed.map(\.id)) == Set(change.misfits.map { ids[$0] }))
            #expect(listed.allSatisfy { $0.misfit != nil })
            #expect(listed.allSatisfy { $0.state.failure?.message?.isEmpty == false })
            #expect(
                try fixture.store.queuedRequests().map(\.id)
                    == ids.indices.filter { !change.misfits.contains($0) }.map { ids[$0] })
            #expect(
                try fixture.sql("SELECT body, effects FROM _odata_request ORDER BY id") == bodies)
            try fixture.reopen()
        }
        // What an upload does first.
        try fixture.store.requeueFailedRequests()
        try fixture.store.rearrange(
            passes(), .all)
        try fixture.store.listUnsent()
        #expect(try fixture.store.failedRequests().count == change.misfits.count)
    }

    @Test(arguments: changes) func eachCanBeTakenBackAlone(change: Change) throws {
        for place in change.misfits {
            let (fixture, ids, _) = try fixture()
            try adopt(fixture, change)
            #expect(try fixture.store.cancel([ids[place]]) == [ids[place]])
            #expect(
                try fixture.store.allRequests().map(\.id) == ids.filter { $0 != ids[place] })
        }
    }

    @Test(arguments: changes) func undoingLeavesWhatWasDownloaded(change: Change) throws {
        let (fixture, _, rows) = try fixture()
        let plain = try StoreFixture()
        try plain.downloadOrder(1, "first", customer: nil)
        try plain.downloadCustomer(1, "Bo")
        try plain.downloadCustomer(2, "Cy")
        try plain.downloadCustomer(3, "Di")
        try plain.download("Tags", #"{"Code":"a"}"#)
        try adopt(fixture, change)
        try adopt(plain, change)
        try fixture.store.undo(Set(rows))
        _ = try fixture.store.cancel(nil)
        #expect(try fixture.store.isQueueEmpty())
        for set in ["Customers", "Tags", "Orders"] {
            guard change.name != "orders are gone" || set != "Orders",
                change.name != "Tags are gone" || set != "Tags"
            else { continue }
            let rows = "SELECT * FROM \"_odata_view_\(set)\""
            #expect(try fixture.sql(rows) == plain.sql(rows), "\(set)")
        }
        // The old model comes back, and with it nothing of what was undone.
        try fixture.adopt()
        try plain.adopt()
        for set in ["Customers", "Tags", "Orders"] {
            let rows = "SELECT * FROM \"\(set)\""
            #expect(try fixture.sql(rows) == plain.sql(rows), "\(set)")
            #expect(try fixture.sql("SELECT count(*) FROM \"_odata_base_\(set)\"") == ["0"])
        }
    }

    @Test func aLaterChangeIsNotLostInOneThatDoesNotFit() throws {
        let (fixture, ids, rows) = try fixture()
        try adopt(fixture, Self.changes[0])
        try fixture.store.requeueFailedRequests()
        try fixture.update(rows[0], ["Amount": .number(3)])
        let requests = try fixture.store.allRequests()
        #expect(requests.count == 6 && requests.last?.target == rows[0])
        #expect(requests.last?.misfit == nil)
        try fixture.store.rearrange(
            passes(), .all)
        #expect(
            try fixture.sql("SELECT body FROM _odata_request").contains { $0.contains("Amount") })
        #expect(try fixture.store.allRequests().first?.id == ids[0])
    }

    /// Nothing is known of the request but what is stored of it, and what came along with it is.
    @Test func whatWasMadeWithSomethingWhoseTypeIsGoneGoesWithIt() throws {
        let fixture = try StoreFixture()
        _ = try fixture.create(
            "Orders",
            [
                "Title": .text("new"),
                "Customer": .structure(try fixture.value("Customer", ["Name": .text("Ada")])),
            ])
        let count = "SELECT count(*) FROM Customers WHERE (_odata_state & 4) = 0"
        #expect(try fixture.sql(count) == ["1"])
        let parts = [
            (of: "<EntityType Name=\"Order\">", to: "</EntityType>"),
            (of: "<EntitySet Name=\"Orders\"", to: "</EntitySet>"),
            (of: "<NavigationProperty Name=\"Orders\"", to: "</NavigationProperty>"),
            (of: "<NavigationPropertyBinding Path=\"Orders\"", to: "/>"),
        ]
        var text = StoreFixture.metadata
        for part in parts {
            let start = try #require(text.firstRange(of: part.of))
            let end = try #require(text[start.upperBound...].firstRange(of: part.to))
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        try fixture.store.adopt(metadata: text, graph: try CSDLReader.read(Array(text.utf8)))
        let listed = try #require(try fixture.store.failedRequests().first)
        #expect(listed.misfit != nil && listed.storedBody?.contains("new") == true)
        #expect(listed.body?.inlineRows.map(\.table) == ["Customers"])
        #expect(try fixture.store.cancel([listed.id]) == [listed.id])
        #expect(try fixture.store.isQueueEmpty())
        #expect(try fixture.sql(count) == ["0"])
    }

    @Test func anOpenAttemptStaysAndItsAnswerCounts() throws {
        for status in [204, 400] {
            for change in [Self.changes[0], Self.changes[9]] {
                let (fixture, ids, _) = try fixture()
                let attempt = try fixture.freeze([ids[0]])
                try adopt(fixture, change)
                #expect(try fixture.store.attempts() == [attempt])
                #expect(try fixture.store.failedRequests().map(\.id) == [ids[2]])
                let outcome = try fixture.store.record(
                    [
                        AttemptAnswers.Answer(
                            request: ids[0], outcome: .answered(ResponseMessage(status: status)))
                    ], of: attempt.id)
                #expect(outcome.accepted == (status == 204 ? [ids[0]] : []), "\(change.name)")
                #expect(outcome.refused == (status == 204 ? [] : [ids[0]]), "\(change.name)")
                #expect(try fixture.store.attempts() == [])
            }
        }
    }

    @Test func oneOfTheErrorArchiveStaysReadableWithoutItsSet() throws {
        let (fixture, ids, _) = try fixture()
        try fixture.answer(ids[0], status: 409)
        try adopt(fixture, Self.changes[9])
        let entry = try #require(try fixture.store.failedRequests().first)
        #expect(entry.id == ids[0] && entry.state.failure?.status == 409)
        try fixture.store.retry([ids[0]])
        #expect(try fixture.store.requests([ids[0]]).first?.state == .waiting)
        #expect(try fixture.store.discard([ids[2]]) == [ids[2]])
    }
}
