// The lexical productions: names, attribute values, references, comments, instructions, the declaration.

extension XMLReader {
    func peek(_ ahead: Int) -> UInt8? {
        index + ahead < bytes.count ? bytes[index + ahead] : nil
    }

    func matches(_ text: StaticString) -> Bool {
        guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount
        where bytes[index + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    mutating func skipSpace() {
        while index < bytes.count, XMLCharacters.isSpace(bytes[index]) { index += 1 }
    }

    func string(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
        }
    }

    /// The text with CRLF and lone CR replaced by LF (XML 1.0, section 2.11).
    func normalised(_ range: Range<Int>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        for position in range {
            if bytes[position] != 0x0D {
                result.append(bytes[position])
            } else if position + 1 >= bytes.count || bytes[position + 1] != 0x0A {
                result.append(0x0A)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// True when `count` bytes at both places are the same; both must be within the document.
    func hasSameBytes(_ left: Int, _ right: Int, _ count: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for offset in 0..<count where bytes[left + offset] != bytes[right + offset] {
                return false
            }
            return true
        }
    }

    // Hot: Language, LargeMetadata
    /// Reads a qualified name.
    mutating func readName(_ what: String) throws -> WrittenName {
        let start = index
        let plain = bytes.withUnsafeBufferPointer { XMLCharacters.plainName($0, at: start) }
        let written = try plain ?? readAnyName(what)
        index = written.end
        guard written.count <= limits.maximumNameBytes else {
            throw ODataError(
                .limitExceeded, "Expected a name of at most \(limits.maximumNameBytes) bytes.",
                at: position(start))
        }
        return written
    }

    /// A name of any characters, or the error that there is none.
    private mutating func readAnyName(_ what: String) throws -> WrittenName {
        let start = index
        var written = WrittenName(start: start, end: start, colon: nil, hash: 0)
        var isFirst = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") {
                guard written.colon == nil, !isFirst else {
                    throw error("Expected at most one prefix in a name.", index)
                }
                written.colon = index
                isFirst = true
                index += 1
                continue
            }
            guard let (scalar, length) = scalar(at: index),
                isFirst ? XMLCharacters.isNameStart(scalar) : XMLCharacters.isName(scalar)
            else { break }
            isFirst = false
            written.hash = written.hash &* 31 &+ scalar
            index += length
        }
        guard index > start, !isFirst else {
            throw error("Expected \(what), found \(found(at: index)).", index)
        }
        written.end = index
        return written
    }

    private func scalar(at offset: Int) -> (UInt32, Int)? {
        let byte = bytes[offset]
        if byte < 0x80 { return (UInt32(byte), 1) }
        return bytes.withUnsafeBufferPointer { XMLCharacters.decode($0, at: offset) }
    }

    private func found(at offset: Int) -> String {
        guard offset < bytes.count, let (value, _) = scalar(at: offset),
            let scalar = Unicode.Scalar(value)
        else { return "the end" }
        return value < 0x20 ? "a control character" : "\"\(Character(scalar))\""
    }

    /// Reads a quoted value: references replaced, white space characters made spaces.
    mutating func readAttributeValue() throws -> WrittenValue {
        guard let quote = peek(0), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error("Expected a quoted value, found \(found(at: index)).", index)
        }
        let start = index + 1
        let end = bytes.withUnsafeBufferPointer {
            XMLCharacters.endOfPlainValue($0, from: start, quote: quote)
        }
        guard end < bytes.count, bytes[end] == quote else {
            decodedValues.append(try readDecodedValue(quote))
            return WrittenValue(start: start, end: index - 1, decoded: decodedValues.count - 1)
        }
        index = end + 1
        return WrittenValue(start: start, end: end, decoded: nil)
    }

