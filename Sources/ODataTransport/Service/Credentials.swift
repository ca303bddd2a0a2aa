/// What proves who is asking; never part of a trace or an error.
package enum Credentials: Sendable, Hashable {
    case basic(user: String, password: String)
    case bearer(String)
    /// The whole value of the header, in a scheme that is not known here.
    case custom(String)

    /// The value of the `Authorization` header (RFC 7617, RFC 6750).
    package var headerValue: String {
        switch self {
        case .basic(let user, let password):
            "Basic " + Base64.text(Array("\(user):\(password)".utf8))
        case .bearer(let token): "Bearer " + token
        case .custom(let value): value
        }
    }
}

private enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                result.append(
                    position <= group.count
                        ? digits[bits >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
