import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataWire
import ODataWorld
import Testing

/// Creations with nested rows of which no answer came: each nested row is looked for below what the root became.
@Suite struct UnknownDeepCreationTests {
    private static let customer = #"{"ID":17,"Name":"Ada"}"#

    private static func order(_ id: Int64, _ title: String, customer: Int64 = 17) -> String {
        #"{"ID":\#(id),"Title":"\#(title)","Amount":null,"CustomerID":\#(customer)}"#
    }

    /// A customer that was sent with what hangs on her, and got no answer.
    private static func lost(
        _ nested: (StoreFixture) throws -> [String: ODataValue]
    ) throws -> (fixture: StoreFixture, customer: RowReference, nested: [RowReference]) {
        let fixture = try StoreFixture()
        var values = try nested(fixture)
        values["Name"] = .text("Ada")
        let row = try fixture.create("Customers", values)
        try fixture.loseAnswers()
        #expect(try fixture.queue() == ["create Customers unknown"])
        let request = try #require(try fixture.store.allRequests().first)
        return (fixture, row, request.body?.inlineRows ?? [])
    }

    private static func lostOrders(
        _ titles: String...
    ) throws -> (fixture: StoreFixture, customer: RowReference, nested: [RowReference]) {
        try lost { fixture in
            [
                "Orders": .list(
                    try titles.map { .structure(try fixture.value("Order", ["Title": .text($0)])) })
            ]
        }
    }

    /// The second child was changed here since: its change goes to the row that the service made of it.
    @Test func nestedRowsBecomeThoseThatCame() throws {
        let (fixture, customer, orders) = try Self.lostOrders("first", "second")
        try fixture.update(orders[1], ["Title": .text("changed")])
        // Somebody else's order of the same content.
        let read =
            Self.order(31, "second").replacing("}", with: #","@odata.etag":"W/\"7\""}"#) + ","
            + Self.order(30, "first") + ","
            + Self.order(29, "first", customer: 16)
        #expect(try fixture.readSet("Orders", read).isEmpty)
        let said = try fixture.readSet("Customers", Self.customer)
        #expect(said.count == 1 && said[0].contains("took effect: it is Customers(17)"))
        #expect(try fixture.customers() == ["17:Ada"])
        #expect(try fixture.orders() == ["29:first>16", "30:first>17", "31:changed>17"])
        #expect(try fixture.row("Customers", 17) == customer)
        #expect(try fixture.row("Orders", 30) == orders[0])
        #expect(try fixture.row("Orders", 31) == orders[1])
        #expect(try fixture.queue() == ["merge Orders waiting"])
        let change = try #require(try fixture.store.allRequests().first)
        #expect(change.ifMatch == "W/\"7\"")
        let attempt = try fixture.freeze([change.id])
        #expect(attempt.message.url == "Orders(31)")
        #expect(try fixture.store.row(link: "Orders(~local-\(-orders[1].id))") == orders[1])
        #expect(
            try fixture.sql("SELECT read_link FROM _odata_alias ORDER BY 1") == [
                "Customers(17)", "Orders(30)", "Orders(31)",
            ])
    }

