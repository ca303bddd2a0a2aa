import GRDB
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

/// Creations of which no answer came, at a service that gives the keys: what the rows of the next read tell.
@Suite struct UnknownCreationTests {
    /// Freezes the creations of a table and loses their answers; nobody can tell what became of them.
    private static func lose(_ fixture: StoreFixture, _ table: String = "Orders") throws {
        let ids = try fixture.store.allRequests().filter {
            $0.operation == .create && $0.target.table == table && $0.state == .waiting
        }.map(\.id)
        for id in ids {
            let attempt = try fixture.freeze([id])
            try fixture.store.noteSending(of: attempt.id)
            _ = try fixture.store.record(
                [.init(request: id, outcome: .undecided("No answer."))], of: attempt.id)
        }
    }

    /// A read that began now brings rows, and its end settles what it can.
    @discardableResult
    private static func read(
        _ fixture: StoreFixture, _ rows: String = "", of table: String = "Orders",
        isWhole: Bool = true,
        hasAllProperties: Bool = true, isContinued: Bool = false, isComplete: Bool = true,
        before: () throws -> Void = {}
    ) throws -> [String] {
        let awaited = try fixture.store.awaitedCreations(
            in: table, isWhole: isWhole, hasAllProperties: hasAllProperties,
            isContinued: isContinued)
        try before()
        if !rows.isEmpty { try fixture.download(table, rows) }
        return try fixture.store.write(.normal) {
            try fixture.store.settleCreations(awaited, isComplete: isComplete, $0)
        }
    }

    private static func order(_ fixture: StoreFixture, _ title: String) throws -> RowReference {
        try fixture.create(
            "Orders",
            ["Title": .text(title), "Amount": .scalar(.decimal(DecimalNumber("12.50") ?? .zero))])
    }

    private static func row(_ id: Int64, _ title: String, customer: String = "null") -> String {
        #"{"ID":\#(id),"Title":"\#(title)","Amount":12.5,"CustomerID":\#(customer)}"#
    }

