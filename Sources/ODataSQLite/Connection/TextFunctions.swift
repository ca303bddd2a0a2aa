import Foundation
import GRDB
import GRDBSQLite

/// Functions on texts by Unicode scalars. SQLite's own `length`, `substr` and `replace` take U+0000 for the end, which
/// JSON can put into any text.
enum TextFunctions {
    static let all = [length, substring, substringOfLength, replace, lower, upper, matches]

    /// `_odata_length(text)`: the number of characters.
    private static let length = SQLFunction(
        "_odata_length", argumentCount: 1,
        raw: { context, _, values in
            guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_int64(context, Int64(TextFunctions.count(SQLFunction.text(values[0]))))
        })

    /// `_odata_substr(text, first)`: from the first character, counted from 1, or from the end where it is negative.
    private static let substring = SQLFunction(
        "_odata_substr", argumentCount: 2, raw: TextFunctions.cut)

    /// `_odata_substr(text, first, count)`: at most so many characters.
    private static let substringOfLength = SQLFunction(
        "_odata_substr", argumentCount: 3, raw: TextFunctions.cut)

    /// `_odata_replace(text, part, other)`: every occurrence from the start on; an empty part is nowhere.
    private static let replace = SQLFunction("_odata_replace", argumentCount: 3) { values in
        guard let text = String.fromDatabaseValue(values[0]),
            let part = String.fromDatabaseValue(values[1]),
            let other = String.fromDatabaseValue(values[2])
        else { return nil }
        return replaced(Array(text.utf8), Array(part.utf8), Array(other.utf8))
    }

    private static let lower = SQLFunction("_odata_lower", argumentCount: 1) { values in
        String.fromDatabaseValue(values[0])?.lowercased()
    }

    private static let upper = SQLFunction("_odata_upper", argumentCount: 1) { values in
        String.fromDatabaseValue(values[0])?.uppercased()
    }

    /// `matchesPattern`: true when some part of the text matches; null for a pattern that is none.
    private static let matches = SQLFunction("_odata_matches", argumentCount: 2) { values in
        guard let text = String.fromDatabaseValue(values[0]),
            let pattern = String.fromDatabaseValue(values[1])
        else { return nil }
        return try TextPattern.matches(text, pattern)
    }

    // MARK: Bytes

    /// Every character begins with a byte that does not go on with another.
    private static func begins(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    private static func count(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in text where begins(byte) { count += 1 }
        return count
    }

    private static let cut: SQLFunction.RawBody = { context, count, values in
        guard let values,
            !(0..<Int(count)).contains(where: { sqlite3_value_type(values[$0]) == SQLITE_NULL })
        else { return sqlite3_result_null(context) }
        let text = SQLFunction.text(values[0])
        let first = sqlite3_value_int64(values[1])
        let limit = count > 2 ? max(0, sqlite3_value_int64(values[2])) : Int64.max
        let skipped =
            first < 0
            ? max(0, Int64(TextFunctions.count(text)) + max(first, -1 << 32)) : max(0, first - 1)
        let start = TextFunctions.position(of: skipped, in: text, from: 0)
        let end = TextFunctions.position(of: limit, in: text, from: start)
        SQLFunction.give(UnsafeBufferPointer(rebasing: text[start..<end]), to: context)
    }

    /// Where the `number`-th character from `start` on begins; the end where there are not so many.
    private static func position(
        of number: Int64, in text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int {
        if number >= Int64(text.count - start) { return text.count }
        var (rest, index) = (number, start)
        while index < text.count {
            if begins(text[index]) {
                if rest == 0 { break }
                rest -= 1
            }
            index += 1
        }
        return index
    }

    private static func replaced(_ text: [UInt8], _ part: [UInt8], _ other: [UInt8]) -> String {
        guard let head = part.first, part.count <= text.count else {
            return String(decoding: text, as: UTF8.self)
        }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let end = index + part.count
            if text[index] == head, end <= text.count, text[index..<end].elementsEqual(part) {
                result += other
                index = end
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
