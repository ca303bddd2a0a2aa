import GRDB

/// The SQL functions that compiled queries call, beside those of SQLite: texts by Unicode
/// scalars, patterns, and arithmetic on decimals, doubles and dates.
///
/// They serve filters only; no column and no index needs them, so stock tools read and order every table.
package enum SQLFunctions {
    /// Registers them on a connection (from `Configuration.prepareDatabase`).
    package static func register(in database: Database) {
        let functions =
            TextFunctions.all + NumberFunctions.all + TemporalFunctions.all + GeoFunctions.all
            + CollectionFunctions.all + OpenFunctions.all
        for function in functions { function.register(in: database) }
        database.add(function: AggregateFunction.function)
    }
}
