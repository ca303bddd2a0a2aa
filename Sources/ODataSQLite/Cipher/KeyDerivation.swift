/// How the key that wraps a store's data key is made from the key that the app gives.
enum KeyDerivation: Sendable, Equatable {
    /// HKDF with SHA-256, for 32 random bytes.
    case hkdf
    /// scrypt (RFC 7914), for what a person can remember.
    case scrypt(cost: Int, blockSize: Int, parallelism: Int)

    /// 2^15 rounds of 8 blocks: 32 MiB, and about 0.2 s where it was measured.
    static let standardCost = 15
    /// A header may not ask for more: 256 MiB.
    private static let maximumBytes = 256 << 20
    private static let costs = 10...20

    static func standard(for key: StoreKey) -> KeyDerivation {
        key.isRaw
            ? .hkdf
            : .scrypt(
                cost: min(max(key.passphraseCost, costs.lowerBound), costs.upperBound - 2),
                blockSize: 8, parallelism: 1)
    }

    /// Four bytes of a header slot: the function, and scrypt's parameters.
    var encoded: [UInt8] {
        switch self {
        case .hkdf: [1, 0, 0, 0]
        case .scrypt(let cost, let blockSize, let parallelism):
            [2, UInt8(cost), UInt8(blockSize), UInt8(parallelism)]
        }
    }

    /// nil for an unknown function and for parameters beyond the limits.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 4 else { return nil }
        switch bytes[0] {
        case 1: self = .hkdf
        case 2:
            let cost = Int(bytes[1])
            let blockSize = Int(bytes[2])
            guard Self.costs.contains(cost), (1...32).contains(blockSize),
                (1...16).contains(bytes[3]), (128 * blockSize) << cost <= Self.maximumBytes
            else { return nil }
            self = .scrypt(cost: cost, blockSize: blockSize, parallelism: Int(bytes[3]))
        default: return nil
        }
    }

    /// The key that wraps the data key.
    func derive(from key: StoreKey, salt: [UInt8]) throws -> SecretKey {
        switch self {
        case .hkdf:
            try SystemSealing.expand(
                SecretKey(key.bytes), salt: salt, info: Array("OfflineOData key".utf8))
        case .scrypt(let cost, let blockSize, let parallelism):
            try SystemSealing.stretch(
                key.bytes, salt: salt, rounds: 1 << cost, blockSize: blockSize,
                parallelism: parallelism)
        }
    }
}
