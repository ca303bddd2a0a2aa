/// A pattern of `matchesPattern` as PostgreSQL's regular expressions write it: only what means the same in both. Classes
/// such as `\d`, back references and looking around are not among it.
struct PostgreSQLPattern {
    private var rest: Substring.UnicodeScalarView
    private var text = ""
    private var openGroups = 0
    /// True behind what a quantifier can stand for.
    private var isAtom = false

    /// The pattern; nil where it cannot be said in PostgreSQL, or is none.
    static func text(_ pattern: String) -> String? {
        guard pattern.utf8.count <= maximumLength else { return nil }
        var reader = PostgreSQLPattern(rest: Substring(pattern).unicodeScalars)
        while let next = reader.rest.popFirst() {
            guard reader.take(next) else { return nil }
        }
        return reader.openGroups == 0 ? reader.text : nil
    }

    private static let maximumLength = 1_000

    private mutating func take(_ next: Unicode.Scalar) -> Bool {
        switch next {
        case "\\":
            guard let escaped = rest.popFirst(), Self.isPunctuation(escaped) else { return false }
            atom("\\\(escaped)")
        case ".": atom(#"[^\n\r\u0085\u2028\u2029]"#)
        case "^":
            text += #"\A"#
            isAtom = false
        case "$":
            // Also before a line end that ends the text.
            text += #"(?=(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])?\Z)"#
            isAtom = false
        case "[": return takeClass()
        case "(":
            if rest.first == "?" {
                guard rest.starts(with: "?:".unicodeScalars) else { return false }
                rest.removeFirst(2)
            }
            text += "(?:"
            openGroups += 1
            isAtom = false
        case ")":
            guard openGroups > 0 else { return false }
            openGroups -= 1
            atom(")")
        case "|":
            text += "|"
            isAtom = false
        case "*", "+", "?", "{": return takeQuantifier(next)
        case "]", "}": return false
        default: atom(String(Character(next)))
        }
        return true
    }

    private mutating func atom(_ piece: String) {
        text += piece
        isAtom = true
    }

    /// How often: as many as can be or as few as can be finds the same texts.
    private mutating func takeQuantifier(_ first: Unicode.Scalar) -> Bool {
        guard isAtom else { return false }
        isAtom = false
        var piece = String(Character(first))
        if first == "{" {
            guard let end = rest.firstIndex(of: "}") else { return false }
            let bounds = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            let parts = bounds.split(separator: ",", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let least = UInt8(parts[0]), least < 255 else {
                return false
            }
            if parts.count == 2, !parts[1].isEmpty {
                guard let most = UInt8(parts[1]), least <= most else { return false }
            }
            piece += bounds + "}"
        }
        text += piece
        if rest.first == "?" { rest.removeFirst() }
        // One more would make it possessive, which finds less.
        return rest.first != "+"
    }

    /// `[…]` of characters and ranges.
    private mutating func takeClass() -> Bool {
        var piece = "["
        if rest.first == "^" {
            rest.removeFirst()
            piece += "^"
        }
        let start = piece
        while let next = rest.popFirst() {
            switch next {
            case "]":
                guard piece != start else { return false }
                atom(piece + "]")
                return true
            case "[", "&", "^": return false
            case "-" where piece == start || rest.first == "]": return false
            case "\\":
                guard let escaped = rest.popFirst(), Self.isPunctuation(escaped) else {
                    return false
                }
                piece += "\\\(escaped)"
            default: piece += String(Character(next))
            }
        }
        return false
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value > 32 && scalar.value < 127
            && !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
    }
}
