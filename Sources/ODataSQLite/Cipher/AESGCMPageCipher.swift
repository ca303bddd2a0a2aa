import Crypto
import Foundation
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
    private static let tagCount = 16
    private static let maximumKeys = 4096

    private struct Keys {
        var selector: UInt32 = 0
        var writing: SymmetricKey?
        var writes: UInt64 = 0
        var known: [UInt32: SymmetricKey] = [:]
    }

    private let dataKey: SymmetricKey
    private let storeID: [UInt8]
    private let writesPerKey: UInt64
    private let keys = Mutex(Keys())

    package init(
        dataKey: SymmetricKey, storeID: [UInt8],
        writesPerKey: UInt64 = AESGCMPageCipher.writesPerKey
    ) {
        self.dataKey = dataKey
        self.storeID = storeID
        self.writesPerKey = writesPerKey
    }

    /// For files that nobody reads after the process.
    package static func ephemeral() -> AESGCMPageCipher {
        AESGCMPageCipher(dataKey: SymmetricKey(size: .bits256), storeID: SecureRandom.bytes(16))
    }

    private func derive(_ selector: UInt32) -> SymmetricKey {
        let info =
            Array("OfflineOData page".utf8)
            + withUnsafeBytes(of: selector.bigEndian) { Array($0) }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: dataKey, salt: storeID, info: info, outputByteCount: 32)
    }

    private func keyForWriting() -> (selector: UInt32, key: SymmetricKey) {
        keys.withLock { keys in
            if let key = keys.writing, keys.writes < writesPerKey {
                keys.writes += 1
                return (keys.selector, key)
            }
            let selector = SecureRandom.selector()
            let key = derive(selector)
            keys.selector = selector
            keys.writing = key
            keys.writes = 1
            Self.keep(key, selector, &keys)
            return (selector, key)
        }
    }

    private func keyForReading(_ selector: UInt32) -> SymmetricKey {
        keys.withLock { keys in
            if let key = keys.known[selector] { return key }
            let key = derive(selector)
            Self.keep(key, selector, &keys)
            return key
        }
    }

    private static func keep(_ key: SymmetricKey, _ selector: UInt32, _ keys: inout Keys) {
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
        guard trailer.count == Self.trailerCount, sealed.count == plain.count else { return false }
        let (selector, key) = keyForWriting()
        let nonce = UnsafeMutableRawBufferPointer(rebasing: trailer[..<Self.nonceCount])
        SecureRandom.fillNonce(nonce)
        let box = withAssociated(place) { associated in
            try? AES.GCM.seal(
                plain, using: key, nonce: AES.GCM.Nonce(data: UnsafeRawBufferPointer(nonce)),
                authenticating: associated)
        }
        guard let box, box.ciphertext.count == plain.count, box.tag.count == Self.tagCount
        else { return false }
        box.ciphertext.copyBytes(to: sealed)
        box.tag.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: trailer[12..<28]))
        trailer.storeBytes(of: selector.bigEndian, toByteOffset: 28, as: UInt32.self)
        return true
    }

    package func open(
        _ sealed: UnsafeRawBufferPointer, trailer: UnsafeRawBufferPointer, at place: SealedPlace,
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard trailer.count == Self.trailerCount, sealed.count == plain.count else { return false }
        let selector = UInt32(bigEndian: trailer.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
        guard selector != 0 else { return false }
        let key = keyForReading(selector)
        let opened = withAssociated(place) { associated -> Data? in
            guard
                let box = try? AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(
                        data: UnsafeRawBufferPointer(rebasing: trailer[..<Self.nonceCount])),
                    ciphertext: sealed,
                    tag: UnsafeRawBufferPointer(rebasing: trailer[12..<28]))
            else { return nil }
            return try? AES.GCM.open(box, using: key, authenticating: associated)
        }
        guard let opened, opened.count == plain.count else { return false }
        opened.copyBytes(to: plain)
        return true
    }
}
