import ODataModel
import ODataQuery
import ODataText

/// Aggregates inside expressions (Data Aggregation 4.0, section 3.2.1.4), and the aggregates and methods that a model
/// defines.
extension ExpressionCompiler {
    /// `$these/aggregate(…)` over the input of the step, or `path/aggregate(…)` over what a collection leads to.
    mutating func aggregate(_ path: ExpressionPath, _ term: AggregateTerm) throws -> SQLTerm {
        guard term.from.isEmpty else {
            throw Self.notImplemented("from inside an expression", at: "aggregate")
        }
        guard path.root == .these else { return try related(path, term) }
        guard path.segments.isEmpty else {
            throw Self.notImplemented("a path between $these and aggregate", at: "$these")
        }
        return aggregatesGroup ? try aggregate(term) : try overInput(term)
    }

    private mutating func overInput(_ term: AggregateTerm) throws -> SQLTerm {
        guard let input else {
            throw Self.notImplemented(
                "$these outside of a set of rows", at: "$these")
        }
        var inner = self
        inner.scopes = [input.scope]
        inner.itScope = 0
        let value = try inner.aggregate(term)
        let rows: SQLText =
            " FROM \(input.from)\(inner.joins(of: 0))"
            + (input.conditions.isEmpty ? "" : " WHERE \(input.conditions.joined(" AND "))")
        aliasCount = inner.aliasCount
        guard let part = input.part else {
            return scalar("SELECT \(value.sql)\(rows)", value)
        }
        let alias = makeAlias("w")
        let parts: SQLText =
            "SELECT \(part) AS \(name: "_odata_part"), \(value.sql) AS \(name: "_odata_value")"
            + "\(rows) GROUP BY \(part)"
        return scalar(
            "SELECT \(name: alias).\(name: "_odata_value") FROM (\(parts)) AS \(name: alias) WHERE "
                + "\(name: alias).\(name: "_odata_part") = \(part)", value)
    }

    /// The aggregate of the rows that a collection has for this one.
    private mutating func related(_ path: ExpressionPath, _ term: AggregateTerm) throws -> SQLTerm {
        let source = try open(path, variable: nil)
        let (outer, grouped) = (itScope, aggregatesGroup)
        itScope = scopes.count - 1
        aggregatesGroup = true
        let value = try aggregate(term)
        (itScope, aggregatesGroup) = (outer, grouped)
        let joins = joins(of: scopes.count - 1)
        scopes.removeLast()
        var body: SQLText = "SELECT \(value.sql) FROM \(source.from)\(joins)"
        if !source.conditions.isEmpty {
            body.append(" WHERE \(source.conditions.joined(" AND "))")
        }
        return scalar(body, value)
    }

    /// A subselect of one value, as a term like that value.
    private func scalar(_ select: SQLText, _ value: SQLTerm) -> SQLTerm {
        value.read(from: "(\(select))", offset: nil, dialect)
    }

    // MARK: Definitions

    /// An aggregate that the model declares, by the definition beside its declaration.
    mutating func customAggregate(_ path: ExpressionPath) throws -> SQLTerm {
        guard case .property(let name)? = path.segments.last else {
            throw Self.notImplemented("this custom aggregate", at: "aggregate")
        }
        var cursor = scopes[itScope].cursor
        let owner = ExpressionPath(root: path.root, Array(path.segments.dropLast()))
        if !owner.segments.isEmpty {
            guard case .row(let end) = try resolve(owner) else {
                throw Self.notImplemented("this path of a custom aggregate", at: name)
            }
            cursor = end
        }
        guard let type = cursor.table?.structure,
            let text = graph.aggregateDefinition(name, of: cursor.structure ?? type)
        else {
            throw Self.notImplemented(
                "the custom aggregate \(name), which has no definition", at: name)
        }
        guard definitionDepth < Self.maximumDefinitions else {
            throw Self.invalid(
                "Expected definitions of aggregates that do not go in circles.", at: name)
        }
        let definition = try AggregateDefinition(text, of: type, graph: graph)
        let (before, grouped) = (scopes[itScope].cursor, aggregatesGroup)
        definitionDepth += 1
        aggregatesGroup = true
        scopes[itScope].cursor = cursor
        defer {
            definitionDepth -= 1
            aggregatesGroup = grouped
            scopes[itScope].cursor = before
        }
        switch definition {
        case .term(let term): return try aggregate(term)
        case .expression(let expression): return try rendered(compile(expression))
        }
    }

    /// The method that makes one value of those that a custom aggregate has in groups, where `from` names none: that of its
    /// definition, where the result does not depend on the grouping. Sums stand in where none is asked for.
    func rollUpMethod(of term: AggregateTerm, depth: Int = 0) throws -> AggregationMethod {
        guard depth > 0 || term.from.contains(where: { $0.method == nil }) else { return .sum }
        switch term.value {
        case .count: return .sum
        case .expression(_, let method) where [.sum, .min, .max].contains(method): return method
        case .custom(let path):
            let names = path.memberNames
            let cursor = scopes[itScope].cursor
            var owner = cursor.structure ?? cursor.table?.structure
            if names.count > 1, let type = owner {
                let prefix = names.dropLast().joined(separator: "/")
                owner = graph.type(ofPath: prefix, in: type)?.structure
            }
            guard depth < Self.maximumDefinitions, let owner, let name = names.last,
                let text = graph.aggregateDefinition(name, of: owner),
                case .term(let inner) = try AggregateDefinition(text, of: owner, graph: graph),
                inner.from.isEmpty
            else { break }
            return try rollUpMethod(of: inner, depth: depth + 1)
        default: break
        }
        throw Self.notImplemented(
            "a custom aggregate in from whose values do not add up", at: term.name ?? "aggregate")
    }

    private static let maximumDefinitions = 4
}

extension Expression {
    /// True when the value depends on other rows of the input: there is a `$these` in it.
    var readsInput: Bool {
        switch self {
        case .aggregate(let path, _): path.root == .these
        case .literal, .enumeration, .path, .alias, .json: false
        case .unary(_, let operand): operand.readsInput
        case .binary(_, let left, let right): left.readsInput || right.readsInput
        case .isIn(let value, let list): value.readsInput || list.contains(where: \.readsInput)
        case .call(_, let arguments), .custom(_, let arguments):
            arguments.contains(where: \.readsInput)
        case .cast(let operand, _), .isOf(let operand, _): operand?.readsInput ?? false
        case .lambda(_, _, _, let predicate): predicate?.readsInput ?? false
        case .count(_, let filter): filter?.readsInput ?? false
        }
    }
}
