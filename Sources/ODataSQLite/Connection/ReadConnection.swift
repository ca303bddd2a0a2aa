import GRDB
import GRDBSQLite
import ODataSQL
import ODataText
import Synchronization

/// A connection for reading, used on SQLite's own handle by one caller at a time.
///
/// GRDB opens, configures and closes it; queries do not pass through its queue, because that costs more than reading a row
/// does. What is written against GRDB's own interface does, by ``read(_:)``.
package final class ReadConnection: StatementSource, @unchecked Sendable {
    // ``ReadConnections`` hands a connection to one caller at a time, through a lock; only `interrupt` may be called by
    // others meanwhile.
    private let queue: DatabaseQueue
    private let handle: OpaquePointer
    private let isInterrupted = Atomic(false)
    @exclusivity(unchecked) private var statements = KeptStatements()
    @exclusivity(unchecked) private var reads = 0

    init(path: String, configuration: Configuration) throws {
        var configuration = configuration
        configuration.readonly = true
        #if os(iOS)
            // GRDB must not touch the connection on its queue of its own accord.
            configuration.automaticMemoryManagement = false
        #endif
        queue = try DatabaseQueue(path: path, configuration: configuration)
        guard let handle = queue.unsafeRead({ $0.sqliteConnection }) else {
            throw ODataError(.storage, "Expected an open connection.")
        }
        self.handle = handle
        // GRDB notes by it what each statement reads, for its observations: none observes a reader, and it is called for each
        // column of each statement that is prepared.
        sqlite3_set_authorizer(handle, nil, nil)
    }

    deinit { try? close() }

    /// Lets go of the statements and of the file.
    func close() throws {
        statements.removeAll()
        try queue.close()
    }

    // MARK: Statements

    package func statement(
        _ statement: SQLStatement, _ arguments: [SQLArgument], _ id: StatementID?
    ) throws -> RawStatement {
        if isInterrupted.load(ordering: .acquiring) { throw RawStatement.cancelled }
        if let id, let known = statements[id] { return RawStatement(known, arguments) }
        guard arguments.count <= RawStatement.maximumKeptArguments else {
            return RawStatement(
                try prepared(statement.text, isKept: false), arguments, isTemporary: true)
        }
        if let known = statements[statement.text] {
            if let id { statements.note(known, as: id) }
            return RawStatement(known, arguments)
        }
        let made = try prepared(statement.text, isKept: true)
        statements.keep(made, as: statement.text, id)
        return RawStatement(made, arguments)
    }

    package func kept(_ id: StatementID, _ arguments: [SQLArgument]) throws -> RawStatement? {
        if isInterrupted.load(ordering: .acquiring) { throw RawStatement.cancelled }
        guard let known = statements[id] else { return nil }
        return RawStatement(known, arguments)
    }

    private func prepared(_ text: String, isKept: Bool) throws -> OpaquePointer {
        var made: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(handle, text, -1, flags, &made, nil)
        guard code == SQLITE_OK, let made else { throw RawStatement.failure(handle, code) }
        return made
    }

    /// Runs `body` in one snapshot, written against GRDB's interface. The snapshot is ours: GRDB's own prepares four statements
    /// for each, which costs more than most of what is read in one.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        reads += 1
        let isDue = reads.isMultiple(of: Self.readsBetweenClearings)
        return try queue.unsafeRead { database in
            // GRDB keeps every statement that is asked for by its text: as many as there are filters that clients think of.
            if isDue { database.clearSchemaCache() }
            return try snapshot { try body(database) }
        }
    }

    private static let readsBetweenClearings = 1_000

    /// Runs `body` in one snapshot.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run(Self.begin, Self.beginID)
        do {
            let result = try body()
            try run(Self.commit, Self.commitID)
            return result
        } catch {
            // An interrupted statement may have ended the transaction itself.
            if sqlite3_get_autocommit(handle) == 0 {
                sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            }
            throw error
        }
    }

    private func run(_ statement: SQLStatement, _ id: StatementID) throws {
        let raw = try self.statement(statement, [], id)
        _ = try raw.step()
    }

    private static let (begin, beginID) = (SQLStatement(text: "BEGIN DEFERRED"), StatementID())
    private static let (commit, commitID) = (SQLStatement(text: "COMMIT"), StatementID())

    // MARK: Interruption

    /// Stops what the connection runs, and refuses what comes before ``resume()``. From any thread, while the caller
    /// that is to be stopped has the connection.
    func interrupt() {
        isInterrupted.store(true, ordering: .releasing)
        sqlite3_interrupt(handle)
    }

    /// For the next caller.
    func resume() {
        isInterrupted.store(false, ordering: .releasing)
    }
}

/// The prepared statements of a connection, those used last.
private struct KeptStatements {
    private struct Kept {
        var handle: OpaquePointer
        var lastUse: UInt64 = 0
    }

    private var byText: [String: Kept] = [:]
    private var byID = StatementTable()
    private var clock: UInt64 = 0

    subscript(id: StatementID) -> OpaquePointer? { byID[id] }

    subscript(text: String) -> OpaquePointer? {
        mutating get {
            guard let index = byText.index(forKey: text) else { return nil }
            clock += 1
            byText.values[index].lastUse = clock
            return byText.values[index].handle
        }
    }

    mutating func keep(_ handle: OpaquePointer, as text: String, _ id: StatementID?) {
        if byText.count >= Self.maximumCount { removeHalf() }
        clock += 1
        byText[text] = Kept(handle: handle, lastUse: clock)
        if let id { byID[id] = handle }
    }

    /// Lets a statement be found by the id of another query with the same text.
    mutating func note(_ handle: OpaquePointer, as id: StatementID) {
        byID[id] = handle
    }

    private mutating func removeHalf() {
        let uses = byText.values.map(\.lastUse).sorted()
        let middle = uses[uses.count / 2]
        for (text, kept) in byText where kept.lastUse < middle {
            sqlite3_finalize(kept.handle)
            byText[text] = nil
        }
        // Ids are found again by their texts.
        byID.removeAll()
    }

    mutating func removeAll() {
        for kept in byText.values { sqlite3_finalize(kept.handle) }
        byText.removeAll()
        byID.removeAll()
    }

    private static let maximumCount = 64
}
