import Foundation
import GRDB
import ODataModel
import ODataQuery
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
        /// How many connections read at the same time, beside the one that writes.
        package var maximumReaders = 6
        package var cacheKibibytes = 16 << 10
        /// How long a writer waits for another process.
        package var busySeconds = 30.0
        package var format = StoreFormat.current
        /// Whether the opening prepares the file and gives up contents that were on their way when it was last closed. False
        /// for who opens a file that another may be working at, or that he only let go of: such an opening changes nothing.
        package var looksAfterUnfinished = true
        /// What the file is encrypted with; nil for one in clear.
        package var key: StoreKey?
        /// How often observed queries look for what other processes have committed, where the system does not tell that the
        /// file was written; nil for only when asked.
        package var lookInterval: Duration? = .milliseconds(250)
        /// How long behind a write they look for its commit.
        package var longestLook = Duration.seconds(4)
        /// Sees what reaches the disk; for tests.
        package var watch: (any FileWatch)?
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
        var pool: StoreConnections?
        /// With the mapping; queries compiled for another are let go with it.
        var queries: PreparedQueries?
        /// Of the same mapping.
        var texts = RowTexts()
        var join: JoinOnWrite
        /// What the writer's connection is set to; nil before the first write.
        var durability: Durability?
        /// Brings the log into the file while a download writes.
        var log: LogCheckpoints?
        var emulation = LinkEmulation()
        /// How keys stand in the paths of the service.
        var keys = KeyStyle.parentheses

        var mapping: SchemaMapping? {
            get { queries?.reader.mapping }
            set { prepare(newValue) }
        }
        /// Full-text indexes by data table.
        var searchIndexes: [String: SearchIndex] = [:] {
            didSet { if searchIndexes != oldValue { prepare(mapping) } }
        }

        mutating func prepare(_ mapping: SchemaMapping?) {
            var options = CompilerOptions()
            let indexes = searchIndexes
            if !indexes.isEmpty { options.searchIndex = { indexes[$0.name] } }
            queries = mapping.map { PreparedQueries(mapping: $0, options: options) }
            texts = RowTexts()
        }
    }

    package let path: String
    package let world: any World
    /// The queries that are told of changes.
    package let live: LiveRegistry
    /// Tells how requests leave the queue.
    package let departures = QueueDepartures()
    let file: StoreFile
    private let logBytes: Int
    private let state: Mutex<State>

    /// Opens the store, creating the file when there is none. Only the owner of the file may read it from then on.
    ///
    /// Where this process cannot write the file, or no log beside it, the store is read as it is, as long as nobody changes it, and
    /// every change is refused (`ReadOnlyStore`).
    ///
    /// - Throws: `storage` when the file is no store, or key and file do not go together (`StoreKeyError`, `StoreDamage`), and
    ///   for a file of another format where the opening looks after nothing; nothing is changed then.
    package init(
        path: String, world: any World, configuration: Configuration = Configuration()
    ) throws {
        let path = Self.followed(path)
        self.path = path
        self.world = world
        let file = try StoreFile(path: path, key: configuration.key, watch: configuration.watch)
        self.file = file
        try file.checkLength()
        logBytes = configuration.logBytes
        live = LiveRegistry(
            lookInterval: configuration.lookInterval, longestLook: configuration.longestLook)
        do {
            let readOnly = try ReadOnlyFile(file.path)
            if readOnly == nil {
                let folder = (path as NSString).deletingLastPathComponent
                if !folder.isEmpty { try PrivateFiles.makeFolder(folder) }
                PrivateFiles.prepare(database: path)
            }
            let options = Self.options(configuration, file)
            let pool = try StoreConnections(
                path: readOnly == nil ? file.connectionPath : file.immutablePath,
                configuration: options, maximumReaders: configuration.maximumReaders,
                readOnly: readOnly)
            let format = configuration.format
            // A store that needs nothing is not written to, and waits for no writer.
            let isReady = try pool.read {
                let schema = StoreSchema(database: $0, format: format)
                guard configuration.looksAfterUnfinished else {
                    try schema.checkCurrent()
                    return true
                }
                return try schema.isCurrent
                    && !StreamRows(database: $0).hasUnfinished
                    && !StoredSecrets(database: $0).arePresent
                    && RowAdoption.waiting(in: $0).isEmpty
            }
            if !isReady {
                try pool.write {
                    try StoreSchema(database: $0, format: format).prepareBookkeeping()
                    try StreamRows(database: $0).giveUpUnfinished()
                    try StoredSecrets(database: $0).takeOut(world)
                }
            }
            let mapping = try pool.read(Self.storedMapping)
            state = Mutex(
                State(
                    pool: pool, queries: mapping.map { PreparedQueries(mapping: $0) },
                    join: configuration.join))
            let indexes = try pool.read { try SearchIndexes(database: $0).all() }
            let profile = try pool.read { try StoreSettings(database: $0).profile() }
            state.withLock {
                $0.searchIndexes = indexes
                $0.keys = profile.keys ?? .parentheses
            }
            if !isReady { try adoptRows() }
        } catch let error as DatabaseError {
            throw Self.translated(error, file)
        }
    }

    private static func options(
        _ configuration: Configuration, _ file: StoreFile
    ) -> GRDB.Configuration {
        var options = GRDB.Configuration()
        options.label = "OfflineOData.store"
        options.busyMode = .timeout(configuration.busySeconds)
        options.foreignKeysEnabled = false
        let cache = max(256, configuration.cacheKibibytes)
        options.prepareDatabase { database in
            try file.prepare(database)
            try database.execute(sql: "PRAGMA cache_size = -\(cache)")
            try database.execute(sql: "PRAGMA temp_store = FILE")
            SQLFunctions.register(in: database)
            if !database.configuration.readonly {
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            }
        }
        return options
    }

    static func storedMapping(_ database: Database) throws -> SchemaMapping? {
        guard let text = try StoreSettings(database: database).text(.metadata) else { return nil }
        let graph = try CSDLReader.read(Array(text.utf8), options: .runningService)
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
            throw Self.noMetadata
        }
        return queries
    }

    private static var noMetadata: ODataError {
        ODataError(.usage, "Expected a store with metadata: open it online once.")
    }

    package func graph() throws -> MetadataGraph { try mapping().graph }

    /// Lets later queries use the full-text indexes that there are now.
    func reloadSearchIndexes() throws {
        let indexes = try read { try SearchIndexes(database: $0).all() }
        state.withLock { $0.searchIndexes = indexes }
    }

    /// How later local writes join earlier ones.
    package var join: JoinOnWrite {
        get { state.withLock { $0.join } }
        set { state.withLock { $0.join = newValue } }
    }

    /// Whether later local writes put foreign keys in the place of binds and links.
    package var emulation: LinkEmulation {
        get { state.withLock { $0.emulation } }
        set { state.withLock { $0.emulation = newValue } }
    }

    /// Writes URLs with keys in this style from now on.
    func use(_ keys: KeyStyle) { state.withLock { $0.keys = keys } }

    func pool() throws -> StoreConnections {
        guard let pool = state.withLock({ $0.pool }) else {
            throw ODataError(.usage, "Expected an open store, found a closed one.", at: .path(path))
        }
        return pool
    }

    /// Waits for running reads and closes the connections; later calls throw.
    package func close() throws {
        live.stopLooking()
        let pool = state.withLock { state in
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

    /// Deletes the files of a store that is not open, with what a kill has left of its copies and repairs.
    package static func deleteFiles(at path: String) throws {
        let repair = ["", "-wal", "-shm", "-journal"].map { path + "-repair" + $0 }
        let files = ["", "-wal", "-shm", "-journal", "-upload"].map { path + $0 }
        for file in files + repair + [HeaderRepair.folder(beside: path)] + copies(of: path) {
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

    /// How indexes of rows that are there are made.
    package var indexBuild: IndexBuild {
        IndexBuild(
            isAwaited: { (try? self.pool().isWriterAwaited) == true },
            rest: { _ = self.world.sleep($0, token: nil) })
    }

    /// Tells `log` of later transactions; false where another is told already.
    @discardableResult
    func use(_ log: LogCheckpoints?) -> Bool {
        state.withLock { state in
            guard log == nil || state.log == nil else { return false }
            state.log = log
            return true
        }
    }

    // MARK: Transactions

    /// Runs `body` on one connection, in one snapshot.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let pool = try pool()
        return try translating { try pool.read(body) }
    }

    /// The connections for queries and the compiled queries.
    ///
    /// - Throws: `usage` for a closed store and while no metadata is stored.
    func querying() throws -> (readers: ReadConnections, queries: PreparedQueries) {
        let (pool, queries) = state.withLock { ($0.pool, $0.queries) }
        guard let pool else {
            throw ODataError(.usage, "Expected an open store, found a closed one.", at: .path(path))
        }
        guard let queries else { throw Self.noMetadata }
        return (pool.readers, queries)
    }

    /// Runs `body` in one transaction; an error undoes all of it.
    package func write<Result>(
        _ durability: Durability, _ body: (Database) throws -> Result
    ) throws -> Result {
        let pool = try pool()
        world.checkpoint("store.write")
        return try translating {
            let (result, touched, pages) = try pool.writeSoon {
                database -> (Result, CommittedRows, Int) in
                try setDurability(durability, in: database)
                do {
                    let (result, left) = try database.inImmediateTransaction {
                        (try body(database), try departures.take(in: database))
                    }
                    departures.deliver(left)
                    return (result, live.take(), database.pagesWritten)
                } catch {
                    // What was undone touched nothing.
                    _ = live.take()
                    departures.forget()
                    throw error
                }
            }
            state.withLock { $0.log }?.note(pagesWritten: pages)
            live.deliver(touched)
            return result
        }
    }

    /// Called by the one writer only; the setting is the connection's and stays until it is changed.
    private func setDurability(_ durability: Durability, in database: Database) throws {
        guard state.withLock({ $0.durability != durability }) else { return }
        try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
        state.withLock { $0.durability = durability }
    }

    /// Runs `body` on the writer's connection without a transaction.
    func onWriter(_ body: (Database) throws -> Void) throws {
        let pool = try pool()
        try translating { try pool.writeWithoutTransaction(body) }
    }

    /// A read with the tables at hand.
    func reading<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
        _ = try queries()
        return try read { try body(transaction(in: $0)) }
    }

    /// A durable write with the tables at hand.
    func writing<Result>(
        _ durability: Durability = .full, _ body: (StoreTransaction) throws -> Result
    ) throws -> Result {
        _ = try queries()
        return try write(durability) { try body(transaction(in: $0)) }
    }

    /// What a running transaction works with.
    func transaction(in database: Database) throws -> StoreTransaction {
        let (queries, texts, keys) = state.withLock { ($0.queries, $0.texts, $0.keys) }
        guard let queries else { throw Self.noMetadata }
        return StoreTransaction(
            database: database, mapping: queries.reader.mapping, world: world, texts: texts,
            keys: keys, departures: departures)
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
        let length = StoreFile.length(path + "-wal") ?? 0
        guard let pool = try? pool(), length > logBytes else { return }
        world.checkpoint("store.checkpoint")
        try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    }

    /// The file itself where the path is a link to it: what belongs to a store lies beside that.
    private static func followed(_ path: String) -> String {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil else {
            return path
        }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw Self.translated(error, file)
        } catch let error as ODataError where error.code == .storage {
            // From a query on SQLite's own handle; the file knows better what is wrong with it.
            throw file.takeFailure() ?? error
        }
    }

    /// What the file says about keys and damage, or SQLite's own sentence, without SQL and arguments, which could
    /// hold values.
    private static func translated(_ error: DatabaseError, _ file: StoreFile) -> ODataError {
        if let failure = file.takeFailure() { return failure }
        if [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            return file.damage(isDatabase: error.resultCode == .SQLITE_CORRUPT)
        }
        if [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
            return ODataError(
                .storage,
                "Expected the store for a change, found another provider or process at it.",
                at: .path(file.path), underlying: StoreInUse())
        }
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
    ///   - origin: whose store it is from now on; nil where that does not change.
    ///   - prepare: runs first in the same transaction.
    ///   - told: learns of what was given up because it does not fit: `Orders/Title` for the values of a property, `Orders` for
    ///     rows.
    /// - Returns: sets whose rows lack what the new metadata says; they are read in full next time.
    /// - Throws: `conflict` when data of client-only sets does not fit; nothing is changed then.
    @discardableResult
    package func adopt(
        metadata text: String, graph: MetadataGraph, origin: StoreOrigin? = nil,
        preparing prepare: (Database) throws -> Void = { _ in },
        incompatible told: ([String]) -> Void = { _ in }
    ) throws -> [String] {
        let (mapping, incomplete, lost) = try write(.full) { database in
            try prepare(database)
            if let origin { try StoreSettings(database: database).note(origin) }
            let schema = StoreSchema(database: database)
            let migration = try ColumnMigration(database: database).run(for: graph)
            let mapping = migration.mapping
            let returned = try schema.returned(migration)
            let losses = try TableRenewal(database: database, mapping: mapping).run(migration)
            let incomplete = try schema.adopt(
                mapping, incomplete: returned.union(losses.tables), hasLostRows: losses.hasLostRows)
            for table in mapping.tables { try SearchIndexes(database: database).remake(table) }
            try schema.saveRecord(mapping.record)
            let settings = StoreSettings(database: database)
            try settings.set(.metadata, text)
            try settings.set(.metadataTime, Int64(world.now().seconds) * 1_000)
            try DownloadBookkeeping(database).markIncomplete(incomplete)
            try settings.set(.changedSets, Self.list(Set(incomplete).union(changedSets(database))))
            if migration.old != nil {
                let transaction = StoreTransaction(
                    database: database, mapping: mapping, world: world, texts: RowTexts(),
                    keys: state.withLock { $0.keys })
                try QueueAdoption(transaction: transaction).run(
                    returned.union(losses.tables), keyless: losses.keyless)
                if !losses.places.isEmpty {
                    try transaction.addEvent(
                        Self.incompatibleMetadataEvent,
                        details: losses.places.joined(separator: ","))
                }
            }
            return (mapping, incomplete, losses.places)
        }
        state.withLock { $0.mapping = mapping }
        if !lost.isEmpty { told(lost) }
        if origin != nil { use(try serviceProfile().keys ?? .parentheses) }
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