    private mutating func readDecodedValue(_ quote: UInt8) throws -> String {
        let begin = index
        index += 1
        var start = index
        var decoded: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote {
                decoded.append(contentsOf: bytes[start..<index])
                index += 1
                return String(decoding: decoded, as: UTF8.self)
            }
            switch byte {
            case UInt8(ascii: "<"):
                throw error("Expected no \"<\" in an attribute value.", index)
            case UInt8(ascii: "&"):
                decoded.append(contentsOf: bytes[start..<index])
                decoded.append(contentsOf: UTF8.encode(try readReference()).map(Array.init) ?? [])
                start = index
            case 0x09, 0x0A, 0x0D:
                decoded.append(contentsOf: bytes[start..<index])
                decoded.append(0x20)
                index += byte == 0x0D && peek(1) == 0x0A ? 2 : 1
                start = index
            default: index += 1
            }
        }
        throw error("Expected the closing quote of an attribute value, found the end.", begin)
    }

    /// Reads `&name;`, `&#n;` or `&#xh;`.
    mutating func readReference() throws -> Unicode.Scalar {
        let begin = index
        let limit = min(bytes.count, index + 16)
        guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            throw error("Expected a reference of XML, such as \"&amp;\".", begin)
        }
        let body = string(index + 1..<end)
        index = end + 1
        if let scalar = Self.entities[body] { return scalar }
        guard body.hasPrefix("#") else {
            throw error("Expected one of the five entities of XML, found another.", begin)
        }
        let digits = body.dropFirst()
        let isHexadecimal = digits.hasPrefix("x")
        let text = isHexadecimal ? digits.dropFirst() : digits
        guard let first = text.first, first != "+", first != "-",
            let value = UInt32(text, radix: isHexadecimal ? 16 : 10),
            XMLCharacters.isCharacter(value), let scalar = Unicode.Scalar(value)
        else { throw error("Expected the number of an XML character.", begin) }
        return scalar
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// Skips a comment or processing instruction; false when there is none here.
    mutating func skipCommentOrInstruction() throws -> Bool {
        let begin = index
        if matches("<!--") {
            index += 4
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
                    guard peek(2) == UInt8(ascii: ">") else {
                        throw error("Expected no \"--\" in a comment.", index)
                    }
                    index += 3
                    return true
                }
                index += 1
            }
            throw error("Expected \"-->\", found the end.", begin)
        }
        guard matches("<?") else { return false }
        index += 2
        let target = try readName("the target of an instruction")
        guard string(target.start..<target.end).lowercased() != "xml" else {
            throw error("Expected the XML declaration at the very start only.", begin)
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "?"), peek(1) == UInt8(ascii: ">") {
                index += 2
                return true
            }
            index += 1
        }
        throw error("Expected \"?>\", found the end.", begin)
    }

    func refuseDocumentType() throws {
        guard matches("<!") else { return }
        if matches("<!DOCTYPE") {
            throw error("Expected no document type declaration; it is refused.", index)
        }
        throw error("Expected a tag, found other markup.", index)
    }

    /// Reads `<?xml version encoding standalone?>`, which may only stand at the very start.
    mutating func readDeclaration() throws {
        guard matches("<?xml"), let next = peek(5), XMLCharacters.isSpace(next) else { return }
        index += 5
        var step = 0
        while true {
            let before = index
            skipSpace()
            if matches("?>") {
                guard step > 0 else { throw error("Expected a version.", index) }
                index += 2
                return
            }
            guard index > before else { throw error("Expected white space or \"?>\".", index) }
            let begin = index
            let part = try readName("a part of the XML declaration")
            skipSpace()
            guard peek(0) == UInt8(ascii: "=") else { throw error("Expected \"=\".", index) }
            index += 1
            skipSpace()
            let written = try readAttributeValue()
            let value = text(of: written)
            switch (string(part.start..<part.end), step) {
            case ("version", 0):
                guard value.hasPrefix("1.") else { throw error("Expected XML version 1.", begin) }
                step = 1
            case ("encoding", 1):
                guard ["utf-8", "utf8", "us-ascii"].contains(value.lowercased()) else {
                    throw error("Expected the encoding UTF-8, found another.", begin)
                }
                step = 2
            case ("standalone", 1), ("standalone", 2):
                guard value == "yes" || value == "no" else {
                    throw error("Expected \"yes\" or \"no\".", begin)
                }
                step = 3
            default: throw error("Expected version, encoding, standalone in this order.", begin)
            }
        }
    }

    static func refuseWideEncodings(_ bytes: [UInt8]) throws {
        guard bytes.count >= 2 else { return }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0x00, 0x3C), (0x3C, 0x00), (0x00, 0x00):
            throw ODataError(
                .malformedText, "Expected UTF-8, found a document in UTF-16 or UTF-32.",
                at: .position(line: 1, column: 1))
        default: return
        }
    }
}
