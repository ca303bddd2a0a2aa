import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// Parts of dates and times; those of an instant are read at the offset it was written with.
    func dateFunction(_ function: Function, _ term: SQLTerm) throws -> SQLTerm {
        if term.kind == .null { return SQLTerm("NULL", .null) }
        switch function {
        case .year: return SQLTerm(part(try dateText(term), 1, 4), .integer)
        case .month: return SQLTerm(part(try dateText(term), 6, 2), .integer)
        case .day: return SQLTerm(part(try dateText(term), 9, 2), .integer)
        case .date: return SQLTerm("substr(\(try dateText(term)), 1, 10)", .date)
        case .hour: return SQLTerm(part(try timeText(term), 1, 2), .integer)
        case .minute: return SQLTerm(part(try timeText(term), 4, 2), .integer)
        case .second: return SQLTerm(part(try secondsText(term), 1, 2), .integer)
        case .fractionalSeconds:
            // The text after the seconds is empty or `.ddd`.
            let fraction: SQLText = "substr(\(try secondsText(term)), 3)"
            return decimal("CASE WHEN \(fraction) = '' THEN '0' ELSE '0' || \(fraction) END")
        case .time:
            let time: SQLText = "substr(\(try timeText(term)), 1, 6) || \(try secondsText(term))"
            return SQLTerm("(\(time))", .time)
        case .totalOffsetMinutes:
            guard case .instant(let offset) = term.kind else { break }
            let minutes: SQLText = offset.map { "coalesce(\($0), 0)" } ?? "0"
            return SQLTerm("CASE WHEN \(term.sql) IS NOT NULL THEN \(minutes) END", .integer)
        case .totalSeconds:
            guard case .duration = term.kind else { break }
            return decimal(dialect.seconds(term.sql))
        default: break
        }
        throw Self.invalid("Expected a date or time in \(function.rawValue)().")
    }

    private func decimal(_ sql: SQLText) -> SQLTerm {
        let sql = dialect.decimal(text: sql)
        return SQLTerm(sql, .decimalText(order: dialect.decimalOrder(sql)))
    }

    private func part(_ text: SQLText, _ start: Int64, _ length: Int64) -> SQLText {
        dialect.integer("substr(\(text), \(number: start), \(number: length))")
    }

    /// `YYYY-MM-DDThh:mm…` at the offset of the value.
    private func wallText(_ term: SQLTerm) -> SQLText? {
        switch term.kind {
        case .wall: return term.sql
        case .instant(nil): return term.sql
        case .instant(let offset?):
            // Without the fraction, which would be rounded up to the next second.
            return "CASE WHEN coalesce(\(offset), 0) = 0 THEN \(term.sql) ELSE "
                + "\(dialect.wall(term.sql, offset: offset)) END"
        case .unix(let units):
            let seconds: SQLText = units == 1 ? term.sql : "\(term.sql) / \(number: units).0"
            return dialect.wall(secondsSince1970: seconds)
        default: return nil
        }
    }

    /// A cast to the date or the time of a value; null where it has none (URL Conventions 4.01, section 5.1.1.10.1).
    func castToPart(_ function: Function, _ term: SQLTerm) throws -> SQLTerm {
        let own: SQLTerm.Kind = function == .date ? .date : .time
        guard term.kind == .null || term.kind == own || wallText(term) != nil else {
            return SQLTerm("NULL", .null)
        }
        return try dateFunction(function, term)
    }

    private func dateText(_ term: SQLTerm) throws -> SQLText {
        if term.kind == .date { return term.sql }
        guard let text = wallText(term) else {
            throw Self.invalid("Expected a date, found another type.")
        }
        return text
    }

    private func timeText(_ term: SQLTerm) throws -> SQLText {
        if term.kind == .time { return term.sql }
        guard let text = wallText(term) else {
            throw Self.invalid("Expected a time, found another type.")
        }
        return "substr(\(text), 12)"
    }

    /// `ss` and the fraction: the same at every offset.
    private func secondsText(_ term: SQLTerm) throws -> SQLText {
        switch term.kind {
        case .time: return "substr(\(term.sql), 7)"
        case .instant, .wall: return "substr(\(term.sql), 18)"
        case .unix: return "substr(\(try dateText(term)), 18)"
        default: throw Self.invalid("Expected a time, found another type.")
        }
    }
}
