import ODataText

/// A globally unique identifier of 128 bits; compared by its bytes, written in lower case.
package struct Guid: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 36 characters with hyphens or 32 without, in either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 || bytes.count == 32 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in bytes.enumerated() {
            if bytes.count == 36, index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.hexDigit(byte) else { return nil }
            if digits < 16 {
                words.0 = words.0 << 4 | UInt64(digit)
            } else {
                words.1 = words.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        self.init(high: words.0, low: words.1)
    }

    /// The identifier in network byte order; nil when there are not 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The 16 bytes in network byte order.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(16)
        for word in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return result
    }

    /// 36 characters in lower case.
    package var description: String { text(hyphens: true) }

    /// 32 characters in lower case, without hyphens.
    package var compactText: String { text(hyphens: false) }

    package static func < (left: Guid, right: Guid) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private func text(hyphens: Bool) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var count = 0
            for (word, first) in [(high, 0), (low, 16)] {
                for digit in 0..<16 {
                    let position = first + digit
                    if hyphens, position == 8 || position == 12 || position == 16 || position == 20
                    {
                        buffer[count] = UInt8(ascii: "-")
                        count += 1
                    }
                    let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit * 4)) & 15
                    buffer[count] =
                        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
                    count += 1
                }
            }
            return count
        }
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
