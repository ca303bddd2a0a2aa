import ODataModel
import ODataQuery

/// Dates and times are text, because PostgreSQL's own types end at the microsecond; a duration is its seconds as `numeric`.
extension PostgreSQL {
    static func temporal(
        _ operation: BinaryOperator, _ first: String, _ a: SQLText, _ second: String, _ b: SQLText
    ) -> SQLText {
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
    private static func seconds(_ kind: String, _ sql: SQLText) -> SQLText {
        kind == "P" || kind == "N" ? "CAST(\(sql) AS numeric)" : "_odata_epoch(\(sql))"
    }

    static func wall(_ sql: SQLText, offset: SQLText) -> SQLText {
        "(_odata_civil(_odata_epoch(substr(\(sql), 1, 19)) + 60 * \(offset)) COLLATE \"C\")"
    }

    static func wall(secondsSince1970 sql: SQLText) -> SQLText {
        "(_odata_civil(CAST(\(sql) AS numeric)) COLLATE \"C\")"
    }

    static let now: SQLText =
        "(to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS') COLLATE \"C\")"

    static func instantText(_ sql: SQLText, offset: SQLText) -> SQLText {
        "(_odata_instant(\(sql), coalesce(\(offset), 0)) COLLATE \"C\")"
    }

    static func durationText(_ sql: SQLText) -> SQLText {
        "(_odata_duration(\(sql)) COLLATE \"C\")"
    }
}
