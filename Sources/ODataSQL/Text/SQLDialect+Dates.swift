import ODataModel
import ODataQuery

/// Dates and durations. Dates and times are text in both databases, a duration only in SQLite.
extension SQLDialect {
    /// Arithmetic on dates (`D`), instants (`I`), times without offset (`W`), durations (`P`) and numbers (`N`).
    func temporal(
        _ operation: BinaryOperator, _ first: String, _ a: SQLText, _ second: String, _ b: SQLText
    ) -> SQLText {
        guard !isSQLite else {
            return "_odata_temporal('\(raw: operation.rawValue)', '\(raw: first)', \(a), "
                + "'\(raw: second)', \(b))"
        }
        return PostgreSQL.temporal(operation, first, a, second, b)
    }

    func negatedDuration(_ sql: SQLText) -> SQLText {
        isSQLite ? temporal(.sub, "P", "'PT0S'", "P", sql) : PostgreSQL.negated(sql)
    }

    /// A duration as a value of its own.
    func duration(_ value: EdmDuration) -> (sql: SQLText, order: SQLText) {
        guard isSQLite else {
            let seconds = numeric(value.decimalSeconds)
            return (seconds, seconds)
        }
        return (
            SQLText(argument: .text(value.description)), SQLText(argument: .blob(value.orderKey))
        )
    }

    func durationOrder(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_duration_order(\(sql))" : sql
    }

    /// The seconds of a duration as a decimal.
    func seconds(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_total_seconds(\(sql))" : sql
    }

    /// The time in UTC moved by an offset in minutes, without its fraction, which would be rounded up to the next
    /// second.
    func wall(_ sql: SQLText, offset: SQLText) -> SQLText {
        isSQLite
            ? "strftime('%Y-%m-%dT%H:%M:%S', substr(\(sql), 1, 19), \(offset) || ' minutes')"
            : PostgreSQL.wall(sql, offset: offset)
    }

    /// The time in UTC of seconds since 1970.
    func wall(secondsSince1970 sql: SQLText) -> SQLText {
        isSQLite
            ? "strftime('%Y-%m-%dT%H:%M:%f', \(sql), 'unixepoch')"
            : PostgreSQL.wall(secondsSince1970: sql)
    }

    /// The present in UTC.
    var now: SQLText {
        isSQLite ? "strftime('%Y-%m-%dT%H:%M:%f', 'now')" : PostgreSQL.now
    }

    /// The text of an instant at its offset.
    func instantText(_ sql: SQLText, offset: SQLText?) -> SQLText {
        isSQLite
            ? "_odata_instant(\(sql), \(offset ?? "0"))"
            : PostgreSQL.instantText(sql, offset: offset ?? "0")
    }

    /// The text of a duration.
    func durationText(_ sql: SQLText) -> SQLText {
        isSQLite ? sql : PostgreSQL.durationText(sql)
    }
}
