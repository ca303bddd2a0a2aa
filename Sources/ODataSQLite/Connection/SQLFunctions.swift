import GRDB

/// The SQL functions that compiled queries call, beside those of SQLite: texts by Unicode
/// scalars, patterns, and arithmetic on decimals, doubles and dates.
///
/// They serve filters only; no column and no index needs them, so stock tools read and order every table.
package enum SQLFunctions {
    /// Registers them on a connection (from `Configuration.prepareDatabase`).
    ///
    /// - Parameter boundsIntegers: A sum, difference or product of integers beyond 64 bits is an error, as a service owes it
    ///   to its clients; without, it is exact.
    package static func register(in database: Database, boundsIntegers: Bool = false) {
        let functions =
            TextFunctions.all + NumberFunctions.all + TemporalFunctions.all + GeoFunctions.all
            + CollectionFunctions.all + OpenFunctions.all
        for function in functions { function.register(in: database) }
        if boundsIntegers { NumberFunctions.boundedDecimal.register(in: database) }
        database.add(function: AggregateFunction.function)
    }
}
