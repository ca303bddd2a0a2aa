import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Synchronization
import Testing

@Suite final class PreparedQueryTests {
    private let shop: ShopDatabase
    private let queries: PreparedQueries
    /// How often a query was checked, which is how often one was compiled.
    private let checks = Mutex(0)

    init() throws {
        shop = try TripleViewTests.filled()
        queries = PreparedQueries(mapping: shop.mapping)
    }

    private func ids(_ url: String) throws -> [ODataValue?] {
        let query = try URLParser.parse(url, graph: shop.graph, dialect: .v401)
        let prepared = try queries.prepared(query) { query in
            checks.withLock { $0 += 1 }
            var query = query
            try QueryChecker.check(&query, graph: shop.graph)
            return query
        }
        return try shop.pool.read { try queries.reader.run(prepared, in: $0) }.values
            .map(\.slots[0])
    }

    @Test func readsOfDifferentKeysShareOneCompiledQuery() throws {
        for id in Int64(1)...4 {
            #expect(try ids("Customers(\(id))") == [.int(id)])
            #expect(try ids("Customers(Id=\(id))?$select=Id") == [.int(id)])
        }
        #expect(try ids("Customers(987654)") == [])
        #expect(checks.withLock { $0 } == 2)
        #expect(try ids("Labels('L2')") == [.text("L2")])
        #expect(try ids("Labels('L1')") == [.text("L1")])
        #expect(try ids("Labels('')") == [])
        #expect(checks.withLock { $0 } == 3)
    }

    @Test func theSameQueryIsCompiledOnce() throws {
        for _ in 0..<3 { #expect(try ids("Customers?$filter=Id%20le%202&$orderby=Id").count == 2) }
        #expect(try ids("Customers?$filter=Id%20le%203&$orderby=Id").count == 3)
        #expect(checks.withLock { $0 } == 2)
    }

    @Test func manyDifferentQueriesDoNotPileUp() throws {
        for top in 1...200 { _ = try ids("Customers?$top=\(top)") }
        #expect(try ids("Customers?$top=1").count == 1)
        #expect(checks.withLock { $0 } == 201)
    }

    @Test func keysThatDoNotFitAreStillRefused() throws {
        #expect(try ids("Customers(1)") == [.int(1)])
        #expect(throws: ODataError.self) { try ids("Customers('one')") }
        #expect(throws: ODataError.self) { try ids("Customers(1,2)") }
    }
}
