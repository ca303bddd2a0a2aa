import ODataModel
import ODataQuery
import ODataText

/// `concat` (Data Aggregation 4.0, section 3.2.2).
extension ApplyCompiler {
    mutating func concatenate(_ sequences: [[Transformation]]) throws {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 8, sequences.count <= Self.maximumSteps else {
            throw ODataError(
                .limitExceeded, "Expected fewer sequences in concat.", status: 400)
        }
        var parts: [ApplyCompiler] = []
        for steps in sequences {
            var part = self
            try part.run(steps)
            if part.derived == nil { try part.materialise() }
            parts.append(part)
        }
        try unite(parts)
    }

    /// The rows of several selects, one behind the other; what one of them does not have is null.
    mutating func unite(_ parts: [ApplyCompiler]) throws {
        var columns: [DerivedColumn] = []
        for part in parts {
            for (column, _) in part.current() {
                guard let known = columns.first(where: { $0.path == column.path }) else {
                    columns.append(column)
                    continue
                }
                guard known.source.encoding == column.source.encoding else {
                    throw ExpressionCompiler.notImplemented(
                        "concat of values of different types under one name")
                }
            }
        }
        let selects = parts.map { part -> SQLText in
            let own = part.current()
            let items =
                part.partitionItems
                + columns.flatMap { column -> [SQLText] in
                    let term = own.first { $0.0.path == column.path }?.1
                    return column.items(
                        term ?? SQLTerm(dialect.null(like: column.source.kind), .null))
                }
            return "SELECT \(items.joined(", "))\(part.target.fromClause)\(part.target.whereClause)"
        }
        try derive(columns, selects.joined(" UNION ALL "))
    }
}
