import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

/// Dynamic properties of open types in local queries (URL Conventions 4.01, section 5.1.1.15; CSDL 4.01, section 6.3).
@Suite struct OpenPropertyTests {
    @Test(
        arguments: [
            // Numbers by their value, whatever their type, and nothing else with them.
            ("V eq 5", [1, 2]), ("5 eq V", [1, 2]), ("V eq '5'", [3]), ("V eq true", [4]),
            ("V eq 2031-01-01", [5]), ("V eq '2031-01-01'", [6]), ("V eq 9007199254740993", [17]),
            ("V eq 0.1", [18, 19]), ("V eq 00:00:00", []), ("V eq 100", [11]),
            ("V eq 0000aaaa-bbbb-cccc-dddd-0123456789ab", [13]), ("V eq duration'P1DT12H'", [14]),
            ("V eq 2030-12-31T22:30:00Z", [12]), ("V eq 12:30:00", [22]), ("V eq INF", [15]),
            ("V eq Shop.Grade'Bronze,Gold'", [21]), ("V eq Shop.Grade'Gold'", []),
            // An instance without the property is null there, as one with null.
            ("V eq null", [7, 8]), ("Nothing ne null", []), ("V eq Nothing", []),
            // Order is there between values of one kind only.
            ("V gt 5", [11, 15, 17]), ("V lt '6'", [3, 6, 16]), ("V ge 2031-01-01", [5]),
            ("V lt true", [24]), ("not (V gt 5)", [1, 2, 18, 19, 23, 25]),
            ("not (V ne 5)", [1, 2]), ("V le 5 and V ge 5", [1, 2]),
            // Beside declared properties, on both sides.
            ("V eq Size", [1]), ("Name eq V", []), ("V eq Day", [5]), ("Size lt V", []),
            ("V in (5,'5',true,null)", [1, 2, 3, 4]), ("Size in (V,6)", [1, 2]),
            // A condition by itself.
            ("V", [4]), ("not V", [24]), ("V or Id eq 1", [1, 4]),
            ("V eq (Id eq 4)", [4, 24]),
            // Functions of what fits, null for the rest.
            ("contains(V,'31-')", [6]), ("startswith(V,'')", [3, 6, 16]), ("length(V) eq 1", [3]),
            ("length(V) eq 2", [9]), ("tolower(V) eq '5'", [3]), ("concat(V,'x') eq '5x'", [3]),
            ("indexof(Name,V) eq 0", []), ("substring(V,0,4) eq '2031'", [6]),
            ("year(V) eq 2031", [5, 12]), ("month(V) eq 1", [5, 12]), ("hour(V) lt 13", [12, 22]),
            ("date(V) eq 2031-01-01", [5, 12]), ("totaloffsetminutes(V) eq 120", [12]),
            ("totalseconds(V) eq 129600", [14]), ("matchesPattern(V,'^2031')", [6]),
            ("round(V) eq 0", [18, 19]), ("floor(V) eq 5", [1, 2]),
            ("contains(Nothing,'a') eq null", Array(1...25)),
            // Arithmetic: exact with exact numbers.
            ("V add 1 eq 6", [1, 2]), ("10 sub V eq 5", [1, 2]), ("V mul 10 eq 1", [18, 19]),
            ("V add 1 eq 9007199254740994", [17]), ("-V eq 7", [25]), ("V mod 2 eq 1", [1, 2, 17]),
            ("V add duration'P1D' eq 2031-01-02", [5]),
            ("V div 0 eq null", Array(1...14) + [16, 17, 18] + Array(20...22) + [24, 25]),
            // Types.
            ("isof(V,Edm.String)", [3, 6, 16]), ("isof(V,Edm.Int32)", [1, 25]),
            ("isof(V,Edm.Date)", [5]), ("isof(V,Shop.Address)", [20]), ("isof(V,Shop.Grade)", [21]),
            ("not isof(V,Edm.Boolean) and Id lt 9", [1, 2, 3, 5, 6, 7, 8]),
            ("cast(V,Edm.Int32) eq 5", [1, 2, 3]), ("cast(V,Edm.String) eq '5'", [1, 3]),
            ("cast(V,Edm.Date) eq 2031-01-01", [5, 6, 12]),
            ("cast(V,Edm.Decimal) gt 5.5", [11, 17]),
            ("hour(cast(V,Edm.DateTimeOffset)) eq 0", [12]),
            ("case(Id eq 1:V,true:'x') eq 5", [1]),
            // Inside structured values, and inside those of open complex types.
            ("V/City eq 'Rome'", [10, 20]), ("V/Zip gt 6", [10]), ("V/City/Deeper ne null", []),
            ("Box/Height eq 9", [24]), ("Box/Made lt 2031-01-01", [24]), ("Box/Width eq 3", [24]),
            ("Box/Height eq null", Array(1...23) + [25]),
            // Of related rows.
            ("Parent/V eq 5", [2, 3]), ("Parts/any(p:p/V eq '5')", [2]),
            ("Parts/$count($filter=V ge 5) eq 1", [1]),
        ] as [(String, [Int])])
    func aConditionLeavesTheRows(_ condition: String, _ expected: [Int]) throws {
        let open = try OpenStore()
        let found = try open.ids("$filter=\(condition)&$orderby=Id")
        #expect(found == expected.map(Int64.init), "\(condition)")
    }

