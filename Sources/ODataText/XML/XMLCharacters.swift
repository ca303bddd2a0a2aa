/// The character classes of XML 1.0 (fifth edition), and the one scan that proves a document is UTF-8 of them.
enum XMLCharacters {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// `Char` (section 2.2).
    static func isCharacter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// `NameStartChar` without the colon, which only separates prefix and local name.
    static func isNameStart(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: true
        case 0x00...0x7F: false
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
            0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
            0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// `NameChar` without the colon.
    static func isName(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x30...0x39, 0x2D, 0x2E, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: isNameStart(scalar)
        }
    }

    /// The offset of the first byte that is not part of well-formed UTF-8 of XML characters; nil when all is well.
    static func firstInvalid(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var index = start
            while index < buffer.count {
                index = plainEnd(buffer, from: index)
                guard index < buffer.count else { return nil }
                let byte = buffer[index]
                if byte < 0x80 {
                    guard byte >= 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
                        return index
                    }
                    index += 1
                } else {
                    guard let (scalar, length) = decode(buffer, at: index), isCharacter(scalar)
                    else { return index }
                    index += length
                }
            }
            return nil
        }
    }

    /// Where the run of eight bytes at a time ends that are printable ASCII: the scan of a whole document is 1 instruction a
    /// byte where it was 10.
    private static func plainEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let high: UInt64 = 0x8080_8080_8080_8080
        let spaces: UInt64 = 0x2020_2020_2020_2020
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // A byte below 0x20 borrows, and one of 0x80 or more has its highest bit.
            guard (word | (word &- spaces)) & high == 0 else { break }
            index += 8
        }
        return index
    }

    /// The scalar at `index` and its length in bytes; nil for overlong, truncated or stray bytes.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int)? {
        let first = UInt32(bytes[index])
        let length: Int
        var scalar: UInt32
        switch first {
        case 0x00...0x7F: return (first, 1)
        case 0xC2...0xDF: (length, scalar) = (2, first & 0x1F)
        case 0xE0...0xEF: (length, scalar) = (3, first & 0x0F)
        case 0xF0...0xF4: (length, scalar) = (4, first & 0x07)
        default: return nil
        }
        guard index + length <= bytes.count else { return nil }
        for offset in 1..<length {
            let next = UInt32(bytes[index + offset])
            guard next & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | next & 0x3F
        }
        let minimum: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard scalar >= minimum, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else {
            return nil
        }
        return (scalar, length)
    }
}

/// Line and column of a byte offset, both from 1; a column counts characters, CRLF is one line end.
package func lineAndColumn(of offset: Int, in bytes: [UInt8]) -> ODataError.Location {
    var line = 1
    var column = 1
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < min(offset, bytes.count) {
        let byte = bytes[index]
        if byte == 0x0A
            || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
        {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80, byte != 0x0D {
            column += 1
        }
        index += 1
    }
    return .position(line: line, column: column)
}
