import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Testing
import ShopFixture

/// The same question as a URL, as hand-written SQL on the file, and as rows.
@Suite struct TripleViewTests {
    static func filled() throws -> ShopDatabase {
        let shop = try ShopDatabase()
        let names = ["Ann", "ann", "Ünal", "50% off", "a_b", "", nil]
        for (index, name) in names.enumerated() {
            let id = Int64(index + 1)
            try shop.insert(
                "Customers",
                shop.value(
                    "Customer",
                    [
                        "Id": .int(id), "Name": name.map { .text($0) } ?? .null,
                        "Balance": .decimal("\(index).5"), "Exact": .decimal("\(10 - index).50"),
                        "Active": .scalar(.boolean(index.isMultiple(of: 2))),
                        "Score": .scalar(
                            index == 0 ? .double(-.infinity) : .double(Double(index))),
                        "Changed": .instant("2031-05-0\(index + 1)T00:30:00+02:00"),
                        "Grade": .int(Int64(index)),
                        "Tags": .list([.text("t\(index)"), .text("all")]),
                    ]))
        }
        for id in 1...12 as ClosedRange<Int64> {
            let order = try shop.insert(
                "Orders",
                shop.value(
                    "Order",
                    [
                        "Id": .int(id), "CustomerId": id == 12 ? .null : .int(id % 3 + 1),
                        "Amount": .decimal("\(id).125"),
                    ]), state: id == 11 ? .deleted : id == 10 ? [.updated, .pending] : [])
            for line in 1...(id % 3 + 1) {
                try shop.insert(
                    "Orders/Items",
                    shop.value("Item", ["Line": .int(line), "Product": .text("p\(line)")]),
                    parent: order)
            }
            if id <= 2 {
                let label = try shop.insert(
                    "Labels", shop.value("Label", ["Code": .text("L\(id)")]))
                try shop.pool.write {
                    try $0.execute(
                        sql: #"INSERT INTO "_odata_link_Orders_Labels" VALUES (?, ?)"#,
                        arguments: [order, label])
                }
            }
        }
        return shop
    }

    @Test(arguments: [
        ("Customers?$filter=Name eq 'Ann'", "Name = 'Ann'"),
        ("Customers?$filter=Name ne 'Ann'", "Name <> 'Ann'"),
        ("Customers?$filter=not (Name eq 'Ann')", "NOT (Name = 'Ann')"),
        ("Customers?$filter=Name eq null", "Name IS NULL"),
        ("Customers?$filter=contains(Name,'%25')", "instr(Name, '%') > 0"),
        ("Customers?$filter=startswith(Name,'a')", "substr(Name, 1, 1) = 'a'"),
        ("Customers?$filter=startswith(Name,'')", "Name IS NOT NULL"),
        ("Customers?$filter=endswith(Name,'')", "Name IS NOT NULL"),
        ("Customers?$filter=tolower(Name) eq '%C3%BCnal'", "Id = 3"),
        ("Customers?$filter=length(Name) eq 4", "Id = 3"),
        ("Customers?$filter=Balance gt 2.49", "Balance > 249"),
        ("Customers?$filter=Balance in (0.5,1.5,9)", "Balance IN (50, 150)"),
        ("Customers?$filter=Exact lt 7.5", "CAST(Exact AS REAL) < 7.5"),
        ("Customers?$filter=Score lt 2", "Id <= 2"),
        ("Customers?$filter=Score gt 2", "Id > 3"),
        ("Customers?$filter=Grade has Shop.Grade'Silver'", "Grade & 2"),
        ("Customers?$filter=year(Changed) eq 2031 and day(Changed) eq 2", "Id = 2"),
        ("Customers?$filter=hour(Changed) eq 0", "1"),
        ("Customers?$filter=Changed lt 2031-05-01T22:31:00Z", "Id <= 2"),
        ("Customers?$filter=Tags/any(t:t eq 't3')", "Id = 4"),
        ("Customers?$filter=Orders/any()", "Id <= 3"),
        ("Customers?$filter=Orders/$count eq 3", "Id IN (1, 3)"),
        ("Customers?$filter=matchesPattern(Name,'%5Ea.')", "Id IN (2, 5)"),
        ("Customers?$filter=Balance mul 2 eq Id add 2", "Id = 3"),
        ("Customers?$filter=round(Balance) eq 3", "Id = 3"),
        ("Customers?$filter=(Id gt 3) eq Active", "(Id > 3) = Active"),
        ("Customers?$filter=(Id eq 2) ne (Grade lt 4)", "(Id = 2) <> (Grade < 4)"),
        ("Customers?$compute=Id gt 3 as Late&$filter=Late eq (Id lt 6)", "(Id > 3) = (Id < 6)"),
        ("Customers?$filter=Address eq null", "1"),
        ("Customers?$filter=2 in (2,null)", "1"),
        ("Customers?$filter=ceiling(Id) div 2 eq 1.5", "Id = 3"),
        ("Customers?$filter=Score div 0.0 gt 1", "Id > 1"),
        ("Customers?$filter=cast(Score mul 1e300,Edm.Single) eq null", "Id > 1"),
    ])
    func customers(_ url: String, _ condition: String) throws {
        let shop = try Self.filled()
        let expected = try shop.pool.read {
            try Int64.fetchAll(
                $0, sql: "SELECT Id FROM Customers WHERE \(condition) ORDER BY Id")
        }
        #expect(!expected.isEmpty)
        #expect(try shop.ids(url.replacing(" ", with: "%20") + "&$orderby=Id") == expected)
    }

