/// Base64 in both alphabets (RFC 4648), and the hexadecimal of V2 literals.
package enum Base64 {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlSafe = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Value of each character in either alphabet; 0xFF for all others.
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for alphabet in [standard, urlSafe] {
            for (value, character) in alphabet.enumerated() {
                table[Int(character)] = UInt8(value)
            }
        }
        return table
    }()

    /// The text; `urlSafe` writes `-` and `_` (V4), otherwise `+` and `/` (V2).
    package static func text(
        _ bytes: [UInt8], urlSafe isURLSafe: Bool = true, isPadded: Bool = true
    ) -> String {
        let alphabet = isURLSafe ? urlSafe : standard
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { buffer in
            var output = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let rest = min(3, bytes.count - start)
                var group = UInt32(bytes[start]) << 16
                if rest > 1 { group |= UInt32(bytes[start + 1]) << 8 }
                if rest > 2 { group |= UInt32(bytes[start + 2]) }
                for position in 0..<4 {
                    let index = Int(group >> UInt32(18 - 6 * position)) & 63
                    buffer[output] = position <= rest ? alphabet[index] : UInt8(ascii: "=")
                    output += 1
                }
            }
            return isPadded ? output : (bytes.count * 4 + 2) / 3
        }
    }

    /// Reads either alphabet, padding optional; nil when a character, the length or unused bits are wrong.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var characters = Array(text.utf8)
        if characters.count.isMultiple(of: 4) {
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        guard characters.count % 4 != 1 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(characters.count * 3 / 4)
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for character in characters {
            let value = values[Int(character)]
            guard value != 0xFF else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= 1 << bits - 1
            }
        }
        return group == 0 ? result : nil
    }

    /// Two upper-case hexadecimal digits a byte.
    package static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[index * 2] = digits[Int(byte >> 4)]
                buffer[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// Reads an even number of hexadecimal digits in either case.
    package static func bytes(hex text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = JSONText.hexDigit(digits[index]),
                let low = JSONText.hexDigit(digits[index + 1])
            else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }
}
