import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import Testing

/// Conditions with types, collections and structures, which a store answers as lists in memory do.
@Suite struct LanguageTests {
    @Test(arguments: [
        ("isof(Name,Edm.String)", 8), ("isof(Rank,Edm.Int64) and isof(Rank,Edm.Byte)", 8),
        ("isof(Rank,Edm.String) or isof(Rank,Edm.Decimal)", 0), ("isof(SuperID,Edm.String)", 7),
        ("isof(Rank mul 1000,Edm.Int16) and not isof(Rank mul 1000,Edm.Byte)", 8),
        ("not isof(Place/Zip,Edm.Int32)", 7), ("isof(Edm.String)", 0),
        ("Tags eq [\"all\",\"us\"]", 1), ("Tags ne [\"all\",\"us\"]", 7),
        ("Tags eq [\"us\",null]", 1), ("Tags in [[\"all\"],[]]", 4), ("Marks eq [5.0,4]", 1),
        ("Name in [\"Far\",\"Near\",\"Away\"]", 2), ("Rank in [1,9]", 5),
        ("'us' in Tags", 3), ("not ('us' in Tags)", 5), ("Rank in Marks", 2),
        ("Place eq {\"City\":\"Ulm\",\"Zip\":7}", 1), ("Place eq {\"Zip\":7,\"City\":\"Ulm\"}", 1),
        ("Place eq {\"City\":\"Rom\"}", 1), ("Place ne {\"City\":\"Rom\"}", 1),
        ("not (Place eq {\"City\":\"Rom\"})", 1),
        ("Place in [{\"City\":\"Rom\"},{\"City\":\"Ulm\",\"Zip\":7}]", 2),
        ("concat(Tags,[\"x\"]) eq [\"all\",\"x\"]", 1), ("length(concat(Tags,Tags)) eq 4", 4),
        ("substring(Marks,1) eq [2,3]", 1), ("substring(Marks,-1) eq [4]", 2),
        ("substring(Marks,0,2) eq [4,5]", 1), ("contains(Marks,[4,5])", 1),
        ("isdefined(Name) and isdefined(Place)", 8), ("hassubset(substring(Marks,1),[5])", 1),
    ])
    func storesAndListsInMemoryAgree(condition: String, count: Int) throws {
        let store = try SalesStore()
        let graph = try store.fixture.graph()
        let all = try store.fixture.store.execute(try store.query("Organizations")).values
        let query = try store.query("Organizations?$filter=\(condition)")
        let filter = try #require(query.filter)
        let evaluator = ExpressionEvaluator(graph: graph)
        #expect(try all.count { try evaluator.holds(filter, for: $0) } == count)
        #expect(try store.fixture.store.execute(query).rowCount == count)
    }

    @Test(arguments: [
        ("Rank lt $root/Organizations('EMEA')/Rank", ["Central", "Sales", "US", "X1"]),
        ("Rank gt $root/Organizations(ID='EMEA')/Super/Rank mul 3", ["East", "West"]),
        ("Place/Zip eq $root/Organizations('Nobody')/Place/Zip", []),
        ("$root/Organizations('Sales')/Subs/any(s:s/ID eq $it/ID)", ["EMEA", "US"]),
        ("$root/Sales/$count eq 8 and Rank gt 5", ["West"]),
        ("$root/Sales/any(s:s/OrgID eq $it/ID and s/Amount eq 8)", ["East"]),
        ("'us' in $root/Organizations('US')/Tags and Rank gt 5", ["West"]),
        ("$root/Sales/aggregate(Amount with max) eq Rank sub 1", ["West"]),
        ("@c/any(x:x eq ID)&@c=[\"US\",\"EMEA\"]", ["EMEA", "US"]),
        ("ID in @c&@c=[\"US\",\"EMEA\"]", ["EMEA", "US"]),
        ("Place eq @p&@p={\"City\":\"Rom\"}", ["EMEA"]),
    ])
    func conditionsReachOutOfTheRow(condition: String, expected: [String]) throws {
        let store = try SalesStore()
        #expect(try store.ids("Organizations?$filter=\(condition)&$orderby=ID") == expected)
    }

    @Test func computedCollectionsAreReadLikeOthers() throws {
        let store = try SalesStore()
        let found = try store.rows(
            "Organizations?$compute=concat(Tags,[\"x\"]) as More&$filter=More/any(m:m eq 'eu')"
                + "&$select=ID,More")
        #expect(found.first?.hasPrefix("ID=EMEA") == true)
        #expect(found.count == 1)
    }

