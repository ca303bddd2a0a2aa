import ODataModel
import ODataQuery

/// Dates and durations. Dates and times are text in both databases, because PostgreSQL's own types end at the
/// microsecond; a duration is text in SQLite and its seconds as `numeric` in PostgreSQL.
extension SQLDialect {
    /// Arithmetic on dates (`D`), instants (`I`), times without offset (`W`), durations (`P`) and numbers (`N`).
    func temporal(
        _ operation: BinaryOperator, _ first: String, _ a: SQLText, _ second: String, _ b: SQLText
    ) -> SQLText {
        guard !isSQLite else {
            return "_odata_temporal('\(raw: operation.rawValue)', '\(raw: first)', \(a), "
                + "'\(raw: second)', \(b))"
        }
        let x = seconds(first, a)
        let y = seconds(second, b)
        switch operation {
        case .div, .divby: return "_odata_period(_odata_divided(\(x), \(y), 12))"
        case .mul: return "_odata_period(\(x) * \(y))"
        default:
            let result: SQLText = "\(x) \(raw: operation.symbol) \(y)"
            return first == "P" || second != "P"
                ? "_odata_period(\(result))"
                : "(_odata_moved('\(raw: first)', \(result)) COLLATE \"C\")"
        }
    }

    /// Seconds since 1970, or those of a duration, or a number.
    private func seconds(_ kind: String, _ sql: SQLText) -> SQLText {
        kind == "P" || kind == "N" ? "CAST(\(sql) AS numeric)" : "_odata_epoch(\(sql))"
    }

    func negatedDuration(_ sql: SQLText) -> SQLText {
        isSQLite ? temporal(.sub, "P", "'PT0S'", "P", sql) : "(-(\(sql)))"
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
            : "(_odata_civil(_odata_epoch(substr(\(sql), 1, 19)) + 60 * \(offset)) COLLATE \"C\")"
    }

    /// The time in UTC of seconds since 1970.
    func wall(secondsSince1970 sql: SQLText) -> SQLText {
        isSQLite
            ? "strftime('%Y-%m-%dT%H:%M:%f', \(sql), 'unixepoch')"
            : "(_odata_civil(CAST(\(sql) AS numeric)) COLLATE \"C\")"
    }

    /// The present in UTC.
    var now: SQLText {
        isSQLite
            ? "strftime('%Y-%m-%dT%H:%M:%f', 'now')"
            : "(to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS') COLLATE \"C\")"
    }

    /// The text of an instant at its offset.
    func instantText(_ sql: SQLText, offset: SQLText?) -> SQLText {
        isSQLite
            ? "_odata_instant(\(sql), \(offset ?? "0"))"
            : "(_odata_instant(\(sql), coalesce(\(offset ?? "0"), 0)) COLLATE \"C\")"
    }

    /// The text of a duration.
    func durationText(_ sql: SQLText) -> SQLText {
        isSQLite ? sql : "(_odata_duration(\(sql)) COLLATE \"C\")"
    }
}
