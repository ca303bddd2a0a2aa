import ODataModel
import ODataSQL

/// The Edm type and encoding of a column of an existing database: its declared type, as far as its values agree.
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
        let declared = DeclaredType(column.declaredType)
        let observed = column.observed ?? DatabaseSchema.ObservedValues()
        self = Self.claimed(declared, observed) ?? Self.fallback(observed)
    }

    /// What the declaration says, or nil when the values contradict it.
    private static func claimed(
        _ declared: DeclaredType, _ observed: DatabaseSchema.ObservedValues
    ) -> ColumnTyping? {
        switch declared.family {
        case .boolean: boolean(observed)
        case .dateTime: dateTime(observed)
        case .date: observed.holdsTexts(ObservedText.isDate) ? ColumnTyping(.date, .date) : nil
        case .time:
            observed.holdsTexts(ObservedText.isTime)
                ? ColumnTyping(.timeOfDay, .timeOfDay, facets: fraction) : nil
        case .duration:
            observed.holdsTexts(ObservedText.isDuration)
                ? ColumnTyping(.duration, .duration, facets: fraction) : nil
        case .guid: guid(observed)
        case .decimal: decimal(declared, observed)
        case .integer:
            observed.holdsOnlyIntegers
                ? ColumnTyping(declared.isSmall ? .int32 : .int64, .integer) : nil
        case .real: observed.holdsOnlyNumbers ? ColumnTyping(.double, .real) : nil
        case .binary:
            observed.holdsOnlyBlobs ? ColumnTyping(.binary, .binary) : nil
        case .text: observed.hasBlobs ? nil : ColumnTyping(.string, .string)
        case .unknown: nil
        }
    }

    /// What the values say on their own; text where they do not agree.
    private static func fallback(_ observed: DatabaseSchema.ObservedValues) -> ColumnTyping {
        guard !observed.isEmpty else { return ColumnTyping(.string, .string) }
        if observed.holdsOnlyIntegers { return ColumnTyping(.int64, .integer) }
        if observed.holdsOnlyNumbers { return ColumnTyping(.double, .real) }
        if observed.holdsOnlyBlobs { return ColumnTyping(.binary, .binary) }
        return ColumnTyping(.string, .string)
    }

    private static func boolean(_ observed: DatabaseSchema.ObservedValues) -> ColumnTyping? {
        if observed.holdsTexts(ObservedText.isBoolean), !observed.texts.isEmpty {
            return ColumnTyping(.boolean, .looseBoolean)
        }
        guard observed.holdsOnlyIntegers else { return nil }
        let bounds = observed.integerBounds ?? 0...1
        return bounds.lowerBound >= 0 && bounds.upperBound <= 1
            ? ColumnTyping(.boolean, .boolean) : nil
    }

    private static func dateTime(_ observed: DatabaseSchema.ObservedValues) -> ColumnTyping? {
        if observed.holdsTexts(ObservedText.isDateTime) {
            return ColumnTyping(.dateTimeOffset, .isoDateTime, facets: fraction)
        }
        if observed.holdsTexts(ObservedText.isDate) { return ColumnTyping(.date, .date) }
        guard observed.holdsOnlyIntegers, let bounds = observed.integerBounds else { return nil }
        // 10^11 seconds are 3,170 years; as milliseconds they are in 1973.
        return bounds.upperBound > 100_000_000_000
            ? ColumnTyping(.dateTimeOffset, .unixMilliseconds, facets: fraction)
            : ColumnTyping(.dateTimeOffset, .unixSeconds, facets: fraction)
    }

    private static func guid(_ observed: DatabaseSchema.ObservedValues) -> ColumnTyping? {
        if observed.holdsTexts(ObservedText.isGuid) { return ColumnTyping(.guid, .guid) }
        return observed.holdsOnlyBlobs && observed.blobsAreGuids
            ? ColumnTyping(.guid, .guidBytes) : nil
    }

    private static func decimal(
        _ declared: DeclaredType, _ observed: DatabaseSchema.ObservedValues
    ) -> ColumnTyping? {
        guard observed.holdsOnlyNumbers else { return nil }
        var facets = TypeFacetValues(precision: declared.precision, scale: .variable)
        if declared.precision != nil { facets.scale = .fixed(declared.scale ?? 0) }
        return ColumnTyping(.decimal, .realDecimal, facets: facets)
    }

    private static let fraction = TypeFacetValues(precision: 7)
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
        return words.first { name.contains($0.0) }?.1 ?? .unknown
    }
}

extension DatabaseSchema.ObservedValues {
    var isEmpty: Bool { !hasIntegers && !hasReals && !hasBlobs && texts.isEmpty }
    var holdsOnlyIntegers: Bool { !hasReals && !hasBlobs && texts.isEmpty }
    var holdsOnlyNumbers: Bool { !hasBlobs && texts.isEmpty }
    var holdsOnlyBlobs: Bool { !hasIntegers && !hasReals && texts.isEmpty }

    /// True when there is nothing but texts, and each passes.
    func holdsTexts(_ test: (String) -> Bool) -> Bool {
        !hasIntegers && !hasReals && !hasBlobs && texts.allSatisfy(test)
    }
}