    /// No type declares what they are, so that the queue keeps it with them.
    @Test func aChangeKeepsTheTypesOfItsValues() throws {
        let open = try OpenStore([])
        let type = try #require(open.graph.entitySet(named: "Things").map { open.graph[$0].type })
        var values = StructureValue(type: type, in: open.graph)
        values.slots[0] = .scalar(.integer(1))
        let date = try #require(CalendarDate("2031-05-01"))
        values.dynamicValues = [
            "Exact": .scalar(.decimal(DecimalNumber(3))), "Day": .scalar(.date(date)),
            "Text": .scalar(.string("2031-05-01")), "Whole": .scalar(.integer(3)),
            "Both": .list([.scalar(.date(date)), .scalar(.string("x"))]),
        ]
        try open.store.perform(.create(table: "Things", value: values, binds: []))
        let kept = try open.store.allRequests().first?.body?.values
        #expect(kept?.dynamicValues == values.dynamicValues)
    }

    /// The evaluator of lists and the store mean the same.
    @Test(arguments: [
        "eq", "ne", "lt", "le", "gt", "ge",
    ])
    func storeAndListsAgree(_ symbol: String) throws {
        // In memory, members of enumerations are numbers, and objects of no known type are texts.
        let open = try OpenStore(
            OpenStore.things.filter { !$0.contains(":10,") && !$0.contains(":21,") })
        let all = try open.values("$orderby=Id")
        let evaluator = ExpressionEvaluator(graph: open.graph)
        let operands = [
            "5", "5.5", "-7", "0.1", "1e2", "'5'", "''", "true", "2031-01-01", "12:30:00",
            "2031-01-01T00:00:00Z", "duration'PT1H'", "INF", "NaN", "Size", "Name", "Day", "V",
            "V add 1", "-V", "V mul 2.5", "concat(V,'a')", "length(V)", "cast(V,Edm.Decimal)",
            "round(V)", "year(V)", "time(V)", "toupper(V)", "V/City", "trim(V/City)", "Box/Made",
            "V sub V", "V divby 3", "date(V)", "isof(V,Edm.Double)", "Nothing",
        ]
        var asked = 0
        for operand in operands {
            for other in ["V", "V add 0.5", "Size", "'b'"] {
                let types = [operand, other].contains { $0.hasPrefix("V") || $0.contains("(V") }
                guard types, let query = try? open.query("$filter=\(operand) \(symbol) \(other)"),
                    let filter = query.filter
                else { continue }
                let expected = try all.filter { try evaluator.holds(filter, for: $0) }
                let found = try open.ids("$filter=\(operand) \(symbol) \(other)&$orderby=Id")
                #expect(found == expected.compactMap(OpenStore.id), "\(operand) \(symbol) \(other)")
                asked += 1
            }
        }
        #expect(asked > 90)
    }

