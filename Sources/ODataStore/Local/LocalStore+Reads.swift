import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText
import ODataWorld

/// What stops a query: keeps an action that a cancellation runs, and returns what forgets it.
package typealias QueryCancellation = (@escaping @Sendable () -> Void) -> () -> Void

/// Queries and upkeep.
extension LocalStore {
    /// Answers a checked query in one snapshot.
    ///
    /// What it expands along links that were never downloaded is not set in its rows.
    ///
    /// - Throws: `invalidQuery`, `unknownName` or `notImplemented` for what cannot be compiled; `notLoaded` when its path
    ///   follows links that were never downloaded.
    package func execute(
        _ query: Query, onCancel: QueryCancellation? = nil
    ) throws -> ODataSQLite.ResultPage {
        let (readers, queries) = try querying()
        let prepared = BoundQuery(try queries.reader.prepare(query))
        let page = try run(prepared, queries, readers, onCancel)
        try checkKnown(page, of: query, queries.reader.mapping) { part in
            try run(BoundQuery(queries.reader.prepare(part)), queries, readers, onCancel)
        }
        return page
    }

    /// As ``execute(_:onCancel:)`` for a query still to be checked; what was compiled before is used again.
    package func execute(
        _ query: Query, onCancel: QueryCancellation? = nil, check: (Query) throws -> Query
    ) throws -> ODataSQLite.ResultPage {
        let (readers, queries) = try querying()
        let prepared = try queries.prepared(query, check: check)
        let page = try run(prepared, queries, readers, onCancel)
        try checkKnown(page, of: query, queries.reader.mapping) { part in
            try run(queries.prepared(part, check: check), queries, readers, onCancel)
        }
        return page
    }

    /// As ``execute(_:onCancel:check:)`` for one entity of a set by the one value of its key, and nothing else.
    package func execute(
        entityOf set: String, key: Scalar, onCancel: QueryCancellation? = nil,
        query: () -> Query, check: (Query) throws -> Query
    ) throws -> ODataSQLite.ResultPage {
        let (readers, queries) = try querying()
        let prepared = try queries.prepared(entityOf: set, key: key, query, check: check)
        return try run(prepared, queries, readers, onCancel)
    }

    /// One page of a checked query: the rows behind the one that these values order, or the first ones, each with the
    /// values that order it (`ResultPage.orderKeys(row:)`); nil where the query does not lead to a collection of entities.
    ///
    /// - Throws: As ``execute(_:onCancel:)``, and `invalidQuery` (400) for values of another query.
    package func page(
        _ query: Query, behind values: [SQLArgument]?, onCancel: QueryCancellation? = nil
    ) throws -> ODataSQLite.ResultPage? {
        let (readers, queries) = try querying()
        var options = queries.reader.compiler.options
        options.exposesOrder = true
        options.rowsBehind = values
        let reader = QueryReader(mapping: queries.reader.mapping, options: options)
        let prepared = try reader.prepare(query)
        switch prepared.plan.result {
        case .entities where !prepared.plan.isDerived, .references(isCollection: true):
            let page = try run(BoundQuery(prepared), queries, readers, onCancel)
            try checkKnown(page, of: query, queries.reader.mapping) { part in
                try run(BoundQuery(queries.reader.prepare(part)), queries, readers, onCancel)
            }
            return page
        default: return nil
        }
    }

    private func run(
        _ bound: BoundQuery, _ queries: PreparedQueries, _ readers: ReadConnections,
        _ onCancel: QueryCancellation?
    ) throws -> ODataSQLite.ResultPage {
        let query = bound.query
        let page = try translating {
            func run(_ connection: ReadConnection) throws -> ODataSQLite.ResultPage {
                guard !query.isOneStatement else { return try bound.run(in: connection) }
                return try connection.snapshot { try bound.run(in: connection) }
            }
            guard let onCancel else { return try readers.read(run) }
            return try readers.read(onCancel: onCancel, run)
        }
        if let place = page.placeOfKeyOnlyRow { throw RowState.notLoaded(at: place) }
        return try leavingOutUnknown(page, queries.reader.mapping)
    }

    /// Makes an index over property paths of a set, unless it is there.
    ///
    /// - Throws: `unknownName` for a set or path that the metadata does not have.
    package func createIndex(on set: String, paths: [String]) throws {
        let table = try mapping().existingTable(path: set)
        let columns = try paths.map { path in
            guard let column = table.column(path: path) else {
                throw ODataError(
                    .unknownName, "Expected a property to index, found none of this name.",
                    at: .path("\(set)/\(path)"))
            }
            return SQLName.quoted(column.comparedColumn)
        }
        // Rows of equal values come by key; with the key behind them they come so from the index.
        let keys = table.keys.map { SQLName.quoted($0.comparedColumn) }
        let all = columns + keys.filter { !columns.contains($0) }
        let name = SQLName.quoted("_odata_index_\(set)_\(paths.joined(separator: "_"))")
        world.checkpoint("index.build")
        try indexBuild.run(
            "CREATE INDEX IF NOT EXISTS \(name) ON \(SQLName.quoted(table.name))"
                + " (\(all.joined(separator: ", ")))"
        ) { body in try write(.normal) { try body($0) } }
    }
}
