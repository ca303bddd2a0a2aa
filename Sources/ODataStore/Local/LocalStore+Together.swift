import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText
import ODataWorld

/// Several changes in one transaction that can also read what they have made; of use inside it only.
package struct ChangeSession {
    private let transaction: StoreTransaction
    private let writer: LocalWriter
    private let reader: QueryReader
    private let store: LocalStore

    fileprivate init(
        _ transaction: StoreTransaction, _ writer: LocalWriter, _ reader: QueryReader,
        _ store: LocalStore
    ) {
        self.transaction = transaction
        self.writer = writer
        self.reader = reader
        self.store = store
    }

    /// Makes one change, or none of it where it throws: the caller may go on with others.
    ///
    /// - Returns: the row created or changed.
    @discardableResult
    package func perform(_ write: LocalWrite, _ options: WriteOptions) throws -> RowReference {
        try together { try writer.perform(write, options) }
    }

    /// Makes changes that are made all or not at all: where `body` throws, what it did before is undone.
    ///
    /// - Throws: What `body` throws; SQLite's errors as those of the store, as the caller may look at them before the
    ///   transaction ends.
    package func together<Result>(_ body: () throws -> Result) throws -> Result {
        var result: Result?
        try store.translating {
            try transaction.database.inSavepoint {
                result = try body()
                return .commit
            }
        }
        guard let result else { throw ODataError(.storage, "Expected a result from the change.") }
        return result
    }

    /// Values and flags of a row in view; nil when it is not there.
    package func state(of row: RowReference) throws -> RowState? {
        try store.translating { try transaction.state(of: row) }
    }

    /// Answers a checked query from what the changes so far have left. Expanded links that nobody knows are left out.
    ///
    /// - Throws: `notLoaded` where nothing but the key of a row is known.
    package func run(_ query: Query) throws -> ODataSQLite.ResultPage {
        try store.translating {
            let page = try reader.run(query, in: transaction.database)
            if let place = page.placeOfKeyOnlyRow { throw RowState.notLoaded(at: place) }
            return try UnknownLinks(mapping: reader.mapping, transaction: transaction)
                .leavingOut(of: page)
        }
    }
}

extension LocalStore {
    /// Makes changes that are one change set at the service, all or none. A single request goes without a change set.
    ///
    /// - Parameters:
    ///   - changeSet: its name, which no other has: so that nothing of it is joined into earlier requests.
    ///   - recorded: is given the requests that it came to, before they are committed.
    package func changing<Result>(
        changeSet: String, recorded: ([Int64]) -> Void = { _ in },
        _ body: (ChangeSession, WriteOptions) throws -> Result
    ) throws -> Result {
        let (join, emulation) = (join, emulation)
        let reader = try queries().reader
        let result = try writing { transaction in
            let last =
                try Int64.fetchOne(
                    transaction.database, sql: "SELECT max(id) FROM _odata_request") ?? 0
            let writer = LocalWriter(transaction: transaction, join: join, emulation: emulation)
            let result = try body(
                ChangeSession(transaction, writer, reader, self),
                WriteOptions(changeSet: changeSet))
            let ids = try Int64.fetchAll(
                transaction.database, sql: "SELECT id FROM _odata_request WHERE id > ? ORDER BY id",
                arguments: [last])
            if ids.count == 1, var only = try transaction.requests.requests(ids).first {
                only.changeSet = nil
                try transaction.requests.update(only)
            }
            recorded(ids)
            return result
        }
        world.checkpoint("write.local")
        return result
    }

    /// Runs `body` with the whole queue in the writer's turn, so that nothing comes or goes meanwhile.
    package func holdingQueue<Result>(_ body: ([QueuedRequest]) throws -> Result) throws -> Result {
        var result: Result?
        try onWriter { database in
            result = try body(try self.transaction(in: database).requests.all())
        }
        guard let result else { throw ODataError(.storage, "Expected a look at the queue.") }
        return result
    }

    /// The types of rows as they are here, or as the service had them where they are deleted here; what is neither is left out.
    package func types(of rows: Set<RowReference>) throws -> [RowReference: StructureID] {
        guard !rows.isEmpty else { return [:] }
        return try reading { transaction in
            var types: [RowReference: StructureID] = [:]
            for row in rows {
                types[row] =
                    try transaction.visibleRow(row)?.values.type
                    ?? transaction.images(row.table).image(id: row.id)?.row.values.type
            }
            return types
        }
    }

    /// The entity sets all of whose downloads have once come to their end.
    package func completeSets() throws -> Set<String> {
        try read { database in
            let complete = try String.fetchSet(
                database,
                sql: "SELECT query FROM _odata_delta WHERE \(DownloadBookkeeping.isComplete)")
            let queries = try Self.downloadQueries(of: nil, in: database)
            let open = Set(queries.filter { !complete.contains($0.key) }.map(\.entitySet))
            let whole = complete.filter { $0.hasPrefix("set:") }.map { String($0.dropFirst(4)) }
            return Set(queries.map(\.entitySet)).subtracting(open).union(whole)
        }
    }
}
