/// The cookies of one service session (RFC 6265, as far as a single host needs): name and value, expiry by
/// `Max-Age=0` only, at most ``limit`` of them.
struct CookieJar: Sendable {
    private static let limit = 64
    private var cookies: [(name: String, value: String)] = []

    /// The value of the `Cookie` header; nil when there are none.
    var headerValue: String? {
        cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Names and values in the order in which they came.
    var all: [(name: String, value: String)] { cookies }

    /// Puts these in the place of what there is.
    mutating func replace(with other: [(name: String, value: String)]) {
        cookies = Array(other.prefix(Self.limit))
    }

    /// Takes over the values of `Set-Cookie` headers.
    mutating func store(_ headers: [String]) {
        for header in headers {
            let parts = header.split(separator: ";", omittingEmptySubsequences: false)
            guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].trimmingBlanks
            guard !name.isEmpty else { continue }
            cookies.removeAll { $0.name == name }
            let isExpired = parts.dropFirst().contains {
                $0.trimmingBlanks.lowercased() == "max-age=0"
            }
            if !isExpired, cookies.count < Self.limit {
                cookies.append((name, pair[pair.index(after: equals)...].trimmingBlanks))
            }
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
