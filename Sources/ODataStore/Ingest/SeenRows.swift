/// The internal ids that a sweep has met, as a bitmap.
package struct SeenRows: Sendable, Hashable {
    private var words: [UInt64] = []

    package init() {}

    package func contains(_ id: Int64) -> Bool {
        guard let bit = Self.bit(of: id), bit >> 6 < words.count else { return false }
        return words[bit >> 6] & (1 << UInt64(bit & 63)) != 0
    }

    /// Ids beyond the bound of two thousand million are not kept and so count as not seen by ``contains(_:)``'s callers,
    /// who must not have them: the store never draws them.
    package mutating func insert(_ id: Int64) {
        guard let bit = Self.bit(of: id) else { return }
        let word = bit >> 6
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(bit & 63)
    }

    /// Rows of the service have even bits, rows created here (negative ids) odd ones.
    private static func bit(of id: Int64) -> Int? {
        guard id > -limit, id < limit else { return nil }
        return Int(id >= 0 ? id << 1 : (-id << 1) - 1)
    }

    private static let limit: Int64 = 1 << 31

    /// How long ``bytes`` are.
    var byteCount: Int { words.count * 8 }

    /// The bitmap as bytes, to be stored with the resume point.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.count * 8)
        for word in words {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    /// Reads ``bytes``; what is left over is ignored.
    package init(bytes: [UInt8]) {
        words = (0..<bytes.count / 8).map { index in
            (0..<8).reduce(0) { $0 | UInt64(bytes[index * 8 + $1]) << UInt64($1 * 8) }
        }
    }
}
