import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Synchronization

/// The local store of one service: one SQLite file with the data, the queue of changes and all bookkeeping.
///
/// Any thread may call it. Readers see committed states only and never wait for a download; writers take turns.
package final class LocalStore: Sendable {
    /// What a store is opened with.
    package struct Configuration: Sendable {
        /// Updates and deletes join the requests before them (offline reference, 12.3).
        package var join = JoinOnWrite()
        package var maximumReaders = 5
        package var cacheKibibytes = 16 << 10
        /// How long a writer waits for another process.
        package var busySeconds = 30.0
        /// The size of the log beyond which the end of a download brings it into the file.
        package var logBytes = 32 << 20

        package init() {}
    }

    /// How much of a commit is on disk when it returns.
    package enum Durability: String, Sendable {
        /// Survives a power loss: local writes, frozen attempts, recorded answers.
        case full = "FULL"
        /// Survives a kill; after a power loss the last commits may be missing: downloads.
        case normal = "NORMAL"
    }

    private struct State {
        var pool: DatabasePool?
        /// With the mapping; queries compiled for another are let go with it.
        var queries: PreparedQueries?
        var join: JoinOnWrite

        var mapping: SchemaMapping? {
            get { queries?.reader.mapping }
            set { queries = newValue.map { PreparedQueries(mapping: $0) } }
        }
    }

    package let path: String
    package let world: any World
    private let logBytes: Int
    private let state: Mutex<State>

    /// Opens the store, creating the file when there is none.
    ///
    /// - Throws: `storage` when the file is no store or cannot be opened; nothing is changed then.
    package init(
        path: String, world: any World, configuration: Configuration = Configuration()
    ) throws {
        self.path = path
        self.world = world
        logBytes = configuration.logBytes
        do {
            let folder = (path as NSString).deletingLastPathComponent
            if !folder.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
            }
            let pool = try DatabasePool(path: path, configuration: Self.options(configuration))
            try pool.write { try StoreSchema(database: $0).prepareBookkeeping() }
            let mapping = try pool.read(Self.storedMapping)
            state = Mutex(
                State(
                    pool: pool, queries: mapping.map { PreparedQueries(mapping: $0) },
                    join: configuration.join))
        } catch let error as DatabaseError {
            throw Self.translated(error)
        }
    }

    private static func options(_ configuration: Configuration) -> GRDB.Configuration {
        var options = GRDB.Configuration()
        options.label = "OfflineOData.store"
        options.maximumReaderCount = max(1, configuration.maximumReaders)
        options.busyMode = .timeout(configuration.busySeconds)
        options.foreignKeysEnabled = false
        let cache = max(256, configuration.cacheKibibytes)
        options.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -\(cache)")
            try database.execute(sql: "PRAGMA temp_store = FILE")
            SQLFunctions.register(in: database)
            if !database.configuration.readonly {
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            }
        }
        return options
    }

    private static func storedMapping(_ database: Database) throws -> SchemaMapping? {
        guard let text = try StoreSettings(database: database).text(.metadata) else { return nil }
        let graph = try CSDLReader.read(Array(text.utf8))
        return SchemaMapping.local(
            for: graph, record: try StoreSchema(database: database).loadRecord())
    }

    // MARK: State

    package var isOpen: Bool { state.withLock { $0.pool != nil } }

    /// True once metadata is stored; nothing else works before.
    package var hasMetadata: Bool { state.withLock { $0.mapping != nil } }

    /// The tables and the metadata they are made for.
    ///
    /// - Throws: `usage` while no metadata is stored.
    package func mapping() throws -> SchemaMapping {
        try queries().reader.mapping
    }

    /// The tables and the compiled queries.
    ///
    /// - Throws: `usage` while no metadata is stored.
    func queries() throws -> PreparedQueries {
        guard let queries = state.withLock({ $0.queries }) else {
            throw ODataError(.usage, "Expected a store with metadata: open it online once.")
        }
        return queries
    }

    package func graph() throws -> MetadataGraph { try mapping().graph }

    /// How later local writes join earlier ones.
    package var join: JoinOnWrite {
        get { state.withLock { $0.join } }
        set { state.withLock { $0.join = newValue } }
    }

    private func pool() throws -> DatabasePool {
        guard let pool = state.withLock({ $0.pool }) else {
            throw ODataError(.usage, "Expected an open store, found a closed one.")
        }
        return pool
    }

    /// Closes the connections; later calls throw.
    package func close() throws {
        let pool = state.withLock { state -> DatabasePool? in
            defer { state.pool = nil }
            return state.pool
        }
        try translating { try pool?.close() }
    }

    /// Closes the store and deletes its files.
    package func clear() throws {
        try close()
        try Self.deleteFiles(at: path)
    }

    /// Deletes the files of a store that is not open.
    package static func deleteFiles(at path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let file = path + suffix
            guard FileManager.default.fileExists(atPath: file) else { continue }
            do {
                try FileManager.default.removeItem(atPath: file)
            } catch {
                throw ODataError(
                    .storage, "Expected to delete the files of the store, found them in use.",
                    underlying: error)
            }
        }
    }

    // MARK: Transactions

    /// Runs `body` on one connection, in one snapshot.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let pool = try pool()
        return try translating { try pool.read(body) }
    }

    /// Runs `body` on one connection without a transaction: each statement has its own snapshot.
    func readUnisolated<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let pool = try pool()
        return try translating { try pool.unsafeRead(body) }
    }

    /// Runs `body` in one transaction; an error undoes all of it.
    package func write<Result>(
        _ durability: Durability, _ body: (Database) throws -> Result
    ) throws -> Result {
        let pool = try pool()
        return try translating {
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                var result: Result?
                try database.inTransaction(.immediate) {
                    result = try body(database)
                    return .commit
                }
                guard let result else {
                    throw ODataError(.storage, "Expected a result from the transaction.")
                }
                return result
            }
        }
    }

    /// A read with the tables at hand.
    func reading<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
        let mapping = try mapping()
        return try read {
            try body(StoreTransaction(database: $0, mapping: mapping, world: world))
        }
    }

    /// A durable write with the tables at hand.
    func writing<Result>(
        _ durability: Durability = .full, _ body: (StoreTransaction) throws -> Result
    ) throws -> Result {
        let mapping = try mapping()
        return try write(durability) {
            try body(StoreTransaction(database: $0, mapping: mapping, world: world))
        }
    }

    /// Brings everything that was committed into the file itself and empties the log beside it.
    ///
    /// - Throws: `storage` when a reader holds the log for longer than a writer waits.
    package func checkpoint() throws {
        let pool = try pool()
        world.checkpoint("store.checkpoint")
        try translating {
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
    }

    /// Brings the log into the file when it has outgrown what writers bring over by themselves, which happens while
    /// readers hold it. Waits for nobody: what is still read stays in the log until the next time.
    package func checkpointIfLarge() {
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        guard let pool = try? pool(), (log?[.size] as? Int ?? 0) > logBytes else { return }
        world.checkpoint("store.checkpoint")
        try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw Self.translated(error)
        }
    }

    /// SQLite's own sentence, without SQL and arguments, which could hold values.
    static func translated(_ error: DatabaseError) -> ODataError {
        let code: ODataError.Code =
            error.resultCode == .SQLITE_INTERRUPT ? .cancelled : .storage
        return ODataError(
            code,
            "The local database failed with code \(error.extendedResultCode.rawValue): "
                + (error.resultCode == .SQLITE_CONSTRAINT
                    ? "a constraint" : error.message ?? "no message"))
    }

    // MARK: Metadata

    /// Stores metadata and brings the tables to it.
    ///
    /// - Parameters:
    ///   - text: The document as XML; the graph must be what it says.
    ///   - prepare: runs first in the same transaction.
    /// - Returns: sets whose rows lack what the new metadata says; they are read in full next time.
    /// - Throws: `conflict` when the change is not additive; nothing is changed then.
    @discardableResult
    package func adopt(
        metadata text: String, graph: MetadataGraph,
        preparing prepare: (Database) throws -> Void = { _ in }
    ) throws -> [String] {
        let (mapping, incomplete) = try write(.full) { database in
            try prepare(database)
            let schema = StoreSchema(database: database)
            let mapping = SchemaMapping.local(for: graph, record: try schema.loadRecord())
            let incomplete = try schema.adopt(mapping)
            try schema.saveRecord(mapping.record)
            let settings = StoreSettings(database: database)
            try settings.set(.metadata, text)
            try settings.set(.metadataTime, Int64(world.now().seconds) * 1_000)
            for path in incomplete {
                let sources =
                    "WHERE query = ? OR query IN (SELECT 'query:' || name"
                    + " FROM _odata_download_query WHERE \"table\" = ?)"
                try database.execute(
                    sql: "UPDATE _odata_delta SET link = NULL,"
                        + " tier = '\(DownloadBookkeeping.incomplete)' \(sources)",
                    arguments: ["set:" + path, path])
                try database.execute(
                    sql: "DELETE FROM _odata_resume \(sources)", arguments: ["set:" + path, path])
            }
            try settings.set(.changedSets, Self.list(Set(incomplete).union(changedSets(database))))
            return (mapping, incomplete)
        }
        state.withLock { $0.mapping = mapping }
        return incomplete
    }

    /// Lets later calls work with these tables, which a transaction has just made.
    func adoptMapping(_ mapping: SchemaMapping) {
        state.withLock { $0.mapping = mapping }
    }

    /// The stored document; nil before the first open.
    package func metadataText() throws -> String? {
        try read { try StoreSettings(database: $0).text(.metadata) }
    }
}
