import ODataSQL

/// The tables and triggers that note every change beside an existing database's tables, without altering those.
///
/// - `_odata_changes`: one row per change, its sequence number being both token and ETag; SQLite has one writer at a
///   time, so the order of sequences is the order of commits.
/// - `_odata_versions`: the last sequence of each row that ever changed; outlives the log.
/// - `_odata_meta`: identity of the log, the sequence up to which it was cut, the number of the write transaction.
/// - `_odata_times`: now and then, when the log had reached which sequence.
/// - `_odata_repeatability`: answers to repeatable requests, stored in the transaction of their effect.
package enum ChangeLogSchema {
    package static let tables = """
        CREATE TABLE IF NOT EXISTS _odata_changes (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            table_name TEXT NOT NULL,
            key TEXT NOT NULL,
            operation TEXT NOT NULL,
            old TEXT,
            transaction_id INTEGER NOT NULL
        );
        CREATE INDEX IF NOT EXISTS _odata_changes_by_table ON _odata_changes(table_name, sequence);
        CREATE INDEX IF NOT EXISTS _odata_changes_by_key
            ON _odata_changes(table_name, key, sequence);
        CREATE TABLE IF NOT EXISTS _odata_versions (
            table_name TEXT NOT NULL,
            key TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (table_name, key)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS _odata_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS _odata_times (sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS _odata_repeatability (
            client_id TEXT NOT NULL,
            request_id TEXT NOT NULL,
            first_sent INTEGER NOT NULL,
            fingerprint TEXT NOT NULL,
            answer BLOB NOT NULL,
            PRIMARY KEY (client_id, request_id)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS _odata_repeatability_by_age ON _odata_repeatability(first_sent);
        """

    /// The triggers of one table by name.
    package static func triggers(
        for table: TableMapping, allColumns: [String], streams: [String] = []
    ) -> [(name: String, sql: String)] {
        let writer = TriggerWriter(table: table, allColumns: allColumns)
        return [
            writer.beforeInsert(), writer.afterInsert(), writer.afterUpdate(), writer.afterDelete(),
        ]
            + streams.flatMap {
                [writer.afterUpdate(ofStream: $0), writer.afterDelete(ofStream: $0)]
            }
    }

    /// Notes rows as changed that have kept their columns.
    static func touch(
        _ table: TableMapping, allColumns: [String], where condition: String
    ) -> String {
        TriggerWriter(table: table, allColumns: allColumns).touch(where: condition)
    }

    /// Stands in old rows for a blob, which nothing compares and the log would hold twice as long.
    static let leftOut = "BLOB"

    /// What the names of our tables begin with, those of streams and mirrors, too.
    static let tablePrefix = "_odata_"

    /// What the names of our triggers begin with.
    package static let triggerPrefix = "_odata_track_"
}

/// Writes the four triggers of a table.
private struct TriggerWriter {
    let table: TableMapping
    /// Every column whose old value is kept, as the database names it.
    let allColumns: [String]

    private var name: String { SQLName.constant(table.name) }
    private var keyColumns: [String] { table.keys.map(\.name) }

    /// A replacing insert (`INSERT OR REPLACE`) fires no delete trigger: the row it replaces is noted first.
    func beforeInsert() -> (name: String, sql: String) {
        let matches = keyColumns.map { "\(SQLName.quoted($0)) = NEW.\(SQLName.quoted($0))" }
            .joined(separator: " AND ")
        // A singleton without a key is one row, which nothing replaces.
        guard !keyColumns.isEmpty else {
            return trigger("replace", "BEFORE INSERT", when: "0", ["SELECT 1"])
        }
        let existing = "FROM \(SQLName.quoted(table.name)) AS previous WHERE \(matches)"
        let old = lenient("\(image("previous")) \(existing)", "previous")
        return trigger(
            "replace", "BEFORE INSERT", when: "EXISTS (SELECT 1 \(existing))",
            [
                """
                INSERT INTO _odata_changes (table_name, key, operation, old, transaction_id)
                    SELECT \(name), \(key("previous")), 'R', \(old), \(transaction)
                    \(existing)
                """
            ])
    }

    func afterInsert() -> (name: String, sql: String) {
        trigger("insert", "AFTER INSERT", when: nil, change(of: "NEW", "'I'", old: "NULL"))
    }

    func afterUpdate() -> (name: String, sql: String) {
        let differs = allColumns.map {
            "OLD.\(SQLName.quoted($0)) IS NOT NEW.\(SQLName.quoted($0)) COLLATE BINARY"
        }.joined(separator: " OR ")
        let moved = "\(key("OLD")) <> \(key("NEW"))"
        return trigger(
            "update", "AFTER UPDATE",
            when: allColumns.count <= Self.maximumCompared ? lenient(differs, "OLD", "NEW") : nil,
            change(of: "OLD", "CASE WHEN \(moved) THEN 'D' ELSE 'U' END", old: oldImage)
                + change(of: "NEW", "'I'", old: "NULL", where: moved))
    }

    func afterDelete() -> (name: String, sql: String) {
        trigger("delete", "AFTER DELETE", when: nil, change(of: "OLD", "'D'", old: oldImage))
    }

