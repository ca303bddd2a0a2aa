import ODataModel
import ODataSQL

/// The Edm type and encoding of a column of an existing database.
///
/// The type comes from the declaration alone, so that it is the same at every start; values decide only between the
/// forms that one type has in databases (a date and time as text or as seconds since 1970).
package struct ColumnTyping: Sendable, Hashable {
    package var type: PrimitiveType
    package var facets: TypeFacetValues
    package var encoding: ColumnEncoding

    package init(
        _ type: PrimitiveType, _ encoding: ColumnEncoding,
        facets: TypeFacetValues = TypeFacetValues()
    ) {
        self.type = type
        self.encoding = encoding
        self.facets = facets
    }

    package init(column: DatabaseSchema.Column) {
        if let typing = column.typing {
            self = typing
            return
        }
        let declared = DeclaredType(column.declaredType)
        let observed = column.observed ?? DatabaseSchema.ObservedValues()
        self =
            switch declared.family {
            case .boolean:
                ColumnTyping(.boolean, observed.holdsTexts ? .looseBoolean : .boolean)
            case .dateTime: Self.dateTime(observed)
            case .date: ColumnTyping(.date, .date)
            case .time: ColumnTyping(.timeOfDay, .timeOfDay, facets: Self.fraction)
            case .duration: ColumnTyping(.duration, .duration, facets: Self.fraction)
            case .guid: ColumnTyping(.guid, observed.holdsBlobs ? .guidBytes : .guid)
            case .decimal: Self.decimal(declared)
            case .integer: ColumnTyping(declared.isSmall ? .int32 : .int64, .integer)
            case .real: ColumnTyping(.double, .real)
            case .binary: ColumnTyping(.binary, .binary)
            case .text, .unknown: ColumnTyping(.string, .string)
            }
    }

    private static func dateTime(_ observed: DatabaseSchema.ObservedValues) -> ColumnTyping {
        guard observed.holdsNumbers, let greatest = observed.greatestInteger else {
            return ColumnTyping(.dateTimeOffset, .isoDateTime, facets: fraction)
        }
        // 10^11 seconds are 3,170 years; as milliseconds they are in 1973.
        return ColumnTyping(
            .dateTimeOffset, greatest > 100_000_000_000 ? .unixMilliseconds : .unixSeconds,
            facets: fraction)
    }

    private static func decimal(_ declared: DeclaredType) -> ColumnTyping {
        var facets = TypeFacetValues(precision: declared.precision, scale: .variable)
        if declared.precision != nil { facets.scale = .fixed(declared.scale ?? 0) }
        return ColumnTyping(.decimal, .realDecimal, facets: facets)
    }

    private static let fraction = TypeFacetValues(precision: 7)

    /// True where values decide between forms of the type.
    static func looksAtValues(of declaredType: String) -> Bool {
        [.boolean, .dateTime, .guid].contains(DeclaredType(declaredType).family)
    }
}

extension ColumnTyping {
    /// The integers of a type that is narrower than the column; nil where it is not.
    var range: ClosedRange<Int64>? {
        switch type {
        case .byte: 0...255
        case .sbyte: -128...127
        case .int16: -32_768...32_767
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        default: nil
        }
    }

