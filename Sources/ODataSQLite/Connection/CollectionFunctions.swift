import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataText

/// Functions on collections in JSON.
enum CollectionFunctions {
    static let all = [collection]

    /// The function called so (URL Conventions 4.01, section 5.1.1.6) of two JSON arrays; null where one is none.
    private static let collection = SQLFunction(
        "_odata_collection", argumentCount: 3
    ) { values in
        guard let name = String.fromDatabaseValue(values[0]),
            let function = Function(rawValue: name),
            let whole = members(values[1]), let part = members(values[2])
        else { return nil }
        return CollectionComparison.truth(of: function, whole, part)
            ?? Int64(CollectionComparison.position(of: part, in: whole) ?? -1)
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
}
