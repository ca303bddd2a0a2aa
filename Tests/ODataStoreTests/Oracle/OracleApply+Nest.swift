import ODataModel
import ODataQuery
import ODataText

/// Joins and nested results (Data Aggregation 4.0, section 3.4).
extension OracleApply {
    /// A collection that `nest` makes.
    struct Nest {
        var alias: String
        var part: OracleApply
    }

    /// A collection that each entity gets: what steps make of the entities related to it.
    struct Added {
        var path: ExpressionPath
        var steps: [Transformation]
        var alias: String
    }

    /// Each instance once for each related one that the steps leave; the outer form keeps those that have none.
    mutating func join(
        _ path: ExpressionPath, _ alias: String, _ steps: [Transformation], isOuter: Bool
    ) throws {
        items = try items.flatMap { item -> [OracleItem] in
            let base = Self.flat(item)
            let related = try Self.related(item, path)
            var part = OracleApply(data: data, items: related.map { OracleItem(row: $0) })
            try part.run(steps)
            if part.items.isEmpty, isOuter { return [base] }
            return part.items.map { other in
                var joined = base
                for (name, value) in Self.flat(other).values {
                    joined.values[alias + "/" + name] = value
                }
                return joined
            }
        }
        isDerived = true
        order = []
    }

    /// The members of a collection of an entity.
    static func related(_ item: OracleItem, _ path: ExpressionPath) throws -> [OracleRow] {
        guard let name = path.propertyNames?.last, path.segments.count == 1, let row = item.row
        else { throw OracleEvaluator.unknown() }
        return row.many[name] ?? []
    }

    /// A custom aggregate goes by its own name where it gets no other.
    static func name(of term: AggregateTerm) -> String {
        guard term.alias == nil, case .custom(let path) = term.value else {
            return term.alias ?? ""
        }
        return path.memberNames.last ?? ""
    }

    /// The custom aggregates of the model, by the text beside their declarations.
    static func defined(_ path: ExpressionPath, _ members: [OracleItem]) throws -> OracleValue {
        let amount = Expression.path(ExpressionPath("Amount"))
        let sum = try aggregate(AggregateTerm(.expression(amount, .sum), alias: nil), members)
        switch path.memberNames.last {
        case "Turnover": return sum
        case "Mean":
            return try OracleArithmetic.value(.divby, sum, .whole(Int64(members.count)))
        default: throw OracleEvaluator.unknown()
        }
    }

    /// One instance with the result of each sequence.
    mutating func nest(_ terms: [NestedTerm]) throws {
        nests = try terms.map { term in
            var part = self
            try part.run(term.steps)
            return Nest(alias: term.alias, part: part)
        }
    }
}

extension Oracle {
    /// The one instance that `nest` makes.
    func nested(
        _ nests: [OracleApply.Nest], _ query: Query
    ) throws -> OracleAnswer {
        var answer = OracleAnswer()
        guard case .entitySet(let set)? = query.path.segments.first else {
            throw OracleEvaluator.unknown()
        }
        var shown = OracleShown(type: String(set.dropLast()))
        for nest in nests { try put(nest.part, into: &shown, as: nest.alias) }
        answer.rows = [shown]
        if query.includesCount { answer.count = 1 }
        return answer
    }

    /// Adds what the steps make of the related entities.
    func add(_ added: OracleApply.Added, to shown: inout OracleShown, of item: OracleItem) throws {
        let related = try OracleApply.related(item, added.path)
        var part = OracleApply(data: data, items: related.map { OracleItem(row: $0) })
        try part.run(added.steps)
        try put(part, into: &shown, as: added.alias)
    }

    private func put(
        _ part: OracleApply, into shown: inout OracleShown, as alias: String
    ) throws {
        let rows = try part.items.map { try self.shown($0, NestedOptions()) }
        shown.many[alias] = part.isDerived ? rows : OracleShown.sorted(rows)
        if part.isDerived { shown.derived.insert(alias) } else { shown.unordered.insert(alias) }
    }
}
