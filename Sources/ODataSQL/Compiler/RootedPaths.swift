import ODataModel
import ODataQuery
import ODataText

/// Paths that do not begin at the row: `$root/Set(key)` (URL Conventions 4.01, section 5.1.1.14.5), parameter aliases, and
/// the sets of a cross join.
extension ExpressionCompiler {
    /// Where such a path begins and what is left of it; nil for paths that begin at a row.
    mutating func elsewhere(
        _ path: ExpressionPath
    ) throws -> (PathEnd, rest: [ExpressionPath.Segment])? {
        switch path.root {
        case .root: return try fromRoot(path.segments[...])
        case .variable(let name) where name.hasPrefix("@"):
            let term = try compile(.alias(String(name.dropFirst())))
            if path.segments.isEmpty, case .json(let type) = term.kind, type.isCollection {
                return (.elements(term.sql, type), [])
            }
            guard path.segments.isEmpty else {
                throw Self.notImplemented("a path into a parameter alias")
            }
            return (.term(term), [])
        default:
            if let (cursor, rest) = try rollupNode(path) { return (.row(cursor), rest) }
            if path.root == .it, itScope == 0, case .property(let name)? = path.segments.first,
                let cursor = crossJoined[name]
            {
                return (.row(cursor), Array(path.segments.dropFirst()))
            }
            return nil
        }
    }

    private mutating func fromRoot(
        _ segments: ArraySlice<ExpressionPath.Segment>
    ) throws -> (PathEnd, rest: [ExpressionPath.Segment]) {
        guard case .property(let name)? = segments.first else {
            throw Self.invalid("Expected an entity set or singleton behind $root.")
        }
        guard let table = mapping.table(path: name) else {
            throw ODataError(
                .unknownName, "Expected an entity set or singleton, found \(name).",
                at: .path(name), status: 400)
        }
        let rest = segments.dropFirst()
        if graph[table.entitySet].isSingleton {
            return (.row(try joinRoot(table, key: [])), Array(rest))
        }
        guard case .key(let key)? = rest.first else {
            return (.table(table, cast: try collectionCast(rest)), [])
        }
        return (.row(try joinRoot(table, key: key)), Array(rest.dropFirst()))
    }

    /// The one row with that key beside the rows at hand; the same one is joined once.
    private mutating func joinRoot(_ table: TableMapping, key: [KeyValue]) throws -> RowCursor {
        let place = "$root/\(table.path)\(key)"
        let scope = itScope
        let known = scopes[scope].joins.first { $0.path == place }
        var cursor = RowCursor(scope: scope, alias: known?.alias ?? makeAlias(), table: table)
        cursor.structure = table.structure
        guard known == nil else { return cursor }
        var conditions = try keyConditions(key, table, alias: cursor.alias)
        if let visible = options.visible(table, alias: cursor.alias) { conditions.append(visible) }
        let all = conditions.isEmpty ? "1 = 1" as SQLText : conditions.joined(" AND ")
        scopes[scope].joins.append(
            Join(
                fromAlias: "", path: place, alias: cursor.alias, table: table,
                sql: "LEFT JOIN \(table: table.name) AS \(name: cursor.alias) ON \(all)"))
        return cursor
    }

    private mutating func keyConditions(
        _ key: [KeyValue], _ table: TableMapping, alias: String
    ) throws -> [SQLText] {
        guard !key.isEmpty else { return [] }
        let columns: [(name: String, column: ColumnMapping)]
        if let properties = graph.alternateKey(key, of: table.structure) {
            columns = properties.compactMap { property in
                table.column(path: property.path).map { (property.name, $0) }
            }
        } else {
            columns = Array(zip(graph[table.structure].key.map(\.name), table.keys))
        }
        guard key.count == columns.count else {
            throw ODataError(
                .invalidQuery, "Expected \(columns.count) key values, found \(key.count).",
                at: .path(table.path), status: 400)
        }
        return try columns.map { name, column in
            guard let value = key.first(where: { $0.name ?? (key.count == 1 ? name : "") == name })
            else {
                throw ODataError(
                    .invalidQuery, "Expected a value for the key property \(name).",
                    at: .path(name), status: 400)
            }
            return try compare(.eq, column.term(alias: alias), compile(value.value))
        }
    }
}
