import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Testing

/// Steps that need whole groups, in groups and below expanded parents, and aggregates in expressions; orders as in
/// ``ApplyTests``.
@Suite struct GroupStepTests {
    @Test(arguments: [
        ("groupby((CustomerId),topcount(1,Amount))", [8, 9, 10, 12]),
        ("groupby((CustomerId),orderby(Amount)/top(1))", [1, 2, 3, 12]),
        ("groupby((CustomerId),orderby(Amount)/skip(2))", [7, 8, 9, 10]),
        ("groupby((CustomerId),topsum(12,Amount))", [5, 6, 7, 8, 9, 10, 12]),
        ("groupby((CustomerId),toppercent(50,Amount))", [6, 7, 8, 9, 10, 12]),
        ("groupby((CustomerId),bottomcount(1,Amount)/filter(Id gt 1))", [2, 3, 12]),
        ("groupby((CustomerId),identity)", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]),
        (
            "groupby((CustomerId),filter(Amount gt $these/aggregate(Amount with average)))",
            [7, 8, 9, 10]
        ),
        ("filter(Amount gt $these/aggregate(Amount with average))", [7, 8, 9, 10, 12]),
        (
            "groupby((CustomerId),topcount(2,Amount)/groupby((Id),topcount(1,Amount)))/bottomcount(2,Id)",
            [5, 6]
        ),
        ("topcount(3,Amount)/groupby((CustomerId),topcount(1,Amount))", [9, 10, 12]),
    ])
    func groupsKeepSomeOfTheirEntities(steps: String, expected: [Int]) throws {
        let found = try ApplyTests.rows("Orders?$apply=\(steps)&$select=Id&$orderby=Id")
        #expect(found == expected.map { "Id=\($0)" })
    }

    @Test(arguments: [
        (
            "groupby((CustomerId),topcount(2,Amount)/aggregate(Amount with sum as T))&$orderby=CustomerId",
            [
                "CustomerId=null T=12.125", "CustomerId=1 T=15.250", "CustomerId=2 T=17.250",
                "CustomerId=3 T=13.250",
            ]
        ),
        (
            "groupby((CustomerId),filter(Amount gt 9)/aggregate($count as N,Amount with sum as T))&$orderby=CustomerId",
            [
                "CustomerId=null N=1 T=12.125", "CustomerId=1 N=1 T=9.125",
                "CustomerId=2 N=1 T=10.125", "CustomerId=3 N=0 T=null",
            ]
        ),
        (
            "groupby((CustomerId),concat(aggregate($count as N),topcount(1,Amount)/aggregate(Amount with max as M)))&$filter=CustomerId lt 3&$orderby=CustomerId,N",
            [
                "CustomerId=1 M=9.125 N=null", "CustomerId=1 M=null N=3",
                "CustomerId=2 M=10.125 N=null", "CustomerId=2 M=null N=4",
            ]
        ),
        (
            "groupby((CustomerId),groupby((Id),aggregate($count as N))/topcount(1,Id))&$orderby=Id",
            [
                "Id=8 CustomerId=3 N=1", "Id=9 CustomerId=1 N=1", "Id=10 CustomerId=2 N=1",
                "Id=12 CustomerId=null N=1",
            ]
        ),
        (
            "groupby((CustomerId),aggregate(Amount with sum as T))/topsum(30,T)&$orderby=T",
            ["CustomerId=1 T=18.375", "CustomerId=2 T=22.500"]
        ),
        (
            "groupby((CustomerId),aggregate(Amount with sum as T))/bottompercent(30,T)&$orderby=T",
            ["CustomerId=null T=12.125", "CustomerId=3 T=15.375"]
        ),
        (
            "groupby((rollup($all,CustomerId)),topcount(1,Amount)/aggregate(Amount with max as M,$count as N))&$filter=M gt 10&$orderby=CustomerId,M",
            [
                "CustomerId=null M=12.125 N=1", "CustomerId=null M=12.125 N=1",
                "CustomerId=2 M=10.125 N=1",
            ]
        ),
        (
            "groupby((Customer/Name),topcount(1,Amount)/aggregate(Id with max as I))&$filter=I lt 10&$orderby=I",
            ["Customer(Name=Ünal) I=8", "Customer(Name=Ann) I=9"]
        ),
        (
            "filter(Id lt 0)/groupby((CustomerId),topcount(2,Amount)/aggregate($count as N))", []
        ),
        (
            "groupby((CustomerId),aggregate(Amount with sum as T))/compute(T sub $these/aggregate(T with max) as D)/filter(D eq 0)",
            ["CustomerId=2 D=0.000 T=22.500"]
        ),
        (
            "groupby((CustomerId),aggregate($count as number))/groupby((CustomerId),top(1))&$orderby=CustomerId&$top=1",
            ["CustomerId=null number=1"]
        ),
    ])
    func groupsMakeOtherRows(options: String, expected: [String]) throws {
        #expect(try ApplyTests.rows("Orders?$apply=\(options)") == expected)
    }

    @Test(arguments: [
        ("Orders/aggregate(Amount with sum) gt 16", ["Id=1", "Id=2"]),
        ("Orders/aggregate($count) eq 0", ["Id=4", "Id=5", "Id=6", "Id=7"]),
        ("Orders/aggregate(Amount with max) lt 9", ["Id=3"]),
        ("Orders/aggregate(CustomerId with countdistinct) eq 1", ["Id=1", "Id=2", "Id=3"]),
        ("Id gt $these/aggregate(Id with average)", ["Id=5", "Id=6", "Id=7"]),
    ])
    func filtersCompareWithAggregates(filter: String, expected: [String]) throws {
        #expect(
            try ApplyTests.rows("Customers?$filter=\(filter)&$select=Id&$orderby=Id") == expected)
    }

    /// What each customer's orders become, by the customer's number.
    private func expanded(_ options: String) throws -> [[String]] {
        let shop = try TripleViewTests.filled()
        var query = try URLParser.parse(
            "Customers?$orderby=Id&$expand=Orders(\(options))".replacing(" ", with: "%20"),
            graph: shop.graph, dialect: .v401)
        try QueryChecker.check(&query, graph: shop.graph)
        let values = try shop.run(query).values
        let slot = try #require(
            shop.graph.structure(named: "Shop.Customer").flatMap {
                shop.graph[$0].slot(named: "Orders")
            })
        return values.map { value in
            (value.slots[slot]?.list?.compactMap(\.structure) ?? [])
                .map { ApplyTests.text($0, shop.graph) }
        }
    }

    @Test func parentsWithoutRowsHaveTheirRowOfAggregates() throws {
        let found = try expanded("$apply=aggregate($count as N,Amount with sum as T)")
        #expect(
            found == [["N=3 T=18.375"], ["N=4 T=22.500"], ["N=3 T=15.375"]]
                + Array(repeating: ["N=0 T=null"], count: 4))
        #expect(
            try expanded("$apply=filter(Amount gt 9)/aggregate(Id with countdistinct as N)")
                == [["N=1"], ["N=1"], ["N=0"], ["N=0"], ["N=0"], ["N=0"], ["N=0"]])
        #expect(
            try expanded("$apply=groupby((Id),aggregate($count as N))").suffix(4)
                == [[], [], [], []])
        #expect(
            try expanded("$apply=aggregate(Amount with max from Id with sum as T)").suffix(5)
                == [["T=15.375"], ["T=null"], ["T=null"], ["T=null"], ["T=null"]])
    }

    @Test func stepsInsideExpandRunForEachParent() throws {
        #expect(
            try expanded("$apply=topsum(12,Amount);$select=Id;$orderby=Id").prefix(4)
                == [["Id=6", "Id=9"], ["Id=7", "Id=10"], ["Id=5", "Id=8"], []])
        #expect(
            try expanded(
                "$apply=filter(Amount gt $these/aggregate(Amount with average));$select=Id;$orderby=Id"
            )
            .prefix(3) == [["Id=9"], ["Id=7", "Id=10"], ["Id=8"]])
        #expect(
            try expanded(
                "$apply=groupby((Id),aggregate(Amount with sum as T))/topsum(12,T);$orderby=Id"
            )
            .prefix(1) == [["Id=6 T=6.125", "Id=9 T=9.125"]])
        #expect(
            try expanded(
                "$apply=groupby((CustomerId),topcount(1,Amount)/aggregate(Id with max as I))"
            )
            .prefix(4) == [["CustomerId=1 I=9"], ["CustomerId=2 I=10"], ["CustomerId=3 I=8"], []])
    }

    @Test func pathsBeforeStepsStayInForce() throws {
        #expect(
            try ApplyTests.rows(
                "Customers(1)/Orders?$apply=topcount(2,Amount)&$select=Id&$orderby=Id")
                == ["Id=6", "Id=9"])
        #expect(
            try ApplyTests.rows(
                "Customers(2)/Orders?$apply=topsum(12,Amount)/aggregate($count as N)")
                == ["N=2"])
    }
}
