/// Percent-encoding of UTF-8 (RFC 3986, section 2.1).
package enum PercentCoding {
    /// Which bytes stand for themselves in a part of a URL.
    package struct Part: Sendable {
        private let low: UInt64
        private let high: UInt64

        /// The unreserved characters and those of `others`.
        package init(keeping others: String) {
            var bits: (low: UInt64, high: UInt64) = (0, 0)
            let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            for byte in (unreserved + others).utf8 where byte < 128 {
                if byte < 64 { bits.low |= 1 << byte } else { bits.high |= 1 << (byte - 64) }
            }
            (low, high) = bits
        }

        private init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

        package func keeps(_ byte: UInt8) -> Bool {
            guard byte < 128 else { return false }
            return byte < 64 ? low >> byte & 1 == 1 : high >> (byte - 64) & 1 == 1
        }

        /// No byte stands for itself.
        static let none = Part(low: 0, high: 0)
        /// Data inside a path segment: `%`, `/`, `?`, `#`, `&`, `+`, brackets and spaces are encoded.
        package static let path = Part(keeping: "!$'()*,;=:@")
        /// The first segment of a relative reference, where a colon would end a scheme.
        package static let firstSegment = Part(keeping: "!$'()*,;=@")
        /// Data inside the value of a query option: `&`, `=`, `+`, `#` and `%` are encoded.
        package static let query = Part(keeping: "!$'()*,;:@/?")
        /// As ``query``, for text in which an unencoded `;` or parenthesis would end the value.
        package static let nestedText = Part(keeping: "!$'*,:@/?")
    }

    /// `text` with every byte that `part` does not keep written as `%XX`.
    package static func encode(_ text: String, for part: Part) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if part.keeps(byte) {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(digits[Int(byte >> 4)])
                output.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// `text` with every byte written as `%XX`.
    package static func escaped(_ text: some StringProtocol) -> String {
        encode(String(text), for: Part.none)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
