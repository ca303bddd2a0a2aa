import Foundation
import ODataModel
import ODataText

/// Makes rows: each value as JSON text for the store, and as what that text says for the oracle.
enum OracleCells {
    static let texts = [
        "", "a", "A", "ab", "ä", "Ä", "ß", "𝒳y", "e\u{301}", "é", "50%", "a_b", "it's", " pad ",
        "zz", "\u{3000}x\u{2009}", "Abcdef", "aab", "ﬀ", "A\u{10FFFF}", "7", "-12", "1.5", "NaN",
        "2031-01-01", "12:30:00", "\"q\\", "aXaXa",
    ]
    static let notes = ["red", "green", "blue", "Red", "light", "table", "lamp"]
    static let decimals = [
        "-1.5", "0", "0.01", "1", "1.50", "1.5", "2.25", "100", "-0.001", "0.1", "0.3",
        "123456789012345678901234567890.123", "-99999999999999999999", "0.000000000000000000001",
        "9223372036854775808", "7", "-0.5", "2.5",
    ]
    static let money = ["-1.50", "0.00", "0.01", "1.00", "1.50", "2.25", "100.00", "9999999999.99"]
    static let amounts = ["0.001", "12.500", "-3.250", "1000.000", "0.000", "0.002", "7.125"]
    static let doubles: [Double] = [
        0, 0.1, 0.5, -0.5, 1.5, 2.5, -2.5, 1, 100, 1e300, 1e-300, 0.30000000000000004,
        .infinity, -.infinity, .nan, 9007199254740992,
    ]
    static let longs: [Int64] = [
        0, 1, -1, 5, 7, -7, 100, 1 << 40, .max, .min, 9007199254740993, -9007199254740993,
    ]
    static let dates = ["2030-12-31", "2031-01-01", "2031-06-15", "2032-02-29", "1969-12-31"]
    static let instants = [
        "2031-01-01T00:00:00Z", "2031-01-01T00:30:00+02:00", "2030-06-01T12:00:00.5-05:00",
        "2030-12-31T22:30:00Z", "2032-02-29T23:59:59.999999Z", "1969-12-31T23:59:59.25+00:30",
        "2031-01-01T13:59:59.999999999999+14:00", "2030-12-31T12:00:00-12:00",
    ]
    static let times = ["00:00:00", "12:30:00", "23:59:59.999", "06:00:00.5"]
    static let durations = ["PT0S", "P1D", "PT36H", "-PT1.5S", "PT0.001S", "P2DT3H4M5S"]
    static let guids = [
        "00000000-0000-0000-0000-000000000000", "01234567-89ab-cdef-0123-456789abcdef",
        "ffffffff-89ab-cdef-0123-456789abcdef",
    ]

    // MARK: Cells

    typealias Cell = (json: String, value: OracleValue)

    static let null: Cell = ("null", .null)

    static func cell(_ value: OracleValue) -> Cell {
        switch value {
        case .text(let text): (quoted(text), value)
        case .real(let number) where number.isFinite: ("\(number)", value)
        case .null, .truth, .whole, .decimal: (OracleLexical.text(value), value)
        case .bytes:
            (
                quoted(
                    OracleLexical.text(value).replacing("+", with: "-").replacing("/", with: "_")),
                value
            )
        case .flags(let bits):
            (
                quoted(
                    bits == 0
                        ? "None"
                        : ["Bronze", "Silver", "Gold"]
                            .filter { bits & (OracleData.grades[$0] ?? 0) != 0 }
                            .joined(separator: ",")), value
            )
        default: (quoted(OracleLexical.text(value)), value)
        }
    }

    private static func quoted(_ text: String) -> String {
        "\""
            + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            + "\""
    }

    /// A literal as it stands in the payload.
    private static func literal(_ text: String, _ value: OracleValue?) -> Cell {
        value.map { (quoted(text), $0) } ?? null
    }

    private static func decimal(_ text: String) -> Cell {
        OracleLexical.decimal(text).map { (text, .decimal($0)) } ?? null
    }

    private static func list(_ cells: [Cell]) -> Cell {
        ("[\(cells.map(\.json).joined(separator: ","))]", .list(cells.map(\.value)))
    }

