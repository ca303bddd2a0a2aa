import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL
import ODataText

/// The change log of one database: what changed since a token, and the version of each row.
///
/// Used inside one database access; it holds nothing but the connection.
package struct ChangeLog {
    let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    /// Creates the log's tables, and the triggers of every writable table that are missing or out of date.
    ///
    /// - Parameter identity: drawn by the caller; kept when the log already has one.
    /// - Returns: the names of tables that take no triggers, as one with very many columns may.
    @discardableResult
    package func install(
        _ mapping: SchemaMapping, identity: String, streams: [TableID: TableStreams] = [:]
    ) throws -> Set<String> {
        try database.execute(sql: ChangeLogSchema.tables)
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO _odata_meta (name, value)
                VALUES ('identity', ?), ('expired', 0), ('transaction', 0)
                """, arguments: [identity])
        var present: [String: String] = [:]
        let rows = try Row.fetchAll(
            database,
            sql:
                "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
            arguments: [ChangeLogSchema.triggerPrefix.count, ChangeLogSchema.triggerPrefix])
        for row in rows {
            if let name = row.text("name") { present[name] = row.text("sql") ?? "" }
        }
        var untracked: Set<String> = []
        for table in mapping.tables where table.isWritable {
            let triggers = ChangeLogSchema.triggers(
                for: table, allColumns: table.contentColumns,
                streams: streams[table.id]?.all.map(\.column.name) ?? [])
            do {
                let isKnown = try noteKey(of: table)
                if !isKnown || !triggers.contains(where: { present[$0.name] != nil }) {
                    try begin(table.name)
                }
                for trigger in triggers
                where present.removeValue(forKey: trigger.name) != trigger.sql {
                    try database.execute(
                        sql: "DROP TRIGGER IF EXISTS \(SQLName.quoted(trigger.name))")
                    try database.execute(sql: trigger.sql)
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                untracked.insert(table.name)
                for trigger in triggers {
                    try database.execute(
                        sql: "DROP TRIGGER IF EXISTS \(SQLName.quoted(trigger.name))")
                    present[trigger.name] = nil
                }
            }
        }
        for name in present.keys.sorted() {
            try database.execute(sql: "DROP TRIGGER \(SQLName.quoted(name))")
        }
        return untracked
    }

    /// Notes that changes of a table are seen from now on: those before were made while nobody looked.
    private func begin(_ table: String) throws {
        let name = "since " + table
        let wasTracked =
            try String.fetchOne(
                database, sql: "SELECT name FROM _odata_meta WHERE name = ?", arguments: [name])
            != nil
        // A token or tag from before must be an older one, though nothing was noted since: an entry of no table stands between.
        if try wasTracked || currentSequence() > 0 {
            try database.execute(
                sql: "INSERT INTO _odata_changes (table_name, key, operation, transaction_id)"
                    + " VALUES ('', '', 'B', 0)")
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO _odata_meta (name, value) VALUES (?, ?)",
            arguments: [name, try currentSequence()])
    }

    /// Keeps what names the rows of a table: those of a log that another key named cannot be told any more.
    ///
    /// - Returns: False where it was another key before, or none was noted.
    private func noteKey(of table: TableMapping) throws -> Bool {
        let name = "key " + table.name
        let key = table.keys.map {
            "\(SQLName.quoted($0.name)) \($0.type.primitive?.name ?? "") \($0.encoding.declaredType)"
        }.joined(separator: ", ")
        let known = try String.fetchOne(
            database, sql: "SELECT value FROM _odata_meta WHERE name = ?", arguments: [name])
        guard known != key else { return true }
        try database.execute(
            sql: "INSERT OR REPLACE INTO _odata_meta (name, value) VALUES (?, ?)",
            arguments: [name, key])
        return false
    }

    /// Changes of a table are known from this sequence on: the version of rows that were not seen to change since.
    package func trackedSince(_ table: String) throws -> Int64 {
        try database.integer(
            "SELECT value FROM _odata_meta WHERE name = ?", [.text("since " + table)]) ?? 0
    }

    /// Notes rows whose own columns are as they were, where nothing was noted of them since a sequence.
    ///
    /// - Parameter condition: on the rows of the table, which `t` stands for.
    /// - Returns: how many rows there are.
    func touch(_ table: TableMapping, where condition: String, since start: Int64) throws -> Int {
        let touch = ChangeLogSchema.touch(table, allColumns: table.contentColumns, where: condition)
        try database.execute(sql: touch, arguments: ["start": start])
        let count = database.changesCount
        guard count > 0 else { return 0 }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO _odata_versions (table_name, key, sequence)
                SELECT table_name, key, max(sequence) FROM _odata_changes
                WHERE table_name = ? AND sequence > ? GROUP BY key
                """, arguments: [table.name, start])
        return count
    }

    /// Takes every trigger of ours out of the database.
    package func dropTriggers() throws {
        let triggers = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
            arguments: [ChangeLogSchema.triggerPrefix.count, ChangeLogSchema.triggerPrefix])
        for name in triggers {
            try database.execute(sql: "DROP TRIGGER \(SQLName.quoted(name))")
        }
    }

    /// Takes our triggers of one table out of the database.
    ///
    /// - Returns: how many there were.
    func dropTriggers(of table: String) throws -> Int {
        let triggers = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?"
                + " AND tbl_name = ? COLLATE NOCASE",
            arguments: [
                ChangeLogSchema.triggerPrefix.count, ChangeLogSchema.triggerPrefix, table,
            ])
        for name in triggers {
            try database.execute(sql: "DROP TRIGGER \(SQLName.quoted(name))")
        }
        return triggers.count
    }

    /// Takes every table of ours out of the database.
    package func dropTables() throws {
        let tables = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?) = ?",
            arguments: [ChangeLogSchema.tablePrefix.count, ChangeLogSchema.tablePrefix])
        for name in tables {
            try database.execute(sql: "DROP TABLE \(SQLName.quoted(name))")
        }
    }

    /// Names this log among all logs: tokens of another database do not fit.
    package func identity() throws -> String {
        try String.fetchOne(
            database, sql: "SELECT value FROM _odata_meta WHERE name = 'identity'") ?? ""
    }

    /// The sequence of the last change that this connection's snapshot sees.
    package func currentSequence() throws -> Int64 {
        try database.integer("SELECT max(sequence) FROM _odata_changes") ?? expiredSequence()
    }

    /// The sequence of the last change of a table that is in the log; 0 where there is none.
    func lastChange(of table: String) throws -> Int64 {
        try database.integer(
            "SELECT max(sequence) FROM _odata_changes WHERE table_name = ?", [.text(table)]) ?? 0
    }

    /// Changes up to this sequence are no longer in the log.
    package func expiredSequence() throws -> Int64 {
        try database.integer("SELECT value FROM _odata_meta WHERE name = 'expired'") ?? 0
    }

    /// Numbers the write transaction that begins; part of it.
    package func beginTransaction() throws {
        try database.cachedStatement(
            sql: "UPDATE _odata_meta SET value = value + 1 WHERE name = 'transaction'"
        ).execute()
    }

    /// Cuts the log down to its last `count` changes; tokens from before the cut expire.
    ///
    /// - Parameter rows: how many of the changes, the oldest first, go at once.
    /// - Returns: False where more than that would have to go.
    @discardableResult
    package func purge(keepingLast count: Int, atMost rows: Int = .max) throws -> Bool {
        let limit = try currentSequence() - Int64(max(count, 0))
        guard limit > 0 else { return true }
        let last = try Int64.fetchOne(
            database, sql: "SELECT max(sequence) FROM _odata_changes WHERE sequence <= ?",
            arguments: [limit])
        guard let last else { return true }
        let cut =
            rows == .max
            ? nil
            : try Int64.fetchOne(
                database,
                sql: "SELECT sequence FROM _odata_changes WHERE sequence < ? ORDER BY sequence"
                    + " LIMIT 1 OFFSET ?", arguments: [last, max(rows, 1) - 1])
        try database.execute(
            sql: "DELETE FROM _odata_changes WHERE sequence <= ?", arguments: [cut ?? last])
        try database.execute(
            sql: "UPDATE _odata_meta SET value = max(value, ?) WHERE name = 'expired'",
            arguments: [cut ?? last])
        return cut == nil
    }

    /// Cuts the log down to about so many bytes, and to the changes of so many seconds, as far as times were noted.
    ///
    /// - Parameter rows: how many of the changes, the oldest first, go at once for each of the two.
    /// - Returns: False where more than that would have to go.
    @discardableResult
    package func purge(
        keepingBytes bytes: Int64, seconds: Int64, now: Int64, atMost rows: Int = .max
    ) throws -> Bool {
        var isDone = true
        let current = try currentSequence()
        let average = try Double.fetchOne(
            database,
            sql: """
                SELECT avg(coalesce(length(old), 0) + length(key) + 64) FROM
                    (SELECT old, key FROM _odata_changes ORDER BY sequence DESC LIMIT 1000)
                """)
        if let average, average > 0 {
            isDone = try purge(
                keepingLast: Int(min(Double(bytes) / average, 1e15)), atMost: rows)
        }
        let old = try Int64.fetchOne(
            database, sql: "SELECT max(sequence) FROM _odata_times WHERE at < ?",
            arguments: [now - seconds])
        if let old {
            let isCut = try purge(keepingLast: Int(max(0, current - old)), atMost: rows)
            isDone = isDone && isCut
        }
        try database.execute(
            sql: "DELETE FROM _odata_times WHERE sequence < ?", arguments: [old ?? 0])
        try database.execute(
            sql: "INSERT OR IGNORE INTO _odata_times (sequence, at) VALUES (?, ?)",
            arguments: [current, now])
        return isDone
    }
}

