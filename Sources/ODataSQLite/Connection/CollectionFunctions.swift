import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataText

/// Functions on collections and structures in JSON.
enum CollectionFunctions {
    static let all = [collection, part, same]

    /// The function called so (URL Conventions 4.01, section 5.1.1.6) of two JSON arrays; null where one is none.
    private static let collection = SQLFunction(
        "_odata_collection", argumentCount: 3
    ) { values in
        guard let name = String.fromDatabaseValue(values[0]),
            let function = Function(rawValue: name),
            let whole = members(values[1]), let part = members(values[2])
        else { return nil }
        if function == .concat { return JSONValue.array(whole + part).text }
        let (first, second) = (whole.map(comparable), part.map(comparable))
        return CollectionComparison.truth(of: function, first, second)
            ?? Int64(CollectionComparison.position(of: second, in: first) ?? -1)
    }

    /// Some members of an array, from a position that counts from the end where it is negative.
    private static let part = SQLFunction(
        "_odata_part", argumentCount: 3
    ) { values in
        guard let whole = members(values[0]), let start = Int64.fromDatabaseValue(values[1]),
            let length = Int64.fromDatabaseValue(values[2])
        else { return nil }
        return JSONValue.array(
            CollectionComparison.part(of: whole, from: start, length: length)
        ).text
    }

    /// Whether two JSON values are equal, whatever the order of members and the spelling of numbers; a member that is
    /// not there is null.
    private static let same = SQLFunction(
        "_odata_same", argumentCount: 2
    ) { values in
        guard let first = json(values[0]), let second = json(values[1]) else { return nil }
        return comparable(first) == comparable(second)
    }

    private static func json(_ value: DatabaseValue) -> JSONValue? {
        String.fromDatabaseValue(value).flatMap {
            try? JSONValue(parsing: $0, duplicates: .keepLast)
        }
    }

    private static func members(_ value: DatabaseValue) -> [JSONValue]? { json(value)?.array }

    private static func comparable(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let text):
            guard let number = DecimalNumber(text) else { return value }
            return .number(number.withoutTrailingZeros.description)
        case .array(let members): return .array(members.map(comparable))
        case .object(let object):
            let members = object.members.filter { !$0.value.isNull && !$0.name.contains("@") }
                .sorted { $0.name < $1.name }
            return .object(
                JSONObject(
                    members.map { JSONObject.Member(name: $0.name, value: comparable($0.value)) }))
        default: return value
        }
    }
}
