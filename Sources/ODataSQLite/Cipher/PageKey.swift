import Crypto
import Foundation

/// AES-256-GCM under one key. Any thread may call it.
protocol PageKey: Sendable {
    /// Fills `sealed`, as long as `plain`, and the 16 bytes of `tag`.
    ///
    /// - Parameter nonce: 12 bytes that were never used with the key.
    func seal(
        _ plain: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        associated: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) -> Bool

    /// Fills `plain`, as long as `sealed`.
    ///
    /// - Returns: false when the bytes are not those that were sealed; `plain` may hold anything then.
    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        associated: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool
}

/// By swift-crypto: everywhere, with copies on the way (`docs/decisions/0005`).
struct SwiftCryptoPageKey: PageKey {
    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    func seal(
        _ plain: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        associated: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let box = try? AES.GCM.seal(
            plain, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: associated)
        guard let box else { return false }
        let (content, mark) = (box.ciphertext, box.tag)
        guard content.count == sealed.count, mark.count == tag.count else { return false }
        content.copyBytes(to: sealed)
        mark.copyBytes(to: tag)
        return true
    }

    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        associated: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard
            let box = try? AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed, tag: tag),
            let opened = try? AES.GCM.open(box, using: key, authenticating: associated),
            opened.count == plain.count
        else { return false }
        opened.copyBytes(to: plain)
        return true
    }
}
