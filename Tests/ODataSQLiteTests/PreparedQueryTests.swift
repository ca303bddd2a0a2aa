import ErrorFixture
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
        // Each form is compiled twice, with different marks in place of the key.
        #expect(checks.withLock { $0 } == 6)
        #expect(try ids("Labels('L2')") == [.text("L2")])
        #expect(try ids("Labels('L1')") == [.text("L1")])
        #expect(try ids("Labels('')") == [])
        #expect(checks.withLock { $0 } == 9)
    }

    @Test func filtersThatDifferInComparedValuesShareOneCompiledQuery() throws {
        for id in Int64(1)...4 {
            #expect(
                try ids("Customers?$filter=Id%20ge%20\(id)%20and%20\(id)%20ge%20Id") == [.int(id)])
        }
        #expect(checks.withLock { $0 } == 2)
        for (name, found) in [("Ann", [1]), ("ann", [2]), ("a_b", [5]), ("none", [])] {
            #expect(
                try ids("Customers?$filter=Name%20eq%20'\(name)'&$count=true")
                    == found.map { .int(Int64($0)) })
        }
        #expect(checks.withLock { $0 } == 4)
    }

    @Test func aCountFollowsTheValues() throws {
        for limit in 1...3 {
            let url = "Customers?$filter=Id%20le%20\(limit)&$count=true&$top=1"
            let query = try URLParser.parse(url, graph: shop.graph, dialect: .v401)
            let prepared = try queries.prepared(query) { query in
                var query = query
                try QueryChecker.check(&query, graph: shop.graph)
                return query
            }
            let page = try shop.pool.read { try queries.reader.run(prepared, in: $0) }
            #expect(page.count == Int64(limit))
            #expect(page.rowCount == 1)
        }
    }

    @Test func valuesThatShapeTheStatementAreNotShared() throws {
        for (filter, found) in [
            ("startswith(Name,'A')", [1]), ("startswith(Name,'a')", [2, 5]),
            ("Balance%20gt%204", [5, 6, 7]), ("Balance%20gt%205", [6, 7]),
            ("Score%20gt%204", [6, 7]), ("Score%20gt%205", [7]), ("Name%20eq%20''", [6]),
            ("Name%20eq%20null", [7]), ("Id%20in%20(1,2)", [1, 2]), ("Id%20in%20(3)", [3]),
        ] {
            #expect(
                try ids("Customers?$filter=\(filter)&$orderby=Id")
                    == found.map { .int(Int64($0)) }, "\(filter)")
        }
    }

    @Test func theSameQueryIsCompiledOnce() throws {
        let url = "Customers?$filter=Id%20in%20(1,2)&$orderby=Id"
        for _ in 0..<3 { #expect(try ids(url).count == 2) }
        #expect(checks.withLock { $0 } == 1)
    }

    @Test func manyDifferentQueriesDoNotPileUp() throws {
        for top in 1...200 { _ = try ids("Customers?$top=\(top)") }
        #expect(try ids("Customers?$top=1").count == 1)
        #expect(checks.withLock { $0 } == 201)
    }

    /// Swift's texts are equal whatever the spelling, a NaN equals nothing: neither may stand for another query, or stay for ever.
    @Test func queriesThatAreEqualAndNotTheSameAreNotShared() throws {
        try shop.pool.write {
            try $0.execute(
                sql: "UPDATE Customers SET Name = ? WHERE Id = 1", arguments: ["caf\u{e9}"])
            try $0.execute(
                sql: "UPDATE Customers SET Name = ? WHERE Id = 2", arguments: ["cafe\u{301}"])
        }
        for (text, found) in [("%C3%A9", [1]), ("e%CC%81", [2]), ("%C3%A9", [1])] {
            #expect(
                try ids("Customers?$filter=contains(Name,'\(text)')")
                    == found.map { .int(Int64($0)) })
            #expect(
                try ids("Customers?$filter=Name%20in%20('x','caf\(text)')")
                    == found.map { .int(Int64($0)) })
        }
        #expect(checks.withLock { $0 } == 6)
        for _ in 0..<3 { _ = try ids("Customers?$filter=Score%20gt%20NaN") }
        #expect(checks.withLock { $0 } == 9)
    }

    @Test func keysThatDoNotFitAreStillRefused() throws {
        #expect(try ids("Customers(1)") == [.int(1)])
        #expect(
            failure { try ids("Customers('one')") }
                == Failure(.invalidValue, at: .path("Customers/(key)")))
        #expect(failure { try ids("Customers(1,2)") } == Failure(.invalidQuery, at: .offset(9)))
    }
}
