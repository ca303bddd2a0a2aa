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

    // Hot: ServerFigures
    /// The rows of a query, undecoded.
    ///
    /// - Parameter isKept: false for a query that will hardly come again, of a list of keys for example.
    func run(_ query: Query, isKept: Bool = true) throws -> ResultPage {
        if let access = exchange.access { return try access.run(query, isKept: isKept, exchange) }
        let model = exchange.model
        if isKept, !model.narrow.concerns(query, model.mapping) {
            // Checked before, when it was read from the URL.
            let bound = try model.queries.prepared(query, check: { $0 })
            return try exchange.source.run(bound, model.queries.reader)
        }
        if case .served(let rows) = exchange.source {
            let prepared = try model.queries.reader.prepare(query)
            return try model.queries.reader.run(BoundQuery(prepared), from: rows)
        }
        let mapping = try model.narrow.mapping(for: query, model.mapping, in: exchange.database)
        return try QueryReader(mapping: mapping, options: model.compilerOptions)
            .run(query, in: exchange.database)
    }

    /// The entities of a query whose path is an entity set.
    func rows(_ query: Query) throws -> [StructureValue] {
        try run(query).values
    }

    /// The rows of a query with `$apply` or `$compute`, and whether they are no entities any more.
    func computedRows(_ query: Query) throws -> ([StructureValue], isDerived: Bool) {
        let page = try run(query)
        return (page.values, page.plan.isDerived)
    }

    /// How many entities there are before paging.
    func count(_ query: Query, of target: RowTarget) throws -> Int64 {
        guard !target.isEmpty else { return 0 }
        var query = query
        query.path.segments.append(.count)
        return try run(query).count ?? 0
    }
}
