#if !os(Linux)
    import Crypto
    import CryptoExtras
    import Foundation

    enum CryptoKitSealing: Sealing {
        static func hash(_ bytes: [UInt8]) throws -> [UInt8] { Array(SHA256.hash(data: bytes)) }

        static func expand(_ key: SecretKey, salt: [UInt8], info: [UInt8]) throws -> SecretKey {
            secret(
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: key.withUnsafeBytes { SymmetricKey(data: $0) }, salt: salt,
                    info: info, outputByteCount: StoreKey.byteCount))
        }

        static func stretch(
            _ passphrase: [UInt8], salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int
        ) throws -> SecretKey {
            secret(
                try CryptoExtras.KDF.Scrypt.deriveKey(
                    from: passphrase, salt: salt, outputByteCount: StoreKey.byteCount,
                    rounds: rounds, blockSize: blockSize, parallelism: parallelism))
        }

        static func pageKey(_ key: SecretKey) throws -> any PageKey { CryptoKitPageKey(key) }

        private static func secret(_ key: SymmetricKey) -> SecretKey {
            key.withUnsafeBytes { SecretKey($0) }
        }
    }

    /// With copies on the way (`docs/decisions/0005`).
    struct CryptoKitPageKey: PageKey {
        private let key: SymmetricKey

        init(_ key: SecretKey) { self.key = key.withUnsafeBytes { SymmetricKey(data: $0) } }

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
#endif
