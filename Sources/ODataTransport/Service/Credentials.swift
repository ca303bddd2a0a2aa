import ODataText

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
            "Basic " + Base64.text(Array("\(user):\(password)".utf8), urlSafe: false)
        case .bearer(let token): "Bearer " + token
        case .custom(let value): value
        }
    }
}
