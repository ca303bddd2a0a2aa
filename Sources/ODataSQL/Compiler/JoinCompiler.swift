import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// Follows a to-one navigation by an outer join; the same navigation from the same row is joined once.
    mutating func join(
        _ navigation: NavigationMapping, from cursor: RowCursor
    ) throws -> RowCursor {
        let known = scopes[cursor.scope].joins.first {
            $0.fromAlias == cursor.alias && $0.path == navigation.path
        }
        if let known {
            return RowCursor(
                scope: cursor.scope, alias: known.alias, table: known.table,
                structure: known.table.structure)
        }
        guard scopes[cursor.scope].joins.count < Self.maximumJoins else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumJoins) navigation paths.",
                status: 400)
        }
        let target = mapping[navigation.target]
        let alias = makeAlias()
        var conditions: [SQLText] = []
        var sql = SQLText()
        switch navigation.storage {
        case .columns(let pairs):
            conditions = Self.equalities(pairs, from: cursor.alias, to: alias)
        case .linkTable(let index, let isReversed):
            let link = LinkEnds(mapping.linkTables[index], isReversed: isReversed)
            let linkAlias = makeAlias("l")
            let id = try identityColumn(cursor.table)
            sql =
                "LEFT JOIN \(table: link.name) AS \(name: linkAlias) ON "
                + "\(name: linkAlias).\(name: link.near) = \(name: cursor.alias).\(name: id) "
            conditions = [
                "\(name: alias).\(name: try identityColumn(target)) = "
                    + "\(name: linkAlias).\(name: link.far)"
            ]
        }
        if let visible = options.visible(target, alias: alias) { conditions.append(visible) }
        sql.append(
            "LEFT JOIN \(table: target.name) AS \(name: alias) ON \(conditions.joined(" AND "))")
        scopes[cursor.scope].joins.append(
            Join(
                fromAlias: cursor.alias, path: navigation.path, alias: alias, table: target,
                sql: sql))
        return RowCursor(
            scope: cursor.scope, alias: alias, table: target, structure: target.structure)
    }

    /// The tables and the conditions that give the rows a navigation leads to, the target called `alias`.
    mutating func source(
        of navigation: NavigationMapping, from cursor: RowCursor, alias: String
    ) throws -> (from: SQLText, conditions: [SQLText]) {
        let target = mapping[navigation.target]
        var from: SQLText = "\(table: target.name) AS \(name: alias)"
        var conditions: [SQLText]
        switch navigation.storage {
        case .columns(let pairs):
            conditions = Self.equalities(pairs, from: cursor.alias, to: alias)
        case .linkTable(let index, let isReversed):
            let link = LinkEnds(mapping.linkTables[index], isReversed: isReversed)
            let linkAlias = makeAlias("l")
            // A cross join: SQLite keeps the order, so the link table is walked first.
            from = "\(table: link.name) AS \(name: linkAlias) CROSS JOIN \(from)"
            conditions = [
                "\(name: linkAlias).\(name: link.near) = "
                    + "\(name: cursor.alias).\(name: try identityColumn(cursor.table))",
                "\(name: alias).\(name: try identityColumn(target)) = "
                    + "\(name: linkAlias).\(name: link.far)",
            ]
        }
        if let visible = options.visible(target, alias: alias) { conditions.append(visible) }
        return (from, conditions)
    }

    static func equalities(
        _ pairs: [LinkedColumns], from near: String, to far: String
    ) -> [SQLText] {
        pairs.map {
            "\(name: far).\(name: $0.target) = \(name: near).\(name: $0.source)"
        }
    }

    func identityColumn(_ table: TableMapping?) throws -> String {
        guard let id = table?.system.id else {
            throw ODataError(.storage, "Expected a table with internal ids behind a link table.")
        }
        return id
    }

    /// The joins of a scope, in the order in which they were made.
    func joins(of scope: Int) -> SQLText {
        var sql = SQLText()
        for join in scopes[scope].joins {
            sql.append(raw: " ")
            sql.append(join.sql)
        }
        return sql
    }

    private static let maximumJoins = 32
}

/// The columns of a link table as seen from one end.
struct LinkEnds {
    var name: String
    var near: String
    var far: String

    init(_ table: LinkTableMapping, isReversed: Bool) {
        name = table.name
        near = isReversed ? table.targetColumn : table.sourceColumn
        far = isReversed ? table.sourceColumn : table.targetColumn
    }
}
