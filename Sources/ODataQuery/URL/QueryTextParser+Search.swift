import ODataModel
import ODataText

/// `$search` (URL Conventions 4.01, section 5.1.8): checked here, kept as text.
extension QueryTextParser {
    mutating func searchText() throws -> String {
        scanner.skipSpaces()
        let start = scanner.position
        try searchExpression()
        let end = scanner.position
        return scanner.substring(start, end)
    }

    /// Terms joined by `AND`, `OR` or nothing; what does not fit these is a word like any other.
    private mutating func searchExpression() throws {
        try searchTerm()
        while true {
            let start = scanner.position
            guard scanner.skipSpaces(), !isSearchEnd else {
                scanner.position = start
                return
            }
            if let word = searchWordAhead, word == "AND" || word == "OR" {
                let after = scanner.position
                scanner.position += word.utf8.count
                guard scanner.skipSpaces(), !isSearchEnd else {
                    scanner.position = after
                    try searchTerm()
                    continue
                }
            }
            try searchTerm()
        }
    }

    private mutating func searchTerm() throws {
        if scanner.skip("(") {
            try nested { parser in
                parser.scanner.skipSpaces()
                try parser.searchExpression()
                parser.scanner.skipSpaces()
            }
            try scanner.expect(")")
            return
        }
        if scanner.skip("\"") { return try searchPhrase() }
        guard let word = searchWordAhead else { throw scanner.expected("a search term") }
        scanner.position += word.utf8.count
        guard word == "NOT" else { return }
        let start = scanner.position
        guard scanner.skipSpaces(), !isSearchEnd else {
            scanner.position = start
            return
        }
        try nested { try $0.searchTerm() }
    }

    /// The rest of a phrase in double quotes, `\` escaping the next character (4.01).
    private mutating func searchPhrase() throws {
        while !scanner.skip("\"") {
            guard !scanner.isAtEnd else { throw scanner.expected("a closing double quote") }
            scanner.position += scanner.isNext("\\") ? 2 : 1
            scanner.position = min(scanner.position, scanner.text.bytes.count)
        }
    }

    private var isSearchEnd: Bool {
        scanner.isAtEnd || endsSearchWord(scanner.position)
    }

    /// The word at the cursor; nil when none is there.
    private var searchWordAhead: String? {
        var end = scanner.position
        while end < scanner.text.bytes.count, !endsSearchWord(end) { end += 1 }
        return end > scanner.position ? scanner.substring(scanner.position, end) : nil
    }

    /// A space, a closing parenthesis or a bare semicolon; encoded, the last two belong to the word.
    private func endsSearchWord(_ index: Int) -> Bool {
        switch scanner.text.bytes[index] {
        case 32, 9: true
        case UInt8(ascii: ")"), UInt8(ascii: ";"): !scanner.text.wasEncoded(index)
        default: false
        }
    }
}
