/// A cursor over decoded bytes with the few moves that a recursive-descent parser needs.
package struct TextScanner: Sendable {
    package let text: DecodedText
    package var position = 0

    package init(_ text: DecodedText) {
        self.text = text
    }

    package var isAtEnd: Bool { position >= text.bytes.count }

    /// The byte `ahead` of the cursor; 0 past the end.
    @inline(__always)
    package func peek(_ ahead: Int = 0) -> UInt8 {
        let index = position + ahead
        return index < text.bytes.count ? text.bytes[index] : 0
    }

    /// True when the next byte is this ASCII character.
    @inline(__always)
    package func isNext(_ character: Unicode.Scalar) -> Bool {
        !isAtEnd && text.bytes[position] == UInt8(ascii: character)
    }

    /// Moves past `character` when it is next.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        position += 1
        return true
    }

    /// Moves past spaces and tabs; true when there was one.
    @discardableResult
    package mutating func skipSpaces() -> Bool {
        let start = position
        while peek() == 32 || peek() == 9 { position += 1 }
        return position > start
    }

    /// Moves past `character`.
    ///
    /// - Throws: `invalidQuery` when something else is next.
    package mutating func expect(_ character: Unicode.Scalar) throws {
        guard skip(character) else { throw expected("'\(character)'") }
    }

    /// True when the bytes from the cursor on begin with `text`.
    package func starts(with prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { buffer in
            guard position + buffer.count <= text.bytes.count else { return false }
            for offset in 0..<buffer.count where text.bytes[position + offset] != buffer[offset] {
                return false
            }
            return true
        }
    }

    /// Bytes of an identifier from the cursor on (OData identifiers: letters, digits, `_`, any non-ASCII letter).
    package func identifierLength(from ahead: Int = 0) -> Int {
        guard Self.startsIdentifier(peek(ahead)) else { return 0 }
        var length = 1
        while Self.continuesIdentifier(peek(ahead + length)) { length += 1 }
        return length
    }

    /// The text of the next `length` bytes, moving past them.
    package mutating func take(_ length: Int) -> String {
        let end = min(position + length, text.bytes.count)
        defer { position = end }
        return substring(position, end)
    }

    package func substring(_ start: Int, _ end: Int) -> String {
        String(decoding: text.bytes[start..<end], as: UTF8.self)
    }

    /// The error for what stands at the cursor (or at `position`), with its offset in the source.
    package func expected(_ what: String, at position: Int? = nil) -> ODataError {
        let place = position ?? self.position
        let found: String
        if place >= text.bytes.count {
            found = "the end"
        } else if text.bytes[place] > 32, text.bytes[place] < 127 {
            found = "'\(Unicode.Scalar(text.bytes[place]))'"
        } else {
            found = text.bytes[place] == 32 ? "a space" : "another character"
        }
        return ODataError(
            .invalidQuery, "Expected \(what), found \(found).",
            at: .offset(text.sourceOffset(place)))
    }

    package static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    package static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte >= 65 && byte <= 70 || byte >= 97 && byte <= 102
    }

    package static func startsIdentifier(_ byte: UInt8) -> Bool {
        byte >= 97 && byte <= 122 || byte >= 65 && byte <= 90 || byte == 95 || byte >= 128
    }

    package static func continuesIdentifier(_ byte: UInt8) -> Bool {
        startsIdentifier(byte) || isDigit(byte)
    }
}
