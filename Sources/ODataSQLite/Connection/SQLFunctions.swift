import Foundation
import GRDB

/// The SQL functions that compiled queries call, beside those of SQLite: Unicode case conversion, patterns, and
/// arithmetic on decimals, doubles and dates.
///
/// They serve filters only; no column and no index needs them, so stock tools read and order every table.
package enum SQLFunctions {
    /// Registers them on a connection (from `Configuration.prepareDatabase`).
    package static func register(in database: Database) {
        let functions =
            [lower, upper, matches] + NumberFunctions.all + TemporalFunctions.all
            + GeoFunctions.all + CollectionFunctions.all + [AggregateFunction.function]
        for function in functions { database.add(function: function) }
    }

    private static let lower = DatabaseFunction("_odata_lower", argumentCount: 1, pure: true) {
        String.fromDatabaseValue($0[0])?.lowercased()
    }

    private static let upper = DatabaseFunction("_odata_upper", argumentCount: 1, pure: true) {
        String.fromDatabaseValue($0[0])?.uppercased()
    }

    /// `matchesPattern`: true when some part of the text matches; null for a pattern that is none.
    private static let matches = DatabaseFunction("_odata_matches", argumentCount: 2, pure: true) {
        guard let text = String.fromDatabaseValue($0[0]),
            let pattern = String.fromDatabaseValue($0[1]),
            let expression = try? NSRegularExpression(pattern: pattern)
        else { return nil }
        let range = NSRange(text.startIndex..., in: text)
        return expression.firstMatch(in: text, range: range) != nil
    }
}
