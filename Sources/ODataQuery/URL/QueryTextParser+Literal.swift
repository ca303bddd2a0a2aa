import ODataModel
import ODataText

/// Primitive literals (ABNF 4.01 `primitiveLiteral`; V2 URI conventions, section "Primitive types").
extension QueryTextParser {
    /// A string in single quotes, in which a quote is doubled; the cursor stands on the first quote.
    mutating func quotedString() throws -> String {
        let start = scanner.position
        try scanner.expect("'")
        var bytes: [UInt8] = []
        while true {
            guard !scanner.isAtEnd else { throw scanner.expected("a closing quote") }
            let byte = scanner.peek()
            if byte == UInt8(ascii: "'") {
                guard scanner.peek(1) == UInt8(ascii: "'") else { break }
                scanner.position += 1
            } else if isInPath, byte == UInt8(ascii: "/"),
                !scanner.text.wasEncoded(scanner.position)
            {
                throw scanner.expected("%2F for a slash in a value")
            }
            bytes.append(byte)
            scanner.position += 1
        }
        scanner.position += 1
        guard bytes.count <= limits.maximumLength else {
            throw scanner.expected("a shorter string", at: start)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `prefix'…'`; the prefix has `length` bytes and the cursor stands before it.
    mutating func prefixedLiteral(_ length: Int) throws -> Expression {
        let start = scanner.position
        let prefix = scanner.take(length)
        let content = try quotedString()
        let type: PrimitiveType
        switch (prefix.lowercased(), dialect.usesTypedLiterals) {
        case ("binary", _): type = .binary
        case ("x", true) where prefix == "X": type = .binary
        case ("datetime", true): type = .dateTime
        case ("datetimeoffset", true): type = .dateTimeOffset
        case ("guid", true): type = .guid
        case ("time", true): type = .time
        case ("duration", false): type = .duration
        case ("geography", false): type = .geography
        case ("geometry", false): type = .geometry
        case (_, false) where prefix.contains("."):
            // Real services have names that are no identifiers; a quote is in none of them.
            guard !content.isEmpty, !content.contains("'"),
                limits.readsValues || LiteralForm.admitsMembers(content)
            else {
                throw scanner.expected("members of an enumeration", at: start + length)
            }
            return .enumeration(type: prefix, members: content)
        default:
            throw scanner.expected("the prefix of a literal", at: start)
        }
        return try literal(scanner.substring(start, scanner.position), type, at: start)
    }

    /// A GUID without prefix (V4); nil, and no move, when none is next.
    mutating func bareGuid() throws -> Expression? {
        guard !dialect.usesTypedLiterals, looksLikeGuid else { return nil }
        let start = scanner.position
        return try literal(scanner.take(36), .guid, at: start)
    }

    private var looksLikeGuid: Bool {
        guard TextScanner.isHexadecimal(scanner.peek()) else { return false }
        for index in 0..<36 {
            let byte = scanner.peek(index)
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else if !TextScanner.isHexadecimal(byte) {
                return false
            }
        }
        return !TextScanner.continuesIdentifier(scanner.peek(36))
    }

    /// True when the minus sign at the cursor belongs to a literal.
    var startsNegativeLiteral: Bool {
        TextScanner.isDigit(scanner.peek(1))
            || scanner.starts(with: "-INF")
                && !TextScanner.continuesIdentifier(scanner.peek(4))
    }

    /// A number, a date or a time of day.
    mutating func bareLiteral() throws -> Expression {
        if let guid = try bareGuid() { return guid }
        if scanner.starts(with: "-INF") {
            scanner.position += 4
            return .literal(.double(-.infinity), .double)
        }
        if !dialect.usesTypedLiterals, let temporal = try bareTemporal() { return temporal }
        return try number()
    }

    // MARK: Dates and times

    private mutating func bareTemporal() throws -> Expression? {
        let start = scanner.position
        let sign = scanner.isNext("-") ? 1 : 0
        let digits = digitCount(sign)
        if sign == 0, digits == 2, isColon(2) {
            let length = clockLength(0)
            guard length > 0 else { return nil }
            return try literal(scanner.take(length), .timeOfDay, at: start)
        }
        let year = sign + digits
        guard digits >= 4, isDash(year), digitCount(year + 1) == 2, isDash(year + 3),
            digitCount(year + 4) == 2
        else { return nil }
        let date = year + 6
        guard scanner.peek(date) | 32 == UInt8(ascii: "t") else {
            return try literal(scanner.take(date), .date, at: start)
        }
        let clock = clockLength(date + 1)
        guard clock > 0 else {
            throw scanner.expected("a time of day", at: scanner.position + date + 1)
        }
        let end = date + 1 + clock
        if scanner.peek(end) | 32 == UInt8(ascii: "z") {
            return try literal(scanner.take(end + 1), .dateTimeOffset, at: start)
        }
        let zone = scanner.peek(end)
        // Clients that forget to encode the plus send what decodes to a space.
        let isZone = zone == 43 || zone == 45 || zone == 32
        guard isZone, digitCount(end + 1) == 2, isColon(end + 3), digitCount(end + 4) == 2 else {
            throw scanner.expected("Z or an offset", at: scanner.position + end)
        }
        let text = scanner.take(end + 6)
        return try literal(
            String(text.map { $0 == " " ? "+" : $0 }), .dateTimeOffset, at: start)
    }

    /// Bytes of `hh:mm[:ss[.fraction]]` at `ahead`; 0 when there is none.
    private func clockLength(_ ahead: Int) -> Int {
        guard digitCount(ahead) == 2, isColon(ahead + 2), digitCount(ahead + 3) == 2 else {
            return 0
        }
        guard isColon(ahead + 5), digitCount(ahead + 6) == 2 else { return 5 }
        guard scanner.peek(ahead + 8) == UInt8(ascii: ".") else { return 8 }
        let fraction = digitCount(ahead + 9)
        return fraction == 0 ? 8 : 9 + fraction
    }

    private func digitCount(_ ahead: Int) -> Int {
        var count = 0
        while TextScanner.isDigit(scanner.peek(ahead + count)) { count += 1 }
        return count
    }

    private func isColon(_ ahead: Int) -> Bool { scanner.peek(ahead) == UInt8(ascii: ":") }
    private func isDash(_ ahead: Int) -> Bool { scanner.peek(ahead) == UInt8(ascii: "-") }

    // MARK: Numbers

    private mutating func number() throws -> Expression {
        let start = scanner.position
        if !scanner.skip("-") { _ = scanner.skip("+") }
        let whole = digitCount(0)
        guard whole > 0 else { throw scanner.expected("a digit") }
        scanner.position += whole
        var isInteger = true
        if scanner.isNext(".") {
            let fraction = digitCount(1)
            guard fraction > 0 else { throw scanner.expected("a digit", at: scanner.position + 1) }
            scanner.position += 1 + fraction
            isInteger = false
        }
        let hasExponent = try exponent()
        var text = scanner.substring(start, scanner.position)
        if text.hasPrefix("+") { text.removeFirst() }
        if dialect.usesTypedLiterals, let suffixed = try suffixedNumber(text, start) {
            return suffixed
        }
        guard !TextScanner.continuesIdentifier(scanner.peek()) else {
            throw scanner.expected("the end of the number")
        }
        if hasExponent {
            let text = String(text.map { $0 == " " ? "+" : $0 })
            guard let value = Double(text) else {
                throw scanner.expected("a number", at: start)
            }
            return .literal(.double(value), .double)
        }
        if isInteger, let value = Int64(text) { return .literal(.integer(value), nil) }
        guard let value = DecimalNumber(text) else { throw scanner.expected("a number", at: start) }
        return .literal(.decimal(value), nil)
    }

    /// Moves past `e` and its digits; false when there is no exponent.
    private mutating func exponent() throws -> Bool {
        guard scanner.peek() | 32 == UInt8(ascii: "e") else { return false }
        let sign = scanner.peek(1)
        let isSigned = sign == 43 || sign == 45 || sign == 32
        let digits = digitCount(isSigned ? 2 : 1)
        guard digits > 0 else {
            throw scanner.expected("a digit", at: scanner.position + (isSigned ? 2 : 1))
        }
        scanner.position += digits + (isSigned ? 2 : 1)
        return true
    }

    /// A V2 number with the suffix of its type.
    private mutating func suffixedNumber(_ text: String, _ start: Int) throws -> Expression? {
        let type: PrimitiveType
        switch scanner.peek() {
        case UInt8(ascii: "L"), UInt8(ascii: "l"): type = .int64
        case UInt8(ascii: "M"), UInt8(ascii: "m"): type = .decimal
        case UInt8(ascii: "D"), UInt8(ascii: "d"): type = .double
        case UInt8(ascii: "F"), UInt8(ascii: "f"): type = .single
        default: return nil
        }
        guard !TextScanner.continuesIdentifier(scanner.peek(1)) else { return nil }
        scanner.position += 1
        let plain = String(text.map { $0 == " " ? "+" : $0 })
        do {
            return .literal(try Lexical.parse(plain, as: type), type)
        } catch {
            throw scanner.expected("a number of type Edm.\(type.name)", at: start)
        }
    }

    /// The literal that `text` is, with errors placed at `start`.
    private func literal(
        _ text: String, _ type: PrimitiveType, at start: Int
    ) throws -> Expression {
        do {
            return .literal(try Literal.parse(text, as: type, dialect: dialect), type)
        } catch {
            // Where only the form counts there may be no such value; the form is asked of nothing else.
            if !limits.readsValues, LiteralForm.admits(Self.content(of: text), as: type) {
                return .literal(.null, type)
            }
            throw scanner.expected("a literal of type Edm.\(type.name)", at: start)
        }
    }

    /// What stands between the quotes of a literal; all of it where it has none.
    private static func content(of text: String) -> String {
        guard let quote = text.firstIndex(of: "'"), text.last == "'" else { return text }
        return String(text[text.index(after: quote)...].dropLast())
    }
}
