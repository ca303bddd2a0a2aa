import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import Synchronization
import Testing

@Suite struct ExpandTests {
    private func children(_ value: StructureValue, _ slot: Int) -> [Int64] {
        (value.slots[slot]?.list ?? []).compactMap {
            guard case .integer(let id)? = $0.structure?.slots[0]?.scalar else { return nil }
            return id
        }
    }

    @Test func childrenStandBelowTheirParents() throws {
        let shop = try TripleViewTests.filled()
        let customers = try shop.run("Customers?$expand=Orders&$orderby=Id&$top=4").values
        #expect(customers.map { children($0, 15) } == [[3, 6, 9], [1, 4, 7, 10], [2, 5, 8], []])
    }

    @Test func topAndCountAreWithinEachParent() throws {
        let shop = try TripleViewTests.filled()
        let page = try shop.run(
            "Customers?$expand=Orders($orderby=Id%20desc;$top=2;$skip=1;$count=true)&$orderby=Id&$top=2"
        )
        #expect(page.values.map { children($0, 15) } == [[6, 3], [7, 4]])
        #expect(page.values.map { $0.control.counts["Orders"] } == [3, 4])
    }

    @Test func toOneAndNestedAndManyToMany() throws {
        let shop = try TripleViewTests.filled()
        let orders = try shop.run(
            "Orders?$expand=Customer($select=Name;$expand=Orders),Items,Labels&$orderby=Id"
        ).values
        #expect(orders[0].slots[4]?.structure?.slots[1] == .text("ann"))
        #expect(children(try #require(orders[0].slots[4]?.structure), 15) == [1, 4, 7, 10])
        #expect(children(orders[1], 5) == [1, 2, 3])
        #expect(
            orders[1].slots[6]?.list?.first?.structure?.slots[0] == .text("L2"))
        #expect(orders[2].slots[6] == .list([]))
        #expect(orders.last?.slots[4] == .null)
    }

    @Test func expandedRowsAreReachedWithoutDecoding() throws {
        let shop = try TripleViewTests.filled()
        let row = try #require(
            try shop.run("Customers(2)?$expand=Orders($top=2;$orderby=Id;$count=true)").first)
        let related = try #require(row.related(slot: 15))
        #expect(related.count == 4)
        #expect(related.rows.map { related.chunk.value(row: $0, slot: 0) } == [.int(1), .int(4)])
        #expect(row.related(slot: 1)?.rows == nil)
        let order = try #require(try shop.run("Orders(12)?$expand=Customer").first)
        #expect(try #require(order.related(slot: 4)).rows.isEmpty)
    }

    @Test func oneStatementReadsRowsWithWhatEachLeadsTo() throws {
        let shop = try TripleViewTests.filled()
        let url = "Orders?$orderby=Id%20desc&$top=4&$expand=Customer($select=Name)"
        #expect(try statements(of: url, in: shop) == 1)
        let orders = try shop.run(url).values
        #expect(orders.map { $0.slots[0] } == [12, 10, 9, 8].map { .int($0) })
        #expect(
            orders.map { $0.slots[4]?.structure?.slots[1]?.scalar }
                == [nil, .string("ann"), .string("Ann"), .string("Ünal")])
        #expect(orders[0].slots[4] == .null)
        // A row that was deleted here is not there.
        try shop.pool.write {
            try $0.execute(sql: "UPDATE Customers SET _odata_state = 4 WHERE Id = 1")
        }
        #expect(
            try shop.run(url).values.map { $0.slots[4] == .null } == [true, false, true, false])
        #expect(try shop.run("Orders(9)?$expand=Customer").values.first?.slots[4] == .null)
    }

    @Test func whatRelatedRowsLeadToIsFoundFromThem() throws {
        let shop = try TripleViewTests.filled()
        let url = "Orders?$orderby=Id%20desc&$top=2&$expand=Customer($expand=Orders($orderby=Id))"
        #expect(try statements(of: url, in: shop) == 2)
        let orders = try shop.run(url).values
        #expect(orders[0].slots[4] == .null)
        #expect(children(try #require(orders[1].slots[4]?.structure), 15) == [1, 4, 7, 10])
    }

    private func statements(of url: String, in shop: ShopDatabase) throws -> Int {
        let query = try URLParser.parse(url, graph: shop.graph, dialect: .v401)
        let count = Mutex(0)
        try shop.pool.read { database in
            database.trace { _ in count.withLock { $0 += 1 } }
            _ = try QueryReader(mapping: shop.mapping).run(query, in: database)
            database.trace(options: [])
        }
        return count.withLock { $0 }
    }

    @Test func theWayBackOfALinkTableIsTheSameTable() throws {
        let shop = try TripleViewTests.filled()
        let labels = try shop.run("Labels?$expand=Orders&$orderby=Code").values
        #expect(labels.map { children($0, 1) } == [[1], [2]])
    }

    @Test func theNumberOfStatementsDoesNotGrowWithTheRows() throws {
        let shop = try TripleViewTests.filled()
        let query = try URLParser.parse(
            "Customers?$expand=Orders($expand=Items,Labels)", graph: shop.graph, dialect: .v4)
        let reader = QueryReader(mapping: shop.mapping)
        let statements = Mutex(0)
        try shop.pool.read { database in
            database.trace { _ in statements.withLock { $0 += 1 } }
            _ = try reader.run(query, in: database)
            database.trace(options: [])
        }
        #expect(statements.withLock { $0 } == 4)
    }

    @Test func anExpandWalksIndexesOnly() throws {
        let shop = try TripleViewTests.filled()
        let query = try URLParser.parse(
            "Customers?$expand=Orders($expand=Items)", graph: shop.graph, dialect: .v4)
        let plan = try QueryCompiler(mapping: shop.mapping).compile(query)
        for expand in [plan.expands[0], plan.expands[0].children[0]] {
            let statement = try #require(expand.statement)
            let details = try shop.pool.read {
                try Row.fetchAll(
                    $0, sql: "EXPLAIN QUERY PLAN " + statement.text, arguments: ["[1,2]"]
                ).map { $0["detail"] as String }
            }
            #expect(!details.contains { $0.hasPrefix("SCAN t") || $0.hasPrefix("SCAN p") })
        }
    }

    @Test func moreParentsThanOneChunkHoldsAreExpandedAlike() throws {
        let shop = try ShopDatabase()
        let orders = Int64(QueryReader.rowsPerChunk + 300)
        try shop.insert("Customers", shop.value("Customer", ["Id": .int(1), "Name": .text("x")]))
        try shop.pool.write { database in
            for id in 1...orders {
                try database.execute(
                    sql: "INSERT INTO Orders (Id, CustomerId) VALUES (?, 1)", arguments: [id])
            }
        }
        let page = try shop.run("Orders?$expand=Customer&$orderby=Id")
        #expect(page.chunks.map(\.count) == [QueryReader.rowsPerChunk, 300])
        #expect(page.values.allSatisfy { $0.slots[4]?.structure?.slots[1] == .text("x") })
        let parent = try #require(try shop.run("Customers?$expand=Orders").values.first)
        #expect(parent.slots[15]?.list?.count == Int(orders))
    }
}
