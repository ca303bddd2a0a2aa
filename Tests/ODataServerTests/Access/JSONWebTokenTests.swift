import Crypto
import CryptoExtras
import Foundation
@testable import ODataServer
import ODataText
import Testing

/// Tokens that are signed here and looked at there.
@Suite struct JSONWebTokenTests {
    private static let octets = Array("0123456789abcdef0123456789abcdef".utf8)
    private static let now: Int64 = 2_000_000_000

    private static func rules(_ keys: String) throws -> AccessRules.Tokens {
        try #require(
            AccessFixture.rules(
                #"{"tokens": {"keys": "k", "issuer": "me", "audience": ["tools", "more"]}, "roles": {"r": {}}}"#,
                files: ["k": #"{"keys": [\#(keys)]}"#]
            ).tokens)
    }

    private static var shared: String {
        #"{"kty": "oct", "kid": "h", "k": "\#(Base64.text(octets, isPadded: false))"}"#
    }

    private static let claims =
        #"{"sub": "mia", "iss": "me", "aud": "tools", "exp": 2000000100, "nbf": 1999999000}"#

    private static func signed(
        _ head: String, _ claims: String, _ sign: ([UInt8]) throws -> [UInt8]
    )
        rethrows -> String
    {
        let parts = [head, claims].map { Base64.text(Array($0.utf8), isPadded: false) }
        let message = parts.joined(separator: ".")
        return message + "." + Base64.text(try sign(Array(message.utf8)), isPadded: false)
    }

    static func hs256(
        _ claims: String, head: String = #"{"alg": "HS256", "kid": "h"}"#, key: [UInt8] = octets
    ) -> String {
        signed(head, claims) { ODataText.SHA256.authenticationCode(of: $0, key: key) }
    }

