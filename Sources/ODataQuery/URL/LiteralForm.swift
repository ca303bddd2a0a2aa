import ODataModel
import ODataText

/// The form of literals as the ABNF has it, for texts of which only the form counts and whose value nobody reads here: `P`
/// without a part, a coordinate `NaN`, a day that no month has.
///
/// Where plus signs were read as spaces, a space stands for a sign.
struct LiteralForm {
    private static let maximumDepth = 64
    private var scanner: TextScanner

    private init(_ text: String) { scanner = TextScanner(DecodedText(plain: text)) }

    /// True where `content` has the form of a value of `type`: durations, dates and times, and shapes; other types have no
    /// form beside their values and are taken.
    static func admits(_ content: String, as type: PrimitiveType) -> Bool {
        var form = LiteralForm(content)
        switch type {
        case .duration: return form.duration() && form.scanner.isAtEnd
        case .date: return form.date() && form.scanner.isAtEnd
        case .timeOfDay: return form.clock() && form.scanner.isAtEnd
        case .dateTimeOffset:
            return form.date() && form.letter("t") && form.clock() && form.zone()
                && form.scanner.isAtEnd
        default:
            guard type.isGeospatial else { return true }
            return form.word("srid=") && 1...5 ~= form.digits() && form.scanner.skip(";")
                && form.shape(0) && form.scanner.isAtEnd
        }
    }

    /// True for names and numbers of members between commas (`enumValue`).
    static func admitsMembers(_ content: String) -> Bool {
        var form = LiteralForm(content)
        repeat {
            let length = form.scanner.identifierLength()
            if length > 0 {
                form.scanner.position += length
            } else {
                form.sign()
                guard 1...19 ~= form.digits() else { return false }
            }
        } while form.scanner.skip(",")
        return form.scanner.isAtEnd
    }

    // MARK: Dates and times

    /// `durationValue`.
    private mutating func duration() -> Bool {
        _ = scanner.skip("-")
        guard letter("p") else { return false }
        if digits() > 0, !letter("d") { return false }
        guard letter("t") else { return true }
        var count = digits()
        if count > 0, letter("h") { count = digits() }
        if count > 0, letter("m") { count = digits() }
        guard count > 0 else { return true }
        if scanner.skip("."), digits() == 0 { return false }
        return letter("s")
    }

    private mutating func date() -> Bool {
        _ = scanner.skip("-")
        let startsWithZero = scanner.isNext("0")
        let count = digits()
        guard count == 4 || count > 4 && !startsWithZero else { return false }
        return scanner.skip("-") && pair(1...12) && scanner.skip("-") && pair(1...31)
    }

    private mutating func clock() -> Bool {
        guard pair(0...23), scanner.skip(":"), pair(0...59) else { return false }
        guard scanner.skip(":") else { return true }
        guard pair(0...60) else { return false }
        return !scanner.skip(".") || 1...12 ~= digits()
    }

    private mutating func zone() -> Bool {
        if letter("z") { return true }
        return sign() && pair(0...23) && scanner.skip(":") && pair(0...59)
    }

    // MARK: Shapes

    /// A shape by its name (`geoLiteral`).
    private mutating func shape(_ depth: Int) -> Bool {
        guard depth <= Self.maximumDepth else { return false }
        if word("geometrycollection(") { return items { $0.shape(depth + 1) } }
        if word("multipoint(") { return scanner.skip(")") || items { $0.point() } }
        if word("multilinestring(") { return scanner.skip(")") || items { $0.positions(2) } }
        if word("multipolygon(") { return scanner.skip(")") || items { $0.polygon() } }
        if word("linestring") { return positions(2) }
        if word("polygon") { return polygon() }
        return word("point") && point()
    }

    private mutating func point() -> Bool {
        scanner.skip("(") && position() && scanner.skip(")")
    }

    private mutating func polygon() -> Bool {
        scanner.skip("(") && items { $0.positions(1) }
    }

    private mutating func positions(_ least: Int) -> Bool {
        guard scanner.skip("(") else { return false }
        var count = 0
        let isList = items { form in
            count += 1
            return form.position()
        }
        return isList && count >= least
    }

    /// What stands between commas, up to the closing parenthesis.
    private mutating func items(_ item: (inout LiteralForm) -> Bool) -> Bool {
        repeat {
            guard item(&self) else { return false }
        } while scanner.skip(",")
        return scanner.skip(")")
    }

    /// Two to four numbers with a space between them (`positionLiteral`).
    private mutating func position() -> Bool {
        guard number(), scanner.skip(" "), number() else { return false }
        for _ in 0..<2 where scanner.skip(" ") {
            guard number() else { return false }
        }
        return true
    }

    private mutating func number() -> Bool {
        for name: StaticString in ["NaN", "-INF", "INF"] where scanner.starts(with: name) {
            scanner.position += name.utf8CodeUnitCount
            return true
        }
        sign()
        guard digits() > 0 else { return false }
        if scanner.skip("."), digits() == 0 { return false }
        guard letter("e") else { return true }
        sign()
        return digits() > 0
    }

    // MARK: Characters

    @discardableResult
    private mutating func sign() -> Bool {
        scanner.skip("-") || scanner.skip("+") || scanner.skip(" ")
    }

    private mutating func digits() -> Int {
        let start = scanner.position
        while TextScanner.isDigit(scanner.peek()) { scanner.position += 1 }
        return scanner.position - start
    }

    private mutating func pair(_ allowed: ClosedRange<Int>) -> Bool {
        guard TextScanner.isDigit(scanner.peek()), TextScanner.isDigit(scanner.peek(1)) else {
            return false
        }
        let value = Int(scanner.peek() - 48) * 10 + Int(scanner.peek(1) - 48)
        scanner.position += 2
        return allowed ~= value
    }

    /// A letter in either case; given in lower case.
    private mutating func letter(_ letter: Unicode.Scalar) -> Bool {
        guard scanner.peek() | 0x20 == UInt8(ascii: letter) else { return false }
        scanner.position += 1
        return true
    }

    /// A word in either case; given in lower case.
    private mutating func word(_ word: String) -> Bool {
        let start = scanner.position
        for byte in word.utf8 {
            let next = scanner.peek()
            guard (65...90 ~= next ? next | 0x20 : next) == byte else {
                scanner.position = start
                return false
            }
            scanner.position += 1
        }
        return true
    }
}
