import ODataText

/// Reads ABNF: a rule begins at the start of a line, and the lines that begin with a space belong to it.
struct GrammarReader {
    private var grammar = Grammar()
    private var numbers: [String: Int] = [:]
    private var bytes: [UInt8] = []
    private var position = 0

    /// - Throws: `malformedText` where a line is no ABNF, or a rule is named and nowhere defined.
    static func read(_ sections: [String]) throws -> Grammar {
        var reader = GrammarReader()
        for section in sections { try reader.section(section) }
        if let open = reader.grammar.roots.firstIndex(of: -1) {
            throw ODataError(
                .malformedText, "Expected a definition of \(reader.grammar.rules[open]).")
        }
        reader.allowLetters()
        reader.grammar.complete()
        return reader.grammar
    }

    private mutating func section(_ text: String) throws {
        var rule = ""
        for line in text.split(separator: "\n") {
            if !line.hasPrefix(" "), !rule.isEmpty {
                try define(rule)
                rule = ""
            }
            rule += line
        }
        if !rule.isEmpty { try define(rule) }
    }

    /// `name = elements`, or `name =/ elements` for further alternatives.
    private mutating func define(_ text: String) throws {
        bytes = Array(text.utf8)
        position = 0
        let number = number(of: name())
        skipSpaces()
        guard take("=") else { throw unexpected("'='") }
        let isFurther = take("/")
        let root = try alternatives()
        guard position == bytes.count else { throw unexpected("an element or the end") }
        let former = grammar.roots[number]
        guard isFurther == (former >= 0) else { throw unexpected("each rule defined once") }
        grammar.roots[number] = isFurther ? add(.alternatives([former, root])) : root
    }

    private mutating func alternatives() throws -> Int {
        var found = [try sequence()]
        while take("/") { found.append(try sequence()) }
        return found.count == 1 ? found[0] : add(.alternatives(found))
    }

    private mutating func sequence() throws -> Int {
        var found: [Int] = []
        skipSpaces()
        while position < bytes.count, !")]/".utf8.contains(bytes[position]) {
            found.append(try repetition())
            skipSpaces()
        }
        guard !found.isEmpty else { throw unexpected("an element") }
        return found.count == 1 ? found[0] : add(.sequence(found))
    }

    /// An element, perhaps behind `n`, `n*m` or one half of it.
    private mutating func repetition() throws -> Int {
        let least = decimal()
        guard take("*") else {
            let element = try element()
            guard let least else { return element }
            return add(.repetition(element, minimum: least, maximum: least))
        }
        let most = decimal()
        let child = try element()
        return add(.repetition(child, minimum: least ?? 0, maximum: most ?? .max))
    }

    private mutating func element() throws -> Int {
        skipSpaces()
        guard position < bytes.count else { throw unexpected("an element") }
        switch bytes[position] {
        case UInt8(ascii: "("):
            position += 1
            let group = try alternatives()
            guard take(")") else { throw unexpected("')'") }
            return group
        case UInt8(ascii: "["):
            position += 1
            let group = try alternatives()
            guard take("]") else { throw unexpected("']'") }
            return add(.repetition(group, minimum: 0, maximum: 1))
        case UInt8(ascii: "\""):
            return add(.text(try quoted(), isCaseSensitive: false))
        case UInt8(ascii: "%"):
            position += 1
            if take("s") { return add(.text(try quoted(), isCaseSensitive: true)) }
            guard take("x"), let low = hexadecimal() else { throw unexpected("%s or %x") }
            let high = take("-") ? hexadecimal() : low
            guard let high, high >= low else { throw unexpected("a larger number") }
            return add(.range(low, high))
        default:
            let name = name()
            guard !name.isEmpty else { throw unexpected("an element") }
            return add(.rule(number(of: name)))
        }
    }

    /// What the comments at the rules of identifiers add: percent-encoded characters of these categories of Unicode.
    private mutating func allowLetters() {
        for (name, isLeading) in [
            ("identifierLeadingCharacter", true), ("identifierCharacter", false),
        ] {
            guard let number = numbers[name] else { continue }
            let letters = add(.encodedLetter(isLeading: isLeading))
            grammar.roots[number] = add(.alternatives([grammar.roots[number], letters]))
        }
    }

    // MARK: Parts

    private mutating func add(_ form: Grammar.Form) -> Int {
        grammar.nodes.append(Grammar.Node(form: form))
        return grammar.nodes.count - 1
    }

    private mutating func number(of name: String) -> Int {
        if let known = numbers[name] { return known }
        grammar.rules.append(name)
        grammar.roots.append(-1)
        numbers[name] = grammar.rules.count - 1
        return grammar.rules.count - 1
    }

    private mutating func skipSpaces() {
        while position < bytes.count, bytes[position] == 32 { position += 1 }
    }

    private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: symbol) else { return false }
        position += 1
        return true
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count,
            bytes[position] == UInt8(ascii: "-")
                || Character(Unicode.Scalar(bytes[position])).isLetter
                || Character(Unicode.Scalar(bytes[position])).isNumber
        { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func decimal() -> Int? {
        let start = position
        while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
        return Int(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func hexadecimal() -> UInt8? {
        let start = position
        while position < bytes.count, Character(Unicode.Scalar(bytes[position])).isHexDigit {
            position += 1
        }
        return UInt8(String(decoding: bytes[start..<position], as: UTF8.self), radix: 16)
    }

    private mutating func quoted() throws -> [UInt8] {
        guard take("\"") else { throw unexpected("'\"'") }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
        let text = Array(bytes[start..<position])
        guard take("\"") else { throw unexpected("'\"'") }
        return text
    }

    private func unexpected(_ what: String) -> ODataError {
        ODataError(.malformedText, "Expected \(what) in a grammar.", at: .offset(position))
    }
}

extension Grammar {
    /// Reads a grammar: rules at the start of lines, continued by lines that begin with a space.
    ///
    /// - Throws: `malformedText` where a line is no ABNF, or a rule is named and nowhere defined.
    package init(reading sections: [String]) throws {
        self = try GrammarReader.read(sections)
    }

    /// The grammar of OData 4.01 with aggregation and temporal data.
    package static let odata = Result { try Grammar(reading: GrammarText.sections) }
}
