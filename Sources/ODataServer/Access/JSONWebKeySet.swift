import Crypto
import CryptoExtras
import Foundation
import ODataText

/// The keys that tokens are signed with (RFC 7517): RSA for RS256, P-256 for ES256, octets for HS256.
///
/// A key serves its own algorithm only: a token chooses among keys, never what one of them is used for (RFC 8725, sections
/// 3.1 and 3.2).
package struct JSONWebKeySet: Sendable {
    struct Key: Sendable {
        enum Material: Sendable {
            case rsa(_RSA.Signing.PublicKey)
            case p256(P256.Signing.PublicKey)
            case octets(SymmetricKey)
        }

        var id: String?
        var material: Material

        var algorithm: String {
            switch material {
            case .rsa: "RS256"
            case .p256: "ES256"
            case .octets: "HS256"
            }
        }

        func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            switch material {
            case .rsa(let key):
                return key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: message,
                    padding: .insecurePKCS1v1_5)
            case .p256(let key):
                guard
                    let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
                else { return false }
                return key.isValidSignature(value, for: message)
            case .octets(let key):
                return HMAC<Crypto.SHA256>.isValidAuthenticationCode(
                    signature, authenticating: message, using: key)
            }
        }
    }

    let keys: [Key]

    /// Reads a key set; keys for other uses (`use` other than `sig`) and of other kinds are passed over.
    ///
    /// - Throws: `usage` for what is no key set, or has no key of use here.
    package init(parsing bytes: [UInt8]) throws {
        let document = try? JSONValue(parsing: bytes)
        guard let list = document?["keys"]?.array else {
            throw Self.invalid("Expected an object with an array named keys.")
        }
        keys = try list.compactMap { try Self.key($0) }
        guard !keys.isEmpty else {
            throw Self.invalid("Expected a key for RS256, ES256 or HS256.")
        }
    }

    private static func key(_ value: JSONValue) throws -> Key? {
        guard value["use"]?.string ?? "sig" == "sig" else { return nil }
        let named = value["alg"]?.string
        let material: Key.Material
        switch value["kty"]?.string {
        case "RSA" where named ?? "RS256" == "RS256":
            guard let modulus = bytes(value["n"]), let exponent = bytes(value["e"]),
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { throw invalid("Expected n and e of an RSA key of 2048 bits or more.") }
            material = .rsa(key)
        case "EC" where value["crv"]?.string == "P-256" && named ?? "ES256" == "ES256":
            guard let x = bytes(value["x"]), let y = bytes(value["y"]), x.count == 32,
                y.count == 32,
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { throw invalid("Expected x and y of a point on P-256.") }
            material = .p256(key)
        case "oct" where named ?? "HS256" == "HS256":
            guard let octets = bytes(value["k"]), octets.count >= 32 else {
                throw invalid("Expected k of 32 bytes or more.")
            }
            material = .octets(SymmetricKey(data: octets))
        default: return nil
        }
        return Key(id: value["kid"]?.string, material: material)
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
        value?.string.flatMap { Base64.bytes($0) }
    }

    private static func invalid(_ message: String) -> ODataError { ODataError(.usage, message) }
}