    @Test func theRowThatShowsWhatWasSentBecomesTheLocalEntity() throws {
        let fixture = try StoreFixture()
        let tag = try fixture.create("Tags", ["Code": .text("x")])
        let customer = try fixture.downloadCustomer(1, "Ada")
        try fixture.downloadOrder(1, "old", customer: nil)
        let order = try Self.order(fixture, "new")
        try Self.lose(fixture)
        // A change of the entity waits behind its creation.
        try fixture.update(order, ["Title": .text("changed")])
        let said = try Self.read(fixture, Self.row(17, "new") + "," + Self.row(18, "other"))
        #expect(said.count == 1 && said[0].contains("Orders(17)"))
        #expect(try fixture.orders() == ["1:old>-", "17:changed>-", "18:other>-"])
        #expect(try fixture.store.row(in: "Orders", key: [.integer(17)]) == order)
        #expect(try fixture.store.row(link: "Orders(~local-\(-order.id))") == order)
        #expect(
            try fixture.queue() == ["create Tags waiting", "merge Orders waiting"])
        #expect(
            try fixture.sql("SELECT type FROM _odata_event") == ["settled"])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_row_mark") == ["0"])
        _ = (tag, customer)
    }

    /// What waits behind it must not overwrite what others make of the row, whatever the service has filled in.
    @Test(arguments: ["new", "new "], [false, true])
    func aChangeBehindItGetsTheTagOfTheRowThatCame(shown: String, wasOpen: Bool) throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(5, "Ada")
        let order = try Self.order(fixture, "new")
        if wasOpen {
            let id = try #require(try fixture.store.allRequests().first).id
            let attempt = try fixture.freeze([id])
            try fixture.store.noteSending(of: attempt.id)
            try fixture.update(order, ["Title": .text("changed")])
            _ = try fixture.store.record(
                [.init(request: id, outcome: .undecided("No answer."))], of: attempt.id)
        } else {
            try Self.lose(fixture)
            try fixture.update(order, ["Title": .text("changed")])
        }
        try fixture.update(order, ["Title": .text("changed again")])
        let row = Self.row(17, shown, customer: "5").dropLast()
        #expect(try Self.read(fixture, row + #","@odata.etag":"W/\"1\""}"#).count == 1)
        let tags = try fixture.sql("SELECT operation || ' ' || if_match FROM _odata_request")
        #expect(!tags.isEmpty && Set(tags) == ["merge W/\"1\""], "\(tags)")
    }

    @Test func itIsNamedAndFoundInTheKeyStyleOfTheService() throws {
        let fixture = try StoreFixture()
        _ = try fixture.store.pin("keys", to: "segments")
        let order = try Self.order(fixture, "new")
        try Self.lose(fixture)
        let said = try Self.read(fixture, Self.row(17, "new"))
        #expect(said.count == 1 && said[0].contains("it is Orders/17"))
        #expect(try fixture.sql("SELECT read_link FROM _odata_alias") == ["Orders/17"])
        #expect(try fixture.store.row(link: "Orders(~local-\(-order.id))") == order)
        for link in ["Orders/17", "http://h/s/Orders/17", "Orders(17)", "/s/Orders(17)"] {
            #expect(try fixture.store.row(link: link) == order)
        }
        for link in ["Orders/18", "Orders", "17", "Orders/17/Customer", "Nowhere/17"] {
            #expect(try fixture.store.row(link: link) == nil)
        }
    }

    /// Links, streams and the queue of the row that came go over to the row that was here.
    @Test func whatHangsOnTheRowThatCameMovesOver() throws {
        let fixture = try StoreFixture()
        let order = try Self.order(fixture, "new")
        try Self.lose(fixture)
        try fixture.download("Orders", Self.row(17, "new"))
        let other = try fixture.row("Orders", 17)
        #expect(other != order)
        try fixture.update(other, ["CustomerID": .number(5)])
        try Self.read(fixture)
        #expect(try fixture.orders() == ["17:new>5"])
        #expect(try fixture.store.allRequests().map(\.target) == [order])
        #expect(try fixture.queue() == ["merge Orders waiting"])
    }

    @Test func withoutSuchARowItWaitsAgainAsANewRequest() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        try Self.lose(fixture, "Customers")
        let order = try fixture.create(
            "Orders", ["Title": .text("hers")],
            binds: [RequestBody.Bind(navigation: "Customer", targets: [customer])])
        try fixture.store.requeueFailedRequests()
        let before = try fixture.store.allRequests()
        #expect(try fixture.queue() == ["create Customers unknown", "create Orders blocked"])
        let awaited = try fixture.store.awaitedCreations(
            in: "Customers", isWhole: true, hasAllProperties: true, isContinued: false)
        try fixture.downloadCustomer(9, "Somebody")
        let said = try fixture.store.write(.normal) {
            try fixture.store.settleCreations(awaited, isComplete: true, $0)
        }
        #expect(said.count == 1 && said[0].contains("sent again"))
        #expect(try fixture.queue() == ["create Customers waiting", "create Orders waiting"])
        let after = try fixture.store.allRequests()
        #expect(after[0].identity.id != before[0].identity.id && !after[0].wasSent)
        _ = order
    }

    /// Each of these reads may have passed by what the creation made.
    @Test func aReadThatCannotKnowSettlesNothingAsNotHappened() throws {
        let fixture = try StoreFixture()
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        #expect(try Self.read(fixture, isWhole: false).isEmpty)
        #expect(try Self.read(fixture, isContinued: true).isEmpty)
        #expect(try Self.read(fixture, isComplete: false).isEmpty)
        #expect(try fixture.queue() == ["create Orders unknown"])
        // It was sent while the read was on its way.
        let later = try StoreFixture()
        _ = try Self.order(later, "new")
        #expect(try Self.read(later, before: { try Self.lose(later) }).isEmpty)
        #expect(try later.queue() == ["create Orders unknown"])
    }

    @Test func severalRowsAreListedWithTheirKeys() throws {
        let fixture = try StoreFixture()
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        try Self.read(fixture, Self.row(17, "new") + "," + Self.row(18, "new"))
        let request = try #require(try fixture.store.failedRequests().first)
        guard case .unknown(let reason?) = request.state else {
            Issue.record("expected a request of unknown fate")
            return
        }
        #expect(reason.contains("Orders(17), Orders(18)"))
        let slot = try #require(try fixture.graph().structure(named: "Shop.Order"))
        let id = try #require(try fixture.graph()[slot].slot(named: "ID"))
        #expect(
            try fixture.store.candidates(of: request).map { $0.slots[id] }
                == [.number(17), .number(18)])
        // The same is not said again.
        #expect(try Self.read(fixture).isEmpty)
        // One of them goes, and the other is it.
        try fixture.download("Orders", #"{"@removed":{"reason":"deleted"},"ID":18}"#)
        #expect(try Self.read(fixture).count == 1)
        #expect(try fixture.orders() == ["17:new>-"])
        #expect(try fixture.queue().isEmpty)
    }

    @Test func aRowThatWasThereBeforeTheSendingIsNotIt() throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", Self.row(5, "new"))
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        try Self.read(fixture, Self.row(5, "new"))
        #expect(try fixture.queue() == ["create Orders waiting"])
        #expect(try fixture.orders().count == 2)
    }

    /// Another client has deleted the row, and the service gives its key to the creation: the new values come in its place, with
    /// or without changes of ours over it, and nobody can tell that from a change.
    @Test(arguments: [(false, "new", true), (true, "new", true), (false, "other", false)])
    func aRowFromBeforeThatShowsItNowIsListed(
        isChanged: Bool, title: String, isListed: Bool
    ) throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", Self.row(4, "new") + "," + Self.row(5, "old"))
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        if isChanged {
            try fixture.update(try fixture.row("Orders", 5), ["CustomerID": .number(3)])
        }
        // A row that shows nearly all of it is listed, too.
        let amount = isListed ? "12.5" : "99"
        let rows =
            Self.row(4, "new") + "," + Self.row(5, title).replacing("12.5", with: amount)
        let said = try Self.read(fixture, rows)
        #expect(said.count == 1)
        #expect(said[0].contains(isListed ? "changed since Orders(5) nearly" : "sent again"))
        let state = isListed ? "unknown" : "waiting"
        #expect(try fixture.queue().first == "create Orders \(state)")
        // It was there before the next creation was sent.
        if !isListed {
            try Self.lose(fixture)
            try Self.read(fixture, rows)
            #expect(try fixture.queue() == ["create Orders waiting"])
        }
    }

    /// A row that shows nearly all of it was there before, and came again as it was: a change of ours that waits over it makes
    /// nothing new of it.
    @Test(arguments: [true, false])
    func aRowThatCameAgainAsItWasIsNotIt(isChanged: Bool) throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", Self.row(5, "new"))
        if isChanged {
            try fixture.update(try fixture.row("Orders", 5), ["CustomerID": .number(3)])
        }
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        let said = try Self.read(fixture, Self.row(5, "new"))
        #expect(said.count == 1 && said[0].contains("sent again"), "\(said)")
        #expect(try fixture.queue().contains("create Orders waiting"))
    }

    /// A look behind a refused change has shown such a row: the download behind it brings nothing new any more.
    @Test func aRowThatALookHasShownInThePlaceOfAnotherIsListed() throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", Self.row(5, "old"))
        try fixture.update(try fixture.row("Orders", 5), ["CustomerID": .number(3)])
        let change = try #require(try fixture.store.allRequests().first)
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        var shown = try #require(try fixture.store.conflict(of: change, server: nil).base)
        let title = try #require(try fixture.graph()[shown.type].slot(named: "Title"))
        shown.slots[title] = .text("new")
        let settlement = try fixture.store.settle(
            try fixture.store.conflict(of: change, server: shown), by: .takeServer, policy: "test")
        #expect(settlement != nil)
        let said = try Self.read(fixture, Self.row(5, "new"))
        #expect(said.count == 1 && said[0].contains("changed since Orders(5) nearly"), "\(said)")
        #expect(try fixture.queue() == ["create Orders unknown"])
    }

    /// What was noted for a creation that is settled counts for no later one.
    @Test func whatChangedBeforeTheSendingIsNotIt() throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", Self.row(5, "old"))
        _ = try Self.order(fixture, "first")
        try Self.lose(fixture)
        try Self.read(fixture, Self.row(5, "new") + "," + Self.row(6, "first"))
        #expect(try fixture.queue().isEmpty)
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        try Self.read(fixture, Self.row(5, "new"))
        #expect(try fixture.queue() == ["create Orders waiting"])
    }

    /// Its id is another one than that of the last row, though that has gone.
    @Test func aRowThatComesForOneThatHasGoneIsNew() throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", Self.row(5, "old") + "," + Self.row(6, "last"))
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        let last = try fixture.row("Orders", 6)
        try fixture.download("Orders", #"{"@removed":{"reason":"deleted"},"ID":6}"#)
        try fixture.download("Orders", Self.row(17, "new"))
        #expect(try fixture.row("Orders", 17).id != last.id)
        try Self.read(fixture)
        #expect(try fixture.orders() == ["5:old>-", "17:new>-"])
        #expect(try fixture.queue().isEmpty)
    }

    /// It is known that it did not happen: rows from before count as there. Sent again without that, what came since its first
    /// sending may be what that one made.
    @Test(arguments: [true, false])
    func anotherIdentityGetsAnotherMark(isNew: Bool) throws {
        let fixture = try StoreFixture()
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        let sent = try #require(try fixture.store.allRequests().first?.identity)
        try fixture.download("Orders", Self.row(17, "new"))
        try fixture.store.retry(
            Set(try fixture.store.allRequests().map(\.id)), asNew: isNew)
        #expect(try (fixture.store.allRequests().first?.identity != sent) == isNew)
        try Self.lose(fixture)
        try Self.read(fixture)
        #expect(try fixture.queue() == (isNew ? ["create Orders waiting"] : []))
    }

    /// Nothing of it is shown as it was sent, and still it may be the row: a second one would be worse.
    @Test(arguments: [("NEW TEXT", true), ("new  text", true), ("other", false)])
    func aRowWithItsTextsInAnotherFormIsListed(shown: String, isListed: Bool) throws {
        let fixture = try StoreFixture()
        _ = try fixture.create("Orders", ["Title": .text("new text")])
        try Self.lose(fixture)
        let said = try Self.read(fixture, Self.row(17, shown))
        #expect(said.count == 1 && said[0].contains("nearly show") == isListed)
        #expect(
            try fixture.queue() == ["create Orders " + (isListed ? "unknown" : "waiting")])
    }

    /// Part of the properties came: what is there may be it, but nobody knows.
    @Test func aRowWithTheKeyThatWasSentIsIt() throws {
        let fixture = try StoreFixture()
        let tag = try fixture.create("Tags", ["Code": .text("x")])
        try Self.lose(fixture, "Tags")
        try fixture.store.perform(.delete(tag))
        let said = try Self.read(fixture, #"{"Code":"x"}"#, of: "Tags")
        #expect(said.count == 1 && said[0].contains("took effect: it is Tags('x')"))
        // The deletion behind it goes out, and the creation does not go again.
        #expect(try fixture.queue() == ["delete Tags waiting"])
    }

    @Test func aRowWithTheKeyThatShowsSomethingElseIsListed() throws {
        let fixture = try StoreFixture()
        _ = try fixture.create("Customers", ["ID": .number(7), "Name": .text("Ada")])
        try Self.lose(fixture, "Customers")
        let said = try Self.read(fixture, #"{"ID":7,"Name":"Zoe"}"#, of: "Customers")
        #expect(said.count == 1 && said[0].contains("Customers(7) nearly show"))
        #expect(try fixture.queue().count == 1)
        #expect(try fixture.store.allRequests().first?.state.isUnknown == true)
    }

    @Test func aReadOfSomePropertiesOnlyLists() throws {
        let fixture = try StoreFixture()
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        try Self.read(fixture, Self.row(17, "new"), hasAllProperties: false)
        #expect(try fixture.queue() == ["create Orders unknown"])
        #expect(
            try fixture.sql("SELECT error_message FROM _odata_request").first?
                .contains("Orders(17)") == true)
    }

    /// In a store of an earlier format nobody knows which rows were there before.
    @Test func withoutAMarkNothingIsSettled() throws {
        let fixture = try StoreFixture()
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        try fixture.store.write(.full) { try $0.execute(sql: "DELETE FROM _odata_row_mark") }
        #expect(try Self.read(fixture, Self.row(17, "new")).isEmpty)
        #expect(try fixture.queue() == ["create Orders unknown"])
    }

    /// The service gives the key of a deleted row again, and the row keeps its id here: it came unseen.
    @Test(arguments: [
        ("W/\"2\"", "new", true), ("W/\"2\"", "other", false), ("W/\"1\"", "new", true),
        ("W/\"1\"", "other", false), ("", "new", true), ("", "other", false),
        // It is as it was: the deletion had no effect, and its key was not given again.
        ("W/\"1\"", "old", false), ("", "old", false),
    ])
    func aRowUnderTheKeyOfADeletedOneIsListed(tag: String, title: String, isListed: Bool) throws {
        let fixture = try StoreFixture()
        func row(_ title: String, _ tag: String) -> String {
            guard !tag.isEmpty else { return Self.row(5, title) }
            return Self.row(5, title).dropLast()
                + #","@odata.etag":"\#(tag.replacing("\"", with: "\\\""))"}"#
        }
        try fixture.download("Orders", row("old", "W/\"1\""))
        try fixture.store.perform(.delete(fixture.row("Orders", 5)))
        let deletion = try #require(try fixture.store.allRequests().first).id
        let attempt = try fixture.freeze([deletion])
        try fixture.store.noteSending(of: attempt.id)
        _ = try Self.order(fixture, "new")
        try Self.lose(fixture)
        _ = try fixture.store.record(
            [.init(request: deletion, outcome: .undecided("No answer."))], of: attempt.id)
        let amount = title == "other" ? "3" : "12.5"
        let said = try Self.read(
            fixture, row(title, tag).replacing("12.5", with: amount))
        #expect(said.count == 1 && said[0].contains("Orders(5)") == isListed, "\(said)")
        #expect(
            try fixture.queue() == [
                "delete Orders unknown", "create Orders " + (isListed ? "unknown" : "waiting"),
            ])
    }

    @Test func anAcceptedDeletionLeavesTheRowThatCameUnderItsKey() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.store.perform(.delete(bo))
        let deletion = try #require(try fixture.store.allRequests().first).id
        let attempt = try fixture.freeze([deletion])
        try fixture.store.noteSending(of: attempt.id)
        try fixture.download("Customers", #"{"ID":1,"Name":"Ada","@odata.etag":"W/\"2\""}"#)
        #expect(try fixture.customers().isEmpty)
        _ = try fixture.store.record(
            [.init(request: deletion, outcome: .answered(ResponseMessage(status: 204)))],
            of: attempt.id)
        #expect(try fixture.customers() == ["1:Ada"])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_base_Customers") == ["0"])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_deletion") == ["0"])
        #expect(try fixture.store.entity(bo)?.flags == [])
    }
}
