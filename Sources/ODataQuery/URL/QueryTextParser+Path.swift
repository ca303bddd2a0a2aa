import ODataModel
import ODataText

/// Paths inside expressions (URL Conventions 4.01, section 5.1.1.15), lambda operators and `$count`.
extension QueryTextParser {
    /// The segments after `path`; the cursor stands behind it.
    mutating func pathContinuation(_ path: ExpressionPath) throws -> Expression {
        var path = path
        var filter: Expression?
        while isSegmentNext {
            scanner.position += 1
            guard path.segments.count < limits.maximumDepth else {
                throw scanner.expected("at most \(limits.maximumDepth) path segments")
            }
            if scanner.isNext("$") {
                guard let result = try systemSegment(of: &path, &filter) else { continue }
                return result
            }
            take(&filter, into: &path)
            if scanner.skip("@") {
                let name = try qualifiedName("the name of an annotation")
                path.segments.append(.annotation(name + annotationQualifier()))
                continue
            }
            let name = try qualifiedName("a path segment")
            if scanner.isNext("(") {
                if let lambda = LambdaOperator(rawValue: folded(name)) {
                    return try self.lambda(lambda, path)
                }
                if folded(name) == "aggregate" {
                    let term = try parenthesized { try $0.aggregateTerm(needsAlias: false) }
                    return .aggregate(path, term)
                }
                path.segments += try nested { try $0.parenthesizedSegments(name) }
            } else {
                path.segments.append(segment(named: name))
            }
        }
        take(&filter, into: &path)
        if path.root == .it, path.segments.count == 1, case .typeCast? = path.segments.first,
            !isAggregated
        {
            throw scanner.expected("'/' or '('")
        }
        return .path(path)
    }

    /// A filter that `$count` does not follow is a step of the path.
    private func take(_ filter: inout Expression?, into path: inout ExpressionPath) {
        guard let condition = filter else { return }
        path.segments.append(.filter(condition))
        filter = nil
    }

    /// In the path part only a bare slash separates segments.
    private var isSegmentNext: Bool {
        scanner.isNext("/") && !(isInPath && scanner.text.wasEncoded(scanner.position))
    }

    /// `/$count`, optionally filtered, or `/$filter(…)` in front of it; nil when the path goes on.
    private mutating func systemSegment(
        of path: inout ExpressionPath, _ filter: inout Expression?
    ) throws -> Expression? {
        let start = scanner.position
        scanner.position += 1
        switch folded(scanner.take(scanner.identifierLength())) {
        case "count":
            return .count(path, filter: try countFilter(filter))
        case "filter" where filter == nil:
            try scanner.expect("(")
            let condition = try expression()
            scanner.skipSpaces()
            try scanner.expect(")")
            if scanner.isNext("(") {
                path.segments += [.filter(condition), .key(try keyPredicate())]
            } else {
                filter = condition
            }
            return nil
        default:
            throw scanner.expected("$count", at: start)
        }
    }

    /// `($filter=…)` behind `$count` (section 5.1.1.15, 4.01).
    private mutating func countFilter(_ outer: Expression?) throws -> Expression? {
        guard scanner.isNext("(") else { return outer }
        let start = scanner.position
        scanner.position += 1
        scanner.skipSpaces()
        let name = scanner.skip("$") ? "$" : ""
        let option = name + folded(scanner.take(scanner.identifierLength()))
        if option == "$search" || option == "search" && dialect.ignoresKeywordCase {
            throw notCarriedOut("A count in an expression is not searched.", at: start + 1)
        }
        guard option == "$filter" || option == "filter" && dialect.ignoresKeywordCase,
            outer == nil
        else { throw scanner.expected("$filter", at: start + 1) }
        try scanner.expect("=")
        let filter = try expression()
        scanner.skipSpaces()
        if scanner.isNext(";") {
            throw ODataError(
                .invalidQuery, "Expected $filter once.",
                at: .offset(scanner.text.sourceOffset(scanner.position)))
        }
        try scanner.expect(")")
        return filter
    }

