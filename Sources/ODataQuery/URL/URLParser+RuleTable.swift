import ODataModel
import ODataText

/// Rules of the ABNF that stand beside URLs: parts of expressions and of paths.
extension URLParser {
    /// Reads a part by its own rule; false when it has none.
    static func checkPart(
        _ rule: String, _ text: String, _ graph: MetadataGraph?, _ dialect: Dialect
    ) throws -> Bool {
        let decoded = try DecodedText(
            decoding: Array(text.utf8)[...], base: 0, plusIsSpace: false)
        var parser = QueryTextParser(decoded, dialect: dialect, graph: graph, limits: .form)
        switch rule {
        case "anyExpr", "allExpr":
            try parser.lambdaRule(rule == "anyExpr" ? .any : .all)
        case "searchExpr":
            _ = try parser.searchExpression()
        case "applyExpr", "apply":
            if rule == "apply" { try parser.optionName("apply") }
            _ = try parser.transformations()
        case "functionParameter":
            _ = try parser.identifier("the name of a parameter")
            try parser.scanner.expect("=")
            _ = try parser.expression()
        case "keyPredicate" where !text.hasPrefix("/"):
            _ = try parser.keyPredicate()
        default:
            return false
        }
        try parser.expectEnd()
        return true
    }
}

extension QueryTextParser {
    /// The name of an option, with or without `$`, and `=`.
    fileprivate mutating func optionName(_ name: String) throws {
        _ = scanner.skip("$")
        guard folded(scanner.take(scanner.identifierLength())) == name else {
            throw scanner.expected("$\(name)", at: 0)
        }
        try scanner.expect("=")
    }

    /// `any(…)` or `all(…)` without the collection in front.
    fileprivate mutating func lambdaRule(_ symbol: LambdaOperator) throws {
        let name = scanner.take(scanner.identifierLength())
        guard LambdaOperator(rawValue: folded(name)) == symbol else {
            throw scanner.expected(symbol.rawValue, at: 0)
        }
        _ = try lambda(symbol, ExpressionPath([]))
    }
}
