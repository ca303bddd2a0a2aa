import Foundation
import GRDB
import ODataModel
import ODataText

/// Functions on collections in JSON.
enum CollectionFunctions {
    static let all = [collection]

    /// The function called so (URL Conventions 4.01, section 5.1.1.6) of two JSON arrays; null where one is none.
    private static let collection = DatabaseFunction(
        "_odata_collection", argumentCount: 3, pure: true
    ) { values in
        guard let name = String.fromDatabaseValue(values[0]), let whole = members(values[1]),
            let part = members(values[2])
        else { return nil }
        switch name {
        case "hassubset":
            var rest = whole
            return part.allSatisfy { member in
                guard let index = rest.firstIndex(of: member) else { return false }
                rest.remove(at: index)
                return true
            }
        case "hassubsequence":
            var rest = whole[...]
            return part.allSatisfy { member in
                guard let index = rest.firstIndex(of: member) else { return false }
                rest = rest[(index + 1)...]
                return true
            }
        case "startswith": return whole.starts(with: part)
        case "endswith": return whole.reversed().starts(with: part.reversed())
        case "contains": return position(of: part, in: whole) >= 0
        default: return Int64(position(of: part, in: whole))
        }
    }

    private static func members(_ value: DatabaseValue) -> [JSONValue]? {
        guard let text = String.fromDatabaseValue(value) else { return nil }
        return (try? JSONValue(parsing: text))?.array?.map { member in
            // Numbers by their value, however they are spelled.
            guard case .number(let text) = member, let number = DecimalNumber(text) else {
                return member
            }
            return .number(number.withoutTrailingZeros.description)
        }
    }

    private static func position(of part: [JSONValue], in whole: [JSONValue]) -> Int {
        guard part.count <= whole.count else { return -1 }
        return (0...(whole.count - part.count)).first { whole[$0...].starts(with: part) } ?? -1
    }
}
