import ODataModel
import ODataText

/// Collections and structures as JSON inside URLs (URL Conventions 4.01, section 5.1.1.14.2), in which values may
/// also be OData expressions.
extension QueryTextParser {
    /// The array or object at the cursor, checked and kept as text.
    mutating func jsonText() throws -> String {
        let start = scanner.position
        try jsonStructure()
        return scanner.substring(start, scanner.position)
    }

    /// An element of an array: a JSON string becomes a literal, an array or object that no operator follows stays text.
    mutating func jsonElement() throws -> Expression {
        switch scanner.peek() {
        case UInt8(ascii: "\""): .literal(.string(try jsonString()), .string)
        default: try listedExpression()
        }
    }

    private mutating func jsonStructure() throws {
        if scanner.isNext("[") {
            _ = try list("[", "]") { _ = try $0.jsonElement() }
        } else {
            _ = try list("{", "}") { parser in
                guard parser.scanner.isNext("\"") else {
                    throw parser.scanner.expected("a member name")
                }
                _ = try parser.jsonString()
                parser.scanner.skipSpaces()
                try parser.scanner.expect(":")
                parser.scanner.skipSpaces()
                _ = try parser.jsonElement()
            }
        }
    }

    /// A string in double quotes with the escapes of JSON (RFC 8259, section 7).
    private mutating func jsonString() throws -> String {
        try scanner.expect("\"")
        var bytes: [UInt8] = []
        while !scanner.skip("\"") {
            guard !scanner.isAtEnd else { throw scanner.expected("a closing double quote") }
            guard scanner.skip("\\") else {
                bytes.append(scanner.peek())
                scanner.position += 1
                continue
            }
            let place = scanner.position
            let escape = scanner.peek()
            scanner.position += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
            case UInt8(ascii: "b"): bytes.append(8)
            case UInt8(ascii: "f"): bytes.append(12)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "u"): bytes += Array(String(try unicodeEscape(place)).utf8)
            default: throw scanner.expected("an escape of JSON", at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func unicodeEscape(_ place: Int) throws -> Character {
        let first = try codeUnit(place)
        var units = [first]
        if first >> 10 == 0x36, scanner.starts(with: "\\u") {
            scanner.position += 2
            units.append(try codeUnit(place))
        }
        guard let text = String(validating: units, as: UTF16.self), let character = text.first
        else { throw scanner.expected("a Unicode scalar", at: place) }
        return character
    }

    private mutating func codeUnit(_ place: Int) throws -> UInt16 {
        guard (0..<4).allSatisfy({ TextScanner.isHexadecimal(scanner.peek($0)) }),
            let unit = UInt16(scanner.take(4), radix: 16)
        else { throw scanner.expected("four hexadecimal digits", at: place) }
        return unit
    }
}
