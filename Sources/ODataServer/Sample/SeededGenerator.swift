/// A small deterministic generator (SplitMix64): the same seed gives the same numbers on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// The generator of one row: rows do not depend on how many rows stand before them.
    package init(seed: UInt64, table: UInt64, row: Int) {
        state =
            seed &* 0x9E37_79B9_7F4A_7C15 ^ table &* 0xD1B5_4A32_D192_ED03
            ^ UInt64(bitPattern: Int64(row)) &* 0xA24B_AED4_963E_E407
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` - 1; 0 when the bound is not positive.
    package mutating func below(_ bound: Int) -> Int {
        bound > 0 ? Int(next() % UInt64(bound)) : 0
    }

    /// True about `percent` times in a hundred.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    package mutating func pick(_ words: [String]) -> String {
        words.isEmpty ? "" : words[below(words.count)]
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