    private static func refusal(_ token: String, _ keys: String = shared) throws -> TokenRefusal? {
        let rules = try rules(keys)
        do throws(TokenRefusal) {
            _ = try JSONWebToken.claims(of: token, by: rules, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func oneThatHoldsGivesItsClaims() throws {
        let claims = try JSONWebToken.claims(
            of: Self.hs256(Self.claims), by: Self.rules(Self.shared), now: Self.now)
        #expect(claims["sub"]?.string == "mia")
    }

    @Test(arguments: [
        ("exp\": 2000000100", "exp\": 1999999939", TokenRefusal.expired),
        ("\"exp\": 2000000100, ", "", .malformed),
        ("exp\": 2000000100", "exp\": \"2000000100\"", .malformed),
        ("nbf\": 1999999000", "nbf\": 2000000061", .early),
        ("\"me\"", "\"you\"", .wrongIssuer), ("\"iss\": \"me\", ", "", .wrongIssuer),
        ("\"tools\"", "[\"others\"]", .wrongAudience), ("\"aud\": \"tools\", ", "", .wrongAudience),
    ])
    func oneThatDoesNotHoldSaysWhy(_ old: String, _ new: String, _ expected: TokenRefusal) throws {
        let claims = Self.claims.replacing(old, with: new)
        #expect(claims != Self.claims)
        #expect(try Self.refusal(Self.hs256(claims)) == expected)
    }

    @Test func clocksMayDifferAndAudiencesBeMany() throws {
        for (old, new) in [
            ("2000000100", "1999999941"), ("1999999000", "2000000060"),
            ("\"tools\"", "[\"x\", \"more\"]"),
        ] {
            #expect(try Self.refusal(Self.hs256(Self.claims.replacing(old, with: new))) == nil)
        }
    }

    @Test func nothingUnsignedIsTaken() throws {
        let none = Self.signed(#"{"alg": "none"}"#, Self.claims) { _ in [] }
        #expect(try Self.refusal(none) == .malformed)
        let named = Self.signed(#"{"alg": "none"}"#, Self.claims) { _ in [1] }
        #expect(try Self.refusal(named) == .unknownKey)
        #expect(
            try Self.refusal(Self.hs256(Self.claims, key: Array(Self.octets.reversed())))
                == .wrongSignature)
        let token = Self.hs256(Self.claims)
        var parts = token.split(separator: ".").map(String.init)
        parts[1] = Base64.text(
            Array(Self.claims.replacing("mia", with: "noa").utf8), isPadded: false)
        #expect(try Self.refusal(parts.joined(separator: ".")) == .wrongSignature)
        #expect(try Self.refusal("a.b") == .malformed)
        #expect(
            try Self.refusal(Self.hs256(Self.claims, head: #"{"alg": "HS256", "crit": ["b64"]}"#))
                == .malformed)
        #expect(
            try Self.refusal(Self.hs256(Self.claims, head: #"{"alg": "HS256", "kid": "x"}"#))
                == .unknownKey)
    }

    @Test func pairsOfKeysServeTheirOwnAlgorithm() throws {
        let pair = P256.Signing.PrivateKey()
        let point = Array(pair.publicKey.rawRepresentation)
        let x = Base64.text(Array(point[..<32]), isPadded: false)
        let y = Base64.text(Array(point[32...]), isPadded: false)
        let elliptic = #"{"kty": "EC", "crv": "P-256", "kid": "e", "x": "\#(x)", "y": "\#(y)"}"#
        let token = try Self.signed(#"{"alg": "ES256", "kid": "e"}"#, Self.claims) {
            Array(try pair.signature(for: $0).rawRepresentation)
        }
        #expect(try Self.refusal(token, elliptic) == nil)
        #expect(try Self.refusal(String(token.dropLast(4)) + "AAAA", elliptic) == .wrongSignature)

        let private_ = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let parts = try private_.publicKey.getKeyPrimitives()
        let n = Base64.text(Array(parts.modulus), isPadded: false)
        let e = Base64.text(Array(parts.publicExponent), isPadded: false)
        let rsa = #"{"kty": "RSA", "kid": "r", "n": "\#(n)", "e": "\#(e)"}"#
        let signed = try Self.signed(#"{"alg": "RS256", "kid": "r"}"#, Self.claims) {
            Array(try private_.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
        #expect(try Self.refusal(signed, "\(elliptic), \(rsa)") == nil)
        // The public key is known to all: it is no secret to sign with.
        let forged = Self.hs256(
            Self.claims, head: #"{"alg": "HS256", "kid": "r"}"#, key: Array(parts.modulus))
        #expect(try Self.refusal(forged, rsa) == .unknownKey)
    }

    @Test(arguments: [
        #"{"kty": "oct", "k": "c2hvcnQ"}"#, #"{"kty": "RSA", "n": "AQ", "e": "AQAB"}"#,
        #"{"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"}"#,
        #"{"kty": "OKP", "crv": "Ed25519", "x": "AQ"}"#,
    ])
    func keysThatAreTooWeakOrOfAnotherKindAreRefused(_ key: String) {
        #expect(throws: ODataError.self) { try Self.rules(key) }
    }
}

/// What is kept of passwords.
@Suite struct PasswordHashTests {
    @Test func aHashIsReadAsItIsWrittenAndKnowsItsPassword() throws {
        let hash = try PasswordHash(of: "geheim:ü", salt: Array("12345678".utf8), logRounds: 4)
        let read = try #require(PasswordHash(parsing: hash.text))
        #expect(read == hash && read.matches("geheim:ü"))
        #expect(!read.matches("geheim:u") && !read.matches(""))
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
    }

    /// RFC 7914, section 12.
    @Test func itIsThatOfTheStandard() throws {
        let expected =
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        let hash = Base64.text(
            try #require(Base64.bytes(hex: expected)), urlSafe: false, isPadded: false)
        let salt = Base64.text(Array("NaCl".utf8), urlSafe: false, isPadded: false)
        // The vector's salt is shorter than is taken.
        #expect(PasswordHash(parsing: "$scrypt$ln=10,r=8,p=16$\(salt)$\(hash)") == nil)
        let vector =
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        let chloride = Base64.text(Array("SodiumChloride".utf8), urlSafe: false, isPadded: false)
        let text = Base64.text(
            try #require(Base64.bytes(hex: vector)), urlSafe: false, isPadded: false)
        let read = try #require(PasswordHash(parsing: "$scrypt$ln=14,r=8,p=1$\(chloride)$\(text)"))
        #expect(read.matches("pleaseletmein"))
    }

    @Test(arguments: [
        "", "geheim", "$scrypt$", "$bcrypt$ln=4,r=8,p=1$MTIzNDU2Nzg$MTIzNDU2NzgxMjM0NTY3OA",
        "$scrypt$ln=30,r=8,p=1$MTIzNDU2Nzg$MTIzNDU2NzgxMjM0NTY3OA",
        "$scrypt$ln=20,r=32,p=1$MTIzNDU2Nzg$MTIzNDU2NzgxMjM0NTY3OA",
        "$scrypt$ln=4,r=8$MTIzNDU2Nzg$MTIzNDU2NzgxMjM0NTY3OA",
        "$scrypt$ln=4,r=8,p=1$MTIzNDU2Nzg$MTIz",
    ])
    func whatIsNoHashOrTooMuchIsRefused(_ text: String) {
        #expect(PasswordHash(parsing: text) == nil)
    }
}
