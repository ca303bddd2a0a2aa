import Foundation
import ODataModel

/// A value as the oracle has it: its own type, read from text and compared by its own rules.
enum OracleValue: Sendable {
    case null
    case truth(Bool)
    case whole(Int64)
    /// Decimal arithmetic is shared; `DecimalNumberTests` hold it against vectors of Python's `decimal`.
    case decimal(DecimalNumber)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    /// Lower case.
    case guid(String)
    /// Days since 1970.
    case day(Int64)
    /// Picoseconds since midnight.
    case clock(Int64)
    /// Picoseconds since 1970 in UTC, and the offset in minutes that it is written with.
    case instant(Int128, offset: Int)
    /// Picoseconds.
    case span(Int128)
    case flags(Int64)
    case list([OracleValue])
    case record([String: OracleValue])
    case row(OracleRow)
    case shape(OracleShape)

    static let second: Int128 = 1_000_000_000_000
    static let dayLength: Int128 = 86_400 * second

    var isNull: Bool { if case .null = self { true } else { false } }

    /// The number as a decimal; nil for what is none.
    var exact: DecimalNumber? {
        switch self {
        case .whole(let value): DecimalNumber(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The number as a double; nil for what is none.
    var double: Double? {
        switch self {
        case .whole(let value): Double(value)
        case .decimal(let value): Double(value.description)
        case .real(let value): value
        default: nil
        }
    }

    var isReal: Bool { if case .real = self { true } else { false } }
}

/// How two values stand to each other.
enum OracleRelation: Sendable { case less, equal, greater, apart }

extension OracleValue {
    /// The relation that comparison operators ask for (URL Conventions 4.01, sections 5.1.1.1 and 5.1.1.17): a double
    /// makes the other number a double, NaN stands apart from everything, text goes by code points.
    static func relation(_ a: OracleValue, _ b: OracleValue) -> OracleRelation {
        switch (a, b) {
        case (.truth(let x), .truth(let y)): return of(x ? 1 : 0, y ? 1 : 0)
        case (.whole(let x), .whole(let y)): return of(x, y)
        case (.text(let x), .text(let y)), (.guid(let x), .guid(let y)): return texts(x, y)
        case (.bytes(let x), .bytes(let y)):
            return x == y ? .equal : x.lexicographicallyPrecedes(y) ? .less : .greater
        case (.day(let x), .day(let y)), (.clock(let x), .clock(let y)),
            (.flags(let x), .flags(let y)), (.flags(let x), .whole(let y)),
            (.whole(let x), .flags(let y)):
            return of(x, y)
        case (.instant(let x, _), .instant(let y, _)), (.span(let x), .span(let y)):
            return of(x, y)
        default: break
        }
        if !a.isReal, !b.isReal, let x = a.exact, let y = b.exact {
            return x == y ? .equal : x < y ? .less : .greater
        }
        guard let x = a.double, let y = b.double, !x.isNaN, !y.isNaN else { return .apart }
        return of(x, y)
    }

    private static func of<Item: Comparable>(_ a: Item, _ b: Item) -> OracleRelation {
        a < b ? .less : a == b ? .equal : .greater
    }

    private static func texts(_ a: String, _ b: String) -> OracleRelation {
        var (x, y) = (a.utf8.makeIterator(), b.utf8.makeIterator())
        while true {
            switch (x.next(), y.next()) {
            case (nil, nil): return .equal
            case (nil, _): return .less
            case (_, nil): return .greater
            case (let p?, let q?) where p != q: return p < q ? .less : .greater
            default: continue
            }
        }
    }

    /// The relation that `$orderby` asks for (section 5.1.5): null comes before all values, and NaN, of which the text
    /// says nothing, behind them.
    static func rank(_ a: OracleValue, _ b: OracleValue) -> OracleRelation {
        switch (a.isNull, b.isNull) {
        case (true, true): return .equal
        case (true, false): return .less
        case (false, true): return .greater
        default: break
        }
        let result = relation(a, b)
        guard result == .apart else { return result }
        let (x, y) = (a.double?.isNaN == true, b.double?.isNaN == true)
        return x == y ? .equal : x ? .greater : .less
    }

    /// True for the same value of the same kind; of computed values (`isLoose`) the kind of number and the offset do not
    /// matter.
    static func same(_ a: OracleValue, _ b: OracleValue, isLoose: Bool) -> Bool {
        switch (a, b) {
        case (.null, .null): return true
        case (.decimal(let x), .decimal(let y)) where !isLoose:
            return x.description == y.description
        case (.real(let x), .real(let y)): return x == y || x.isNaN && y.isNaN
        case (.instant(let x, let p), .instant(let y, let q)): return x == y && (isLoose || p == q)
        case (.shape(let x), .shape(let y)):
            return x.kind == y.kind && x.positions == y.positions
        case (.list(let x), .list(let y)):
            return x.count == y.count && zip(x, y).allSatisfy { same($0, $1, isLoose: isLoose) }
        case (.record(let x), .record(let y)):
            return x.count == y.count
                && x.allSatisfy { name, value in
                    y[name].map { same(value, $0, isLoose: isLoose) } ?? false
                }
        case (.truth, .truth), (.whole, .whole), (.text, .text), (.bytes, .bytes),
            (.guid, .guid), (.day, .day), (.clock, .clock), (.span, .span), (.flags, .flags):
            return relation(a, b) == .equal
        default:
            guard isLoose, !a.isNull, !b.isNull else { return false }
            return relation(a, b) == .equal
        }
    }
}

/// A row of the oracle's data with the rows that its navigation properties lead to.
final class OracleRow: @unchecked Sendable {
    // Linked while the data is made, and only read afterwards.
    let type: String
    let key: [Int64]
    let values: [String: OracleValue]
    var one: [String: OracleRow] = [:]
    var many: [String: [OracleRow]] = [:]

    init(type: String, key: [Int64], values: [String: OracleValue]) {
        self.type = type
        self.key = key
        self.values = values
    }

    /// The type that the row's set is of.
    var base: String { type == "Vip" ? "Customer" : type }

    static let keyNames = [
        "Customer": ["Id"], "Order": ["Id"], "Item": ["OrderId", "Line"], "Site": ["Id"],
    ]
    static let toOne = [
        "Customer": ["Manager", "Favourite"], "Order": ["Customer"], "Item": ["Order"],
    ]
    static let toMany = [
        "Customer": ["Orders", "Reports", "Watched"], "Order": ["Items", "Watchers"], "Item": [],
    ]
    static let targets = [
        "Manager": "Customer", "Reports": "Customer", "Orders": "Order", "Customer": "Customer",
        "Items": "Item", "Order": "Order", "Favourite": "Order", "Watched": "Order",
        "Watchers": "Customer",
    ]
}
