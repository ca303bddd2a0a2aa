import ODataText

/// Headers and preferences as the ABNF writes them (Protocol 4.01, section 8; ABNF, section "Headers and preferences").
/// Requests are read leniently by `Preferences`; this is the strict form.
enum HeaderGrammar {
    /// Checks `text` against a rule; false when the rule is none of these.
    static func check(_ rule: String, _ text: String) throws -> Bool {
        var scanner = TextScanner(DecodedText(plain: text))
        switch rule {
        case "header": try header(&scanner)
        case "request-id", "requestID":
            let allowed: (UInt8) -> Bool = {
                TextScanner.continuesIdentifier($0) || $0 == 45 || $0 == 46 || $0 == 126
            }
            guard take(&scanner, allowed) > 0 else { throw scanner.expected("a request id") }
        case "prefer":
            try literal(&scanner, "prefer")
            try scanner.expect(":")
            try preferences(&scanner)
        case "preference": try preference(&scanner, only: nil)
        default:
            guard rule.hasSuffix("Preference") else { return false }
            try preference(&scanner, only: String(rule.dropLast("Preference".count)))
        }
        guard scanner.isAtEnd else { throw scanner.expected("the end") }
        return true
    }

    private static func take(_ scanner: inout TextScanner, _ isPart: (UInt8) -> Bool) -> Int {
        let start = scanner.position
        while !scanner.isAtEnd, isPart(scanner.peek()) { scanner.position += 1 }
        return scanner.position - start
    }

    private static func word(_ scanner: inout TextScanner) -> String {
        let start = scanner.position
        _ = take(&scanner) { TextScanner.continuesIdentifier($0) || $0 == UInt8(ascii: "-") }
        return scanner.substring(start, scanner.position).lowercased()
    }

    private static func literal(_ scanner: inout TextScanner, _ expected: String) throws {
        let start = scanner.position
        guard word(&scanner) == expected else { throw scanner.expected(expected, at: start) }
    }

    private static func digits(_ scanner: inout TextScanner, _ what: String) throws {
        guard take(&scanner, TextScanner.isDigit) > 0 else { throw scanner.expected(what) }
    }

    private static func header(_ scanner: inout TextScanner) throws {
        let start = scanner.position
        var name = word(&scanner)
        if name.hasPrefix("odata-") { name = String(name.dropFirst(6)) }
        try scanner.expect(":")
        if name == "prefer" { return try preferences(&scanner) }
        scanner.skipSpaces()
        switch name {
        case "asyncresult":
            for _ in 0..<3 {
                guard TextScanner.isDigit(scanner.peek()) else {
                    throw scanner.expected("a status of three digits")
                }
                scanner.position += 1
            }
        case "entityid":
            guard take(&scanner, { $0 > 32 && $0 != 127 }) > 0 else {
                throw scanner.expected("an IRI")
            }
        case "isolation": try literal(&scanner, "snapshot")
        case "version", "maxversion":
            try digits(&scanner, "a version")
            try scanner.expect(".")
            try digits(&scanner, "a digit")
        default:
            throw scanner.expected("a header of OData", at: start)
        }
    }

    private static func preferences(_ scanner: inout TextScanner) throws {
        repeat {
            scanner.skipSpaces()
            try preference(&scanner, only: nil)
            scanner.skipSpaces()
        } while scanner.skip(",")
    }

    /// One preference, of the kind that `only` names where it is given.
    private static func preference(_ scanner: inout TextScanner, only: String?) throws {
        let start = scanner.position
        var name = word(&scanner)
        if name == "odata", scanner.skip(".") { name = word(&scanner) }
        if let only, name.replacing("-", with: "") != only.lowercased() {
            throw scanner.expected(only, at: start)
        }
        switch name {
        case "respond-async": return
        case "allow-entityreferences", "track-changes", "continue-on-error":
            guard scanner.skip("=") else { return }
            let place = scanner.position
            let value = word(&scanner)
            guard value == "true" || value == "false" else {
                throw scanner.expected("true or false", at: place)
            }
        case "callback":
            try scanner.expect(";")
            scanner.skipSpaces()
            try literal(&scanner, "url")
            try scanner.expect("=")
            try quoted(&scanner) { inner in
                guard take(&inner, { $0 > 32 && $0 != UInt8(ascii: "\"") }) > 0 else {
                    throw inner.expected("a URL")
                }
            }
        case "include-annotations":
            try scanner.expect("=")
            try quoted(&scanner) { inner in
                repeat { try annotation(&inner) } while inner.skip(",")
            }
        case "maxpagesize", "wait":
            try scanner.expect("=")
            let first = scanner.peek()
            guard TextScanner.isDigit(first), name == "wait" || first != UInt8(ascii: "0") else {
                throw scanner.expected("a number above 0")
            }
            try digits(&scanner, "a number")
        case "return":
            try choice(&scanner, ["minimal", "representation"])
        case "omit-values":
            try choice(&scanner, ["nulls", "defaults"])
        default:
            throw scanner.expected("a preference of OData", at: start)
        }
    }

    private static func choice(_ scanner: inout TextScanner, _ values: [String]) throws {
        try scanner.expect("=")
        let place = scanner.position
        guard values.contains(word(&scanner)) else {
            throw scanner.expected(values.joined(separator: " or "), at: place)
        }
    }

    private static func quoted(
        _ scanner: inout TextScanner, _ content: (inout TextScanner) throws -> Void
    ) throws {
        try scanner.expect("\"")
        try content(&scanner)
        try scanner.expect("\"")
    }

    /// `*`, `Ns.*` or `Ns.Term`, with `-` in front or a qualifier behind.
    private static func annotation(_ scanner: inout TextScanner) throws {
        _ = scanner.skip("-")
        if !scanner.skip("*") {
            var parts = 0
            repeat {
                if parts > 0, scanner.skip("*") {
                    parts += 1
                    break
                }
                let length = scanner.identifierLength()
                guard length > 0 else { throw scanner.expected("a namespace or '*'") }
                _ = scanner.take(length)
                parts += 1
            } while scanner.skip(".")
            guard parts > 1 else { throw scanner.expected("'.' and a term") }
        }
        guard scanner.skip("#") else { return }
        let length = scanner.identifierLength()
        guard length > 0 else { throw scanner.expected("a qualifier") }
        _ = scanner.take(length)
    }
}