extension ChangeLog {
    /// The last sequence of each row that ever changed; rows that never did are not in the result.
    package func versions(table: String, keys: [RowKey]) throws -> [RowKey: Int64] {
        guard !keys.isEmpty, try hasVersions(table) else { return [:] }
        let statement = try database.cachedStatement(
            sql: "SELECT sequence FROM _odata_versions WHERE table_name = ? AND key = ?")
        var versions: [RowKey: Int64] = [:]
        for key in keys {
            let version = try Int64.fetchOne(statement, arguments: [table, key.description])
            if let version { versions[key] = version }
        }
        return versions
    }

    /// False while no row of the table was seen to change, so that every version is that of the table.
    package func hasVersions(_ table: String) throws -> Bool {
        try database.integer(
            "SELECT 1 FROM _odata_versions WHERE table_name = ? LIMIT 1", [.text(table)]) != nil
    }

    /// Finds the last sequence of a row by the name of its table and its key. Nothing else may use it meanwhile.
    func versionLookup() throws -> Statement {
        let statement = try database.cachedStatement(
            sql: "SELECT sequence FROM _odata_versions WHERE table_name = ?1 AND key = ?2")
        sqlite3_reset(statement.sqliteStatement)
        return statement
    }

    /// A row that changed in a span of sequences.
    package struct ChangedRow: Sendable, Hashable {
        package var key: RowKey
        /// The sequence of its first and of its last change in the span.
        package var first: Int64
        package var last: Int64
        /// The changes behind which the client may have seen the row, where it saw some of them; nil where it knows the row as it
        /// was before the first.
        package var seen: [Int64]?

        package init(key: RowKey, first: Int64, last: Int64, seen: [Int64]? = nil) {
            self.key = key
            self.first = first
            self.last = last
            self.seen = seen
        }

        /// The changes before which the client may know the row.
        var known: [Int64] { seen ?? [first] }
    }

