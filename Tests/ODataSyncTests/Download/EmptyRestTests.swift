import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Interrupted reads whose rest has no rows: what the pages before have said counts.
@Suite struct EmptyRestTests {
    private static func contained() -> String {
        StubDesk.schema.replacing(
            #"Type="Collection(D.Order)"/>"#,
            with: #"Type="Collection(D.Order)" ContainsTarget="true"/>"#
        ).replacing(#"<NavigationPropertyBinding Path="Orders" Target="Orders"/>"#, with: "")
    }

    /// Reads the first page, is stopped, and goes on with an empty one.
    private static func run(
        _ schema: String, first: String,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        let isStopped = Mutex(true)
        try await StubDesk.run(schema) { asked in
            switch asked.resource.prefix(while: { $0 != "?" }) {
            case "Customers" where asked.resource.contains("skip=1"):
                isStopped.withLock { $0 }
                    ? .status(403) : .page("", #","@odata.deltaLink":"Customers?d=1""#)
            case "Customers" where asked.resource.contains("d=1"):
                .page("", #","@odata.deltaLink":"Customers?d=1""#)
            case "Customers": .page(first, #","@odata.nextLink":"Customers?skip=1""#)
            case "Orders": .page(#"{"ID":5,"Title":"x"}"#)
            default: .json(#"{"@odata.context":"$metadata#Head","ID":1}"#)
            }
        } _: { (desk: StubDesk) throws in
            // Refused: the other sets come all the same.
            try sync(desk)
            #expect(
                try desk.rows("SELECT count(*) FROM _odata_meta WHERE name LIKE 'traces:%'")
                    == ["1"])
            isStopped.withLock { $0 = false }
            for _ in 0..<2 {
                try sync(desk)
                try body(desk)
            }
            #expect(
                try desk.rows("SELECT name FROM _odata_meta WHERE name LIKE 'traces:%'") == [])
        }
    }

    private static func sync(_ desk: StubDesk) throws {
        try desk.sync.downloadReporting(groups: [], SyncOptions(), loadsLinks: true)
        guard desk.asked.contains(where: { $0.resource.hasPrefix("Customers?$expand=Orders") })
        else { throw Unasked() }
    }

    private struct Unasked: Error {}

    private static func orders(_ desk: StubDesk) throws -> Int {
        let query = DataQuery()
        query.url = "Customers(1)/Orders"
        return try desk.sync.executeQuery(query, headers: .empty, options: .none)
            .entityList().length
    }

    @Test(arguments: [0, 1]) func linksOfTheFirstPagesAreKnown(count: Int) async throws {
        let orders = count == 0 ? "" : #"{"ID":5}"#
        try await Self.run(StubDesk.schema, first: "{\"ID\":1,\"Orders\":[\(orders)]}") {
            (desk: StubDesk) throws in
            #expect(try Self.orders(desk) == count)
        }
    }

    @Test func aSetThatIsEmptyThroughoutLeavesNothingUnknown() async throws {
        try await Self.run(StubDesk.schema, first: "") { (desk: StubDesk) throws in
            let known = try desk.rows("SELECT \"table\", navigation FROM _odata_loaded")
            #expect(known == ["Customers Orders"])
        }
    }

    @Test func whatTheFirstPagesContainIsKnown() async throws {
        try await Self.run(
            Self.contained(), first: #"{"ID":1,"Orders":[{"ID":5,"Title":"x"}]}"#
        ) { (desk: StubDesk) throws in
            #expect(try desk.rows("SELECT navigation FROM _odata_loaded") == ["Orders"])
            #expect(try Self.orders(desk) == 1)
        }
    }

    @Test func whatTheFirstPagesDoNotContainIsUnknown() async throws {
        try await Self.run(Self.contained(), first: #"{"ID":1}"#) { (desk: StubDesk) throws in
            let error = failure { try Self.orders(desk) }
            #expect(error == Failure(UndefinedError.self, .notLoaded, at: "Customers/Orders"))
        }
    }
}
