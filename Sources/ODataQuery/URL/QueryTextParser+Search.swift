import ODataModel
import ODataText

/// `$search` (URL Conventions 4.01, section 5.1.8).
extension QueryTextParser {
    /// Words and phrases joined by `AND`, `OR` or nothing, `NOT` in front; what does not fit these is a word.
    mutating func searchExpression() throws -> SearchExpression {
        scanner.skipSpaces()
        // In quotes stands what is no search expression of the protocol (ABNF, `searchExpr-incomplete`).
        if scanner.isNext("'") { return SearchExpression(text: try quotedString()) }
        var terms = 0
        return try searchAlternatives(&terms)
    }

    private mutating func searchAlternatives(_ terms: inout Int) throws -> SearchExpression {
        var result = try searchConjunction(&terms)
        while takeSearchOperator("OR") {
            result = .or(result, try searchConjunction(&terms))
        }
        return result
    }

    private mutating func searchConjunction(_ terms: inout Int) throws -> SearchExpression {
        var result = try searchTerm(&terms)
        while true {
            let start = scanner.position
            if takeSearchOperator("AND") {
                result = .and(result, try searchTerm(&terms))
                continue
            }
            guard scanner.skipSpaces(), !isSearchEnd, !isSearchOperatorNext("OR") else {
                scanner.position = start
                return result
            }
            result = .and(result, try searchTerm(&terms))
        }
    }

    private mutating func searchTerm(_ terms: inout Int) throws -> SearchExpression {
        terms += 1
        guard terms <= Self.maximumSearchTerms else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumSearchTerms) search terms.",
                at: .offset(scanner.text.sourceOffset(scanner.position)))
        }
        if scanner.skip("(") {
            var count = terms
            let inner = try nested { parser in
                parser.scanner.skipSpaces()
                let inner = try parser.searchAlternatives(&count)
                parser.scanner.skipSpaces()
                return inner
            }
            terms = count
            try scanner.expect(")")
            return inner
        }
        if scanner.skip("\"") { return .phrase(try searchPhrase()) }
        guard let word = searchWordAhead else { throw scanner.expected("a search term") }
        scanner.position += word.utf8.count
        guard word == "NOT" else {
            return word == "AND" || word == "OR" ? .phrase(word) : .term(word)
        }
        let start = scanner.position
        guard scanner.skipSpaces(), !isSearchEnd else {
            scanner.position = start
            return .phrase(word)
        }
        var count = terms
        let operand = try nested { try $0.searchTerm(&count) }
        terms = count
        return .not(operand)
    }

    private static let maximumSearchTerms = 200

    /// The rest of a phrase in double quotes, `\` escaping the next character (4.01).
    private mutating func searchPhrase() throws -> String {
        var bytes: [UInt8] = []
        while !scanner.skip("\"") {
            _ = scanner.skip("\\")
            guard !scanner.isAtEnd else { throw scanner.expected("a closing double quote") }
            bytes.append(scanner.peek())
            scanner.position += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// True when the operator stands between spaces and something follows it; the cursor stands before the spaces.
    private func isSearchOperatorNext(_ symbol: String) -> Bool {
        var ahead = self
        ahead.scanner.skipSpaces()
        guard ahead.searchWordAhead == symbol else { return false }
        ahead.scanner.position += symbol.utf8.count
        return ahead.scanner.skipSpaces() && !ahead.isSearchEnd
    }

    /// Moves past the operator and the spaces around it; the cursor stands before the spaces.
    private mutating func takeSearchOperator(_ symbol: String) -> Bool {
        let next = scanner.peek()
        guard next == 32 || next == 9 || isAfterSearchDelimiter, isSearchOperatorNext(symbol)
        else { return false }
        scanner.skipSpaces()
        scanner.position += symbol.utf8.count
        scanner.skipSpaces()
        return true
    }

    private var isAfterSearchDelimiter: Bool {
        guard scanner.position > 0 else { return false }
        let byte = scanner.text.bytes[scanner.position - 1]
        return byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\"")
    }

    private var isSearchEnd: Bool {
        guard !scanner.isAtEnd else { return true }
        let byte = scanner.peek()
        return endsSearchWord(scanner.position) && byte != UInt8(ascii: "(")
            && byte != UInt8(ascii: "\"")
    }

    /// The word at the cursor; nil when none is there.
    private var searchWordAhead: String? {
        var end = scanner.position
        while end < scanner.text.bytes.count, !endsSearchWord(end) { end += 1 }
        return end > scanner.position ? scanner.substring(scanner.position, end) : nil
    }

    /// A space, a parenthesis, a double quote or a bare semicolon; encoded, the last belongs to the word (ABNF,
    /// `searchWord`).
    private func endsSearchWord(_ index: Int) -> Bool {
        switch scanner.text.bytes[index] {
        case 32, 9, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""): true
        case UInt8(ascii: ";"): !scanner.text.wasEncoded(index)
        default: false
        }
    }
}
