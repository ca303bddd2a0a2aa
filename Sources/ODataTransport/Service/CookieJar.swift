/// The cookies of one service session (RFC 6265, as far as a single host needs): name, value and when they end, at most
/// ``limit`` of them.
package struct CookieJar: Sendable {
    private static let limit = 64

    private struct Cookie: Sendable {
        var name: String
        var value: String
        /// Seconds since 1970; nil for a cookie that ends with the session.
        var end: Int64?
    }

    private var cookies: [Cookie] = []

    package init() {}

    /// The value of the `Cookie` header at a moment, in seconds since 1970; nil when there are none.
    mutating func headerValue(now: Int64) -> String? {
        cookies.removeAll { $0.end.map { $0 <= now } ?? false }
        guard !cookies.isEmpty else { return nil }
        return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Takes over the values of `Set-Cookie` headers that came at a moment, in seconds since 1970.
    mutating func store(_ headers: [String], now: Int64) {
        for header in headers {
            let parts = header.split(separator: ";", omittingEmptySubsequences: false)
            guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].trimmingBlanks
            guard !name.isEmpty else { continue }
            cookies.removeAll { $0.name == name }
            let end = Self.end(parts.dropFirst(), now)
            if end.map({ $0 > now }) ?? true, cookies.count < Self.limit {
                let value = pair[pair.index(after: equals)...].trimmingBlanks
                cookies.append(Cookie(name: name, value: value, end: end))
            }
        }
    }

    /// When a cookie with these attributes ends: `Max-Age` counts more than `Expires`, and of two the last (section 5.3).
    private static func end(_ attributes: ArraySlice<Substring>, _ now: Int64) -> Int64? {
        var (age, date): (Int64?, Int64?)
        for attribute in attributes {
            let pair = attribute.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let value = pair[1].trimmingBlanks
            switch pair[0].trimmingBlanks.lowercased() {
            case "max-age": age = seconds(value) ?? age
            case "expires": date = CookieDate.secondsSince1970(value) ?? date
            default: break
            }
        }
        guard let age else { return date }
        return age <= 0 ? .min : now.addingReportingOverflow(age).partialValue
    }

    /// A number of seconds (section 5.2.2), one without end held at some 30,000 years; nil for anything else.
    private static func seconds(_ text: String) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        guard !text.hasPrefix("-") else { return 0 }
        return min(Int64(digits) ?? .max, 1_000_000_000_000)
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