    /// Sets come in whatever order: until the nested rows are there, the creation is listed.
    @Test func theReadOfANestedSetSettlesToo() throws {
        let (fixture, _, orders) = try Self.lostOrders("first", "second")
        let said = try fixture.readSet("Customers", Self.customer)
        #expect(said.count == 1 && said[0].contains("Customers(17) shows what was sent."))
        #expect(said.first?.contains("Not each row that came with it is told in Orders.") == true)
        #expect(try fixture.queue() == ["create Customers unknown"])
        let then = try fixture.readSet(
            "Orders", Self.order(30, "first") + "," + Self.order(31, "second"))
        #expect(then.count == 1 && then[0].contains("took effect: it is Customers(17)"))
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.customers() == ["17:Ada"])
        #expect(try fixture.orders() == ["30:first>17", "31:second>17"])
        #expect(try fixture.row("Orders", 31) == orders[1])
    }

    /// Nothing is invented and nothing goes: what the app made stays until it has decided.
    @Test(
        arguments: [
            // One did not come, one came as something else, two came for one.
            [(30, "first")], [(30, "first"), (31, "other")],
            [(30, "first"), (31, "second"), (32, "second")],
        ] as [[(Int64, String)]])
    func whatIsNotToldKeepsTheWholeCreationListed(came: [(Int64, String)]) throws {
        let (fixture, customer, orders) = try Self.lostOrders("first", "second")
        let read = came.map { Self.order($0, $1) }.joined(separator: ",")
        _ = try fixture.readSet("Orders", read)
        #expect(try fixture.readSet("Customers", Self.customer).count == 1)
        #expect(try fixture.queue() == ["create Customers unknown"])
        let request = try #require(try fixture.store.failedRequests().first)
        let id = try #require(
            try fixture.graph().structure(named: "Shop.Customer")
                .flatMap { try fixture.graph()[$0].slot(named: "ID") })
        #expect(try fixture.store.candidates(of: request).map { $0.slots[id] } == [.number(17)])
        #expect(try fixture.store.related(customer, "Orders") == orders.sorted())
        // The same is not said again.
        #expect(try fixture.readSet("Orders", read).isEmpty)
    }

    /// Twins get a row each; a row that was there before and is bound to the same property is none of them.
    @Test func twinsBesideABoundRowGetARowEach() throws {
        let fixture = try StoreFixture()
        let tag = try fixture.downloadOrder(5, "twin", customer: nil)
        let twin = try fixture.value("Order", ["Title": .text("twin")])
        let customer = try fixture.create(
            "Customers",
            ["Name": .text("Ada"), "Orders": .list([.structure(twin), .structure(twin)])],
            binds: [RequestBody.Bind(navigation: "Orders", targets: [tag])])
        try fixture.loseAnswers()
        _ = try fixture.readSet(
            "Orders", [30, 31, 5].map { Self.order($0, "twin") }.joined(separator: ","))
        _ = try fixture.readSet("Customers", Self.customer)
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.orders() == ["5:twin>17", "30:twin>17", "31:twin>17"])
        #expect(try fixture.store.related(customer, "Orders").count == 3)
    }

    /// A row that two properties lead to may be either of two that were sent.
    @Test func aRowThatTwoPropertiesLeadToIsNobodys() throws {
        let fixture = try StoreFixture.withPicks()
        let order = ODataValue.list([.structure(try fixture.value("Order", ["Title": .text("a")]))])
        _ = try fixture.create(
            "Customers", ["Name": .text("Ada"), "Orders": order, "Picks": order])
        try fixture.loseAnswers()
        _ = try fixture.readSet("Orders", Self.order(30, "a"))
        let said = try fixture.readSet(
            "Customers", #"{"ID":17,"Name":"Ada","Picks":[{"ID":30}]}"#, expanding: ["Picks"])
        #expect(said.count == 1 && said[0].contains("is told in Orders."))
        #expect(try fixture.queue() == ["create Customers unknown"])
    }

    /// Links that no column carries come with an expansion; one child has a key of the service, one its own.
    @Test func childrenInLinkTablesAreFound() throws {
        let fixture = try StoreFixture.withPicks()
        let customer = try fixture.create(
            "Customers",
            [
                "Name": .text("Ada"),
                "Tags": .list([.structure(try fixture.value("Tag", ["Code": .text("red")]))]),
                "Picks": .list([.structure(try fixture.value("Order", ["Title": .text("new")]))]),
            ])
        try fixture.loseAnswers()
        let pick = try #require(
            try fixture.store.allRequests().first?.body?.inlineRows.first { $0.table == "Orders" })
        try fixture.update(pick, ["Title": .text("changed")])
        let (tag, order) = (#"{"Code":"red"}"#, #"{"ID":30,"Title":"new"}"#)
        _ = try fixture.readSet("Tags", tag)
        _ = try fixture.readSet("Orders", order + #",{"ID":31,"Title":"new"}"#)
        let said = try fixture.readSet(
            "Customers", #"{"ID":17,"Name":"Ada","Tags":[\#(tag)],"Picks":[\#(order)]}"#,
            expanding: ["Tags", "Picks"])
        #expect(said.count == 1 && said[0].contains("took effect"))
        #expect(try fixture.queue() == ["merge Orders waiting"])
        #expect(try fixture.sql("SELECT Code FROM Tags") == ["red"])
        #expect(try fixture.orders() == ["30:changed>-", "31:new>-"])
        #expect(try fixture.store.related(customer, "Tags").count == 1)
        #expect(try fixture.store.related(customer, "Picks") == [pick])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_base_link") == ["0"])
    }

    /// No read tells the links of the customer, and none is needed to tell which tag was sent.
    @Test func aChildThatCameUnderItsOwnKeyNeedsNoLink() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create(
            "Customers",
            [
                "Name": .text("Ada"),
                "Tags": .list([.structure(try fixture.value("Tag", ["Code": .text("red")]))]),
            ])
        try fixture.loseAnswers()
        let tag = try #require(try fixture.store.allRequests().first?.body?.inlineRows.first)
        _ = try fixture.readSet("Tags", #"{"Code":"red"}"#)
        let said = try fixture.readSet("Customers", Self.customer)
        #expect(said.count == 1 && said[0].contains("took effect: it is Customers(17)"))
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.sql("SELECT Code FROM Tags") == ["red"])
        #expect(try fixture.store.related(customer, "Tags") == [tag])
    }

    /// A contained child, whose key the service makes, with a change of its own; and one of somebody else beside it.
    @Test func aContainedChildIsFound() throws {
        let (fixture, customer, notes) = try Self.lost { fixture in
            ["Notes": .list([.structure(try fixture.value("Note", ["Text": .text("new")]))])]
        }
        try fixture.store.perform(
            .update(
                notes[0], changes: try fixture.value("Note", ["Text": .text("changed")]),
                binds: [], mode: .merge))
        let said = try fixture.readSet(
            "Customers",
            #"{"ID":17,"Name":"Ada","Notes":[{"Line":1,"Text":"other"},{"Line":2,"Text":"new"}]}"#,
            expanding: ["Notes"])
        #expect(said.count == 1 && said[0].contains("took effect"))
        #expect(try fixture.queue() == ["merge Customers/Notes waiting"])
        let change = try #require(try fixture.store.allRequests().first)
        #expect(try fixture.freeze([change.id]).message.url == "Customers(17)/Notes(2)")
        #expect(
            try fixture.sql("SELECT Line || ':' || Text FROM \"Customers/Notes\" ORDER BY Line")
                == ["1:other", "2:changed"])
        #expect(try fixture.store.related(customer, "Notes").contains(notes[0]))
    }

    /// The root refers to the row that came with it.
    @Test func aPrincipalThatCameAlongIsFound() throws {
        let fixture = try StoreFixture()
        let order = try fixture.create(
            "Orders",
            [
                "Title": .text("new"),
                "Customer": .structure(try fixture.value("Customer", ["Name": .text("Ada")])),
            ])
        try fixture.loseAnswers()
        let nested = try #require(try fixture.store.allRequests().first?.body?.inlineRows.first)
        _ = try fixture.readSet("Customers", Self.customer)
        let said = try fixture.readSet("Orders", Self.order(30, "new"))
        #expect(said.count == 1 && said[0].contains("took effect: it is Orders(30)"))
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.customers() == ["17:Ada"])
        #expect(try fixture.orders() == ["30:new>17"])
        #expect(try fixture.row("Orders", 30) == order)
        #expect(try fixture.row("Customers", 17) == nested)
    }
}
