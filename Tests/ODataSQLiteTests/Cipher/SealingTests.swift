import ODataText
import Testing

@testable import ODataSQLite

/// The functions of the system's library against the vectors of their standards: a store that is sealed on one platform
/// opens on every other.
@Suite struct SealingTests {
    private func bytes(_ hex: String) throws -> [UInt8] { try #require(Base64.bytes(hex: hex)) }

    private func bytes(of key: SecretKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// FIPS 180-4, "abc".
    @Test func hashesAreThoseOfTheStandard() throws {
        #expect(
            try SystemSealing.hash(Array("abc".utf8))
                == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    }

    /// RFC 5869, test case 1, of which 32 of 42 bytes.
    @Test func keysAreExpandedAsTheStandardSays() throws {
        let key = try SystemSealing.expand(
            SecretKey([UInt8](repeating: 0x0b, count: 22)), salt: Array(0...12),
            info: Array(0xf0...0xf9))
        #expect(
            try bytes(of: key)
                == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
    }

    /// RFC 7914, section 12, of which 32 of 64 bytes.
    @Test func passphrasesAreStretchedAsTheStandardSays() throws {
        let key = try SystemSealing.stretch(
            Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), rounds: 16_384,
            blockSize: 8, parallelism: 1)
        #expect(
            try bytes(of: key)
                == bytes("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"))
    }

    /// Test case 14 of the submission of GCM to NIST: 256 bits of key, all zero.
    @Test func pagesAreSealedAsTheStandardSays() throws {
        let key = try SystemSealing.pageKey(SecretKey([UInt8](repeating: 0, count: 32)))
        let zeros = [UInt8](repeating: 0, count: 16)
        var (sealed, tag) = (zeros, zeros)
        let isSealed = zeros.withUnsafeBytes { plain in
            sealed.withUnsafeMutableBytes { sealed in
                tag.withUnsafeMutableBytes { tag in
                    key.seal(
                        plain, nonce: UnsafeRawBufferPointer(rebasing: plain[..<12]),
                        associated: UnsafeRawBufferPointer(rebasing: plain[..<0]), into: sealed,
                        tag: tag)
                }
            }
        }
        #expect(isSealed)
        #expect(try sealed == bytes("cea7403d4d606b6e074ec5d3baf39d18"))
        #expect(try tag == bytes("d0d1c8a799996bf0265b98b5d48ab919"))
    }
}
