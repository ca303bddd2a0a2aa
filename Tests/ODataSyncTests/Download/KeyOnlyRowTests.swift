import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataQuery
import ODataStore
import ODataSync
import ODataTesting
import SAPOData
import Testing

/// Entities that links and deltas name and no payload has brought: they are not loaded, and no rows of nulls.
@Suite struct KeyOnlyRowTests {
    /// Customers come with the keys of their orders; the orders themselves come when `gives` says so.
    private static func run(
        orders: StubDesk.Said, delta: String? = nil,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case let url where url.hasPrefix("Customers?$expand"):
                .page(
                    #"{"ID":1,"Name":"a","Orders":[{"ID":10},{"ID":11}]},{"ID":2,"Name":"b","Orders":[]}"#,
                    #","@odata.deltaLink":"Customers?$deltatoken=1""#)
            case "Customers?$deltatoken=1":
                .json(delta ?? #"{"value":[],"@odata.deltaLink":"Customers?$deltatoken=2"}"#)
            case "Orders": orders
            case "Head": .json(#"{"ID":1,"Title":"head"}"#)
            default: .status(404)
            }
        } _: { (desk: StubDesk) throws in
            for _ in 0..<(delta == nil ? 1 : 2) {
                _ = try desk.sync.downloadReporting(groups: [], SyncOptions(), loadsLinks: true)
            }
            try body(desk)
        }
    }

    private static func query(_ desk: StubDesk, _ url: String) throws -> QueryResult {
        let query = DataQuery()
        query.url = url
        return try desk.sync.executeQuery(query, headers: .empty, options: .none)
    }

    private static func notLoaded(_ place: String) -> Failure {
        Failure(UndefinedError.self, .notLoaded, at: place)
    }

    @Test func whatOnlyLinksNameIsNotInItsSet() async throws {
        try await Self.run(orders: .status(403)) { (desk: StubDesk) throws in
            #expect(
                try desk.rows("SELECT ID, _odata_state & 1024 FROM Orders ORDER BY ID")
                    == ["10 1024", "11 1024"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_view_Orders") == ["0"])
            #expect(try Self.query(desk, "Orders").entityList().length == 0)
            #expect(try Self.query(desk, "Orders/$count").count() == 0)
            #expect(failure { try Self.query(desk, "Orders(10)") } == Self.notLoaded("Orders"))
            #expect(
                failure { try Self.query(desk, "Orders(10)/Title") } == Self.notLoaded("Orders"))
            #expect(
                failure { try Self.query(desk, "Customers(1)/Orders") }
                    == Self.notLoaded("Orders"))
            let customers = try Self.query(desk, "Customers?$expand=Orders").entityList()
            let orders = customers[0].entityType.property(withName: "Orders")
            // Whose orders are known by their keys alone has none to show; the other is known to have none.
            #expect(customers.map { $0.hasDataValue(for: orders) } == [false, true])
            #expect(try Self.query(desk, "Customers(1)/Orders/$count").count() == 2)
            #expect(try Self.query(desk, "Customers(2)/Orders").entityList().length == 0)
        }
    }

    @Test func anObservedQueryDoesNotShowIt() async throws {
        try await Self.run(orders: .status(403)) { (desk: StubDesk) throws in
            let live = try LiveQuery(
                store: try desk.sync.offlineStore.store(), check: { Query(entitySet: "Orders") },
                wake: {})
            defer { live.cancel() }
            guard case .first(let rows)? = try live.next() else {
                Issue.record("Expected the first result.")
                return
            }
            #expect(rows.isEmpty)
        }
    }

    @Test func itIsThereWhenAPayloadHasBroughtIt() async throws {
        try await Self.run(orders: .page(#"{"ID":10,"Title":null},{"ID":11,"Title":"y"}"#)) {
            (desk: StubDesk) throws in
            #expect(try desk.rows("SELECT ID FROM Orders WHERE _odata_state & 1024") == [])
            #expect(try Self.query(desk, "Orders").entityList().length == 2)
            let orders = try Self.query(desk, "Customers(1)/Orders").entityList()
            #expect(orders.length == 2)
        }
    }

    /// A delta that names an entity nobody has, and another that names one again without its content.
    @Test func aDeltaThatBringsAKeyAloneLoadsNothingAndEmptiesNothing() async throws {
        let delta = """
            {"@context":"http://h/s/$metadata#Customers/$delta","value":[
            {"@id":"Customers(3)"},{"ID":1}],"@deltaLink":"Customers?$deltatoken=2"}
            """
        try await Self.run(
            orders: .page(#"{"ID":10,"Title":"x"},{"ID":11,"Title":"y"}"#), delta: delta
        ) {
            (desk: StubDesk) throws in
            #expect(
                try desk.rows("SELECT ID, Name, _odata_state & 1024 FROM Customers ORDER BY ID")
                    == ["1 a 0", "2 b 0", "3 - 1024"])
            #expect(failure { try Self.query(desk, "Customers(3)") } == Self.notLoaded("Customers"))
            #expect(try Self.query(desk, "Customers").entityList().length == 2)
        }
    }
}