    /// The changes of one row after `from` up to `through`.
    func sequences(
        of key: RowKey, table: String, from: Int64, through: Int64
    ) throws -> [Int64] {
        try database.eachRow(
            "SELECT sequence FROM _odata_changes WHERE table_name = ?1 AND key = ?2"
                + " AND sequence > ?3 AND sequence <= ?4 ORDER BY sequence",
            [.text(table), .text(key.description), .integer(from), .integer(through)]
        ) { sqlite3_column_int64($0, 0) }
    }

    /// The rows of `table` with changes after `from` up to `through`, in the order of their last change, beginning
    /// after the row whose last change is `position`.
    package func changedRows(
        table: String, from: Int64, through: Int64, after position: Int64, limit: Int
    ) throws -> [ChangedRow] {
        try database.eachRow(
            """
            SELECT c.key, c.sequence,
                (SELECT min(f.sequence) FROM _odata_changes f
                 WHERE f.table_name = c.table_name AND f.key = c.key AND f.sequence > ?1)
            FROM _odata_changes c
            WHERE c.table_name = ?2 AND c.sequence > ?3 AND c.sequence <= ?4
                AND NOT EXISTS (SELECT 1 FROM _odata_changes l
                    WHERE l.table_name = c.table_name AND l.key = c.key
                        AND l.sequence > c.sequence AND l.sequence <= ?4)
            ORDER BY c.sequence LIMIT ?5
            """,
            [
                .integer(from), .text(table), .integer(max(position, from)), .integer(through),
                .integer(Int64(limit)),
            ]
        ) { row in
            // None of them is null: the span has the row's last change at least.
            ChangedRow(
                key: RowKey(text: SQLArgument.text(of: row, 0)),
                first: sqlite3_column_int64(row, 2),
                last: sqlite3_column_int64(row, 1))
        }
    }

    /// The row as it was before the change, without values that the log does not keep; nil when it did not exist.
    package func oldImage(sequence: Int64) throws -> [String: DatabaseValue]? {
        let text = try String.fetchOne(
            try database.cachedStatement(
                sql: "SELECT old FROM _odata_changes WHERE sequence = ? AND old IS NOT NULL"),
            arguments: [sequence])
        guard let text else { return nil }
        guard let object = try JSONValue(parsing: text).object else {
            throw Self.damaged(sequence)
        }
        var image: [String: DatabaseValue] = [:]
        for member in object.members {
            guard let literal = member.value.string else { throw Self.damaged(sequence) }
            if literal == ChangeLogSchema.leftOut { continue }
            var reader = LiteralReader(literal)
            guard let value = reader.next(), reader.isAtEnd else { throw Self.damaged(sequence) }
            image[member.name] = value
        }
        return image
    }

    private static func damaged(_ sequence: Int64) -> ODataError {
        ODataError(
            .storage, "Expected an old row as a JSON object of SQL literals.",
            at: .path("_odata_changes(\(sequence))"), status: 500)
    }
}

extension Row {
    /// The text in a column; nil for anything else. (The subscripts of a row trap on values of other kinds.)
    func text(_ name: String) -> String? { String.fromDatabaseValue(self[name]) }

    /// The integer in a column; nil for anything else.
    func integer(_ name: String) -> Int64? { Int64.fromDatabaseValue(self[name]) }
}
