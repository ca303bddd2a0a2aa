import ODataModel
import ODataSQL
import ODataText

extension ShopPair {
    /// Customers, orders, items and labels with what is easily got wrong: nulls, texts beyond ASCII, zeros behind the
    /// point, offsets, infinities.
    static func filled() throws -> ShopPair {
        let shop = try ShopPair()
        for (position, cells) in customers.enumerated() {
            var cells = cells
            cells["Id"] = .scalar(.integer(Int64(position + 1)))
            let type = cells["Level"] == nil ? "Customer" : "Vip"
            if case .list(let parts)? = cells["Address"] {
                cells["Address"] = try shop.address(parts)
            }
            try shop.insert("Customers", shop.value(type, cells))
        }
        try shop.insert(
            "Customers", shop.value("Customer", ["Id": .scalar(.integer(99))]), state: .deleted)
        let amounts = ["12.500", "0.001", "-7.250", "1000.000", "12.500", "3.333", nil, "99.999"]
        for (position, amount) in amounts.enumerated() {
            let id = Int64(position + 1)
            try shop.insert(
                "Orders",
                shop.value(
                    "Order",
                    [
                        "Id": .scalar(.integer(id)), "CustomerId": .scalar(.integer(id % 4 + 1)),
                        "Amount": amount.map { decimal($0) } ?? .null,
                        "Placed": position == 5
                            ? .null
                            : instant("2026-0\(id % 3 + 1)-1\(position)T2\(id % 4):30:00.5+02:00"),
                    ]))
            for line in 1...(id % 3 + 1) {
                try shop.insert(
                    "Orders/Items",
                    shop.value(
                        "Item",
                        [
                            "Line": .scalar(.integer(line)),
                            "Product": .scalar(.string("p\(line * id % 5)")),
                            "Quantity": line == 3 ? .null : .scalar(.integer(line * id)),
                        ]), parent: id)
            }
        }
        for (position, code) in ["red", "gr\u{FC}n", "\u{1F600}"].enumerated() {
            let id = try shop.insert(
                "Labels", shop.value("Label", ["Code": .scalar(.string(code))]))
            for order in stride(from: Int64(position + 1), through: 8, by: position + 2) {
                try shop.link(shop.labels.name, order, id)
            }
        }
        return shop
    }

    private var labels: LinkTableMapping {
        let tables = mapping(.sqlite).linkTables
        return tables.first { $0.name.hasSuffix("Labels") } ?? tables[0]
    }

    private func address(_ parts: [ODataValue]) throws -> ODataValue {
        let place = try value("Place", ["Latitude": parts[2], "Longitude": parts[3]])
        return .structure(
            try value(
                "Address", ["City": parts[0], "city": parts[1], "Place": .structure(place)]))
    }

    static func decimal(_ text: String) -> ODataValue {
        DecimalNumber(text).map { .scalar(.decimal($0)) } ?? .null
    }

    static func instant(_ text: String) -> ODataValue {
        OffsetDateTime(text).map { .scalar(.dateTimeOffset($0)) } ?? .null
    }

    private static func scalar(_ text: String, _ type: PrimitiveType) -> ODataValue {
        Lexical.scalar(text, as: type).map { .scalar($0) } ?? .null
    }

    private static func customer(
        _ name: String?, balance: String?, exact: String?, score: Double?, since: String?,
        changed: String?, wakes: String?, wait: String?, token: String?, isActive: Bool?,
        grade: Int64?, tags: [String]?
    ) -> [String: ODataValue] {
        [
            "Name": name.map { .scalar(.string($0)) } ?? .null,
            "Balance": balance.map { decimal($0) } ?? .null,
            "Exact": exact.map { decimal($0) } ?? .null,
            "Score": score.map { .scalar(.double($0)) } ?? .null,
            "Since": since.map { scalar($0, .date) } ?? .null,
            "Changed": changed.map { instant($0) } ?? .null,
            "Wakes": wakes.map { scalar($0, .timeOfDay) } ?? .null,
            "Wait": wait.map { scalar($0, .duration) } ?? .null,
            "Token": token.map { scalar($0, .guid) } ?? .null,
            "Active": isActive.map { .scalar(.boolean($0)) } ?? .null,
            "Grade": grade.map { .scalar(.integer($0)) } ?? .null,
            "Tags": tags.map { .list($0.map { .scalar(.string($0)) }) } ?? .null,
            "Photo": grade.map { .scalar(.binary([0, UInt8($0), 255])) } ?? .null,
        ]
    }

    private static var customers: [[String: ODataValue]] {
        var all = [
            customer(
                "Zo\u{EB}", balance: "12.50", exact: "12.50", score: 1.5, since: "2020-02-29",
                changed: "2026-01-01T00:30:00.123+02:00", wakes: "06:30:00", wait: "PT36H",
                token: "0aa00000-0000-0000-0000-0000000000ff", isActive: true, grade: 1,
                tags: ["a", "B", "\u{E4}"]),
            customer(
                "anna", balance: "-0.05", exact: "12.5", score: .nan, since: "1969-12-31",
                changed: "2025-12-31T22:30:00.123Z", wakes: "23:59:59.999", wait: "-PT0.5S",
                token: "ffffffff-0000-0000-0000-000000000001", isActive: false, grade: 5,
                tags: []),
            customer(
                "\u{1F600}\u{FF21} Stra\u{DF}e", balance: "1000.00",
                exact: "-0.000000000000000000001",
                score: .infinity, since: "0001-01-01", changed: "0001-01-01T00:00:00Z",
                wakes: "00:00:00", wait: "P1DT1H1M1.5S", token: nil, isActive: nil, grade: 0,
                tags: ["a\"b\\c", ""]),
            customer(
                "Anna", balance: nil, exact: nil, score: nil, since: nil, changed: nil, wakes: nil,
                wait: nil, token: nil, isActive: true, grade: nil, tags: nil),
            customer(
                "\u{3A3}\u{391}\u{3A3} o'Neil", balance: "0.00",
                exact: "123456789012345678901234567890.5",
                score: -.infinity, since: "9999-12-31",
                changed: "9999-12-31T23:59:59.999999999999Z", wakes: "12:00:00.000000000001",
                wait: "PT0S", token: "00000000-0000-0000-0000-000000000000", isActive: false,
                grade: 7, tags: ["gr\u{FC}n"]),
            customer(
                "  tab\t ", balance: "7.25", exact: "0", score: -0.25, since: "2020-02-28",
                changed: "2026-06-15T12:00:00-05:30", wakes: "06:30:00", wait: "PT1H",
                token: "0AA00000-0000-0000-0000-0000000000FF", isActive: true, grade: 2,
                tags: ["z"]),
        ]
        func text(_ text: String) -> ODataValue { .scalar(.string(text)) }
        all[0]["Address"] = .list([
            text("Ulm"), text("ulm"), .scalar(.double(49)), .scalar(.double(8.5)),
        ])
        all[2]["Address"] = .list([
            .null, text("\u{C9}vry"), .scalar(.double(-1e-7)), .scalar(.double(1e300)),
        ])
        all[5]["Level"] = .scalar(.integer(3))
        return all
    }
}
