import ODataModel
import ODataText

/// Rules of the ABNF that stand beside URLs: parts of expressions, values, context URLs and headers.
extension URLParser {
    /// Checks a rule that has a grammar of its own; false when it is not known here.
    static func checkOther(
        _ rule: String, _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws -> Bool {
        func parser(decoding: Bool) throws -> QueryTextParser {
            let decoded =
                decoding
                ? try DecodedText(decoding: Array(text.utf8)[...], base: 0, plusIsSpace: false)
                : DecodedText(plain: text)
            return QueryTextParser(decoded, dialect: dialect, graph: graph, limits: URLLimits())
        }
        switch rule {
        case "anyExpr", "allExpr":
            var parser = try parser(decoding: true)
            try parser.lambdaRule(rule == "anyExpr" ? .any : .all)
        case "searchExpr":
            var parser = try parser(decoding: true)
            _ = try parser.searchExpression()
            try parser.expectEnd()
        case "applyExpr", "apply":
            var parser = try parser(decoding: true)
            if rule == "apply" { _ = try parser.prefix("$apply=") }
            _ = try parser.transformations()
            try parser.expectEnd()
        case "functionParameter":
            var parser = try parser(decoding: true)
            _ = try parser.identifier("the name of a parameter")
            try parser.scanner.expect("=")
            _ = try parser.expression()
            try parser.expectEnd()
        case "keyPredicate":
            var parser = try parser(decoding: true)
            _ = try parser.keyPredicate()
            try parser.expectEnd()
        case "stringInUrl":
            var parser = try parser(decoding: true)
            guard parser.scanner.isNext("\"") else { throw parser.scanner.expected("'\"'") }
            _ = try parser.jsonElement()
            try parser.expectEnd()
        case "enumValue":
            var parser = try parser(decoding: false)
            try parser.enumerationRule()
        case "primitiveValue":
            var parser = try parser(decoding: false)
            try parser.primitiveValueRule()
        case "context", "contextFragment":
            var parser = try parser(decoding: false)
            if rule == "context" {
                while !parser.scanner.isAtEnd, !parser.scanner.isNext("#") {
                    parser.scanner.position += 1
                }
                try parser.scanner.expect("#")
            }
            try parser.contextFragmentRule()
        default:
            return try HeaderGrammar.check(rule, text)
        }
        return true
    }
}

extension QueryTextParser {
    /// Moves past a text that must be next.
    mutating func prefix(_ text: StaticString) throws {
        guard scanner.starts(with: text) else { throw scanner.expected("'\(text)'") }
        scanner.position += text.utf8CodeUnitCount
    }

    /// `any(…)` or `all(…)` without the collection in front.
    fileprivate mutating func lambdaRule(_ symbol: LambdaOperator) throws {
        let name = scanner.take(scanner.identifierLength())
        guard LambdaOperator(rawValue: folded(name)) == symbol else {
            throw scanner.expected(symbol.rawValue, at: 0)
        }
        _ = try lambda(symbol, ExpressionPath([]))
        try expectEnd()
    }

    /// Member names or numbers separated by commas.
    fileprivate mutating func enumerationRule() throws {
        repeat {
            let length = scanner.identifierLength()
            if length > 0 {
                _ = scanner.take(length)
            } else {
                _ = scanner.skip("-")
                _ = try count()
            }
        } while scanner.skip(",")
        try expectEnd("',' or the end")
    }

    /// The text of a value of some primitive type, as it stands in a raw value.
    fileprivate mutating func primitiveValueRule() throws {
        let text = scanner.substring(0, scanner.text.bytes.count)
        let types: [PrimitiveType] = [
            .boolean, .guid, .duration, .dateTimeOffset, .date, .timeOfDay, .int64, .decimal,
            .double, .binary, .geography,
        ]
        if types.contains(where: { Lexical.scalar(text, as: $0) != nil }) { return }
        try enumerationRule()
    }
}
