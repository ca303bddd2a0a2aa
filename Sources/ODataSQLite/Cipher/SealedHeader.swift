/// One header slot of an encrypted store, 4,096 bytes (`docs/encryption.md`).
///
/// Everything before the wrapped data key is authenticated with it. A checksum over the slot tells a torn slot from
/// a wrong key.
struct SealedHeader: Equatable {
    static let slotSize = 4096
    static let magic: [UInt8] = Array("OfflineOData key".utf8)
    private static let version: UInt32 = 1
    private static let wrappedOffset = 80
    private static let checksumOffset = slotSize - 32

    var sequence: UInt64
    let pageSize: Int
    let storeID: [UInt8]
    let derivation: KeyDerivation
    let salt: [UInt8]
    let nonce: [UInt8]
    /// The data key and its tag.
    private(set) var wrapped: [UInt8] = []

    /// A slot in which `key` opens `dataKey`.
    init(
        sequence: UInt64, pageSize: Int, storeID: [UInt8], dataKey: SecretKey, key: StoreKey
    ) throws {
        self.sequence = sequence
        self.pageSize = pageSize
        self.storeID = storeID
        derivation = .standard(for: key)
        salt = SecureRandom.bytes(16)
        nonce = SecureRandom.bytes(12)
        let wrapping = try SystemSealing.pageKey(derivation.derive(from: key, salt: salt))
        var sealed = [UInt8](repeating: 0, count: StoreKey.byteCount)
        var tag = [UInt8](repeating: 0, count: 16)
        let isSealed = dataKey.withUnsafeBytes { plain in
            nonce.withUnsafeBytes { nonce in
                authenticated.withUnsafeBytes { authenticated in
                    sealed.withUnsafeMutableBytes { sealed in
                        tag.withUnsafeMutableBytes {
                            wrapping.seal(
                                plain, nonce: nonce, associated: authenticated, into: sealed,
                                tag: $0)
                        }
                    }
                }
            }
        }
        guard isSealed else { throw StoreKeyError.unusableKey }
        wrapped = sealed + tag
    }

    /// What the slot says; nil when it is torn.
    ///
    /// - Throws: `StoreDamage.unknownFormat`
    init?(slot: ArraySlice<UInt8>) throws {
        let slot = Array(slot)
        guard slot.count == Self.slotSize, slot.starts(with: Self.magic),
            try SystemSealing.hash([UInt8](slot[..<Self.checksumOffset]))
                == [UInt8](slot[Self.checksumOffset...])
        else { return nil }
        let pageSize = Int(Self.number(slot[20..<24]))
        guard Self.number(slot[16..<20]) == UInt64(Self.version),
            (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1,
            let derivation = KeyDerivation(slot[48..<52])
        else { throw StoreDamage.unknownFormat }
        self.pageSize = pageSize
        sequence = Self.number(slot[24..<32])
        storeID = Array(slot[32..<48])
        self.derivation = derivation
        salt = Array(slot[52..<68])
        nonce = Array(slot[68..<80])
        wrapped = Array(slot[Self.wrappedOffset..<Self.wrappedOffset + 48])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private var authenticated: [UInt8] {
        Self.magic + Self.bytes(Self.version) + Self.bytes(UInt32(pageSize))
            + Self.bytes(sequence) + storeID + derivation.encoded + salt + nonce
    }

    /// The slot as it stands in the file.
    var encoded: [UInt8] {
        get throws {
            var slot = authenticated + wrapped
            slot += [UInt8](repeating: 0, count: Self.checksumOffset - slot.count)
            return slot + (try SystemSealing.hash(slot))
        }
    }

    /// The data key.
    ///
    /// - Throws: `StoreKeyError.wrongKey`
    func unwrap(with key: StoreKey) throws -> SecretKey {
        let wrapping = try SystemSealing.pageKey(derivation.derive(from: key, salt: salt))
        return try SecretKey(byteCount: StoreKey.byteCount) { target in
            let isOpen = wrapped.withUnsafeBytes { wrapped in
                nonce.withUnsafeBytes { nonce in
                    authenticated.withUnsafeBytes { authenticated in
                        wrapping.open(
                            UnsafeRawBufferPointer(rebasing: wrapped[..<32]), nonce: nonce,
                            associated: authenticated,
                            tag: UnsafeRawBufferPointer(rebasing: wrapped[32...]), into: target)
                    }
                }
            }
            guard isOpen else { throw StoreKeyError.wrongKey }
        }
    }
}

/// The two slots before page 1, of which the later whole one counts.
struct SealedHeaderPair {
    static let byteCount = 2 * SealedHeader.slotSize

    private let slots: [SealedHeader?]

    /// - Throws: `StoreDamage.unknownFormat`
    init(_ bytes: [UInt8]) throws {
        slots = try (0..<2).map { index in
            let start = index * SealedHeader.slotSize
            guard bytes.count >= start + SealedHeader.slotSize else { return nil }
            return try SealedHeader(slot: bytes[start..<start + SealedHeader.slotSize])
        }
    }

    /// The slot that counts; nil when both are torn.
    var current: SealedHeader? {
        guard let first = slots[0] else { return slots[1] }
        guard let second = slots[1] else { return first }
        return first.sequence >= second.sequence ? first : second
    }

    /// Where the slots start, the one to be written first before the other.
    var offsetsToReplace: [Int64] {
        let size = Int64(SealedHeader.slotSize)
        let currentIsFirst = slots[0] != nil && slots[0] == current
        return currentIsFirst ? [size, 0] : [0, size]
    }
}
