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
            if part.derived == nil { try part.materialiseEntities() }
            parts.append(part)
        }
        try unite(parts)
    }

    /// The rows of several selects, one behind the other; what one of them does not have is null, and rows know of that.
    mutating func unite(_ parts: [ApplyCompiler]) throws {
        var columns: [DerivedColumn] = []
        for part in parts {
            for (column, _) in part.current() where !column.isHidden {
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
        let nests = try collections(of: parts)
        let keys = Set(nests.map(\.key)).sorted()
        let definitions = columns.filter { column in
            !parts.allSatisfy { $0.definition(of: column) == SQLText(truth: true) }
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
                + definitions.map { column in
                    let definition = part.definition(of: column) ?? SQLText(truth: false)
                    return "\(definition) AS \(name: Self.definition(of: column).label)"
                }
                + keys.map { key in
                    let term = own.first { $0.0.name == key }?.1
                    let value = term?.sql ?? dialect.null(like: .string)
                    return "\(value) AS \(name: Self.nestKey(key).label)"
                }
            return "SELECT \(items.joined(", "))\(part.target.fromClause)\(part.target.whereClause)"
        }
        self.nests = nests
        try derive(
            columns + definitions.map(Self.definition) + keys.map(Self.nestKey),
            selects.joined(" UNION ALL "))
    }

    /// The column that tells whether a row has the value of another.
    private static func definition(of column: DerivedColumn) -> DerivedColumn {
        let name = ExpressionCompiler.definition(of: column.name)
        return DerivedColumn(
            path: [name], type: nil, source: SQLTerm(SQLText(truth: true), .boolean), name: name,
            isHidden: true)
    }

    /// What tells whether a row has the value of the column; nil where none has.
    private func definition(of column: DerivedColumn) -> SQLText? {
        let own = current()
        guard own.contains(where: { $0.0.path == column.path }) else { return nil }
        let name = ExpressionCompiler.definition(of: column.name)
        return own.first { $0.0.name == name }?.1.sql ?? SQLText(truth: true)
    }

    /// The collections that `nest` made before the sequences, and those that it made in each of them.
    private func collections(of parts: [ApplyCompiler]) throws -> [Nest] {
        func isSame(_ one: Nest, _ other: Nest) -> Bool {
            one.key == other.key && one.alias == other.alias
        }
        var found: [Nest] = []
        for nest in parts.flatMap(\.nests) {
            let isOld = nests.contains { isSame($0, nest) }
            if isOld, found.contains(where: { isSame($0, nest) }) { continue }
            guard !found.contains(where: { $0.alias == nest.alias }) else {
                throw ExpressionCompiler.notImplemented("concat of collections under one name")
            }
            found.append(nest)
        }
        return found
    }
}