    /// New content is noted without a new version: a stream has a tag of its own (Protocol 4.01, section 11.4.7.2).
    func afterUpdate(ofStream column: String) -> (name: String, sql: String) {
        let quoted = SQLName.quoted(column)
        return trigger(
            "stream_\(column)", "AFTER UPDATE OF \(quoted)",
            when: lenient("OLD.\(quoted) IS NOT NEW.\(quoted)", "OLD", "NEW", columns: [column]),
            [change(of: "OLD", "'U'", old: oldImage)[0], giveUp(column)])
    }

    func afterDelete(ofStream column: String) -> (name: String, sql: String) {
        trigger("content_\(column)", "AFTER DELETE", when: nil, [giveUp(column)])
    }

    private func giveUp(_ column: String) -> String {
        StreamSchema.giveUp(lenient("OLD.\(SQLName.quoted(column))", "OLD", columns: [column]))
    }

    func touch(where condition: String) -> String {
        """
        INSERT INTO _odata_changes (table_name, key, operation, old, transaction_id)
            SELECT \(name), \(key("t")), 'U', \(image("t")), \(transaction)
            FROM main.\(SQLName.quoted(table.name)) AS t WHERE \(condition)
            AND NOT EXISTS (SELECT 1 FROM _odata_changes AS known
                WHERE known.table_name = \(name) AND known.key = \(key("t"))
                AND known.sequence > :start)
        """
    }

    private func change(
        of row: String, _ operation: String, old: String, where condition: String? = nil
    ) -> [String] {
        let filter = condition.map { " WHERE \($0)" } ?? ""
        // What a foreign key does to a row lets no trigger replace: its conflicts end the statement.
        return [
            """
            INSERT INTO _odata_changes (table_name, key, operation, old, transaction_id)
                SELECT \(name), \(key(row)), \(operation), \(old), \(transaction)\(filter)
            """,
            """
            INSERT INTO _odata_versions (table_name, key, sequence)
                SELECT \(name), \(key(row)), last_insert_rowid()\(condition == nil ? " WHERE 1" : filter)
                ON CONFLICT (table_name, key) DO UPDATE SET sequence = excluded.sequence
            """,
        ]
    }

    private var oldImage: String { lenient(image("OLD"), "OLD") }

    /// An expression over columns that the owner may drop at any time, which SQLite allows as long as their names mean something:
    /// a name that the row has no more is looked for further out, where it is null.
    ///
    /// - Parameters:
    ///   - rows: what the expression calls the rows whose columns it names.
    ///   - columns: those that it names; nil for all.
    private func lenient(_ expression: String, _ rows: String..., columns: [String]? = nil)
        -> String
    {
        let names = columns ?? allColumns
        guard !names.isEmpty else { return "(SELECT \(expression))" }
        let nulls = names.map { "NULL AS \(SQLName.quoted($0))" }.joined(separator: ", ")
        let places = rows.map { "(SELECT \(nulls)) AS \(SQLName.quoted($0))" }
        return "(SELECT (SELECT \(expression)) FROM \(places.joined(separator: ", ")))"
    }

    private var transaction: String {
        "coalesce((SELECT value FROM _odata_meta WHERE name = 'transaction'), 0)"
    }

    /// The key as SQL literals joined by commas: the text that ``RowKey`` makes.
    private func key(_ row: String) -> String {
        guard !keyColumns.isEmpty else { return "''" }
        return keyColumns.map { "quote(\(row).\(SQLName.quoted($0)))" }.joined(
            separator: " || ',' || ")
    }

    /// The row as a JSON object of SQL literals, exact for every storage class.
    private func image(_ row: String) -> String {
        let members = allColumns.map { name in
            let value = "\(row).\(SQLName.quoted(name))"
            return "\(SQLName.constant(name)), CASE typeof(\(value)) WHEN 'blob' THEN "
                + "'\(ChangeLogSchema.leftOut)' ELSE quote(\(value)) END"
        }
        var objects: [String] = []
        for start in stride(from: 0, to: members.count, by: Self.membersPerObject) {
            let part = members[start..<min(start + Self.membersPerObject, members.count)]
            objects.append("json_object(\(part.joined(separator: ", ")))")
        }
        guard let first = objects.first else { return "'{}'" }
        return objects.dropFirst().reduce(first) { "json_patch(\($0), \($1))" }
    }

    private func trigger(
        _ kind: String, _ event: String, when condition: String?, _ statements: [String]
    ) -> (name: String, sql: String) {
        let name = "\(ChangeLogSchema.triggerPrefix)\(kind)_\(table.name)"
        let condition = condition.map { "\nWHEN \($0)" } ?? ""
        let sql = """
            CREATE TRIGGER \(SQLName.quoted(name)) \(event) ON \(SQLName.quoted(table.name))\(condition)
            BEGIN
                \(statements.joined(separator: ";\n    "));
            END
            """
        return (name, sql)
    }

    /// SQLite takes at most 127 arguments to a function (100 in older builds).
    private static let membersPerObject = 50
    /// Expressions may be 1,000 levels deep.
    private static let maximumCompared = 800
}