    /// `any(x:…)`, `all(x:…)` or `any()` (section 5.1.1.13).
    mutating func lambda(
        _ symbol: LambdaOperator, _ path: ExpressionPath
    ) throws -> Expression {
        try scanner.expect("(")
        scanner.skipSpaces()
        if symbol == .any, scanner.skip(")") {
            return .lambda(.any, path, variable: "", predicate: nil)
        }
        let variable = try identifier("a lambda variable")
        scanner.skipSpaces()
        try scanner.expect(":")
        variables.append(variable)
        defer { variables.removeLast() }
        let predicate = try expression()
        scanner.skipSpaces()
        try scanner.expect(")")
        return .lambda(symbol, path, variable: variable, predicate: predicate)
    }

    /// `name(…)` in a path: a key behind a navigation property, or a bound function with its arguments.
    mutating func parenthesizedSegments(_ name: String) throws -> [ExpressionPath.Segment] {
        if isEmptyCall {
            _ = try list { try $0.identifier() }
            return [.function(name, [])]
        }
        let isFunction =
            startsNamedArguments
            && (name.contains(".") || graph?.operations(named: name).isEmpty == false)
        guard isFunction || graph == nil && startsNamedArguments else {
            return [segment(named: name), .key(try keyPredicate())]
        }
        let arguments = try namedArguments()
        // Without a model only the values tell keys from arguments.
        guard isFunction || !arguments.allSatisfy(\.value.isKeyValue) else {
            return [
                segment(named: name),
                .key(arguments.map { KeyValue(name: $0.name, value: $0.value) }),
            ]
        }
        return [.function(name, arguments)]
    }

    /// True when the parentheses at the cursor hold nothing.
    var isEmptyCall: Bool {
        var ahead = scanner
        guard ahead.skip("(") else { return false }
        ahead.skipSpaces()
        return ahead.isNext(")")
    }

    /// True when the parentheses at the cursor begin with `name=`.
    var startsNamedArguments: Bool {
        var ahead = scanner
        guard ahead.skip("(") else { return false }
        ahead.skipSpaces()
        let length = ahead.identifierLength()
        guard length > 0 else { return false }
        _ = ahead.take(length)
        ahead.skipSpaces()
        return ahead.isNext("=")
    }

    /// `(name=value,…)` of a function (section 4.5.2).
    mutating func namedArguments() throws -> [NamedArgument] {
        try list { parser in
            let name = try parser.identifier("the name of a parameter")
            parser.scanner.skipSpaces()
            try parser.scanner.expect("=")
            return NamedArgument(name: name, value: try parser.listedExpression())
        }
    }

    /// `(value)` or `(name=value,…)` (section 4.3.1).
    mutating func keyPredicate() throws -> [KeyValue] {
        let isNamed = startsNamedArguments
        let start = scanner.position
        let values = try list { parser -> KeyValue in
            guard isNamed else { return KeyValue(name: nil, value: try parser.keyExpression()) }
            let name = try parser.identifier("the name of a key property")
            parser.scanner.skipSpaces()
            try parser.scanner.expect("=")
            return KeyValue(name: name, value: try parser.keyExpression())
        }
        guard values.count == 1 || isNamed && !values.isEmpty else {
            throw scanner.expected("one value, or values with names", at: start)
        }
        return values
    }

    /// A literal or an alias.
    private mutating func keyExpression() throws -> Expression {
        scanner.skipSpaces()
        let start = scanner.position
        let value = try primary()
        guard value.isKeyValue else { throw scanner.expected("a literal or an alias", at: start) }
        return value
    }
}

extension Expression {
    /// True for what may be the value of a key: a literal, an alias or a path from the root.
    fileprivate var isKeyValue: Bool {
        switch self {
        case .literal, .enumeration, .alias: true
        case .path(let path): path.root == .root
        default: false
        }
    }
}
