import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText

/// Reads entities by compiled queries: one statement for the rows and one for each expanded navigation property and
/// level, whatever the number of rows.
struct ResultReader {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    private var reader: QueryReader { QueryReader(mapping: exchange.model.mapping) }

    /// The entities of a query whose path is an entity set.
    func rows(_ query: Query) throws -> [StructureValue] {
        try reader.run(query, in: exchange.database).values
    }

    /// The rows of a query with `$apply` or `$compute`, and whether they are no entities any more.
    func computedRows(_ query: Query) throws -> ([StructureValue], isDerived: Bool) {
        let page = try reader.run(query, in: exchange.database)
        return (page.values, page.plan.isDerived)
    }

    /// How many entities there are before paging.
    func count(_ query: Query, of target: RowTarget) throws -> Int64 {
        guard !target.isEmpty else { return 0 }
        var query = query
        query.path.segments.append(.count)
        return try reader.run(query, in: exchange.database).count ?? 0
    }
}
