import ErrorFixture
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

@Suite struct LocalWriteTests {
    // CSP-073
    @Test func aCreatedRowIsInViewAtOnceWithOneRequest() throws {
        let fixture = try StoreFixture()
        let row = try fixture.create(
            "Customers",
            ["ID": .number(7), "Name": .text("Ada"), "Address": try fixture.address("Bonn")])
        #expect(try fixture.customers() == ["7:Ada@Bonn"])
        #expect(try fixture.queue() == ["create Customers waiting"])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_base_Customers") == ["0"])
        try fixture.reopen()
        #expect(try fixture.store.entity(row)?.flags == [.isLocal, .hasPendingChanges])
        let request = try #require(try fixture.store.queuedRequests().first)
        #expect(request.operation == .create && request.target == row)
        #expect(
            request.body?.values
                == (try fixture.value(
                    "Customer",
                    [
                        "ID": .number(7), "Name": .text("Ada"),
                        "Address": try fixture.address("Bonn"),
                    ])))
    }

    // CSP-076
    @Test func anUpdateChangesTheRowAndKeepsItsBaseImage() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(row, ["Name": .text("Bob")])
        #expect(try fixture.customers() == ["1:Bob"])
        #expect(try fixture.sql("SELECT Name FROM _odata_base_Customers") == ["Bo"])
        #expect(try fixture.queue() == ["merge Customers waiting"])
        #expect(try fixture.sql("SELECT if_match FROM _odata_request") == ["W/\"1\""])
    }

    // CSP-077
    @Test func aDeletedRowIsHiddenWithOneRequest() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Bo")
        try fixture.store.perform(.delete(row))
        #expect(try fixture.customers() == [])
        #expect(try fixture.store.entity(row) == nil)
        #expect(try fixture.queue() == ["delete Customers waiting"])
        #expect(try fixture.store.execute(Query(entitySet: "Customers")).rowCount == 0)
    }

    // CSP-155 CSP-157
    @Test func joinsHappenWhenTheChangeIsRecorded() throws {
        let fixture = try StoreFixture()
        let new = try fixture.create("Customers", ["ID": .number(7), "Name": .text("Ada")])
        try fixture.update(new, ["Name": .text("Ida")])
        #expect(try fixture.queue() == ["create Customers waiting"])
        #expect(try fixture.customers() == ["7:Ida"])
        try fixture.store.perform(.delete(new))
        #expect(try fixture.queue() == [])
        #expect(try fixture.sql("SELECT count(*) FROM Customers") == ["0"])
        let old = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(old, ["Name": .text("Bob")])
        try fixture.store.perform(.delete(old))
        #expect(try fixture.queue() == ["delete Customers waiting"])
    }

    // CSP-156 CSP-158
    @Test func withoutJoinsEachChangeIsARequest() throws {
        let fixture = try StoreFixture(
            join: JoinOnWrite(combinesUpdates: false, combinesDeletes: false))
        let row = try fixture.create("Customers", ["ID": .number(7), "Name": .text("Ada")])
        try fixture.update(row, ["Name": .text("Ida")])
        try fixture.store.perform(.delete(row))
        #expect(
            try fixture.queue() == [
                "create Customers waiting", "merge Customers waiting", "delete Customers waiting",
            ])
        #expect(try fixture.customers() == [])
    }

    @Test func aRefusedWriteLeavesNoTrace() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Bo")
        let other = try fixture.downloadOrder(5, "Pens", customer: 1)
        let before = try fixture.dump()
        let writes =
            try refusedWrites(fixture, row, other) + refusedLinks(fixture, row, other)
        for (refused, write) in writes {
            #expect(failure { try fixture.store.perform(write) } == refused)
            #expect(try fixture.dump() == before)
        }
    }

    private func refusedWrites(
        _ fixture: StoreFixture, _ row: RowReference, _ other: RowReference
    ) throws -> [(Failure, LocalWrite)] {
        let value = fixture.value
        let create = { (table: String, value: StructureValue) in
            LocalWrite.create(table: table, value: value, binds: [])
        }
        let update = { (changes: StructureValue) in
            LocalWrite.update(row, changes: changes, binds: [], mode: .merge)
        }
        let tooLong = String(repeating: "x", count: 21)
        return try [
            (
                Failure(.conflict, at: .path("Customers")),
                create("Customers", value("Customer", ["ID": .number(1), "Name": .text("Twin")]))
            ),
            (
                Failure(.invalidValue, at: .path("Customers/Name")),
                create("Customers", value("Customer", ["ID": .number(2)]))
            ),
            (
                Failure(.invalidValue, at: .path("Customers/Name")),
                create("Customers", value("Customer", ["ID": .number(2), "Name": .null]))
            ),
            (
                Failure(.invalidValue, at: .path("Customers")),
                create("Customers", value("Order", ["ID": .number(2)]))
            ),
            (
                Failure(.unknownName, at: .path("Nothing")),
                create("Nothing", value("Order", ["ID": .number(2)]))
            ),
            (
                Failure(.invalidValue, at: .path("Customers/Name")),
                update(value("Customer", ["Name": .number(3)]))
            ),
            (
                Failure(.invalidValue, at: .path("Customers/Name")),
                update(value("Customer", ["Name": .text(tooLong)]))
            ),
            (
                Failure(.invalidValue, at: .path("Customers/ID")),
                update(value("Customer", ["ID": .number(3)]))
            ),
            (
                Failure(.notFound, at: .path("Customers")),
                .delete(RowReference(table: "Customers", id: 99))
            ),
            (
                Failure(.usage, at: .path("Customers/Notes")),
                create("Customers/Notes", value("Note", ["Line": .number(1)]))
            ),
        ]
    }

    private func refusedLinks(
        _ fixture: StoreFixture, _ row: RowReference, _ other: RowReference
    ) throws -> [(Failure, LocalWrite)] {
        try [
            (
                Failure(.unknownName, at: .path("Customers/Nope")),
                .createLink(row, navigation: "Nope", target: other)
            ),
            (
                Failure(.invalidValue, at: .path("Customers/Tags")),
                .createLink(row, navigation: "Tags", target: other)
            ),
            (
                Failure(.usage, at: .path("Customers/Orders")),
                .updateLink(row, navigation: "Orders", target: other)
            ),
            (
                Failure(.usage, at: .path("Customers/Orders")),
                .deleteLink(row, navigation: "Orders", target: nil)
            ),
            (
                Failure(.invalidValue, at: .path("Orders/Customer")),
                .create(
                    table: "Orders", value: fixture.value("Order", ["ID": .number(9)]),
                    binds: [.init(navigation: "Customer", targets: [row, row])])
            ),
        ]
    }

    // CSP-088
    @Test func aChangeSetIsRecordedAsAWholeOrNotAtAll() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Bo")
        let before = try fixture.dump()
        let options = WriteOptions(changeSet: "cs1")
        #expect(
            failure {
                try fixture.store.perform([
                    (
                        .update(
                            row, changes: try fixture.value("Customer", ["Name": .text("B")]),
                            binds: [], mode: .merge), options
                    ),
                    (
                        .create(
                            table: "Customers", value: try fixture.value("Customer", [:]),
                            binds: []), options
                    ),
                ])
            } == Failure(.invalidValue, at: .path("Customers/Name")))
        #expect(try fixture.dump() == before)
    }

    // CSP-082 CSP-083 CSP-084
    @Test func linksChangeWhatANavigationPropertyLeadsTo() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        let cy = try fixture.downloadCustomer(2, "Cy")
        let order = try fixture.downloadOrder(5, "Pens", customer: 1)
        let before = try fixture.dump()
        try fixture.store.perform(.updateLink(order, navigation: "Customer", target: cy))
        #expect(try fixture.store.related(cy, "Orders") == [order])
        #expect(try fixture.store.related(bo, "Orders") == [])
        try fixture.store.perform(.deleteLink(order, navigation: "Customer", target: nil))
        #expect(try fixture.orders() == ["5:Pens>-"])
        try fixture.store.perform(.createLink(bo, navigation: "Orders", target: order))
        #expect(try fixture.orders() == ["5:Pens>1"])
        try fixture.store.cancel(nil)
        #expect(try fixture.dump() == before)
    }

    @Test func linksWithoutColumnsAreKeptAsPairsAndRestoredByUndo() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.download("Tags", "{\"Code\":\"new\"},{\"Code\":\"old\"}")
        let tag = try #require(try fixture.store.row(in: "Tags", key: [.string("new")]))
        let unread = #expect(throws: ODataError.self) { try fixture.store.related(bo, "Tags") }
        #expect(unread?.location == .path("Customers/Tags"))
        #expect(unread?.code == .notLoaded)
        let before = try fixture.dump()
        try fixture.store.perform(.createLink(bo, navigation: "Tags", target: tag))
        #expect(try fixture.store.related(bo, "Tags") == [tag])
        try fixture.store.perform(.deleteLink(bo, navigation: "Tags", target: tag))
        #expect(try fixture.sql("SELECT * FROM _odata_link_Customers_Tags") == [])
        try fixture.store.undo([bo])
        #expect(try fixture.dump() == before)
    }

    @Test func aDeleteHidesWhatItCascadesToAndUndoBringsItBack() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.downloadOrder(5, "Pens", customer: 1)
        try fixture.downloadOrder(6, "Ink", customer: nil)
        let note = try fixture.store.perform(
            .createRelated(
                parent: bo, navigation: "Notes",
                value: try fixture.value("Note", ["Line": .number(1)]), binds: []))
        try fixture.store.undo([note])
        let before = try fixture.dump()
        try fixture.store.perform(.delete(bo))
        #expect(try fixture.orders() == ["6:Ink>-"])
        #expect(
            try fixture.sql("SELECT _odata_base_request IS NOT NULL FROM _odata_base_Orders")
                == ["1"])
        try fixture.store.undo([bo])
        #expect(try fixture.dump() == before)
    }

    @Test func rowsCreatedHereAreRelatedBeforeTheyHaveKeys() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        let order = try fixture.create(
            "Orders", ["Title": .text("Pens")],
            binds: [RequestBody.Bind(navigation: "Customer", targets: [customer])])
        #expect(try fixture.store.related(customer, "Orders") == [order])
        let requests = try fixture.store.allRequests()
        #expect(RequestDependencies(requests).dependencies(of: requests[1].id) == [requests[0].id])
        let values = try #require(requests[0].body?.values)
        #expect(values.slots[0] == nil, "a provisional key is never sent")
    }

    @Test func aKeyOfARowDeletedHereMayBeUsedAgain() throws {
        let fixture = try StoreFixture()
        let old = try fixture.downloadCustomer(1, "Bo")
        let before = try fixture.dump()
        try fixture.store.perform(.delete(old))
        let new = try fixture.create("Customers", ["ID": .number(1), "Name": .text("Ada")])
        #expect(try fixture.customers() == ["1:Ada"])
        #expect(
            failure { try fixture.store.undo([old]) } == Failure(.conflict, at: .path("Customers")))
        #expect(try fixture.customers() == ["1:Ada"])
        try fixture.store.undo([new, old])
        #expect(try fixture.dump() == before)
    }
}
