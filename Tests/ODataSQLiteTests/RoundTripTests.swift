import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataText
import Testing
import ShopFixture

@Suite struct RoundTripTests {
    /// Values at the edges of each type.
    private static let edges: [(String, [Scalar])] = [
        ("Name", [.string(""), .string("O'Brien \u{1F600}"), .string("\u{E4}\u{0301}%_\\")]),
        (
            "Balance",
            ["-9999999999.99", "0.00", "12.50"].compactMap { DecimalNumber($0) }.map {
                .decimal($0)
            }
        ),
        (
            "Exact",
            ["12.5", "12.50", "-0.000000000000000000000001", "123456789012345678901234567890.5"]
                .compactMap { DecimalNumber($0) }.map { .decimal($0) }
        ),
        (
            "Score",
            [
                .double(0.1), .double(-1e300), .double(.leastNonzeroMagnitude), .double(.infinity),
                .double(-.infinity), .double(3),
            ]
        ),
        ("Since", ["0001-01-01", "2024-02-29"].compactMap { CalendarDate($0) }.map { .date($0) }),
        (
            "Changed",
            [
                "2031-05-01T10:30:00+02:00", "2031-05-01T08:30:00.123456789012Z",
                "1969-12-31T23:59:59.5-11:30",
            ].compactMap { OffsetDateTime($0) }.map { .dateTimeOffset($0) }
        ),
        (
            "Wakes",
            ["00:00:00", "23:59:59.999999999999"].compactMap { ClockTime($0) }.map {
                .timeOfDay($0)
            }
        ),
        (
            "Wait",
            ["PT0S", "-P1DT2H3M4.5S", "P36500D"].compactMap { EdmDuration($0) }.map {
                .duration($0)
            }
        ),
        (
            "Token",
            [
                Guid("00000000-0000-0000-0000-000000000000"),
                Guid("FFFFFFFF-1234-5678-9abc-def012345678"),
            ]
            .compactMap { $0 }.map { .guid($0) }
        ),
        ("Active", [.boolean(true), .boolean(false)]),
        ("Grade", [.integer(0), .integer(5)]),
        ("Photo", [.binary([]), .binary([0, 255, 1])]),
    ]

    @Test func everyTypeComesBackAsItWentIn() throws {
        let shop = try ShopDatabase()
        var id: Int64 = 0
        var written: [(slot: Int, scalar: Scalar)] = []
        let type = try #require(shop.graph.structure(named: "Shop.Customer"))
        for (name, scalars) in Self.edges {
            #expect(!scalars.isEmpty)
            for scalar in scalars {
                id += 1
                let value = try shop.value("Customer", ["Id": .int(id), name: .scalar(scalar)])
                try shop.insert("Customers", value)
                written.append((try #require(shop.graph[type].slot(named: name)), scalar))
            }
        }
        let read = try shop.run("Customers?$orderby=Id").values
        #expect(read.count == written.count)
        for (value, wrote) in zip(read, written) {
            let scalar = try #require(value.slots[wrote.slot]?.scalar)
            #expect(scalar == wrote.scalar)
            // Equal numbers may print differently: text must come back too.
            #expect(Lexical.text(scalar) == Lexical.text(wrote.scalar))
        }
    }

    @Test func nanIsKept() throws {
        let shop = try ShopDatabase()
        try shop.insert(
            "Customers", shop.value("Customer", ["Id": .int(1), "Score": .scalar(.double(.nan))]))
        guard case .double(let value)? = try shop.run("Customers").first?.value(slot: 4)?.scalar
        else {
            Issue.record("expected a double")
            return
        }
        #expect(value.isNaN)
    }

    @Test func complexValuesCollectionsAndDerivedTypesComeBack() throws {
        let shop = try ShopDatabase()
        let place = try shop.value(
            "Place", ["Latitude": .scalar(.double(49)), "Longitude": .scalar(.double(8.5))])
        let address = try shop.value(
            "Address",
            ["City": .text("Ulm"), "city": .text("ulm"), "Place": .structure(place)])
        try shop.insert(
            "Customers",
            shop.value(
                "Vip",
                [
                    "Id": .int(1), "Level": .int(3), "Address": .structure(address),
                    "Tags": .list([.text("a\"b"), .text("\u{E4}")]),
                ]), etag: "W/\"1\"")
        try shop.insert(
            "Customers", shop.value("Customer", ["Id": .int(2), "Address": .null]))
        let page = try shop.run("Customers?$orderby=Id")
        let first = page.values[0]
        #expect(shop.graph[first.type].name == "Vip")
        #expect(first.slots[13]?.structure?.slots[0] == .text("Ulm"))
        #expect(first.slots[13]?.structure?.slots[1] == .text("ulm"))
        #expect(first.slots[13]?.structure?.slots[2] == .structure(place))
        #expect(first.slots[14] == .list([.text("a\"b"), .text("\u{E4}")]))
        #expect(first.slots[16] == .int(3))
        #expect(first.control.etag == "W/\"1\"")
        #expect(page.values[1].slots[13] == .null)
        #expect(shop.graph[page.values[1].type].name == "Customer")
    }

    @Test func aValueBeyondItsFacetsIsRefusedNotRounded() throws {
        let shop = try ShopDatabase()
        let value = try shop.value("Customer", ["Id": .int(1), "Balance": .decimal("1.005")])
        let error = #expect(throws: ODataError.self) { try shop.insert("Customers", value) }
        #expect(error?.code == .valueBeyondColumn)
        #expect(error?.location == .path("Balance"))
    }

    @Test func stockToolsReadAndOrderEveryColumn() throws {
        let shop = try ShopDatabase()
        for (id, text) in ["-5", "12.50", "12.5", "100", "0.001"].enumerated() {
            try shop.insert(
                "Customers",
                shop.value(
                    "Customer",
                    [
                        "Id": .int(Int64(id)), "Exact": .decimal(text),
                        "Balance": .decimal("-0.05"),
                        "Changed": .instant("2031-05-01T10:30:00+02:00"),
                    ]))
        }
        // No function of ours is known to this connection.
        let stock = try DatabaseQueue(path: shop.path)
        try stock.read { database in
            let ordered = try String.fetchAll(
                database, sql: #"SELECT Exact FROM Customers ORDER BY "Exact#order", Id"#)
            #expect(ordered == ["-5", "0.001", "12.50", "12.5", "100"])
            let row = try #require(
                try Row.fetchOne(
                    database, sql: #"SELECT Balance, Changed FROM _odata_view_Customers LIMIT 1"#))
            #expect(row["Balance"] as String == "-0.05")
            #expect(row["Changed"] as String == "2031-05-01T08:30:00Z")
            let offset = try Int.fetchOne(
                database, sql: #"SELECT "Changed#offset" FROM Customers"#)
            #expect(offset == 120)
            let check = try String.fetchOne(database, sql: "PRAGMA integrity_check")
            #expect(check == "ok")
        }
        try stock.close()
    }
}
