import ODataModel
import ODataText

/// Operands: literals, paths, calls, JSON and parentheses (URL Conventions 4.01, section 5.1.1).
extension QueryTextParser {
    mutating func primary() throws -> Expression {
        switch scanner.peek() {
        case _ where scanner.isAtEnd:
            throw scanner.expected("an expression")
        case UInt8(ascii: "("):
            scanner.position += 1
            let inner = try expression()
            scanner.skipSpaces()
            try scanner.expect(")")
            return inner
        case UInt8(ascii: "'"):
            return .literal(.string(try quotedString()), .string)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            return .json(try jsonText())
        case UInt8(ascii: "@"):
            return try aliasOrAnnotation()
        case UInt8(ascii: "$"):
            return try rootedPath()
        case let byte
        where TextScanner.isDigit(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+"):
            return try bareLiteral()
        default:
            if let guid = try bareGuid() { return guid }
            return try namedOperand()
        }
    }

    /// `$it`, `$this`, `$root` or a bare `$count` (sections 5.1.1.14.4 to 5.1.1.14.6), or an answer.
    private mutating func rootedPath() throws -> Expression {
        let start = scanner.position
        scanner.position += 1
        switch folded(scanner.take(scanner.identifierLength())) {
        case "it": return try pathContinuation(ExpressionPath(root: .it, []))
        case "this": return try pathContinuation(ExpressionPath(root: .this, []))
        case "these": return try pathContinuation(ExpressionPath(root: .these, []))
        case "root": return try pathContinuation(ExpressionPath(root: .root, []))
        case "count": return .count(ExpressionPath([]), filter: nil)
        case _ where namesAnswers: return try answerPath(start)
        default: throw scanner.expected("$it, $this, $root or $count", at: start)
        }
    }

    /// The unreserved ones, as the ABNF rule `request-id` says.
    private static let idCharacters = PercentCoding.Part(keeping: "")

    /// `$id`, `$id/path` or `$id/$succeeded` (JSON Format 4.01, section 19.1).
    private mutating func answerPath(_ start: Int) throws -> Expression {
        scanner.position = start + 1
        var length = 0
        while Self.idCharacters.keeps(scanner.peek(length)) { length += 1 }
        guard length > 0 else { throw scanner.expected("the id of a request", at: start) }
        let name = "$" + scanner.take(length)
        if scanner.starts(with: "/$succeeded") {
            scanner.position += 11
            return .path(ExpressionPath(root: .variable(name + "/$succeeded"), []))
        }
        return try pathContinuation(ExpressionPath(root: .variable(name), []))
    }

    /// `@alias` (section 5.3) or `@Namespace.Term` (section 5.1.1.16).
    private mutating func aliasOrAnnotation() throws -> Expression {
        scanner.position += 1
        let name = try qualifiedName("the name of an alias or annotation")
        if name.contains(".") || scanner.isNext("#") {
            let segment = ExpressionPath.Segment.annotation(name + annotationQualifier())
            return try pathContinuation(ExpressionPath([segment]))
        }
        guard scanner.isNext("/") else { return .alias(name) }
        return try pathContinuation(ExpressionPath(root: .variable("@\(name)"), []))
    }

    mutating func annotationQualifier() -> String {
        guard scanner.isNext("#"), scanner.identifierLength(from: 1) > 0 else { return "" }
        return scanner.take(1 + scanner.identifierLength(from: 1))
    }

    /// Something that begins with a name: a prefixed literal, a keyword literal, a call or a path.
    private mutating func namedOperand() throws -> Expression {
        let start = scanner.position
        let length = qualifiedNameLength()
        guard length > 0 else { throw scanner.expected("an expression") }
        let next = scanner.peek(length)
        if next == UInt8(ascii: "'") { return try prefixedLiteral(length) }
        let name = scanner.take(length)
        if next == UInt8(ascii: "(") {
            return try nested { try $0.call(name, start) }
        }
        if next != UInt8(ascii: "/"), let literal = keywordLiteral(name) { return literal }
        if !name.contains("."), variables.contains(name) {
            return try pathContinuation(ExpressionPath(root: .variable(name), []))
        }
        return try pathContinuation(ExpressionPath([segment(named: name)]))
    }

    /// Written without parentheses: a property or, with a dot, a type.
    func segment(named name: String) -> ExpressionPath.Segment {
        name.contains(".") ? .typeCast(name) : .property(name)
    }

    private func keywordLiteral(_ name: String) -> Expression? {
        switch name {
        case "null": .literal(.null, nil)
        case "true": .literal(.boolean(true), .boolean)
        case "false": .literal(.boolean(false), .boolean)
        case "INF": .literal(.double(.infinity), .double)
        case "NaN": .literal(.double(.nan), .double)
        default: dialect.usesTypedLiterals ? nil : booleanInAnyCase(name)
        }
    }

    /// The ABNF's `boolean` does not look at case; a property of that name goes first.
    private func booleanInAnyCase(_ name: String) -> Expression? {
        let word = name.lowercased()
        guard word == "true" || word == "false", !isProperty(name) else { return nil }
        return .literal(.boolean(word == "true"), .boolean)
    }

    private func isProperty(_ name: String) -> Bool {
        graph?.structures.contains { $0.slot(named: name) != nil } == true
    }

    /// `name(…)` where an operand begins; the cursor stands on the parenthesis.
    private mutating func call(_ name: String, _ start: Int) throws -> Expression {
        switch folded(name) {
        case "cast", "isof":
            return try typeFunction(folded(name))
        case "case":
            return .call(.case, try caseArguments())
        case "any", "all":
            throw scanner.expected("a collection in front of any or all")
        case "substringof":
            let arguments = try list { try $0.expression() }
            guard arguments.count == 2 else { throw arityError("substringof", start) }
            return .call(.contains, [arguments[1], arguments[0]])
        default:
            break
        }
        let function =
            dialect.ignoresKeywordCase
            ? Function.byFoldedName[name.lowercased()] : Function(rawValue: name)
        if let function {
            let arguments = try list { try $0.expression() }
            guard function.arity.contains(arguments.count) else { throw arityError(name, start) }
            return .call(function, arguments)
        }
        return try unknownCall(name)
    }

    /// A call that is not canonical: a bound function in a path, a property with a key, or a function of the service.
    private mutating func unknownCall(_ name: String) throws -> Expression {
        if startsNamedArguments || isKnownFunction(name) || isEmptyCall && !name.contains(".") {
            return try pathContinuation(ExpressionPath(try parenthesizedSegments(name)))
        }
        if name.contains(".") {
            let arguments = try list { try $0.expression() }
            guard scanner.isNext("/") else { return .custom(name: name, arguments: arguments) }
            guard arguments.isEmpty else { throw scanner.expected("the end of the call") }
            return try pathContinuation(ExpressionPath([.function(name, [])]))
        }
        return try pathContinuation(ExpressionPath(try parenthesizedSegments(name)))
    }

    private func isKnownFunction(_ name: String) -> Bool {
        guard let graph else { return false }
        return graph.operations(named: name).contains { !$0.isAction && $0.isBound }
    }

    private func arityError(_ name: String, _ start: Int) -> ODataError {
        ODataError(
            .invalidQuery, "Expected another number of arguments for \(name).",
            at: .offset(scanner.text.sourceOffset(start)))
    }

    /// `cast` and `isof` (section 5.1.1.10); V2 writes the type as a string.
    private mutating func typeFunction(_ name: String) throws -> Expression {
        try scanner.expect("(")
        scanner.skipSpaces()
        var operand: Expression?
        var type = try typeName()
        if type == nil {
            operand = try expression()
            scanner.skipSpaces()
            try scanner.expect(",")
            scanner.skipSpaces()
            type = try typeName()
        }
        guard let type else { throw scanner.expected("the name of a type") }
        scanner.skipSpaces()
        try scanner.expect(")")
        return name == "cast" ? .cast(operand, type: type) : .isOf(operand, type: type)
    }

    /// A type name that ends the argument list; nil (and no move) when something else follows.
    private mutating func typeName() throws -> String? {
        let start = scanner.position
        let isQuoted = scanner.isNext("'")
        let name: String
        if isQuoted {
            name = try quotedString()
        } else {
            let length = qualifiedNameLength()
            guard length > 0 else { return nil }
            name = scanner.take(length)
            if name == "Collection", scanner.skip("(") {
                let item = try qualifiedName("the name of a type")
                try scanner.expect(")")
                scanner.skipSpaces()
                return "Collection(\(item))"
            }
        }
        var ahead = scanner
        ahead.skipSpaces()
        guard ahead.isNext(")") else {
            scanner.position = start
            return nil
        }
        return name
    }

    /// `case(condition:value,…)` (section 5.1.1.12.1): conditions and values in turn.
    private mutating func caseArguments() throws -> [Expression] {
        let pairs = try list { parser -> [Expression] in
            let condition = try parser.expression()
            parser.scanner.skipSpaces()
            try parser.scanner.expect(":")
            return [condition, try parser.expression()]
        }
        guard !pairs.isEmpty else { throw scanner.expected("a condition") }
        return pairs.flatMap { $0 }
    }
}

extension Function {
    static let byFoldedName = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

    /// How many arguments the function takes.
    package var arity: ClosedRange<Int> {
        switch self {
        case .now, .minDateTime, .maxDateTime: 0...0
        case .substring: 2...3
        case .replace: 3...3
        case .concat, .contains, .endsWith, .indexOf, .startsWith, .matchesPattern, .hasSubset,
            .hasSubsequence, .geoDistance, .geoIntersects:
            2...2
        case .length, .toLower, .toUpper, .trim, .year, .month, .day, .hour, .minute, .second,
            .fractionalSeconds, .date, .time, .totalOffsetMinutes, .totalSeconds, .ceiling, .floor,
            .round, .geoLength, .isDefined:
            1...1
        case .case: 2...1000
        }
    }
}
