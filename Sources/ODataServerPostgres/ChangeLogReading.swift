import ODataPostgres
import ODataSQL
import ODataServer
import ODataText

/// Reads the log of changes inside one transaction, whose snapshot says which changes there are.
struct ChangeLogReading {
    let connection: PostgresConnection
    /// The statement of ``LogIdentity``.
    let identity: String

    /// The present place; nil where changes of the table are not noted now.
    func mark(of table: LoggedTable) throws -> LogMark? {
        let rows = try connection.rows(
            SQLStatement(text: identity, arguments: [.text(table.qualifiedName)]))
        guard let row = rows.first else { return nil }
        guard case .text(let log) = row[0], case .text(let text) = row[1],
            let snapshot = TransactionSnapshot(text)
        else { throw ODataError(.storage, "Expected the snapshot of a transaction.") }
        return LogMark(log: log, snapshot: snapshot)
    }

    /// - Throws: 400 for places that no log names, ``PostgresError``.
    func rows(of table: LoggedTable, _ span: LogSpan) throws -> LoggedRows? {
        let from = try LogMark(parsing: span.from)
        let through = try span.through.map { try LogMark(parsing: $0) }
        let until = try span.until.map { try LogMark(parsing: $0) } ?? from
        guard let now = try mark(of: table), now.log == from.log else { return nil }
        let end = through ?? now
        guard end.log == now.log, from.snapshot.xmax <= now.snapshot.xmax,
            end.snapshot.xmax <= now.snapshot.xmax, try !isEmptied(table, since: from)
        else { return nil }
        let found = try connection.rows(statement(table, from, until, end, span))
        // Behind the read: what is forgotten is said to be before it is.
        guard try UInt64(bitPattern: expired()) < from.snapshot.xmin else { return nil }
        return LoggedRows(
            through: end.text,
            rows: try found.map { row in
                guard case .integer(let last) = row[0], case .integer(let first) = row[1] else {
                    throw ODataError(.storage, "Expected the numbers of changes.")
                }
                return LoggedRows.Row(
                    key: Array(row.dropFirst(3)), first: first, last: last,
                    seen: Self.numbers(row[2]))
            })
    }

    /// Whether all rows went at once since a place.
    private func isEmptied(_ table: LoggedTable, since from: LogMark) throws -> Bool {
        let rows = try connection.rows(
            SQLStatement(
                text: """
                    SELECT EXISTS (SELECT FROM \(LogTables.changes)
                        WHERE relation = to_regclass($1) AND kind = 'T'
                        AND \(Self.isUnseen("$2")))
                    """,
                arguments: [.text(table.qualifiedName), .text(from.snapshot.text)]))
        return rows.first?.first == .integer(1)
    }

    private func expired() throws -> Int64 {
        let rows = try connection.rows(
            SQLStatement(text: "SELECT last_value FROM \(LogTables.expired)"))
        guard case .integer(let number)? = rows.first?.first else {
            throw ODataError(.storage, "Expected the number of a transaction.")
        }
        return number
    }

    /// What the earlier of two snapshots does not see and the later one does, for each row by its last change. A transaction that
    /// ends late is unseen by the earlier one, whatever its number.
    private func statement(
        _ table: LoggedTable, _ from: LogMark, _ until: LogMark, _ end: LogMark, _ span: LogSpan
    ) -> SQLStatement {
        let key = table.key.map { table.forms[$0] ?? SQLName.quoted($0) }.joined(separator: ", ")
        return SQLStatement(
            text: """
                SELECT "#last", "#first", "#seen", \(key) FROM (
                    SELECT s.last AS "#last", s.first AS "#first", s.seen AS "#seen", r.* FROM (
                        SELECT key, max(number) AS last, min(number) AS first,
                            CASE WHEN bool_or(pg_visible_in_snapshot(xid, CAST($6 AS pg_snapshot)))
                                THEN string_agg(CAST(number AS text), ',') END AS seen
                        FROM \(LogTables.changes)
                        WHERE relation = to_regclass($1) AND \(Self.isUnseen("$2"))
                            AND pg_visible_in_snapshot(xid, CAST($3 AS pg_snapshot))
                        GROUP BY key HAVING max(number) > $4 ORDER BY max(number) LIMIT $5) s
                    CROSS JOIN LATERAL
                        jsonb_populate_record(CAST(NULL AS \(table.qualifiedName)), s.key) r) t
                ORDER BY "#last"
                """,
            arguments: [
                .text(table.qualifiedName), .text(from.snapshot.text), .text(end.snapshot.text),
                .integer(span.after), .integer(Int64(span.limit)), .text(until.snapshot.text),
            ])
    }

    /// A list of numbers; nil for none.
    private static func numbers(_ value: SQLArgument) -> [Int64]? {
        guard case .text(let text) = value else { return nil }
        return text.split(separator: ",").compactMap { Int64($0) }
    }

    private static func isUnseen(_ snapshot: String) -> String {
        "xid >= pg_snapshot_xmin(CAST(\(snapshot) AS pg_snapshot))"
            + " AND NOT pg_visible_in_snapshot(xid, CAST(\(snapshot) AS pg_snapshot))"
    }
}
