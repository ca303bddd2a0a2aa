import CODataScan

/// Lexical rules of JSON (RFC 8259) on bytes.
@usableFromInline
package enum JSONText {
    @inlinable
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The length of the longest number at the start of the bytes; 0 when there is none.
    @inlinable
    package static func numberLength(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        odata_number_length(bytes, count)
    }

    /// How many leading bytes could belong to a number.
    @usableFromInline
    package static func numberPrefix(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var at = 0
        while at < count {
            switch bytes[at] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                at += 1
            default: return at
            }
        }
        return at
    }

    /// The UTF-16 code unit of four hexadecimal digits; nil when one is none.
    package static func hexUnit(_ digits: UnsafePointer<UInt8>) -> UInt16? {
        var unit: UInt16 = 0
        for index in 0..<4 {
            guard let digit = hexDigit(digits[index]) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    package static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The text of a string's bytes whose escapes a reader has checked.
    package static func unescaped(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { unescape(bytes, into: $0.baseAddress) }
    }

    /// Resolves the escapes of a string's bytes, which a reader has checked, into `target`, which has room for as
    /// many bytes as there are; returns how many were written.
    package static func unescape(
        _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>?
    ) -> Int {
        guard let target, let start = bytes.baseAddress else { return 0 }
        let input = start.assumingMemoryBound(to: UInt8.self)
        var at = 0
        var written = 0
        while at < bytes.count {
            guard input[at] == UInt8(ascii: "\\"), at + 1 < bytes.count else {
                target[written] = input[at]
                written += 1
                at += 1
                continue
            }
            guard input[at + 1] == UInt8(ascii: "u"), at + 6 <= bytes.count else {
                target[written] = simpleEscape(input[at + 1])
                written += 1
                at += 2
                continue
            }
            var scalar = UInt32(hexUnit(input + at + 2) ?? 0xfffd)
            at += 6
            if scalar & 0xfc00 == 0xd800, at + 6 <= bytes.count {
                let low = UInt32(hexUnit(input + at + 2) ?? 0)
                scalar = 0x10000 + (scalar & 0x3ff) << 10 + (low & 0x3ff)
                at += 6
            }
            for unit in String(Unicode.Scalar(scalar) ?? "\u{fffd}").utf8 {
                target[written] = unit
                written += 1
            }
        }
        return written
    }

    private static func simpleEscape(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}
