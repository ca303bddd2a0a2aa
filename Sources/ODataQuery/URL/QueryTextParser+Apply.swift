import ODataModel
import ODataText

/// `$apply` (Data Aggregation 4.0, section 3): sequences of steps and the steps that keep the shape of instances.
extension QueryTextParser {
    /// Steps joined by `/`.
    mutating func transformations() throws -> [Transformation] {
        var steps: [Transformation] = []
        repeat {
            scanner.skipSpaces()
            guard steps.count < limits.maximumTransformations else {
                throw ODataError(
                    .limitExceeded,
                    "Expected at most \(limits.maximumTransformations) transformations in a row.",
                    at: .offset(scanner.text.sourceOffset(scanner.position)))
            }
            steps.append(try nested { try $0.transformation() })
        } while scanner.skip("/")
        return steps
    }

    private mutating func transformation() throws -> Transformation {
        let start = scanner.position
        let name = try qualifiedName("a transformation")
        if name.contains(".") {
            return .custom(name: name, arguments: try namedArguments())
        }
        let word = folded(name)
        if word == "identity" { return .identity }
        guard scanner.isNext("(") else { throw scanner.expected("'('") }
        if let method = RankedMethod(rawValue: word) { return try ranked(method) }
        switch word {
        case "aggregate":
            let terms = try list { try $0.aggregateTerm(needsAlias: true) }
            guard !terms.isEmpty else { throw scanner.expected("an aggregate", at: start + 10) }
            return .aggregate(terms)
        case "groupby": return try groupBy()
        case "concat":
            let sequences = try list { try $0.transformations() }
            guard sequences.count > 1 else {
                throw scanner.expected("two sequences of transformations", at: start)
            }
            return .concat(sequences)
        case "search": return .search(try searchArgument())
        case "addnested", "nest", "join", "outerjoin", "expand":
            return try nesting(word, start)
        case "ancestors", "descendants", "traverse":
            return try hierarchical(word, start)
        default:
            return try shapeKeeping(word, start)
        }
    }

    private mutating func shapeKeeping(_ word: String, _ start: Int) throws -> Transformation {
        switch word {
        case "filter": return .filter(try parenthesized { try $0.expression() })
        case "skip": return .skip(try parenthesized { try $0.count() })
        case "top": return .top(try parenthesized { try $0.count() })
        case "compute":
            let items = try list { try $0.computeItem() }
            guard !items.isEmpty else { throw scanner.expected("an expression", at: start + 8) }
            return .compute(items)
        case "orderby":
            let items = try list { try $0.orderItem() }
            guard !items.isEmpty else { throw scanner.expected("an expression", at: start + 8) }
            return .orderBy(items)
        default:
            throw scanner.expected("a transformation", at: start)
        }
    }

    /// One value between parentheses.
    mutating func parenthesized<Value>(
        _ value: (inout QueryTextParser) throws -> Value
    ) throws -> Value {
        try scanner.expect("(")
        scanner.skipSpaces()
        let result = try value(&self)
        scanner.skipSpaces()
        guard scanner.skip(")") else { throw scanner.expected("')'") }
        return result
    }

    /// Moves past a comma and the spaces around it.
    mutating func expectComma() throws {
        scanner.skipSpaces()
        try scanner.expect(",")
        scanner.skipSpaces()
    }

    private mutating func ranked(_ method: RankedMethod) throws -> Transformation {
        try parenthesized { parser in
            let amount = try parser.expression()
            try parser.expectComma()
            return .ranked(method, amount: amount, by: try parser.expression())
        }
    }

    /// A search expression, or one inside a string where it would end too early.
    private mutating func searchArgument() throws -> SearchExpression {
        try parenthesized { try $0.searchExpression() }
    }

    /// ` as Name`.
    mutating func alias() throws -> String {
        guard scanner.skipSpaces(), folded(scanner.take(scanner.identifierLength())) == "as",
            scanner.skipSpaces()
        else { throw scanner.expected("as and a name") }
        return try identifier("a name")
    }

    /// True, and past the word, when `word` stands behind spaces at the cursor and spaces follow it.
    mutating func takeWord(_ word: String) -> Bool {
        let start = scanner.position
        guard scanner.skipSpaces() || isAfterParenthesis,
            scanner.identifierLength() == word.utf8.count,
            folded(scanner.take(word.utf8.count)) == word, scanner.skipSpaces()
        else {
            scanner.position = start
            return false
        }
        return true
    }

    /// A path and nothing else.
    mutating func pathOperand(_ what: String) throws -> ExpressionPath {
        scanner.skipSpaces()
        let start = scanner.position
        switch try nested({ try $0.primary() }) {
        case .path(let path): return path
        // An annotation whose term has no namespace looks like an alias.
        case .alias(let name): return ExpressionPath([.annotation(name)])
        default: throw scanner.expected(what, at: start)
        }
    }
}
