import ODataText

/// What is wrong with a token; nothing of the token is in it.
enum TokenRefusal: Error, Hashable {
    case malformed
    /// Signed in a way, or with a key, that there is none for.
    case unknownKey
    case wrongSignature
    /// Its time is over, or has not begun.
    case expired, early
    /// Made by somebody else, or for somebody else.
    case wrongIssuer, wrongAudience
}

/// A signed token (RFC 7515, RFC 7519) whose signature and claims are looked at in one step.
enum JSONWebToken {
    /// The claims of a token that holds now.
    ///
    /// - Throws: ``TokenRefusal``.
    static func claims(
        of token: String, by rules: AccessRules.Tokens, now: Int64
    ) throws(TokenRefusal) -> JSONObject {
        guard token.utf8.count <= maximumBytes else { throw .malformed }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = object(parts[0]), let claims = object(parts[1]),
            let signature = Base64.bytes(parts[2]), !signature.isEmpty,
            let algorithm = head["alg"]?.string
        else { throw .malformed }
        // What `crit` names has to be understood, and nothing is (RFC 7515, section 4.1.11).
        guard head["crit"] == nil else { throw .malformed }
        let id = head["kid"]?.string
        let keys = rules.keys.keys.filter {
            $0.algorithm == algorithm && (id == nil || $0.id == nil || $0.id == id)
        }
        guard !keys.isEmpty else { throw .unknownKey }
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        guard keys.contains(where: { $0.isValid(signature, of: message) }) else {
            throw .wrongSignature
        }
        try check(claims, by: rules, now: now)
        return claims
    }

    private static func check(
        _ claims: JSONObject, by rules: AccessRules.Tokens, now: Int64
    ) throws(TokenRefusal) {
        guard let end = seconds(claims["exp"]) else { throw .malformed }
        guard end > now - rules.leewaySeconds else { throw .expired }
        if let begin = claims["nbf"] {
            guard let begin = seconds(begin) else { throw .malformed }
            guard begin <= now + rules.leewaySeconds else { throw .early }
        }
        guard claims["iss"]?.string == rules.issuer else { throw .wrongIssuer }
        let audience = claims["aud"]
        let named = audience?.array?.compactMap(\.string) ?? [audience?.string ?? ""]
        guard !rules.audiences.isDisjoint(with: named) else { throw .wrongAudience }
    }

    /// When the token's time is over, in seconds since 1970.
    static func end(of claims: JSONObject) -> Int64? { seconds(claims["exp"]) }

    private static func seconds(_ value: JSONValue?) -> Int64? {
        guard let number = value?.number.flatMap({ Double($0) }), abs(number) < 1e15 else {
            return nil
        }
        return Int64(number)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64.bytes(part) else { return nil }
        return (try? JSONValue(parsing: bytes))?.object
    }

    private static let maximumBytes = 16 << 10
}
