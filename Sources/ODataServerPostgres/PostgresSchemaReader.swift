import ODataPostgres
import ODataSQL
import ODataServer
import ODataText

/// Reads the tables and views of a schema from `pg_catalog`; changes nothing.
struct PostgresSchemaReader {
    /// What is there, and how the rows of each table are read and changed.
    struct Result {
        var schema: DatabaseSchema
        var known: TableForms.Known
    }

    private let connection: PostgresConnection
    private let name: String
    private let choice: TableChoice
    private let takesChanges: Bool

    init(
        _ connection: PostgresConnection, _ name: String, _ choice: TableChoice,
        takesChanges: Bool
    ) {
        self.connection = connection
        self.name = name
        self.choice = choice
        self.takesChanges = takesChanges
    }

    /// - Throws: `notFound` where there is no such schema, ``PostgresError``.
    func read() throws -> Result {
        guard try !rows("SELECT 1 FROM pg_namespace WHERE nspname = $1").isEmpty else {
            throw ODataError(
                .notFound, "Expected a schema of the database, found none of this name.",
                at: .path(name))
        }
        var result = Result(schema: DatabaseSchema(tables: []), known: TableForms.Known())
        let columns = Dictionary(grouping: try columns(), by: \.table)
        let constraints = Dictionary(grouping: try constraints(), by: \.table)
        let tags = takesChanges ? try RowTag.sql(connection) : nil
        for row in try rows(Self.relations) {
            guard let table = row[0].string, choice.includes(table) else { continue }
            guard row[2].isTrue else {
                result.schema.problems.append(
                    "\(table) is left out: the service may not read it.")
                continue
            }
            let found = columns[table]?.map(\.column) ?? []
            guard !found.isEmpty else {
                result.schema.problems.append("\(table) is left out: it has no columns.")
                continue
            }
            for column in found where column.form.isText {
                result.schema.problems.append(
                    "\(table).\(column.name) is of type \(column.typeName) and offered as text.")
            }
            if takesChanges, row[3].isTrue, !row[4].isTrue {
                result.schema.problems.append(
                    "\(table) is read-only: the service may not insert, update and delete its rows."
                )
            }
            let tag = row[3].isTrue && row[4].isTrue ? tags : nil
            let known = constraints[table]?.map(\.constraint) ?? []
            var described = Self.table(table, isView: row[1].isTrue, found, known)
            described.tagColumn = tag.map { _ in ChangedTable.tagColumn }
            result.schema.tables.append(described)
            let items = items(found, tag)
            result.known.forms[table] = form(of: table, items)
            if row[3].isTrue { result.known.logged[table] = logged(table, found, items) }
            if let tag { result.known.changed[table] = changed(table, found, known, tag) }
        }
        let names = Set(result.schema.tables.map(\.name))
        for index in result.schema.tables.indices {
            result.schema.tables[index].foreignKeys.removeAll { !names.contains($0.targetTable) }
        }
        return result
    }

    private func qualified(_ table: String) -> String {
        "\(SQLName.quoted(name)).\(SQLName.quoted(table))"
    }

    /// The query for the rows of a table in the forms that are read.
    private func form(of table: String, _ items: [LoggedTable.Item]) -> String {
        let list = items.map { "\($0.sql) AS \(SQLName.quoted($0.name))" }
        return "SELECT \(list.joined(separator: ", ")) FROM \(qualified(table))"
    }

    private func items(_ columns: [PostgresColumn], _ tag: String?) -> [LoggedTable.Item] {
        columns.flatMap { column in
            [LoggedTable.Item(sql: column.form.sql, name: column.name)]
                + (column.native.map {
                    [LoggedTable.Item(sql: SQLName.quoted(column.name), name: $0.name)]
                } ?? [])
        } + (tag.map { [LoggedTable.Item(sql: $0, name: ChangedTable.tagColumn)] } ?? [])
    }

    private func logged(
        _ table: String, _ columns: [PostgresColumn], _ items: [LoggedTable.Item]
    ) -> LoggedTable {
        LoggedTable(
            qualifiedName: qualified(table),
            forms: Dictionary(
                columns.map { ($0.name, $0.form.sql) }, uniquingKeysWith: { first, _ in first }),
            items: items, leftOut: columns.filter { $0.type == 17 }.map(\.name))
    }

    private func changed(
        _ table: String, _ columns: [PostgresColumn], _ constraints: [Constraint], _ tag: String
    ) -> ChangedTable {
        var result = ChangedTable(name: table, qualifiedName: qualified(table))
        for column in columns {
            result.columns[column.name] = ChangedTable.Column(
                native: NativeType(number: column.type, name: column.castName),
                form: column.form.sql)
        }
        result.columns[ChangedTable.tagColumn] = ChangedTable.Column(
            native: NativeType(number: 25, name: "text"), form: tag)
        for constraint in constraints {
            result.constraints[constraint.name] = ChangedTable.Constraint(
                columns: constraint.columns, isPrimary: constraint.kind == "p")
        }
        return result
    }

