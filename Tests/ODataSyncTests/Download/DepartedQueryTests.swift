import Foundation
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// A download query is removed or replaced while its own read runs: nothing of that read stays behind, and the others go on.
@Suite struct DepartedQueryTests {
    /// What the app does when the service is asked for the second page of the query.
    private final class Meanwhile: Sendable {
        private let action = Mutex<(@Sendable () throws -> Void)?>(nil)
        private let failure = Mutex<String?>(nil)

        func set(_ body: @escaping @Sendable () throws -> Void) {
            action.withLock { $0 = body }
        }

        func happen() {
            let body = action.withLock { action in
                defer { action = nil }
                return action
            }
            do { try body?() } catch { failure.withLock { $0 = "\(error)" } }
        }

        var error: String? { failure.withLock { $0 } }
    }

    private static let url = "Orders?$filter=ID lt 100"

    private static func run(
        deltas: Bool = false, _ body: @escaping @Sendable (StubDesk, Meanwhile) throws -> Void
    ) async throws {
        let meanwhile = Meanwhile()
        let reads = Mutex(0)
        let link = #","@odata.deltaLink":"Orders?d=1""#
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case Self.url, "Orders?d=1":
                let read = reads.withLock { count in
                    count += 1
                    return count
                }
                return .page(
                    #"{"ID":1,"Title":"\#(read)"},{"ID":2,"Title":"\#(read)"}"#,
                    #","@odata.nextLink":"Orders?p=2""#)
            case "Orders?p=2":
                meanwhile.happen()
                return .page(
                    #"{"ID":3,"Title":"\#(reads.withLock { $0 })"}"#, deltas ? link : "")
            case "Orders?$filter=ID lt 3": return .page(#"{"ID":1,"Title":"other"}"#)
            case "Customers": return .page(#"{"ID":7,"Name":"a"}"#)
            default: return .status(404)
            }
        } _: { desk in
            desk.sync.noDefaultEntityDownload(desk.sync.metadata.entitySet(withName: "Orders"))
            desk.sync.noDefaultEntityDownload(desk.sync.metadata.entitySet(withName: "Head"))
            try Self.add(desk, Self.url)
            try body(desk, meanwhile)
            #expect(meanwhile.error == nil)
        }
    }

    private static func add(_ desk: StubDesk, _ url: String) throws {
        let query = DataQuery().from(desk.sync.metadata.entitySet(withName: "Orders"))
        query.url = url
        try desk.sync.createDownloadQuery(name: "some", query: query, streams: false)
    }

    private static func expectNothingLeft(_ desk: StubDesk) throws {
        for table in ["Orders", "_odata_source", "_odata_stage", "_odata_row_source"] {
            #expect(try desk.rows("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        for table in ["_odata_delta", "_odata_resume"] {
            #expect(
                try desk.rows("SELECT count(*) FROM \(table) WHERE query = 'query:some'") == ["0"],
                "\(table)")
        }
        #expect(
            try desk.rows("SELECT name FROM _odata_meta WHERE name LIKE '%:query:some'") == [])
        // The other source came to its end.
        #expect(try desk.rows("SELECT ID FROM Customers") == ["7"])
        #expect(try !desk.sync.hasPendingDownload())
    }

    @Test("CSP-124 a query that is deleted during its first read leaves nothing")
    func aFirstReadLeavesNothing() async throws {
        try await Self.run { desk, meanwhile in
            meanwhile.set { try desk.sync.deleteDownloadQuery(name: "some") }
            try desk.sync.download()
            try Self.expectNothingLeft(desk)
        }
    }

    @Test(
        "CSP-124 nor during a later one, whether of all rows or of changes",
        arguments: [true, false])
    func aLaterReadLeavesNothing(deltas: Bool) async throws {
        try await Self.run(deltas: deltas) { desk, meanwhile in
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["1", "2", "3"])
            meanwhile.set { try desk.sync.deleteDownloadQuery(name: "some") }
            try desk.sync.download()
            try Self.expectNothingLeft(desk)
        }
    }

    /// The pages before its removal went with it, so that the end of the read is not that of all rows.
    @Test("CSP-124 a query that is added again meanwhile is read anew")
    func aQueryThatIsAddedAgainIsReadAnew() async throws {
        try await Self.run { desk, meanwhile in
            meanwhile.set {
                // Until the first page is stored the read has nothing to lose.
                let end = ContinuousClock.now + .seconds(60)
                while try desk.rows("SELECT count(*) FROM Orders") == ["0"] {
                    try #require(ContinuousClock.now < end, "The first page was not stored.")
                    usleep(1_000)
                }
                try desk.sync.deleteDownloadQuery(name: "some")
                try Self.add(desk, Self.url)
            }
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders") == [])
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["1", "2", "3"])
        }
    }

    @Test("CSP-124 a query that another takes the place of meanwhile gives its place to that one")
    func anotherQueryOfItsNameIsRead() async throws {
        try await Self.run { desk, meanwhile in
            meanwhile.set {
                try desk.sync.deleteDownloadQuery(name: "some")
                try Self.add(desk, "Orders?$filter=ID lt 3")
            }
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders") == [])
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Title FROM Orders") == ["1 other"])
        }
    }
}
