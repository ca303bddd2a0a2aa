/// What sealing a store needs beside page keys: the system's libcrypto on Linux, CryptoKit and swift-crypto's scrypt
/// elsewhere (`docs/decisions/0005`). The bytes are the same.
protocol Sealing: Sendable {
    /// SHA-256 (FIPS 180-4).
    static func hash(_ bytes: [UInt8]) throws -> [UInt8]
    /// 32 bytes by HKDF with SHA-256 (RFC 5869).
    static func expand(_ key: SecretKey, salt: [UInt8], info: [UInt8]) throws -> SecretKey
    /// 32 bytes by scrypt (RFC 7914).
    static func stretch(
        _ passphrase: [UInt8], salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int
    ) throws -> SecretKey
    /// AES-256-GCM under the key.
    static func pageKey(_ key: SecretKey) throws -> any PageKey
}

#if os(Linux)
    typealias SystemSealing = LibcryptoSealing
#else
    typealias SystemSealing = CryptoKitSealing
#endif