    private static func record(_ members: [(String, Cell)]) -> Cell {
        (
            "{\(members.map { "\"\($0.0)\":\($0.1.json)" }.joined(separator: ","))}",
            .record(Dictionary(uniqueKeysWithValues: members.map { ($0.0, $0.1.value) }))
        )
    }

    private static func maybe(_ cell: Cell, _ random: inout SeededGenerator) -> Cell {
        random.chance(20) ? null : cell
    }

    private static func number(_ value: Int) -> Cell { cell(.whole(Int64(value))) }

    private static func text(_ random: inout SeededGenerator) -> Cell {
        cell(.text(random.pick(texts)))
    }

    private static func instant(_ random: inout SeededGenerator) -> Cell {
        let text = random.pick(instants)
        return literal(text, OracleLexical.instant(text))
    }

    // MARK: Rows

    private static func row(
        _ type: String, _ key: [Int64], _ members: [(String, Cell)]
    ) -> (row: OracleRow, json: String) {
        let kind = type == "Vip" ? "\"@odata.type\":\"#Shop.Vip\"," : ""
        let text = members.map { "\"\($0.0)\":\($0.1.json)" }.joined(separator: ",")
        let values = Dictionary(uniqueKeysWithValues: members.map { ($0.0, $0.1.value) })
        return (OracleRow(type: type, key: key, values: values), "{\(kind)\(text)}")
    }

    private static func address(_ random: inout SeededGenerator) -> Cell {
        let place = record([
            ("Latitude", cell(.real(Double(random.below(90))))),
            ("Longitude", cell(.real(Double(random.below(180))))),
        ])
        return record([
            ("City", maybe(text(&random), &random)),
            ("Zip", maybe(number(random.below(5)), &random)), ("Place", place),
        ])
    }

    static func customer(
        _ id: Int64, _ random: inout SeededGenerator
    ) -> (row: OracleRow, json: String) {
        let isVip = random.chance(25)
        let (date, time, wait) = (random.pick(dates), random.pick(times), random.pick(durations))
        var members: [(String, Cell)] = [
            ("Id", cell(.whole(id))), ("Name", maybe(text(&random), &random)),
            ("Big", maybe(cell(.whole(random.pick(longs))), &random)),
            ("Small", maybe(number(random.below(7) - 3), &random)),
            ("Tiny", maybe(number(random.pick([-128, -1, 0, 1, 127])), &random)),
            ("Balance", maybe(decimal(random.pick(money)), &random)),
            ("Exact", maybe(decimal(random.pick(decimals)), &random)),
            ("Score", maybe(cell(.real(random.pick(doubles))), &random)),
            ("Ratio", maybe(cell(.real(Double(random.below(9)) / 4)), &random)),
            ("Since", maybe(literal(date, OracleLexical.day(date).map(OracleValue.day)), &random)),
            ("Changed", maybe(instant(&random), &random)),
            (
                "Wakes",
                maybe(literal(time, OracleLexical.clock(time).map(OracleValue.clock)), &random)
            ),
            ("Wait", maybe(literal(wait, OracleLexical.span(wait).map(OracleValue.span)), &random)),
            ("Token", maybe(cell(.guid(random.pick(guids))), &random)),
            ("Active", maybe(cell(.truth(random.chance(50))), &random)),
            ("Grade", maybe(cell(.flags(Int64(random.below(8)))), &random)),
            (
                "Photo",
                maybe(cell(.bytes(Array([1, 2, 255].prefix(random.below(4))))), &random)
            ),
            ("ManagerId", maybe(number(random.below(18) + 1), &random)),
            ("Address", random.chance(25) ? null : address(&random)),
        ]
        members.append(
            (
                "Tags",
                list(
                    (0..<random.below(4)).map { _ in
                        cell(.text(random.pick(["a", "b", "ä", "ab"])))
                    })
            ))
        members.append(
            (
                "Marks",
                list((0..<random.below(4)).map { _ in maybe(number(random.below(6)), &random) })
            ))
        members.append(("Places", list((0..<random.below(3)).map { _ in address(&random) })))
        if isVip { members.append(("Level", maybe(number(random.below(4)), &random))) }
        return row(isVip ? "Vip" : "Customer", [id], members)
    }

    static func order(
        _ id: Int64, _ random: inout SeededGenerator
    ) -> (row: OracleRow, json: String) {
        let words = (0..<random.below(4)).map { _ in random.pick(notes) }
        return row(
            "Order", [id],
            [
                ("Id", cell(.whole(id))),
                ("CustomerId", maybe(number(random.below(20) + 1), &random)),
                ("Amount", maybe(decimal(random.pick(amounts)), &random)),
                ("Placed", maybe(instant(&random), &random)),
                ("Title", maybe(text(&random), &random)),
                (
                    "Note",
                    maybe(cell(.text(words.joined(separator: random.pick([" ", ", "])))), &random)
                ),
            ])
    }

    static func item(
        _ order: Int64, _ line: Int64, _ random: inout SeededGenerator
    ) -> (row: OracleRow, json: String) {
        row(
            "Item", [order, line],
            [
                ("OrderId", cell(.whole(order))), ("Line", cell(.whole(line))),
                ("Product", maybe(text(&random), &random)),
                ("Quantity", maybe(number(random.below(9) - 2), &random)),
            ])
    }
}
