import ODataText

extension SeededGenerator {
    /// The generator of one row: rows do not depend on how many rows stand before them.
    package init(seed: UInt64, table: UInt64, row: Int) {
        self.init(
            seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ table &* 0xD1B5_4A32_D192_ED03
                ^ UInt64(bitPattern: Int64(row)) &* 0xA24B_AED4_963E_E407)
        _ = next()
    }

    /// Thirty-two hexadecimal digits in the shape of a version 4 UUID, lower case.
    package mutating func uuidText() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position == 8 || position == 12 || position == 16 || position == 20 { text += "-" }
            text.append(digit)
        }
        return text
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
