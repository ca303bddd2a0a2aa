import Foundation
import GRDB
import ODataModel
import ODataText

/// Dates moved by durations, the time between dates, and text read as values. Every function gives null for null.
enum TemporalFunctions {
    static let all = [arithmetic, durationOrder, totalSeconds, instant, parse]

    /// Operator, then each operand behind the letter that tells what its text is: `D`ate, `I`nstant in UTC, `W`all
    /// time, `P`eriod, `N`umber.
    private static let arithmetic = SQLFunction(
        "_odata_temporal", argumentCount: 5
    ) { values in
        let text = values.map { String.fromDatabaseValue($0) }
        guard let operation = text[0], let first = text[1], let second = text[3],
            let a = seconds(first, values[2]), let b = seconds(second, values[4])
        else { return nil }
        switch (first, operation, second) {
        case ("P", "add", "P"): return duration(a + b)
        case ("P", "mul", _): return duration(a * b)
        case ("P", "div", "N"), ("P", "divby", "N"):
            return a.divided(by: b, scale: 12).flatMap(duration)
        case (_, "sub", "P") where first != "P": return moved(first, a - b)
        case (_, "add", "P"): return moved(first, a + b)
        default: return duration(a - b)
        }
    }

    private static func seconds(_ kind: String, _ value: DatabaseValue) -> DecimalNumber? {
        if kind == "N" { return NumberFunctions.number(value) }
        guard let text = String.fromDatabaseValue(value) else { return nil }
        switch kind {
        case "P": return EdmDuration(text)?.decimalSeconds
        case "D":
            return CalendarDate(text).map {
                DecimalNumber($0.daysSince1970) * DecimalNumber(86_400)
            }
        default:
            return WallDateTime(text).map {
                DecimalNumber($0.seconds) + DecimalNumber(coefficient: $0.picoseconds, scale: 12)
            }
        }
    }

    private static func duration(_ seconds: DecimalNumber) -> String? {
        EdmDuration(decimalSeconds: seconds)?.description
    }

    /// The date or time so many seconds after 1970; null before `mindatetime` and behind `maxdatetime`.
    private static func moved(_ kind: String, _ seconds: DecimalNumber) -> String? {
        guard let whole = seconds.rounded(toScale: 0, .floor).int64Value,
            OffsetDateTime.functionRange.contains(whole),
            let picoseconds = (seconds - DecimalNumber(whole)).scaled(by: 12)
        else { return nil }
        guard kind == "D" else {
            return WallDateTime(seconds: whole, picoseconds: picoseconds)?.description
        }
        let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        return CalendarDate(daysSince1970: days)?.description
    }

    private static let durationOrder = SQLFunction(
        "_odata_duration_order", argumentCount: 1
    ) { values in
        String.fromDatabaseValue(values[0]).flatMap { EdmDuration($0) }.map { Data($0.orderKey) }
    }

    private static let totalSeconds = SQLFunction(
        "_odata_total_seconds", argumentCount: 1
    ) { values in
        String.fromDatabaseValue(values[0]).flatMap { EdmDuration($0) }?.decimalSeconds.description
    }

    /// The text of an instant at its offset.
    private static let instant = SQLFunction(
        "_odata_instant", argumentCount: 2
    ) { values in
        String.fromDatabaseValue(values[0]).flatMap {
            OffsetDateTime(
                utcText: $0, offsetMinutes: Int.fromDatabaseValue(values[1]) ?? 0)
        }?.description
    }

    /// A text read as a value of a primitive type; null for one that is none.
    private static let parse = SQLFunction(
        "_odata_parse", argumentCount: 2
    ) { values in
        guard let name = String.fromDatabaseValue(values[0]),
            let type = PrimitiveType(name: "Edm." + name),
            let text = String.fromDatabaseValue(values[1]),
            let scalar = Lexical.scalar(text, as: type)
        else { return nil }
        switch scalar {
        case .boolean(let value): return value ? 1 : 0
        case .integer(let value): return value
        // `NaN` and `INF` are numbers, but no decimal ones.
        case .double(let value): return type == .decimal ? nil : NumberFunctions.stored(value)
        case .decimal(let value): return value.description
        case .dateTimeOffset(let value): return value.utcText
        default: return Lexical.text(scalar)
        }
    }
}
