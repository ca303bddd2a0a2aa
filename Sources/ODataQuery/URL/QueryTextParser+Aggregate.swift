import ODataModel
import ODataText

/// `aggregate` and `groupby` (Data Aggregation 4.0, section 3.2).
extension QueryTextParser {
    /// `expression with method from … as Alias`, `path/$count as Alias` or a custom aggregate.
    mutating func aggregateTerm(needsAlias: Bool) throws -> AggregateTerm {
        let start = scanner.position
        isAggregated = true
        defer { isAggregated = false }
        let operand = try expression()
        let value: AggregateTerm.Value
        if takeWord("with") {
            value = .expression(operand, try aggregationMethod())
        } else if case .count(let path, nil) = operand {
            value = .count(path)
        } else if case .path(let path) = operand, case .property? = path.segments.last {
            value = .custom(path)
        } else {
            throw scanner.expected("with and a method")
        }
        var isCustom = false
        if case .custom = value { isCustom = true }
        var from: [AggregationFrom] = []
        while takeWord("from") {
            guard from.count < limits.maximumChain else { throw scanner.expected("as and a name") }
            from.append(try aggregationFrom(needsMethod: !isCustom))
        }
        var result = AggregateTerm(value, from: from, alias: nil)
        if needsAlias {
            if takeWord("as") {
                result.alias = try identifier("a name")
            } else if !isCustom || !from.isEmpty {
                throw scanner.expected(from.isEmpty ? "from, or as and a name" : "as and a name")
            }
        }
        guard scanner.position > start else { throw scanner.expected("an aggregate") }
        return result
    }

    /// A standard method, or a method of the service by qualified name.
    private mutating func aggregationMethod() throws -> AggregationMethod {
        let start = scanner.position
        let name = try qualifiedName("an aggregation method")
        if name.contains(".") { return .custom(name) }
        guard let method = AggregationMethod(standard: folded(name)) else {
            throw scanner.expected("sum, min, max, average or countdistinct", at: start)
        }
        return method
    }

    private mutating func aggregationFrom(needsMethod: Bool) throws -> AggregationFrom {
        var groupings: [ExpressionPath] = []
        repeat {
            scanner.skipSpaces()
            groupings.append(try groupingPath())
            scanner.skipSpaces()
        } while scanner.skip(",")
        // The cursor stands behind the spaces now; a word is looked for from before them.
        if scanner.position > 0, [32, 9].contains(scanner.text.bytes[scanner.position - 1]) {
            scanner.position -= 1
        }
        if takeWord("with") {
            return AggregationFrom(groupings, method: try aggregationMethod())
        }
        guard !needsMethod else { throw scanner.expected("with and a method") }
        return AggregationFrom(groupings, method: nil)
    }

    /// A path to group by: no annotation, no key, no cast at its end.
    private mutating func groupingPath() throws -> ExpressionPath {
        let start = scanner.position
        let path = try pathOperand("a property to group by")
        for segment in path.segments {
            switch segment {
            case .property, .typeCast: continue
            default: throw scanner.expected("a property to group by", at: start)
            }
        }
        guard path.root == .it, case .property? = path.segments.last else {
            throw scanner.expected("a property to group by", at: start)
        }
        return path
    }

    /// `groupby((groupings),steps)`.
    mutating func groupBy() throws -> Transformation {
        try parenthesized { parser in
            let start = parser.scanner.position
            let groupings = try parser.list { try $0.grouping() }
            guard !groupings.isEmpty else {
                throw parser.scanner.expected("a property to group by", at: start + 1)
            }
            parser.scanner.skipSpaces()
            guard parser.scanner.skip(",") else { return .groupBy(groupings, []) }
            return .groupBy(groupings, try parser.transformations())
        }
    }

    private mutating func grouping() throws -> GroupingTerm {
        let length = scanner.identifierLength()
        guard length > 0, scanner.peek(length) == UInt8(ascii: "(") else {
            return .path(try groupingPath())
        }
        let start = scanner.position
        switch folded(scanner.take(length)) {
        case "rollup": return try rollup()
        case "rolluprecursive":
            return try parenthesized { parser in
                let hierarchy = try parser.hierarchy()
                parser.scanner.skipSpaces()
                guard parser.scanner.skip(",") else { return .rollupRecursive(hierarchy, []) }
                return .rollupRecursive(hierarchy, try parser.transformations())
            }
        default:
            throw scanner.expected("rollup or a property to group by", at: start)
        }
    }

    private mutating func rollup() throws -> GroupingTerm {
        let start = scanner.position
        var includesAll = false
        let paths = try list { parser -> ExpressionPath? in
            if parser.scanner.starts(with: "$all"), !includesAll,
                !TextScanner.continuesIdentifier(parser.scanner.peek(4))
            {
                parser.scanner.position += 4
                includesAll = true
                return nil
            }
            return try parser.groupingPath()
        }
        guard includesAll == (paths.first == .some(nil)), paths.contains(where: { $0 != nil })
        else { throw scanner.expected("properties to group by", at: start) }
        return .rollup(paths.compactMap { $0 }, includesAll: includesAll)
    }
}
