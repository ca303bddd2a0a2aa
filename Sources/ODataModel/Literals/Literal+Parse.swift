import ODataText

extension Literal {
    /// - Throws: `invalidValue` when `text` is not a literal of `type`.
    package static func parse(
        _ text: some StringProtocol, as type: PrimitiveType, dialect: Dialect
    ) throws -> Scalar {
        guard let scalar = scalar(text, as: type, dialect: dialect) else {
            throw ODataError(.invalidValue, "Expected a literal of Edm.\(type.name).")
        }
        return scalar
    }

    /// As ``parse(_:as:dialect:)``; nil in place of an error.
    package static func scalar(
        _ text: some StringProtocol, as type: PrimitiveType, dialect: Dialect
    ) -> Scalar? {
        if text == "null" { return .null }
        switch type {
        case .untyped: return inferred(text, dialect: dialect)?.scalar
        case .string, .stream: return unquoted(text).map(Scalar.string)
        default: break
        }
        if type.isGeospatial {
            let prefix =
                type.rawValue < PrimitiveType.geometry.rawValue ? "geography" : "geometry"
            return content(text, after: prefix).flatMap { Lexical.scalar($0, as: type) }
        }
        return dialect.usesTypedLiterals
            ? typed(text, as: type) : bare(text, as: type)
    }

    private static func bare(_ text: some StringProtocol, as type: PrimitiveType) -> Scalar? {
        switch type {
        case .binary:
            content(text, after: "binary").flatMap { Lexical.scalar($0, as: .binary) }
        case .duration:
            Lexical.scalar(
                content(text, after: "duration") ?? unquoted(text) ?? String(text), as: .duration)
        default: Lexical.scalar(text, as: type)
        }
    }

    private static func typed(_ text: some StringProtocol, as type: PrimitiveType) -> Scalar? {
        switch type {
        case .boolean:
            switch text {
            case "true", "1": .boolean(true)
            case "false", "0": .boolean(false)
            default: nil
            }
        case .int64: Lexical.scalar(withoutSuffix(text, "lL"), as: type)
        case .decimal: Lexical.scalar(withoutSuffix(text, "mM"), as: type)
        case .double: Lexical.scalar(withoutSuffix(text, "dD"), as: type)
        // As it is first: the last letter of `INF` is no suffix.
        case .single:
            Lexical.scalar(text, as: type) ?? Lexical.scalar(withoutSuffix(text, "fF"), as: type)
        case .binary:
            (content(text, after: "X") ?? content(text, after: "binary")).flatMap {
                Base64.bytes(hex: $0).map(Scalar.binary)
            }
        case .guid: content(text, after: "guid").flatMap { Lexical.scalar($0, as: type) }
        case .dateTime: content(text, after: "datetime").flatMap { Lexical.scalar($0, as: type) }
        case .date:
            content(text, after: "datetime").flatMap { WallDateTime($0) }.map {
                .date($0.date)
            }
        case .dateTimeOffset:
            content(text, after: "datetimeoffset").flatMap { Lexical.scalar($0, as: type) }
        case .time, .timeOfDay:
            content(text, after: "time").flatMap { Lexical.scalar($0, as: .time) }
        case .duration: content(text, after: "time").flatMap { Lexical.scalar($0, as: type) }
        default: Lexical.scalar(text, as: type)
        }
    }

    /// What stands in the quotes after a prefix, which is read in either case; nil when it does not stand so.
    static func content(_ text: some StringProtocol, after prefix: String) -> String? {
        let bytes = Array(text.utf8)
        let head = Array(prefix.utf8)
        guard bytes.count >= head.count + 2,
            zip(bytes, head).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return unquoted(String(decoding: bytes[head.count...], as: UTF8.self))
    }

    static func withoutSuffix(_ text: some StringProtocol, _ letters: String) -> String {
        guard let last = text.last, letters.contains(last) else { return String(text) }
        return String(text.dropLast())
    }

    /// Value and type of a literal that tells its own type: the first that its form allows.
    ///
    /// Whole numbers are Int32 or Int64 by their size, others Decimal unless an exponent or suffix makes them Double
    /// or Single. Nil when it is no primitive literal; enumeration literals are not read here.
    package static func inferred(
        _ text: some StringProtocol, dialect: Dialect
    ) -> (scalar: Scalar, type: PrimitiveType)? {
        guard let first = text.utf8.first else { return nil }
        if text == "null" { return (.null, .untyped) }
        if first == UInt8(ascii: "'") { return unquoted(text).map { (.string($0), .string) } }
        let candidates = dialect.usesTypedLiterals ? typedCandidates : bareCandidates
        for type in candidates(text) {
            guard let scalar = scalar(text, as: type, dialect: dialect) else { continue }
            // INF, -INF and NaN.
            if case .double = scalar, type == .decimal { return (scalar, .double) }
            return (scalar, type)
        }
        return nil
    }

    private static let bareCandidates: @Sendable (any StringProtocol) -> [PrimitiveType] = { text in
        let hasExponent = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        let numbers: [PrimitiveType] =
            hasExponent ? [.double, .decimal] : [.int32, .int64, .decimal, .double]
        return [.boolean] + numbers + [
            .guid, .date, .dateTimeOffset, .timeOfDay, .duration, .binary, .geography, .geometry,
        ]
    }

    private static let typedCandidates: @Sendable (any StringProtocol) -> [PrimitiveType] = {
        text in
        let numbers: [PrimitiveType] =
            switch text.utf8.reversed().first.map({ $0 | 0x20 }) {
            case UInt8(ascii: "l"): [.int64]
            case UInt8(ascii: "m"): [.decimal]
            case UInt8(ascii: "d"): [.double]
            case UInt8(ascii: "f"): [.single, .double]
            default: [.int32, .int64, .double]
            }
        return numbers + [
            .boolean, .guid, .dateTimeOffset, .dateTime, .time, .binary, .geography, .geometry,
        ]
    }
}
