import ErrorFixture
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Testing
import ShopFixture

/// Aggregation and computed values over the shop's orders: numbers 1 to 12, the eleventh deleted.
@Suite struct ApplyTests {
    private func rows(_ url: String) throws -> [String] { try Self.rows(url) }

    static func rows(_ url: String, in shop: ShopDatabase? = nil) throws -> [String] {
        let shop = try shop ?? TripleViewTests.filled()
        var query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: shop.graph, dialect: .v401)
        try QueryChecker.check(&query, graph: shop.graph)
        let page = try shop.run(query)
        var lines = page.values.map { Self.text($0, shop.graph) }
        if query.includesCount { lines.insert("count \(page.count ?? -1)", at: 0) }
        return lines
    }

    static func text(_ value: StructureValue, _ graph: MetadataGraph) -> String {
        var parts: [String] = []
        for (property, slot) in zip(graph[value.type].properties, value.slots) {
            switch slot {
            case .scalar(.null)?: parts.append("\(property.name)=null")
            case .scalar(let scalar)?: parts.append("\(property.name)=\(Lexical.text(scalar))")
            case .structure(let inner)?: parts.append("\(property.name)(\(text(inner, graph)))")
            default: break
            }
        }
        for (name, found) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            let text = found.scalar.map { $0 == .null ? "null" : Lexical.text($0) }
            parts.append("\(name)=\(text ?? "?")")
        }
        return parts.joined(separator: " ")
    }

    @Test(arguments: [
        (
            "aggregate($count as N,Amount with sum as Total,Amount with average as Mean)",
            ["Mean=6.21590909090909090909 N=11 Total=68.375"]
        ),
        (
            "aggregate(Amount with min as Low,Amount with max as Top,CustomerId with countdistinct as Who)",
            ["Low=1.125 Top=12.125 Who=3"]
        ),
        ("filter(Amount gt 5)/aggregate($count as N)", ["N=7"]),
        ("filter(Amount gt 500)/aggregate(Amount with sum as Total)", ["Total=null"]),
        ("aggregate(Amount mul Id with sum as X)", ["X=537.375"]),
        ("concat(aggregate($count as N),filter(Id lt 3)/aggregate($count as N))", ["N=11", "N=2"]),
    ])
    func rowsBecomeOne(steps: String, expected: [String]) throws {
        let found = try rows("Orders?$apply=\(steps)")
        #expect(found == expected)
    }

    @Test(arguments: [
        (
            "groupby((CustomerId),aggregate(Amount with max as Top))&$orderby=CustomerId",
            [
                "CustomerId=null Top=12.125", "CustomerId=1 Top=9.125", "CustomerId=2 Top=10.125",
                "CustomerId=3 Top=8.125",
            ]
        ),
        ("groupby((CustomerId))&$orderby=CustomerId desc&$top=1", ["CustomerId=3"]),
        (
            "groupby((CustomerId),aggregate($count as N))&$filter=N gt 3&$count=true",
            ["count 1", "CustomerId=2 N=4"]
        ),
        (
            "groupby((Customer/Name),aggregate(Amount with sum as T))&$orderby=Customer/Name desc&$top=1",
            ["Customer(Name=Ünal) T=15.375"]
        ),
        (
            "groupby((CustomerId),aggregate(Amount with sum as T))/filter(T gt 15)/aggregate($count as N)",
            ["N=3"]
        ),
        (
            "groupby((rollup($all,CustomerId)),aggregate($count as N))&$orderby=N desc&$top=2",
            ["CustomerId=null N=11", "CustomerId=2 N=4"]
        ),
        (
            "compute(year(Placed) as Year)/groupby((Year),aggregate($count as N))",
            ["N=11 Year=null"]
        ),
    ])
    func rowsBecomeGroups(options: String, expected: [String]) throws {
        let found = try rows("Orders?$apply=\(options)")
        #expect(found == expected)
    }

    @Test(arguments: [
        ("compute(5 sub Amount as Rest)/topsum(4,Rest)", ["Id=1", "Id=2"]),
        ("compute(Amount sub 5 as Rest)/bottomsum(-4,Rest)", []),
        ("topcount(2,Amount)", ["Id=10", "Id=12"]), ("bottomcount(1,Amount)", ["Id=1"]),
        ("topsum(20,Amount)", ["Id=10", "Id=12"]), ("toppercent(20,Amount)", ["Id=10", "Id=12"]),
        ("orderby(Amount desc)/top(3)/skip(1)", ["Id=9", "Id=10"]),
        ("filter(Id lt 4)/orderby(Id)/top(1)", ["Id=1"]),
    ])
    func rowsStayEntities(steps: String, expected: [String]) throws {
        let found = try rows("Orders?$apply=\(steps)&$select=Id&$orderby=Id")
        #expect(found == expected)
    }

    @Test func namesThatDifferInCaseOnlyAreTwo() throws {
        let both = "compute(Id as V,Id mul 10 as v)/filter(V lt 3)/groupby((V,v))"
        #expect(try rows("Orders?$apply=\(both)&$orderby=v desc") == ["V=2 v=20", "V=1 v=10"])
        #expect(try rows("Orders?$apply=\(both)/aggregate(v with sum as T)") == ["T=30"])
        #expect(
            try rows("Orders?$apply=\(both)/concat(filter(v eq 10),aggregate(v with max as w))")
                == ["V=1 v=10 w=null", "V=null v=null w=20"])
        #expect(
            try rows("Orders?$apply=\(both)/groupby((V),topcount(1,v))&$filter=v gt 10")
                == ["V=2 v=20"])
    }

    @Test func anOrderIsKept() throws {
        #expect(
            try rows("Orders?$apply=orderby(Amount desc)/top(2)&$select=Id") == ["Id=12", "Id=10"])
        #expect(
            try rows("Orders?$apply=groupby((CustomerId))/orderby(CustomerId desc)/top(2)")
                == ["CustomerId=3", "CustomerId=2"])
    }

    @Test func computedValuesAreFilteredOrderedAndSelected() throws {
        let found = try rows(
            "Orders?$compute=Amount mul 2 as Twice,Twice add 1 as More&$filter=Twice gt 20"
                + "&$orderby=More desc&$select=Id,More")
        #expect(found == ["Id=12 More=25.250", "Id=10 More=21.250"])
        let shop = try TripleViewTests.filled()
        let expanded = try shop.run(
            "Customers?$filter=Id%20eq%201&$expand=Orders($compute=Amount%20sub%201%20as%20Less;$filter=Less%20lt%203)"
        )
        let slot = try #require(shop.graph[StructureID(0)].slot(named: "Orders"))
        let orders = expanded.values[0].slots[slot]?.list?.compactMap(\.structure) ?? []
        #expect(orders.map { $0.dynamicValues["Less"] } == [.decimal("2.125")])
    }

    @Test(arguments: [
        (
            "aggregate(Amount with Shop.median as M)",
            Failure(
                .notImplemented,
                "Expected a query that the database can answer, found the aggregation method Shop.median.",
                status: 501)
        ),
        (
            "concat(nest(identity as G),nest(identity as G))",
            Failure(
                .notImplemented,
                "Expected a query that the database can answer, found concat of collections under one name.",
                status: 501)
        ),
        (
            "groupby((CustomerId))/traverse($root/Orders,H,CustomerId,preorder)",
            Failure(
                .invalidQuery, "Expected a recursive hierarchy of Shop.Order, found H.",
                status: 400)
        ),
    ])
    func whatIsNotDoneSaysSo(steps: String, refused: Failure) throws {
        #expect(failure { try rows("Orders?$apply=\(steps)") } == refused)
    }

    @Test func whatGroupsLetGoCannotBeExpanded() throws {
        let error = #expect(throws: ODataError.self) {
            _ = try rows("Orders?$apply=groupby((CustomerId))/expand(Customer)")
        }
        #expect(error?.location == .path("Customer"))
        #expect(error?.code == .unknownName)
    }

    /// Each pair gives the same rows, the second one in steps that were there before.
    @Test(arguments: [
        (
            "Orders?$apply=aggregate(Amount with sum from CustomerId with max as X)",
            "Orders?$apply=groupby((CustomerId),aggregate(Amount with sum as S))/aggregate(S with max as X)"
        ),
        (
            "Orders?$apply=aggregate(Amount with sum from CustomerId with average as X)",
            "Orders?$apply=groupby((CustomerId),aggregate(Amount with sum as S))/aggregate(S with average as X)"
        ),
        (
            "Orders?$apply=aggregate($count as N,Amount with sum from CustomerId with min as X)",
            "Orders?$apply=groupby((CustomerId),aggregate(Amount with sum as S,$count as C))/aggregate(C with sum as N,S with min as X)"
        ),
        (
            "Customers?$apply=aggregate(Orders/Amount with sum as T,Orders/$count as N)",
            "Orders?$apply=filter(CustomerId ne null)/aggregate(Amount with sum as T,$count as N)"
        ),
        (
            "Customers?$apply=aggregate($count as C,Orders/Amount with average as T)&$select=T",
            "Orders?$apply=filter(CustomerId ne null)/aggregate(Amount with average as T)"
        ),
        (
            "Customers?$apply=groupby((Id),aggregate(Orders/Amount with max as T))/filter(T ne null)&$orderby=Id&$select=T",
            "Orders?$apply=filter(CustomerId ne null)/groupby((CustomerId),aggregate(Amount with max as T))&$orderby=CustomerId&$select=T"
        ),
        (
            "Customers?$apply=join(Orders as O,filter(Amount gt 5))/aggregate(O/Amount with sum as T,$count as N)",
            "Orders?$apply=filter(CustomerId ne null and Amount gt 5)/aggregate(Amount with sum as T,$count as N)"
        ),
        (
            "Customers?$apply=outerjoin(Orders as O,filter(Id lt 0))/aggregate($count as N)",
            "Customers?$apply=aggregate($count as N)"
        ),
        (
            "Customers?$apply=expand(Orders,filter(Amount gt 5))&$filter=Id eq 1",
            "Customers?$filter=Id eq 1&$expand=Orders($filter=Amount gt 5)"
        ),
    ])
    func newStepsAgreeWithOldOnes(new: String, old: String) throws {
        let found = try rows(new)
        #expect(!found.isEmpty)
        #expect(try found == rows(old))
    }

    @Test func joinedRowsHaveTheRelatedOneUnderItsName() throws {
        let shop = try TripleViewTests.filled()
        func joined(_ step: String) throws -> [StructureValue] {
            var query = try URLParser.parse(
                "Customers?$apply=\(step)&$orderby=Id".replacing(" ", with: "%20"),
                graph: shop.graph, dialect: .v401)
            try QueryChecker.check(&query, graph: shop.graph)
            return try shop.run(query).values
        }
        let inner = try joined("join(Orders as O,filter(Id lt 3))")
        let slot = try #require(
            shop.graph.structure(named: "Shop.Order").flatMap {
                shop.graph[$0].slot(named: "Id")
            })
        let ids = inner.map { $0.dynamicValues["O"]?.structure?.slots[slot]?.scalar }
        #expect(Set(ids) == [.integer(1), .integer(2)])
        let outer = try joined("outerjoin(Orders as O,filter(Id lt 0))")
        #expect(!outer.isEmpty && outer.allSatisfy { $0.dynamicValues["O"] == .null })
    }

    @Test(arguments: [
        (
            "groupby((CustomerId),aggregate($count as N))",
            "Orders?$apply=filter(CustomerId eq 2)/groupby((CustomerId),aggregate($count as N))"
        ),
        (
            "aggregate(Amount with sum as T)",
            "Orders?$apply=filter(CustomerId eq 2)/aggregate(Amount with sum as T)"
        ),
        (
            "filter(Amount gt 5)/aggregate(Amount with sum from CustomerId with max as T)",
            "Orders?$apply=filter(CustomerId eq 2 and Amount gt 5)/aggregate(Amount with sum from CustomerId with max as T)"
        ),
        (
            "topcount(2,Amount)/aggregate(Amount with min as T)",
            "Orders?$apply=filter(CustomerId eq 2)/topcount(2,Amount)/aggregate(Amount with min as T)"
        ),
    ])
    func expandedRowsAreAggregatedForEachParent(steps: String, alone: String) throws {
        let shop = try TripleViewTests.filled()
        let all = try shop.run(
            "Customers?$orderby=Id&$expand=Orders($apply=\(steps))".replacing(" ", with: "%20"))
        #expect(all.values.count > 1)
        let type = all.values[1].type
        let slot = try #require(shop.graph[type].slot(named: "Orders"))
        let inner = all.values[1].slots[slot]?.list?.compactMap(\.structure) ?? []
        let key = try #require(shop.graph[type].slot(named: "Id"))
        #expect(all.values[1].slots[key]?.scalar == .integer(2))
        let texts = inner.map { Self.text($0, shop.graph) }.sorted()
        #expect(try texts == rows(alone).sorted())
    }

    @Test func postgreSQLJoinsGroupsSideBySide() throws {
        let mapping = try Shop.mapping()
        let compiler = QueryCompiler(
            mapping: mapping, options: CompilerOptions(dialect: .postgreSQL, hidesDeleted: false))
        func sql(_ url: String) throws -> String {
            var query = try URLParser.parse(
                url.replacing(" ", with: "%20"), graph: mapping.graph, dialect: .v401)
            try QueryChecker.check(&query, graph: mapping.graph)
            return try compiler.compile(query).statement?.text ?? ""
        }
        let text = try sql(
            "Customers?$apply=groupby((Id),aggregate($count as N,Orders/Amount with max as T))")
        #expect(text.contains("IS NOT DISTINCT FROM") && text.contains(" LEFT JOIN (SELECT "))
        #expect(!text.contains("?"))
        let from = try sql(
            "Orders?$apply=aggregate(Amount with sum from CustomerId with max as X)")
        #expect(from.contains("GROUP BY \"t0\".\"CustomerId\"") && from.contains("max("))
    }

    @Test func postgreSQLHasItsOwnArithmetic() throws {
        let mapping = try Shop.mapping()
        let compiler = QueryCompiler(
            mapping: mapping, options: CompilerOptions(dialect: .postgreSQL, hidesDeleted: false))
        func sql(_ url: String) throws -> String {
            var query = try URLParser.parse(
                url.replacing(" ", with: "%20"), graph: mapping.graph, dialect: .v401)
            try QueryChecker.check(&query, graph: mapping.graph)
            return try compiler.compile(query).statement?.text ?? ""
        }
        #expect(
            try sql("Customers?$filter=Exact divby 3 gt 1").contains(
                "_odata_divided(CAST(\"t0\".\"Exact\" AS numeric), CAST($1 AS numeric), 20)"))
        let grouped = try sql(
            "Orders?$apply=groupby((CustomerId),aggregate(Amount with sum as T))")
        #expect(grouped.contains("CAST(sum(\"t0\".\"Amount\") AS bigint) AS \"T#1\""))
        #expect(grouped.contains("GROUP BY \"t0\".\"CustomerId\""))
        #expect(!grouped.contains("_odata_aggregate"))
    }
}