    @Test func rowsKnowWhatTheyLack() throws {
        let store = try SalesStore()
        let steps = "Sales?$apply=groupby((rollup($all,Customer)),aggregate(Amount with sum as T))"
        #expect(
            try store.rows(steps + "&$orderby=isdefined(Customer) desc,Customer")
                == ["Customer=Joe T=11", "Customer=Sue T=13", "Customer=- T=24"])
        #expect(
            try store.rows(steps + "&$filter=not isdefined(Customer)") == ["Customer=- T=24"])
        #expect(
            try store.rows(
                "Sales?$apply=concat(groupby((Org/ID)),aggregate($count as N))"
                    + "/filter(isdefined(N) or not isdefined(Org))/compute(isdefined(Org/ID) as D)"
            )
            .count == 1)
        #expect(
            try store.rows("Sales?$apply=aggregate(Amount with sum as T)&$filter=isdefined(Org)")
                == [])
    }

    @Test func customAggregatesAreRolledUp() throws {
        let store = try SalesStore()
        #expect(
            try store.rows(
                "Sales?$apply=aggregate(Total from Customer as A,Largest from OrgID as B,"
                    + "Total from OrgID,Customer with max from Customer with sum as C)")
                == ["A=24 B=8 C=13"])
        #expect(
            try store.rows(
                "Sales?$apply=groupby((Customer),aggregate(Total from OrgID as A))"
                    + "&$orderby=Customer") == ["Customer=Joe A=11", "Customer=Sue A=13"])
        let error = #expect(throws: ODataError.self) {
            _ = try store.rows("Sales?$apply=aggregate(Mean from Customer as A)")
        }
        #expect(
            error?.message
                == "Expected a query that the database can answer, found a custom aggregate in from whose values do not add up."
        )
        #expect(error?.code == .notImplemented)
    }

    @Test(arguments: [
        (
            "nest(topcount(1,Amount) as Top,groupby((Customer)) as Who)/compute(1 as One)",
            ["One=1 Top=1 Who=2"]
        ),
        ("nest(identity as A)/aggregate($count as N)", ["N=1"]),
        (
            "nest(filter(ID lt 3) as A)/concat(identity,aggregate($count as N))",
            ["N=- A=2", "N=1 A=0"]
        ),
        ("concat(nest(filter(ID lt 3) as A),nest(filter(ID lt 4) as B))", ["A=2 B=0", "A=0 B=3"]),
        (
            "groupby((Customer),nest(filter(Amount gt 2) as Big,aggregate($count as N) as Sum))",
            ["Customer=Joe Big=2 Sum=1", "Customer=Sue Big=1 Sum=1"]
        ),
        (
            "groupby((Customer),nest(filter(Amount gt 2) as Big))/filter(Customer eq 'Sue')",
            ["Customer=Sue Big=1"]
        ),
        ("nest(nest(filter(ID lt 4) as In) as Out)", ["Out=1"]),
        (
            "nest(expand(Org) as All)", ["All=8"]
        ),
    ])
    func rowsWithCollectionsGoOn(steps: String, expected: [String]) throws {
        let store = try SalesStore()
        let graph = try store.fixture.graph()
        let query = try store.query("Sales?$apply=\(steps)")
        let found = try store.fixture.store.execute(query).values.map { row in
            let own = zip(graph[row.type].properties, row.slots).compactMap { property, slot in
                slot?.scalar.map { "\(property.name)=\(Lexical.text($0))" }
            }
            let made = row.dynamicValues.sorted { $0.key < $1.key }
            let scalars = made.compactMap { name, value in
                value.scalar.map { "\(name)=\($0 == .null ? "-" : Lexical.text($0))" }
            }
            let lists = made.compactMap { name, value in
                value.list.map { "\(name)=\($0.count)" }
            }
            return (own + scalars + lists).joined(separator: " ")
        }
        #expect(found.sorted() == expected.sorted())
    }

    @Test func collectionsStandBelowExpandedRowsAndInEachOther() throws {
        let store = try SalesStore()
        #expect(
            try store.rows(
                "Organizations?$filter=Sales/any()&$orderby=ID&$select=ID&$expand=Sales($apply="
                    + "nest(groupby((Customer)) as Who,aggregate($count as N) as Sum))")
                == [
                    "ID=Central Sales=[(Sum=[(N=2)] Who=[(Customer=Joe),(Customer=Sue)])]",
                    "ID=EMEA Sales=[(Sum=[(N=1)] Who=[(Customer=Sue)])]",
                    "ID=East Sales=[(Sum=[(N=2)] Who=[(Customer=Joe),(Customer=Sue)])]",
                    "ID=West Sales=[(Sum=[(N=3)] Who=[(Customer=Joe),(Customer=Sue)])]",
                ])
        #expect(
            try store.rows(
                "Sales?$apply=filter(ID lt 4)/nest(groupby((Customer),nest(aggregate($count as N) "
                    + "as In)) as Out)")
                == ["Out=[(Customer=Joe In=[(N=2)]),(Customer=Sue In=[(N=1)])]"])
        #expect(
            try store.rows(
                "Organizations?$apply=groupby((rolluprecursive($root/Organizations/$filter(ID eq 'US'"
                    + " or SuperID eq 'US'),H,ID)),nest(aggregate($count as N) as In))"
                    + "&$select=ID,In&$orderby=ID")
                == ["ID=East In=[(N=1)]", "ID=US In=[(N=3)]", "ID=West In=[(N=1)]"])
    }
}