    /// The SQL condition under which a value of the column is none of its type; `name` is quoted. Integers are of the
    /// type within `range`, all of them without one.
    func misfit(_ name: String, range: ClosedRange<Int64>?) -> String {
        let kind = "typeof(\(name))"
        switch encoding {
        case .integer:
            let other =
                "\(kind) IN ('text', 'blob') OR \(kind) = 'real' AND \(name) <> round(\(name))"
            guard let range else { return other }
            return other + " OR \(name) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        case .real, .unixSeconds, .unixMilliseconds: return "\(kind) IN ('text', 'blob')"
        case .realDecimal:
            return "\(kind) = 'blob' OR \(kind) = 'text' AND "
                + "(\(name) NOT GLOB '*[0-9]*' OR \(name) GLOB '*[^0-9.eE+-]*')"
        case .boolean, .looseBoolean:
            return "\(kind) IN ('real', 'blob') OR \(kind) = 'text' AND lower(\(name)) NOT IN "
                + "('true', 'false', 't', 'f', 'yes', 'no', 'y', 'n', '0', '1')"
        case .isoDateTime, .date:
            // A day that the month does not have becomes one of the next month where SQLite reckons with it.
            let day = "substr(\(name), 1, 10)"
            return "\(Self.other(name, "\(Self.day)*")) OR date(\(day), '+0 days') IS NOT \(day)"
                + " AND \(name) IS NOT NULL"
        case .timeOfDay:
            return "\(Self.other(name, "[0-2][0-9]:[0-5][0-9]*")) OR substr(\(name), 1, 2) > '23'"
        case .duration: return Self.other(name, "*P*")
        case .guid: return "\(kind) = 'blob' OR \(Self.otherGuid(name))"
        case .guidBytes:
            return "\(kind) = 'blob' AND length(\(name)) <> 16 OR \(Self.otherGuid(name))"
        case .binary: return "\(kind) IN ('integer', 'real')"
        case .string: return "\(kind) = 'blob'"
        default: return "0"
        }
    }

    /// The SQL condition under which a number has more decimal places than its type; nil where every number has its type.
    func excess(_ name: String) -> String? {
        guard encoding == .realDecimal, case .fixed(let scale) = facets.scale else { return nil }
        return "typeof(\(name)) = 'real' AND abs(\(name) - round(\(name), \(scale)))"
            + " > abs(\(name)) * 1e-15"
    }

    private static func other(_ name: String, _ pattern: String) -> String {
        "\(name) IS NOT NULL AND (typeof(\(name)) <> 'text' OR \(name) NOT GLOB '\(pattern)')"
    }

    private static func otherGuid(_ name: String) -> String {
        "typeof(\(name)) IN ('integer', 'real') OR typeof(\(name)) = 'text' AND "
            + "(\(name) NOT LIKE '________-____-____-____-____________' OR \(name) GLOB '*[^0-9a-fA-F-]*')"
    }

    private static let day = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]"
}

/// A declared column type taken apart: `DECIMAL(10, 2)` is a decimal of precision 10 and scale 2.
struct DeclaredType: Sendable, Hashable {
    enum Family: Sendable, Hashable {
        case boolean, dateTime, date, time, duration, guid, decimal, integer, real, binary, text
        case unknown
    }

    var family: Family
    var precision: Int?
    var scale: Int?
    /// SMALLINT and TINYINT.
    var isSmall: Bool

    init(_ text: String) {
        let upper = text.uppercased()
        let name = upper.prefix { $0 != "(" }
        let numbers = upper.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
            .split(separator: ",").map { Int($0.filter { !$0.isWhitespace }) }
        precision = numbers.first ?? nil
        scale = numbers.count > 1 ? numbers[1] : nil
        isSmall = name.contains("SMALLINT") || name.contains("TINYINT")
        family = Self.family(String(name))
        if family == .boolean, precision != nil { precision = nil }
    }

    /// In the order in which the words decide; the last group are SQLite's own affinity rules.
    private static func family(_ name: String) -> Family {
        let words: [(String, Family)] = [
            ("BOOL", .boolean), ("DATETIME", .dateTime), ("TIMESTAMP", .dateTime),
            ("DURATION", .duration), ("INTERVAL", .duration), ("DATE", .date), ("TIME", .time),
            ("UUID", .guid), ("GUID", .guid), ("UNIQUEIDENTIFIER", .guid), ("DEC", .decimal),
            ("NUMERIC", .decimal), ("MONEY", .decimal), ("CURRENCY", .decimal), ("INT", .integer),
            ("CHAR", .text), ("CLOB", .text), ("TEXT", .text), ("STRING", .text),
            ("BLOB", .binary), ("BINARY", .binary), ("REAL", .real), ("FLOA", .real),
            ("DOUB", .real),
        ]
        // What SQLite says of a number that an expression of a view makes.
        if name == "NUM" { return .decimal }
        return words.first { name.contains($0.0) }?.1 ?? .unknown
    }
}