    @Test func valuesOfAllKindsHaveOneOrder() throws {
        let open = try OpenStore()
        let ascending: [Int64] = [
            7, 8, 9, 10, 20, 24, 4, 25, 18, 19, 1, 2, 11, 17, 15, 23, 16, 6, 3, 13, 5, 22, 12, 14,
            21,
        ]
        // Of a double the exact value counts, which for 0.1 is a little more.
        let order = try open.ids("$orderby=V")
        #expect(order == ascending)
        let all = try open.values("$orderby=Id")
        let list = ListEvaluator(ExpressionEvaluator(graph: open.graph))
        let others: Set<Int64> = [10, 21]
        for options in ["$orderby=V,Id", "$orderby=V desc,Id", "$orderby=V add 1 desc,Id desc"] {
            // In memory, members of enumerations are numbers, and objects of no known type are texts.
            let expected = try list.apply(open.query(options), to: all).compactMap(OpenStore.id)
            let found = try open.ids(options)
            #expect(
                found.filter { !others.contains($0) } == expected.filter { !others.contains($0) },
                "\(options)")
        }
    }

    @Test func selectGivesThemWhereTheyAre() throws {
        let open = try OpenStore([
            #"{"Id":1,"Name":"a","V":5,"W":"x"}"#, #"{"Id":2,"Name":"b","W":"y"}"#,
        ])
        let rows = try open.values("$select=V&$orderby=Id")
        #expect(rows.map { $0.dynamicValues.keys.sorted() } == [["V"], []])
        let name = try #require(open.graph[rows[0].type].slot(named: "Name"))
        #expect(rows.allSatisfy { $0.slots[name] == nil })
        #expect(try open.texts("W", "$select=Name,W&$orderby=Id") == ["x", "y"])
        #expect(try open.values("$select=Name").allSatisfy { $0.dynamicValues.isEmpty })
        #expect(try open.values("").allSatisfy { $0.dynamicValues["W"] != nil })
        let parts = try OpenStore([
            #"{"Id":1,"V":5}"#, #"{"Id":2,"V":6,"W":7,"ParentId":1}"#,
        ]).values("$filter=Id eq 2&$expand=Parent($select=V)&$select=W")
        let slot = try #require(open.graph[parts[0].type].slot(named: "Parent"))
        #expect(parts[0].dynamicValues.keys.sorted() == ["W"])
        #expect(parts[0].slots[slot]?.structure?.dynamicValues["V"] == .scalar(.integer(5)))
    }

    @Test func computedValuesAreMadeOfThem() throws {
        let open = try OpenStore()
        let sums = try open.texts(
            "X", "$compute=V add 1 as X&$filter=X gt 5&$orderby=Id&$select=X")
        #expect(sums == ["6", "6.0", "101", "INF", "9007199254740994"])
        let values = try open.texts(
            "X", "$compute=V as X&$filter=Id in (3,5,9,20,21)&$orderby=Id")
        #expect(values == ["5", "2031-01-01", "2 members", "structure", "5"])
        let lengths = try open.texts("L", "$compute=length(V) as L&$filter=Id lt 4&$orderby=Id")
        #expect(lengths == ["null", "null", "1"])
    }

    @Test func groupsAreMadeOfThem() throws {
        let open = try OpenStore()
        let groups = try open.values(
            "$apply=filter(Id le 8)/groupby((V),aggregate($count as N))&$orderby=V")
        let counts = groups.map { $0.dynamicValues["N"] }
        #expect(counts == [2, 1, 2, 1, 1, 1].map { .scalar(.integer($0)) })
        // Values without an order are told apart, too.
        let unordered = try open.texts(
            "N", "$apply=filter(Id in (7,8,9,10,20))/groupby((V),aggregate($count as N))")
        #expect(unordered.sorted() == ["1", "1", "1", "2"])
        let distinct = try open.texts("N", "$apply=aggregate(V with countdistinct as N)")
        #expect(distinct == ["22"])
        let sum = try open.texts("N", "$apply=aggregate(cast(V,Edm.Int32) with sum as N)")
        #expect(sum == ["108"])
    }

    @Test(arguments: [
        "$filter=V/any(x:x eq 1)", "$filter=V/$count eq 2", "$apply=aggregate(V with sum as S)",
        "$apply=aggregate(V with max as S)", "$filter=V has Shop.Grade'Gold'",
        "$filter=V/Shop.Address/City eq 'Rome'", "$apply=concat(filter(Id eq 1),filter(Id eq 2))",
    ])
    func whatStoresDoNotAnswerIsRefusedAsSuch(_ options: String) throws {
        let open = try OpenStore()
        #expect {
            _ = try open.values(options)
        } throws: { ($0 as? ODataError)?.code == .notImplemented }
    }

    @Test func nothingIsBehindADeclaredValue() throws {
        let open = try OpenStore()
        #expect {
            _ = try open.values("$filter=Id/x eq 1")
        } throws: { ($0 as? ODataError)?.code == .invalidQuery }
    }

    @Test func pagesGoOnInTheirOrder() throws {
        let open = try OpenStore()
        let all = try open.ids("$orderby=V desc")
        #expect(try open.ids("$orderby=V desc&$skip=5&$top=7") == Array(all[5..<12]))
        #expect(all.count == 25)
    }

    // MARK: Storage

    @Test func aTypeStandsBesideTheValueAndGoesWithIt() throws {
        let open = try OpenStore([
            ##"{"Id":1,"V@odata.type":"#Date","V":"2031-01-01","W@odata.type":"#Decimal","W":1.50}"##
        ])
        #expect(try open.ids("$filter=V eq 2031-01-01 and W eq 1.5") == [1])
        try open.download([#"{"Id":1,"W":2}"#])
        #expect(try open.ids("$filter=V eq 2031-01-01 and W eq 2") == [1])
        try open.download([#"{"Id":1,"V":"2031-01-01"}"#])
        #expect(try open.ids("$filter=V eq '2031-01-01'") == [1])
        #expect(try open.values("").first?.dynamicValues["V"] == .text("2031-01-01"))
        #expect(try open.values("").first?.dynamicValues.count == 2)
    }

    @Test func whatAnAppWritesKeepsItsType() throws {
        let open = try OpenStore([])
        let id = try #require(open.graph.structure(named: "Shop.Thing"))
        var value = StructureValue(type: id, in: open.graph)
        value.slots[0] = .number(1)
        let day = try #require(CalendarDate("2031-01-01"))
        let address = try #require(open.graph.structure(named: "Shop.Address"))
        var place = StructureValue(type: address, in: open.graph)
        place.slots[0] = .text("Rome")
        value.dynamicValues = [
            "D": .scalar(.date(day)), "R": .scalar(.double(1.5)), "T": .text("2031-01-01"),
            "N": .number(7), "P": .structure(place), "L": .list([.number(1), .number(2)]),
            "X": .scalar(.decimal(DecimalNumber("2.50") ?? DecimalNumber(0))),
        ]
        try open.store.perform(.create(table: "Things", value: value, binds: []))
        let found = try #require(try open.values("").first)
        #expect(found.dynamicValues == value.dynamicValues)
        #expect(try open.ids("$filter=D eq 2031-01-01 and T eq '2031-01-01'") == [1])
        #expect(try open.ids("$filter=isof(R,Edm.Double) and isof(X,Edm.Decimal)") == [1])
        #expect(try open.ids("$filter=P/City eq 'Rome' and length(L) eq 2") == [1])
    }
}
