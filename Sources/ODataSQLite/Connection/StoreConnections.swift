import GRDB
import ODataText
import Synchronization

/// The connections of a store in WAL mode, all there are: one that writes, and readers that are made when they are needed.
///
/// Opening and closing leave a file that nobody changed as it is, byte for byte. (GRDB's own pool writes a page whenever it
/// finds the log empty, and always through a VFS of ours.) Any thread may call.
package final class StoreConnections: Sendable {
    private let writer: DatabaseQueue
    /// For queries, which use a connection without GRDB, and for ``read(_:)``.
    package let readers: ReadConnections
    private let isClosed = Mutex(false)

    /// Opens the file, or makes it, in WAL mode.
    ///
    /// - Parameter maximumReaders: How many connections there are at most beside the one that writes.
    package init(path: String, configuration: Configuration, maximumReaders: Int) throws {
        readers = ReadConnections(
            path: path, configuration: configuration, maximumCount: maximumReaders)
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
        try readers.snapshot(body)
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
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        try readers.close()
        try writer.close()
    }
}
