/// Short sums that tell texts and bytes apart (FNV-1a): not for secrets, and nothing that an enemy chooses is safe behind them.
package enum Fingerprint {
    package static func text(of string: String) -> String { text(of: Array(string.utf8)) }

    /// Of 64 bits, in letters and digits.
    package static func text(of bytes: [UInt8]) -> String {
        let sum = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(sum, radix: 36)
    }

    /// Of 32 bits.
    package static func checkSum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
