import Synchronization

/// AES-256-GCM with a random nonce for each write, under keys that are derived from the data key and renewed.
///
/// The trailer is nonce (12), tag (16) and selector (4). The selector is a random number that each opening of a store draws,
/// and draws again after 2^31 writes; HKDF makes the key that it stands for. So no key meets its limit of 2^32 random nonces,
/// no count has to survive a crash or a restored copy, and nothing is ever written again only to renew a key
/// (`docs/decisions/0004`).
package final class AESGCMPageCipher: PageCipher {
    package static let writesPerKey: UInt64 = 1 << 31
    private static let trailerCount = 32
    private static let nonceCount = 12
    private static let maximumKeys = 4096

    private struct Keys {
        var selector: UInt32 = 0
        var writing: (any PageKey)?
        var writes: UInt64 = 0
        var known: [UInt32: any PageKey] = [:]
    }

    private let dataKey: SecretKey
    private let storeID: [UInt8]
    private let writesPerKey: UInt64
    private let keys = Mutex(Keys())

    package init(
        dataKey: SecretKey, storeID: [UInt8],
        writesPerKey: UInt64 = AESGCMPageCipher.writesPerKey
    ) {
        self.dataKey = dataKey
        self.storeID = storeID
        self.writesPerKey = writesPerKey
    }

    /// For files that nobody reads after the process.
    package static func ephemeral() -> AESGCMPageCipher {
        AESGCMPageCipher(dataKey: SecretKey.random(), storeID: SecureRandom.bytes(16))
    }

    /// Nil when the library refuses, which it never did for a key that a header was opened with.
    private func derive(_ selector: UInt32) -> (any PageKey)? {
        let info =
            Array("OfflineOData page".utf8)
            + withUnsafeBytes(of: selector.bigEndian) { Array($0) }
        let key = try? SystemSealing.expand(dataKey, salt: storeID, info: info)
        return key.flatMap { try? SystemSealing.pageKey($0) }
    }

    private func keyForWriting() -> (selector: UInt32, key: any PageKey)? {
        keys.withLock { keys in
            if let key = keys.writing, keys.writes < writesPerKey {
                keys.writes += 1
                return (keys.selector, key)
            }
            let selector = SecureRandom.selector()
            guard let key = derive(selector) else { return nil }
            keys.selector = selector
            keys.writing = key
            keys.writes = 1
            Self.keep(key, selector, &keys)
            return (selector, key)
        }
    }

    private func keyForReading(_ selector: UInt32) -> (any PageKey)? {
        keys.withLock { keys in
            if let key = keys.known[selector] { return key }
            guard let key = derive(selector) else { return nil }
            Self.keep(key, selector, &keys)
            return key
        }
    }

    private static func keep(_ key: any PageKey, _ selector: UInt32, _ keys: inout Keys) {
        if keys.known.count >= maximumKeys { keys.known.removeAll(keepingCapacity: true) }
        keys.known[selector] = key
    }

    /// Hands over the associated data: store, role, page and offset.
    private func withAssociated<Result>(
        _ place: SealedPlace, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: 29, alignment: 8) { buffer in
            buffer.copyBytes(from: storeID)
            buffer[16] = place.role
            buffer.storeBytes(of: place.page.bigEndian, toByteOffset: 17, as: UInt32.self)
            buffer.storeBytes(of: place.offset.bigEndian, toByteOffset: 21, as: Int64.self)
            return try body(UnsafeRawBufferPointer(buffer))
        }
    }

    package func seal(
        _ plain: UnsafeRawBufferPointer, at place: SealedPlace,
        into sealed: UnsafeMutableRawBufferPointer, trailer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard trailer.count == Self.trailerCount, sealed.count == plain.count,
            let (selector, key) = keyForWriting()
        else { return false }
        let nonce = UnsafeMutableRawBufferPointer(rebasing: trailer[..<Self.nonceCount])
        SecureRandom.fillNonce(nonce)
        let tag = UnsafeMutableRawBufferPointer(rebasing: trailer[12..<28])
        let isSealed = withAssociated(place) { associated in
            key.seal(
                plain, nonce: UnsafeRawBufferPointer(nonce), associated: associated, into: sealed,
                tag: tag)
        }
        guard isSealed else { return false }
        trailer.storeBytes(of: selector.bigEndian, toByteOffset: 28, as: UInt32.self)
        return true
    }

    package func open(
        _ sealed: UnsafeRawBufferPointer, trailer: UnsafeRawBufferPointer, at place: SealedPlace,
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard trailer.count == Self.trailerCount, sealed.count == plain.count else { return false }
        let selector = UInt32(bigEndian: trailer.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
        guard selector != 0, let key = keyForReading(selector) else { return false }
        return withAssociated(place) { associated in
            key.open(
                sealed, nonce: UnsafeRawBufferPointer(rebasing: trailer[..<Self.nonceCount]),
                associated: associated, tag: UnsafeRawBufferPointer(rebasing: trailer[12..<28]),
                into: plain)
        }
    }
}
