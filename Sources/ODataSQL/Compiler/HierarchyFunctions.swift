import ODataModel
import ODataQuery
import ODataText

/// The functions that test where a node stands in a hierarchy (Data Aggregation 4.0, section 5.5.2.1): null where an
/// identifier is null, false for an identifier that no node has.
extension ExpressionCompiler {
    private enum HierarchyFunction: String {
        case isnode, isroot, isdescendant, isancestor, issibling, isleaf
    }

    /// The name of a function of the vocabulary `Aggregation` without its namespace; nil for others.
    private static func aggregationFunction(_ name: String) -> String? {
        for namespace in ["Aggregation.", "Org.OData.Aggregation.V1."]
        where name.hasPrefix(namespace) {
            return String(name.dropFirst(namespace.count))
        }
        return nil
    }

    /// The value of a path that is such a call; nil for other paths.
    mutating func hierarchyFunction(_ path: ExpressionPath) throws -> SQLTerm? {
        guard path.root == .it, case .function(let name, let arguments)? = path.segments.first,
            let found = Self.aggregationFunction(name),
            let function = HierarchyFunction(rawValue: found.lowercased())
        else { return nil }
        guard path.segments.count == 1 else {
            throw Self.invalid("Expected the end of a path behind \(name)().")
        }
        func value(_ parameter: String) throws -> Expression {
            guard let found = arguments.first(where: { $0.name == parameter }) else {
                throw Self.invalid("Expected the parameter \(parameter) of \(name)().")
            }
            return resolved(found.value)
        }
        guard case .path(let place) = try value("HierarchyNodes"),
            case .literal(.string(let qualifier), _) = try value("HierarchyQualifier")
        else { throw Self.invalid("Expected the nodes and the qualifier of a hierarchy.") }
        let nodes = try hierarchyNodes(place, qualifier)
        let node = try identifier(value("Node"), of: nodes)
        switch function {
        case .isnode, .isroot, .isleaf:
            return try test([node], try names(of: nodes, function))
        case .issibling:
            let other = try identifier(value("Other"), of: nodes)
            return try test([node, other], try siblings(of: other, nodes))
        case .isdescendant, .isancestor:
            let isAncestors = function == .isancestor
            let start = try identifier(
                value(isAncestors ? "Descendant" : "Ancestor"), of: nodes)
            let limit = try arguments.first { $0.name == "MaxDistance" }.map {
                try distance(resolved($0.value))
            }
            let keepsStart = try arguments.first { $0.name == "IncludeSelf" }.map {
                try flag(resolved($0.value))
            }
            let alias = makeAlias("n")
            let tests =
                conditions(of: nodes, alias) + ["\(nodes.name(alias).compared) = \(start)"]
            let begin: SQLText =
                "SELECT \(nodes.identity(alias)) AS \(name: "node") FROM "
                + "\(table: nodes.table.name) AS \(name: alias) WHERE \(tests.joined(" AND "))"
            let found = try reached(
                nodes, isAncestors: isAncestors, maximumDistance: limit,
                keepsStart: keepsStart ?? false, from: begin)
            let target = makeAlias("n")
            return try test(
                [node, start],
                "SELECT \(nodes.name(target).compared) FROM \(table: nodes.table.name) AS "
                    + "\(name: target) WHERE \(nodes.identity(target)) IN (\(found))")
        }
    }

    private func resolved(_ expression: Expression) -> Expression {
        guard case .alias(let name) = expression else { return expression }
        return aliases[name] ?? .literal(.null, nil)
    }

    private func distance(_ expression: Expression) throws -> Int {
        guard case .literal(.integer(let value), _) = expression, value >= 1 else {
            throw Self.invalid("Expected a distance of 1 or more.")
        }
        return Int(clamping: value)
    }

    private func flag(_ expression: Expression) throws -> Bool {
        guard case .literal(.boolean(let value), _) = expression else {
            throw Self.invalid("Expected true or false.")
        }
        return value
    }

