import ODataPostgres
import ODataSQL
import ODataServer

/// Forgets the oldest changes of the log. A token needs those that its snapshot does not see; it is refused unless its
/// snapshot sees every transaction up to the last one of which anything was forgotten.
struct LogPurge {
    let pool: PostgresPool

    /// - Returns: False where something is left.
    /// - Throws: ``PostgresError``.
    func step(_ bounds: LogBounds) throws -> Bool {
        for part in 0..<LogTables.parts {
            do {
                try pool.transaction(.latest) { try empty(LogTables.part(part), bounds, $0) }
            } catch let error as PostgresError where error.sqlState == "55P03" {
                // Somebody writes into it just now.
                continue
            }
        }
        return try pool.transaction(.write) { try deleteOldest(bounds, $0) }
    }

    /// Whether the user may do that with a table, and nobody else does it just now.
    private func claim(
        _ right: String, _ table: String, _ connection: PostgresConnection
    ) throws -> Bool {
        let rows = try connection.rows(
            SQLStatement(
                text: """
                    SELECT has_table_privilege('\(table)', '\(right)')
                        AND has_table_privilege('\(table)', 'SELECT')
                        AND has_sequence_privilege('\(LogTables.expired)', 'UPDATE')
                        AND pg_try_advisory_xact_lock(\(Self.lock))
                    """))
        return rows.first?.first == .integer(1)
    }

    /// Changes up to this number are beyond the bounds.
    private func lastBeyond(_ bounds: LogBounds, _ connection: PostgresConnection) throws -> Int64 {
        let rows = try connection.rows(
            SQLStatement(
                text: """
                    SELECT n.last_value, (SELECT CAST(avg(pg_column_size(c) + \(Self.overhead)) AS
                        double precision) FROM (SELECT * FROM \(LogTables.changes)
                            ORDER BY number DESC LIMIT 1000) c) FROM \(LogTables.numbers) n
                    """))
        guard let row = rows.first, case .integer(let last) = row[0] else { return 0 }
        var kept = Int64(clamping: bounds.changes)
        if case .real(let size) = row[1], size > 0 {
            kept = min(kept, Int64(min(Double(bounds.bytes) / size, 1e15)))
        }
        return last - min(max(kept, 0), last)
    }

    /// Seconds since 1970; changes from before are too old.
    private static func oldest(_ bounds: LogBounds) -> Int64 {
        let (value, isBelow) = bounds.now.subtractingReportingOverflow(bounds.seconds)
        return isBelow ? 0 : max(0, value)
    }

    /// Empties a part of the log of which nothing is to be kept; it takes no time, however much is in it.
    private func empty(
        _ part: String, _ bounds: LogBounds, _ connection: PostgresConnection
    ) throws {
        guard try claim("TRUNCATE", part, connection) else { return }
        let limits: [SQLArgument] = [
            .integer(try lastBeyond(bounds, connection)), .integer(Self.oldest(bounds)),
        ]
        let newest = SQLStatement(
            text: """
                SELECT number <= $1 OR at < to_timestamp($2) FROM \(part)
                ORDER BY number DESC LIMIT 1
                """, arguments: limits)
        guard try connection.rows(newest).first?.first == .integer(1) else { return }
        try connection.run("LOCK TABLE \(part) IN ACCESS EXCLUSIVE MODE NOWAIT")
        // With the lock, nobody else writes: what is seen now is all that there is.
        let all = try connection.rows(
            SQLStatement(
                text: """
                    SELECT bool_and(number <= $1 OR at < to_timestamp($2)),
                        max(CAST(CAST(xid AS text) AS bigint)) FROM \(part)
                    """, arguments: limits))
        guard let row = all.first, row[0] == .integer(1), case .integer(let last) = row[1] else {
            return
        }
        try expire(last, connection)
        try connection.run("TRUNCATE \(part)")
    }

    /// Of all others the oldest go one by one.
    private func deleteOldest(
        _ bounds: LogBounds, _ connection: PostgresConnection
    ) throws -> Bool {
        guard try claim("DELETE", LogTables.changes, connection) else { return true }
        let limits: [SQLArgument] = [
            .integer(try lastBeyond(bounds, connection)), .integer(Self.oldest(bounds)),
        ]
        let found = try connection.rows(
            SQLStatement(
                text: """
                    SELECT count(*), max(number), max(CAST(CAST(xid AS text) AS bigint))
                    FROM (SELECT number, xid, at FROM \(LogTables.changes)
                        ORDER BY number LIMIT \(Self.rowsPerStep)) o
                    WHERE number <= $1 OR at < to_timestamp($2)
                    """, arguments: limits))
        guard let row = found.first, case .integer(let count) = row[0], count > 0,
            case .integer(let last) = row[2]
        else { return true }
        try expire(last, connection)
        // Of one snapshot: what was committed meanwhile stays.
        _ = try connection.answer(
            SQLStatement(
                text: "DELETE FROM \(LogTables.changes)"
                    + " WHERE number <= $3 AND (number <= $1 OR at < to_timestamp($2))",
                arguments: limits + [row[1]]))
        return count < Self.rowsPerStep
    }

    /// Said before anything goes, and not taken back where it does not.
    private func expire(_ transaction: Int64, _ connection: PostgresConnection) throws {
        _ = try connection.answer(
            SQLStatement(
                text: "SELECT setval('\(LogTables.expired)', greatest(last_value, $1))"
                    + " FROM \(LogTables.expired)", arguments: [.integer(transaction)]))
    }

    /// Bytes beside the values of a change: its place in three indexes.
    private static let overhead = 120
    private static let rowsPerStep: Int64 = 2_000
    private static let lock = 7_236_837_450_083
}
