import GRDB
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWorld

/// Queries and upkeep.
extension LocalStore {
    /// Answers a checked query in one snapshot.
    ///
    /// - Throws: `invalidQuery`, `unknownName` or `notImplemented` for what cannot be compiled; `notLoaded` when it
    ///   expands links that were never downloaded.
    package func execute(_ query: Query) throws -> ODataSQLite.RowPage {
        let reader = try queries().reader
        return try run(try reader.prepare(query), reader)
    }

    /// As ``execute(_:)`` for a query still to be checked; what was compiled before is used again.
    package func execute(
        _ query: Query, check: (Query) throws -> Query
    ) throws -> ODataSQLite.RowPage {
        let queries = try queries()
        return try run(try queries.prepared(query, check: check), queries.reader)
    }

    private func run(
        _ prepared: PreparedQuery, _ reader: QueryReader
    ) throws -> ODataSQLite.RowPage {
        if prepared.plan.expands.isEmpty, prepared.plan.countStatement == nil {
            // One statement is a snapshot of its own.
            return try readUnisolated { try reader.run(prepared, in: $0) }
        }
        return try reading { transaction in
            for expand in prepared.plan.expands {
                try Self.checkLoaded(
                    expand, of: reader.mapping[prepared.plan.table], transaction)
            }
            return try reader.run(prepared, in: transaction.database)
        }
    }

    /// Unknown is not empty: links in a link table count only once they were downloaded.
    private static func checkLoaded(
        _ expand: ExpandPlan, of table: TableMapping, _ transaction: StoreTransaction
    ) throws {
        if case .linkTable = expand.navigation.storage,
            try !transaction.isLoaded(table: table.path, navigation: expand.navigation.path),
            try transaction.hasDownloaded(table)
        {
            throw ODataError(
                .notLoaded, "Expected links that were downloaded, found none.",
                at: .path("\(table.path)/\(expand.navigation.path)"))
        }
        for child in expand.children {
            try checkLoaded(child, of: transaction.mapping[expand.table], transaction)
        }
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
        let name = SQLName.quoted("_odata_index_\(set)_\(paths.joined(separator: "_"))")
        world.checkpoint("index.build")
        try write(.normal) { database in
            try database.execute(
                sql: "CREATE INDEX IF NOT EXISTS \(name) ON \(SQLName.quoted(table.name))"
                    + " (\(columns.joined(separator: ", ")))")
        }
    }
}

extension StoreTransaction {
    /// True when a row of the table came from the service.
    fileprivate func hasDownloaded(_ table: TableMapping) throws -> Bool {
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        return try Int64.fetchOne(
            database,
            sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE \(id) > 0 LIMIT 1") != nil
    }
}