    /// A value in the form that identifiers of nodes have.
    private mutating func identifier(
        _ expression: Expression, of nodes: HierarchyNodes
    ) throws -> SQLText {
        let name = nodes.name("n")
        let term = try compile(expression)
        switch (term.kind, name.kind) {
        case (.null, _): return "NULL"
        case (.literal(let scalar), _):
            return try literal(scalar, like: name)
        case (.integer, .integer), (.decimalText, .decimalText), (.duration, .duration),
            (.instant, .instant), (.real, .real):
            return term.compared
        default:
            guard term.kind == name.kind else {
                throw Self.invalid("Expected an identifier of the type of the hierarchy's nodes.")
            }
            return term.compared
        }
    }

    /// Whether the first value is among the names; null where a value is.
    private func test(_ values: [SQLText], _ names: SQLText) throws -> SQLTerm {
        let isKnown = values.map { "\($0) IS NOT NULL" as SQLText }.joined(" AND ")
        return SQLTerm("CASE WHEN \(isKnown) THEN \(values[0]) IN (\(names)) END", .boolean)
    }

    private mutating func names(
        of nodes: HierarchyNodes, _ function: HierarchyFunction
    ) throws -> SQLText {
        let edges = try edges(of: nodes)
        let (all, others) = (makeAlias("e"), makeAlias("e"))
        let names: SQLText =
            "SELECT \(name: all).\(name: "name") FROM (\(edges)) AS \(name: all)"
        switch function {
        case .isroot:
            return names + " WHERE \(name: all).\(name: "node") NOT IN (SELECT "
                + "\(name: others).\(name: "node") FROM (\(edges)) AS \(name: others) WHERE "
                + "\(name: others).\(name: "up") IS NOT NULL)"
        case .isleaf:
            return names + " WHERE \(name: all).\(name: "node") NOT IN (SELECT "
                + "\(name: others).\(name: "up") FROM (\(edges)) AS \(name: others) WHERE "
                + "\(name: others).\(name: "up") IS NOT NULL)"
        default: return names
        }
    }

    /// The nodes with the same parent as another, or the other roots.
    private mutating func siblings(
        of other: SQLText, _ nodes: HierarchyNodes
    ) throws -> SQLText {
        let edges = try edges(of: nodes)
        let (own, given) = (makeAlias("e"), makeAlias("e"))
        let isSame = dialect.isSame(
            "\(name: own).\(name: "up")", "\(name: given).\(name: "up")")
        return
            "SELECT \(name: own).\(name: "name") FROM (\(edges)) AS \(name: own) JOIN (\(edges)) AS "
            + "\(name: given) ON \(isSame) AND \(name: own).\(name: "node") <> "
            + "\(name: given).\(name: "node") WHERE \(name: given).\(name: "name") = \(other)"
    }

    // MARK: rollupnode

    /// The row that a call of `rollupnode` at the start of a path stands for, and the rest of the path.
    mutating func rollupNode(
        _ path: ExpressionPath
    ) throws -> (RowCursor, rest: [ExpressionPath.Segment])? {
        guard path.root == .it, case .function(let name, let arguments)? = path.segments.first,
            Self.aggregationFunction(name)?.lowercased() == "rollupnode"
        else { return nil }
        let position = arguments.first { $0.name == "Position" }?.value
        return (try rollupNode(position: position), Array(path.segments.dropFirst()))
    }

    /// The row of `rollupnode()`, written without parameters; nil for other functions.
    mutating func rollupNode(_ name: String, _ arguments: [Expression]) throws -> SQLTerm? {
        guard Self.aggregationFunction(name)?.lowercased() == "rollupnode" else { return nil }
        let cursor = try rollupNode(position: arguments.first)
        guard let table = cursor.table else { return nil }
        return SQLTerm(identity(of: table, alias: cursor.alias), .row)
    }

    private func rollupNode(position: Expression?) throws -> RowCursor {
        var number = 1
        if let position {
            guard case .literal(.integer(let value), _) = resolved(position), value >= 1 else {
                throw Self.invalid("Expected a position of 1 or more.")
            }
            number = Int(clamping: value)
        }
        guard rollups.indices.contains(number - 1) else {
            throw Self.notImplemented("rollupnode outside of the first steps of rolluprecursive")
        }
        return rollups[number - 1]
    }
}