    private static func table(
        _ name: String, isView: Bool, _ columns: [PostgresColumn], _ constraints: [Constraint]
    ) -> DatabaseSchema.Table {
        let primary = constraints.first { $0.kind == "p" }?.columns ?? []
        return DatabaseSchema.Table(
            name: name, isView: isView, hasRowID: false,
            columns: columns.map { column in
                var result = DatabaseSchema.Column(
                    name: column.name, declaredType: column.typeName, isNotNull: column.isNotNull,
                    defaultSQL: column.literalDefault,
                    primaryKeyPosition: (primary.firstIndex(of: column.name) ?? -1) + 1,
                    isGenerated: column.isGenerated)
                result.typing = column.form.typing
                result.native = column.native
                result.hasComputedDefault = column.hasComputedDefault
                return result
            },
            foreignKeys: constraints.filter { $0.kind == "f" }.map { key in
                DatabaseSchema.ForeignKey(
                    columns: key.columns, targetTable: key.target,
                    targetColumns: key.targetColumns, cascadesDelete: key.onDelete == "c",
                    setsNullOnDelete: key.onDelete == "n")
            },
            uniqueKeys: constraints.filter { $0.kind == "u" }.map(\.columns))
    }

    private func rows(_ text: String) throws -> [[SQLArgument]] {
        try connection.rows(SQLStatement(text: text, arguments: [.text(name)]))
    }

    // MARK: Catalogue

    private struct Constraint {
        var name: String
        var kind: String
        var columns: [String]
        var target: String
        var targetColumns: [String]
        var onDelete: String
    }

    /// Tables, then views, by name; the parts of a partitioned table are rows of that. Last whether it is a table with rows
    /// of its own, and whether the user may do everything with them.
    private static let relations = """
        SELECT c.relname::text, c.relkind IN ('v', 'm'), has_table_privilege(c.oid, 'SELECT'),
            c.relkind IN ('r', 'p'),
            has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
                AND has_table_privilege(c.oid, 'DELETE')
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
        ORDER BY c.relkind IN ('v', 'm'), c.relname::text COLLATE "C"
        """

    private func columns() throws -> [(table: String, column: PostgresColumn)] {
        try rows(
            """
            SELECT c.relname::text, a.attname::text, b.oid::bigint,
                format_type(a.atttypid, a.atttypmod),
                CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END,
                a.attnotnull OR t.typnotnull, pg_get_expr(d.adbin, d.adrelid),
                a.attgenerated <> '' OR a.attidentity = 'a', a.attnum,
                (SELECT quote_ident(s.nspname) || '.' || quote_ident(o.collname)
                    FROM pg_collation o JOIN pg_namespace s ON s.oid = o.collnamespace
                    WHERE o.oid = a.attcollation AND o.collisdeterministic),
                format_type(b.oid, -1), a.attidentity = 'd'
            FROM pg_class c
                JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                JOIN pg_type t ON t.oid = a.atttypid
                JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
                LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
            ORDER BY c.oid, a.attnum
            """
        ).map { row in
            (
                row[0].string ?? "",
                PostgresColumn(
                    name: row[1].string ?? "", type: row[2].number, typeName: row[3].string ?? "",
                    modifier: row[4].number, isNotNull: row[5].isTrue, defaultSQL: row[6].string,
                    isIdentity: row[11].isTrue, isGenerated: row[7].isTrue,
                    collation: row[9].string, castName: row[10].string ?? "text",
                    place: row[8].number)
            )
        }
    }

    private func constraints() throws -> [(table: String, constraint: Constraint)] {
        try rows(
            """
            SELECT c.relname::text, k.contype::text, f.relname::text, k.confdeltype::text,
                (SELECT json_agg(a.attname ORDER BY u.place)::text
                    FROM unnest(k.conkey) WITH ORDINALITY u(number, place)
                    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number),
                (SELECT json_agg(a.attname ORDER BY u.place)::text
                    FROM unnest(k.confkey) WITH ORDINALITY u(number, place)
                    JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number),
                k.conname::text
            FROM pg_constraint k
                JOIN pg_class c ON c.oid = k.conrelid
                JOIN pg_namespace n ON n.oid = c.relnamespace
                LEFT JOIN pg_class f ON f.oid = k.confrelid
            WHERE n.nspname = $1 AND k.contype IN ('p', 'u', 'f')
                AND (k.contype <> 'f' OR f.relnamespace = n.oid)
                AND NOT c.relispartition AND NOT coalesce(f.relispartition, FALSE)
            ORDER BY c.oid, k.contype, k.oid
            """
        ).map { row in
            (
                row[0].string ?? "",
                Constraint(
                    name: row[6].string ?? "", kind: row[1].string ?? "",
                    columns: try Self.names(row[4]),
                    target: row[2].string ?? "", targetColumns: try Self.names(row[5]),
                    onDelete: row[3].string ?? "")
            )
        }
    }

    private static func names(_ value: SQLArgument) throws -> [String] {
        guard let text = value.string else { return [] }
        guard case .array(let items) = try JSONValue(parsing: text) else { return [] }
        return items.compactMap(\.string)
    }
}

extension SQLArgument {
    fileprivate var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    fileprivate var number: Int64 {
        if case .integer(let number) = self { number } else { -1 }
    }

    fileprivate var isTrue: Bool { number == 1 }
}
