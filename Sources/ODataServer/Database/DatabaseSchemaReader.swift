import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWorld

/// Reads the schema of an existing SQLite database through its pragmas; changes nothing.
package struct DatabaseSchemaReader {
    private let database: Database
    private let choice: TableChoice
    /// How many rows of each table are looked at for values that do not fit.
    private let scannedRows: Int
    private var problems: [String] = []

    package init(
        _ database: Database, choice: TableChoice = TableChoice(), scannedRows: Int = 200_000
    ) {
        self.database = database
        self.choice = choice
        self.scannedRows = scannedRows
    }

    /// Every table and view that is chosen and not SQLite's or ours. What cannot be read is left out with its reason.
    package func read() throws -> DatabaseSchema {
        var reader = self
        return try reader.schema()
    }

    private mutating func schema() throws -> DatabaseSchema {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_odata\\_%' ESCAPE '\\'
                AND (sql IS NULL OR sql NOT LIKE 'CREATE VIRTUAL TABLE%')
                ORDER BY type = 'view', name
                """)
        guard rows.count <= Self.maximumTables else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(Self.maximumTables) tables, found \(rows.count).")
        }
        let listed = try tableList()
        var tables: [DatabaseSchema.Table] = []
        for row in rows {
            let name: String = row["name"]
            guard !Self.isShadow(name, kinds: listed), choice.includes(name) else { continue }
            let isView = row["type"] == "view"
            do {
                tables.append(
                    try table(
                        name, isView: isView,
                        hasRowID: listed[name].map { !$0.isWithoutRowID } ?? true))
            } catch let error as DatabaseError {
                problems.append(
                    "\(isView ? "View" : "Table") \(name) is left out: "
                        + "\(error.message ?? "it cannot be read").")
            }
        }
        return DatabaseSchema(tables: resolvingImplicitTargets(tables), problems: problems)
    }

    private typealias Listed = (kind: String, isWithoutRowID: Bool)

    private func tableList() throws -> [String: Listed] {
        var map: [String: Listed] = [:]
        for row in try Row.fetchAll(database, sql: "PRAGMA main.table_list") {
            map[row["name"]] = (kind: row["type"], isWithoutRowID: row["wr"])
        }
        return map
    }

    /// True for the tables that a virtual table (such as a full-text index) keeps for itself.
    private static func isShadow(_ name: String, kinds: [String: Listed]) -> Bool {
        kinds[name]?.kind == "shadow" || kinds[name]?.kind == "virtual"
    }

    private mutating func table(_ name: String, isView: Bool, hasRowID: Bool) throws
        -> DatabaseSchema.Table
    {
        var columns = try readColumns(name)
        if isView {
            try Self.soon(database) { try observe(&columns, of: name) }
        } else {
            try observe(&columns, of: name)
        }
        // A view is compiled in any case, which shows what is broken.
        if isView {
            _ = try database.makeStatement(sql: "SELECT * FROM \(SQLName.quoted(name))")
        }
        let unique = isView ? try uniqueColumns(of: name, among: columns) : try uniqueKeys(name)
        var table = DatabaseSchema.Table(
            name: name, isView: isView, hasRowID: !isView && hasRowID, columns: columns,
            foreignKeys: isView ? [] : try foreignKeys(name),
            uniqueKeys: unique)
        if !isView {
            table.indexed = try indexed(name)
            try findMisfits(in: table)
        }
        return table
    }

    /// A view declares no key: columns that are unique and never null among the first rows can serve as one.
    private func uniqueColumns(of view: String, among columns: [DatabaseSchema.Column]) throws
        -> [[String]]
    {
        try Self.soon(database) {
            try columns.prefix(Self.keyCandidates).filter { column in
                let name = SQLName.quoted(column.name)
                return try Bool.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) > 0 AND count(*) = count(DISTINCT value) FROM
                        (SELECT \(name) AS value FROM \(SQLName.quoted(view)) LIMIT \(Self.uniquenessRows))
                        """) ?? false
            }.map { [$0.name] }
        }
    }

    /// Runs `body` for a few seconds at most: a view may take any time to read.
    private static func soon<Result>(_ database: Database, _ body: () throws -> Result) throws
        -> Result
    {
        let deadline = RequestDeadline(after: viewTime, world: LiveWorld())
        return try RequestDeadline.$current.withValue(deadline) {
            try database.untilDeadline(body)
        }
    }

    private func readColumns(_ table: String) throws -> [DatabaseSchema.Column] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM pragma_table_xinfo(?)", arguments: [table]
        ).compactMap { row in
            let hidden: Int = row["hidden"]
            guard hidden != 1 else { return nil }
            return DatabaseSchema.Column(
                name: row["name"], declaredType: row["type"] ?? "",
                isNotNull: row["notnull"], defaultSQL: row["dflt_value"],
                primaryKeyPosition: row["pk"], isGenerated: hidden == 2 || hidden == 3)
        }
    }

    private func foreignKeys(_ table: String) throws -> [DatabaseSchema.ForeignKey] {
        var keys: [Int: DatabaseSchema.ForeignKey] = [:]
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq",
            arguments: [table])
        for row in rows {
            let action: String = row["on_delete"] ?? ""
            let id: Int = row["id"]
            var key =
                keys[id]
                ?? DatabaseSchema.ForeignKey(
                    columns: [], targetTable: row["table"], targetColumns: [],
                    cascadesDelete: action == "CASCADE", setsNullOnDelete: action == "SET NULL")
            key.columns.append(row["from"])
            if let target: String = row["to"] { key.targetColumns.append(target) }
            keys[id] = key
        }
        // SQLite lists the last declared one first.
        return keys.keys.sorted(by: >).compactMap { keys[$0] }
    }

    /// The first columns of indexes that hold every row.
    private func indexed(_ table: String) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT lower(first.name) FROM pragma_index_list(?) AS list
                JOIN pragma_index_info(list.name) AS first
                WHERE list.partial = 0 AND first.seqno = 0 AND first.name IS NOT NULL
                """, arguments: [table])
    }

    private func uniqueKeys(_ table: String) throws -> [[String]] {
        var result: [[String]] = []
        let indexes = try Row.fetchAll(
            database, sql: "SELECT * FROM pragma_index_list(?) ORDER BY name", arguments: [table])
        for index in indexes {
            let isUnique: Bool = index["unique"]
            let isPartial: Bool = index["partial"]
            let origin: String = index["origin"]
            guard isUnique, !isPartial, origin != "pk" else { continue }
            let names = try Row.fetchAll(
                database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno",
                arguments: [index["name"] as String]
            ).map { $0["name"] as String? }
            if names.allSatisfy({ $0 != nil }) { result.append(names.compactMap { $0 }) }
        }
        return result
    }

    /// A foreign key that names no target columns means the target's primary key; one that fits nothing is dropped.
    private func resolvingImplicitTargets(_ tables: [DatabaseSchema.Table])
        -> [DatabaseSchema.Table]
    {
        var byName: [String: DatabaseSchema.Table] = [:]
        for table in tables { byName[table.name.lowercased()] = table }
        return tables.map { table in
            var table = table
            table.foreignKeys = table.foreignKeys.compactMap { key in
                guard let target = byName[key.targetTable.lowercased()], !target.isView else {
                    return nil
                }
                var key = key
                key.targetTable = target.name
                if key.targetColumns.isEmpty { key.targetColumns = target.primaryKey.map(\.name) }
                let found = key.targetColumns.compactMap { target.column(named: $0)?.name }
                let own = key.columns.compactMap { table.column(named: $0)?.name }
                guard found.count == key.columns.count, own.count == found.count else { return nil }
                key.targetColumns = found
                key.columns = own
                return key
            }
            return table
        }
    }

    private static let maximumTables = 2_000
    private static let keyCandidates = 8
    private static let uniquenessRows = 20_000
    /// How long the rows of one view are looked at.
    private static let viewTime = Duration.seconds(5)
}

extension DatabaseSchemaReader {
    /// Looks at the first rows of columns whose type has several forms.
    private func observe(_ columns: inout [DatabaseSchema.Column], of table: String) throws {
        for position in columns.indices
        where ColumnTyping.looksAtValues(of: columns[position].declaredType) {
            let name = SQLName.quoted(columns[position].name)
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT max(typeof(v) IN ('integer', 'real')), max(typeof(v) = 'text'),
                        max(typeof(v) = 'blob'), max(CASE typeof(v) WHEN 'integer' THEN v END)
                    FROM (SELECT \(name) AS v FROM \(SQLName.quoted(table)) LIMIT \(Self.observedRows))
                    """)
            guard let row else { continue }
            var observed = DatabaseSchema.ObservedValues()
            observed.holdsNumbers = Self.isTrue(row[0])
            observed.holdsTexts = Self.isTrue(row[1])
            observed.holdsBlobs = Self.isTrue(row[2])
            observed.greatestInteger = Int64.fromDatabaseValue(row[3])
            columns[position].observed = observed
        }
    }

    /// Notes values that are none of their column's type, and rows without a key: SQLite stores anything anywhere.
    private mutating func findMisfits(in table: DatabaseSchema.Table) throws {
        let columns = table.columns
        for part in columns.filter({ StreamColumn.Kind(declaredType: $0.declaredType) == nil })
            .chunks(of: Self.columnsPerLook)
        {
            let counts = part.flatMap { column in
                let typing = ColumnTyping(column: column)
                let misfit = typing.misfit(
                    SQLName.quoted(column.name),
                    range: table.identifiesRows(column) ? nil : typing.range)
                let excess = typing.excess(SQLName.quoted(column.name)) ?? "0"
                return [misfit, excess].map { "sum(CASE WHEN \($0) THEN 1 ELSE 0 END)" }
            }
            let row = try Row.fetchOne(
                database,
                sql: "SELECT \(counts.joined(separator: ", ")) FROM "
                    + "(SELECT * FROM \(SQLName.quoted(table.name)) LIMIT \(scannedRows))")
            for (position, column) in part.enumerated() {
                let count = row.flatMap { Int64.fromDatabaseValue($0[position * 2]) } ?? 0
                let excess = row.flatMap { Int64.fromDatabaseValue($0[position * 2 + 1]) } ?? 0
                let place = "\(table.name).\(column.name)"
                if count > 0 {
                    let type = ColumnTyping(column: column).type.name
                    problems.append(
                        "Conversion error: \(count) values in \(place) are no Edm.\(type)"
                            + " and are shown as null.")
                }
                if excess > 0 {
                    problems.append(
                        "\(excess) values in \(place) have more decimal places than its type"
                            + " and are shown as they are.")
                }
            }
        }
        let isMore = try Row.fetchOne(
            database,
            sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) LIMIT 1 OFFSET \(scannedRows)")
        if isMore != nil {
            problems.append(
                "Only the first \(scannedRows) rows of \(table.name) were looked at for values that"
                    + " do not fit.")
        }
        let keys = columns.filter { $0.primaryKeyPosition > 0 && !$0.isNotNull }
        guard !keys.isEmpty else { return }
        let condition = keys.map { "\(SQLName.quoted($0.name)) IS NULL" }.joined(separator: " OR ")
        let count =
            try Int64.fetchOne(
                database,
                sql:
                    "SELECT count(*) FROM (SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE \(condition) "
                    + "LIMIT \(scannedRows))") ?? 0
        if count > 0 {
            problems.append("\(count) rows of \(table.name) without a key are left out.")
        }
    }

    private static func isTrue(_ value: DatabaseValue) -> Bool { value == 1.databaseValue }

    private static let observedRows = 1_000
    /// A statement has at most 2,000 columns, an expression at most 1,000 levels.
    private static let columnsPerLook = 100
}
