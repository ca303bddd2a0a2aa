import ODataModel
import ODataText

/// `$search` as text (URL Conventions 4.01, section 5.1.8).
extension ExpressionWriter {
    mutating func write(search: SearchExpression) {
        switch search {
        case .term(let word):
            if Self.isWord(word) { searchData(word) } else { write(phrase: word) }
        case .phrase(let text):
            write(phrase: text)
        case .not(let operand):
            structure("NOT ")
            write(search: operand, parenthesized: operand.precedence < 3)
        case .and(let left, let right):
            write(search: left, parenthesized: left.precedence < 2)
            structure(" AND ")
            write(search: right, parenthesized: right.precedence <= 2)
        case .or(let left, let right):
            write(search: left)
            structure(" OR ")
            write(search: right, parenthesized: right.precedence <= 1)
        }
    }

    private mutating func write(search: SearchExpression, parenthesized: Bool) {
        if parenthesized { structure("(") }
        write(search: search)
        if parenthesized { structure(")") }
    }

    private mutating func write(phrase: String) {
        structure(encoding == nil ? "\"" : "%22")
        searchData(phrase.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
        structure(encoding == nil ? "\"" : "%22")
    }

    /// Inside a text of words a bare parenthesis or semicolon would end it.
    private mutating func searchData(_ text: String) {
        if encoding == nil { data(text) } else { append(encoded: text, for: .nestedText) }
    }

    /// True for what comes back as a word.
    private static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, !["AND", "OR", "NOT"].contains(text) else {
            return false
        }
        // Parentheses and double quotes end a word, encoded or not (ABNF, the comment at `searchWord`).
        let isPlain = text.utf8.allSatisfy { !" \t()\"".utf8.contains($0) }
        return isPlain && first != UInt8(ascii: "'")
    }
}
