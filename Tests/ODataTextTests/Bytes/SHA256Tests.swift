import ODataText
import Testing

/// The digest against the examples of FIPS 180-4 and RFC 4231.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]) func digestsAreThoseOfTheStandard(text: String, digest: String) {
        #expect(SHA256.hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test func aMillionLettersAreManyBlocks() {
        let digest = SHA256.digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(
            SHA256.hexadecimal(digest)
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// RFC 4231, cases 2 and 6: a key shorter and one longer than a block.
    @Test func codesAreThoseOfTheStandard() {
        let short = SHA256.authenticationCode(
            of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(
            SHA256.hexadecimal(short)
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let long = SHA256.authenticationCode(
            of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xAA, count: 131))
        #expect(
            SHA256.hexadecimal(long)
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }
}
