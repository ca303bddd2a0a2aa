import GRDB
import ODataSQL
import ODataText

/// Reads the schema of an existing SQLite database through its pragmas; changes nothing.
package struct DatabaseSchemaReader {
    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    /// Every table and view that is not SQLite's or ours.
    package func read() throws -> DatabaseSchema {
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
            guard !Self.isShadow(name, kinds: listed) else { continue }
            tables.append(
                try table(
                    name, isView: row["type"] == "view",
                    hasRowID: listed[name].map { !$0.isWithoutRowID } ?? true))
        }
        return DatabaseSchema(tables: resolvingImplicitTargets(tables))
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

    private func table(_ name: String, isView: Bool, hasRowID: Bool) throws
        -> DatabaseSchema.Table
    {
        var columns = try readColumns(name)
        try observe(&columns, of: name)
        if !isView { try observeExtremes(&columns, of: name) }
        return DatabaseSchema.Table(
            name: name, isView: isView, hasRowID: !isView && hasRowID, columns: columns,
            foreignKeys: isView ? [] : try foreignKeys(name),
            uniqueKeys: isView
                ? try uniqueColumns(of: name, among: columns) : try uniqueKeys(name))
    }

    /// A view declares no key: columns that are unique and never null among the first rows can serve as one.
    private func uniqueColumns(of view: String, among columns: [DatabaseSchema.Column]) throws
        -> [[String]]
    {
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
}

extension DatabaseSchemaReader {
    /// Looks at the first rows of each table: SQLite stores anything in any column, so a declared type is a claim.
    private func observe(_ columns: inout [DatabaseSchema.Column], of table: String) throws {
        guard !columns.isEmpty else { return }
        let list = columns.map { column in
            let name = SQLName.quoted(column.name)
            return "CASE typeof(\(name)) WHEN 'text' THEN substr(\(name), 1, 80) "
                + "WHEN 'blob' THEN substr(\(name), 1, 17) ELSE \(name) END"
        }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT \(list.joined(separator: ", ")) FROM \(SQLName.quoted(table)) "
                + "LIMIT \(Self.observedRows)")
        while let row = try rows.next() {
            for position in columns.indices {
                let value = row[position] as DatabaseValue
                guard !value.isNull else { continue }
                var observed = columns[position].observed ?? DatabaseSchema.ObservedValues()
                if observed.texts.count >= DatabaseSchema.ObservedValues.maximumTexts { continue }
                observed.add(value)
                columns[position].observed = observed
            }
        }
    }

    /// Storage classes and extreme values beyond the first rows: what does not fit a form tends to sort to an end.
    private func observeExtremes(_ columns: inout [DatabaseSchema.Column], of table: String) throws
    {
        let list = columns.flatMap { column in
            let name = SQLName.quoted(column.name)
            return ["integer", "text"].flatMap { kind in
                ["min", "max"].map {
                    "\($0)(CASE typeof(\(name)) WHEN '\(kind)' THEN substr(\(name), 1, 80) END)"
                }
            } + ["max(typeof(\(name)) = 'real')", "max(typeof(\(name)) = 'blob')"]
        }.enumerated().map { position, text in
            // Integers compare as numbers.
            position % 6 < 2
                ? text.replacing("substr(", with: "(").replacing(", 1, 80)", with: ")") : text
        }
        let row = try Row.fetchOne(
            database,
            sql: "SELECT \(list.joined(separator: ", ")) FROM "
                + "(SELECT * FROM \(SQLName.quoted(table)) LIMIT \(Self.scannedRows))")
        guard let row else { return }
        for position in columns.indices {
            var observed = columns[position].observed ?? DatabaseSchema.ObservedValues()
            for offset in 0..<4 { observed.add(row[position * 6 + offset] as DatabaseValue) }
            observed.hasReals = observed.hasReals || Self.isTrue(row[position * 6 + 4])
            observed.hasBlobs = observed.hasBlobs || Self.isTrue(row[position * 6 + 5])
            columns[position].observed = observed.isEmpty ? nil : observed
        }
    }

    private static func isTrue(_ value: DatabaseValue) -> Bool { value == 1.databaseValue }

    private static let scannedRows = 200_000

    private static let observedRows = 1_000
}

extension DatabaseSchema.ObservedValues {
    fileprivate mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .null: break
        case .int64(let number):
            hasIntegers = true
            let bounds = integerBounds ?? number...number
            integerBounds = min(bounds.lowerBound, number)...max(bounds.upperBound, number)
        case .double: hasReals = true
        case .blob(let bytes):
            hasBlobs = true
            blobsAreGuids = blobsAreGuids && bytes.count == 16
        case .string(let text):
            if texts.count < Self.maximumTexts + 2 { texts.append(text) }
        }
    }
}
