import Foundation

/// `Name`, `Name(7)` or `Name(a=1,b='x')`, split while it is encoded, then decoded (URL Conventions 4.01, 2).
struct PathSegment {
    var name: String
    /// Arguments in their order; the name of a single key is empty.
    var arguments: [(name: String, value: String)] = []
    var hasParentheses = false

    init(_ text: Substring) throws(Refusal) {
        let text = text.removingPercentEncoding ?? String(text)
        guard let open = text.firstIndex(of: "(") else {
            name = text
            return
        }
        guard text.hasSuffix(")") else {
            throw Refusal(400, "URL Conventions 4.01, 4.3.1", "a parenthesis is left open")
        }
        name = String(text[..<open])
        hasParentheses = true
        for part in Self.split(text[text.index(after: open)...].dropLast()) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            arguments.append(
                pair.count == 2 && !part.hasPrefix("'")
                    ? (String(pair[0]), String(pair[1])) : ("", part))
        }
    }

    /// At commas outside of quotes.
    private static func split(_ text: Substring) -> [String] {
        var parts: [String] = []
        var part = ""
        var isQuoted = false
        for character in text {
            if character == "'" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                parts.append(part)
                part = ""
            } else {
                part.append(character)
            }
        }
        return part.isEmpty && parts.isEmpty ? [] : parts + [part]
    }

    /// The integer key, by itself or named.
    func key(_ property: String = "Id") throws(Refusal) -> Int {
        guard arguments.count == 1, ["", property].contains(arguments[0].name),
            let key = Int(arguments[0].value)
        else {
            throw Refusal(400, "URL Conventions 4.01, 4.3.1", "\(name) has an integer key")
        }
        return key
    }
}
