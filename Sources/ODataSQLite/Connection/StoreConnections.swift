import Dispatch
import GRDB
import ODataText
import Synchronization

/// The connections of a store in WAL mode: one that writes, and readers that are made when they are needed.
///
/// Opening and closing leave a file that nobody changed as it is, byte for byte. (GRDB's own pool writes a page whenever it
/// finds the log empty, and always through a VFS of ours.) Any thread may call.
package final class StoreConnections: Sendable {
    private struct State {
        /// The one used last is at the end and used next: its cache is warm.
        var idle: [DatabaseQueue] = []
        var isClosed = false
    }

    private let writer: DatabaseQueue
    private let path: String
    private let readerConfiguration: Configuration
    private let maximumCount: Int
    /// Counts the readers that nobody uses, made or not.
    private let free: DispatchSemaphore
    private let state = Mutex(State())

    /// Opens the file, or makes it, in WAL mode.
    package init(path: String, configuration: Configuration, maximumReaders: Int) throws {
        self.path = path
        maximumCount = max(1, maximumReaders)
        free = DispatchSemaphore(value: maximumCount)
        var readers = configuration
        readers.readonly = true
        readerConfiguration = readers
        writer = try DatabaseQueue(path: path, configuration: configuration)
        try writer.writeWithoutTransaction { database in
            // In this order the log is open before any reader comes, which cannot make it.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw ODataError(
                    .storage, "Expected a file that can have a log, found one that cannot.")
            }
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }

    /// Runs `body` on a reader, in one snapshot; waits while all are in use, never for the writer.
    ///
    /// - Throws: `usage` once closed, and what `body` throws.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        free.wait()
        defer { free.signal() }
        let reader = try take()
        defer { put(reader) }
        return try reader.read(body)
    }

    private func take() throws -> DatabaseQueue {
        let idle = try state.withLock { state -> DatabaseQueue? in
            guard !state.isClosed else {
                throw ODataError(.usage, "Expected an open store, found a closed one.")
            }
            return state.idle.popLast()
        }
        return try idle ?? DatabaseQueue(path: path, configuration: readerConfiguration)
    }

    private func put(_ reader: DatabaseQueue) {
        state.withLock { $0.idle.append(reader) }
    }

    /// Runs `body` on the writer in one transaction.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writer.write(body)
    }

    /// Runs `body` on the writer.
    package func writeWithoutTransaction<Result>(
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try writer.writeWithoutTransaction(body)
    }

    /// Waits for those who read and closes everything, the writer last: it brings the log into the file.
    package func close() throws {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        for _ in 0..<maximumCount { free.wait() }
        defer { for _ in 0..<maximumCount { free.signal() } }
        let readers = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for reader in readers { try reader.close() }
        try writer.close()
    }
}