    @Test(arguments: [
        ("Orders?$filter=Customer/Name eq 'Ann'", [3, 6, 9]),
        ("Orders?$filter=Customer eq null", [12]),
        ("Orders?$filter=Items/all(i:i/Line lt 3)", [1, 3, 4, 6, 7, 9, 10, 12]),
        ("Orders?$filter=Labels/any(l:l/Code eq 'L2')", [2]),
        ("Orders?$filter=sap.islocal()", [10]),
        ("Orders?$filter=sap.haspendingchanges()", [10]),
        ("Orders?$filter=not sap.entityexists(Customer)", [12]),
        ("Customers(1)/Orders?$filter=Amount gt 5", [6, 9]),
        ("Orders(2)/Items", [1, 2, 3]),
        ("Orders(2)/Customer/Orders", [2, 5, 8]),
    ])
    func related(_ url: String, _ expected: [Int64]) throws {
        let shop = try Self.filled()
        let text = url.replacing(" ", with: "%20")
        let order = url.contains("Items") && !url.contains("all") ? "Line" : "Id"
        let separator = url.contains("?") ? "&" : "?"
        #expect(try shop.ids("\(text)\(separator)$orderby=\(order)") == expected)
    }

    @Test func nullsSortFirstAndInfinityInItsPlace() throws {
        let shop = try Self.filled()
        #expect(try shop.ids("Customers?$orderby=Name&$top=3") == [7, 6, 4])
        #expect(try shop.ids("Customers?$orderby=Name%20desc").last == 7)
        #expect(try shop.ids("Customers?$orderby=Score&$top=2") == [1, 2])
        #expect(try shop.ids("Customers?$orderby=Score%20desc&$top=1") == [7])
        #expect(try shop.ids("Customers?$orderby=Exact&$top=2") == [7, 6])
    }

    @Test func pagesDoNotOverlapAndCountIgnoresThem() throws {
        let shop = try Self.filled()
        let first = try shop.ids("Orders?$orderby=CustomerId&$top=5")
        let second = try shop.ids("Orders?$orderby=CustomerId&$top=50&$skip=5")
        #expect(Set(first).isDisjoint(with: second))
        #expect(first.count + second.count == 11)
        #expect(try shop.run("Orders?$count=true&$top=2").count == 11)
        #expect(try shop.run("Orders/$count?$filter=Id%20gt%205").count == 6)
    }

    @Test func aPropertyOfAnEntityIsItsValue() throws {
        let shop = try Self.filled()
        #expect(try shop.run("Customers(3)/Name").propertyValue == .text("Ünal"))
        #expect(try shop.run("Customers(7)/Name").propertyValue == .null)
        #expect(try shop.run("Customers(99)/Name").propertyValue == nil)
    }

    @Test func unselectedPropertiesAreNotSet() throws {
        let shop = try Self.filled()
        let row = try #require(try shop.run("Customers(1)?$select=Name").first)
        #expect(row.isSet(slot: 1))
        #expect(!row.isSet(slot: 2))
        #expect(row.value(slot: 2) == nil)
    }
}
