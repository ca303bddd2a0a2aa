extension Expression {
    /// The expressions that this one is made of, those in its paths among them.
    package var parts: [Expression] {
        switch self {
        case .literal, .enumeration, .alias, .json: []
        case .path(let path): path.parts
        case .unary(_, let operand): [operand]
        case .binary(_, let left, let right): [left, right]
        case .isIn(let operand, let members): [operand] + members
        case .call(_, let arguments): arguments
        case .custom(_, let arguments): arguments
        case .cast(let operand, _), .isOf(let operand, _): operand.map { [$0] } ?? []
        case .lambda(_, let path, _, let predicate):
            path.parts + (predicate.map { [$0] } ?? [])
        case .count(let path, let filter): path.parts + (filter.map { [$0] } ?? [])
        case .aggregate(let path, let term): path.parts + term.parts
        }
    }
}

extension ExpressionPath {
    /// The alias that the path begins at.
    var rootAlias: String? {
        guard case .variable(let name) = root, name.hasPrefix("@") else { return nil }
        return String(name.dropFirst())
    }

    fileprivate var parts: [Expression] {
        (rootAlias.map { [.alias($0)] } ?? [])
            + segments.flatMap { segment -> [Expression] in
                switch segment {
                case .key(let values): values.map(\.value)
                case .function(_, let arguments): arguments.map(\.value)
                case .filter(let condition): [condition]
                case .property, .typeCast, .annotation: []
                }
            }
    }
}

extension AggregateTerm {
    fileprivate var parts: [Expression] {
        let groupings = from.flatMap(\.groupings).flatMap(\.parts)
        switch value {
        case .count(let path), .custom(let path): return path.parts + groupings
        case .expression(let expression, _): return [expression] + groupings
        }
    }
}
