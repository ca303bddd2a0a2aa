import GRDB
import ODataText
import Synchronization

/// The connections of a store in WAL mode, all there are: one that writes, and readers that are made when they are needed.
///
/// Opening and closing leave a file that nobody changed as it is, byte for byte. (GRDB's own pool writes a page whenever it
/// finds the log empty, and always through a VFS of ours.) Any thread may call.
package final class StoreConnections: Sendable {
    /// Nil for a file that can only be read.
    private let writer: DatabaseQueue?
    private let path: String
    /// For queries, which use a connection without GRDB, and for ``read(_:)``.
    package let readers: ReadConnections
    private let isClosed = Mutex(false)

    /// Opens the file, or makes it, in WAL mode.
    ///
    /// - Parameters:
    ///   - maximumReaders: How many connections there are at most beside the one that writes.
    ///   - readOnly: given where nothing can be written; `path` tells SQLite so then, and nobody writes.
    package init(
        path: String, configuration: Configuration, maximumReaders: Int,
        readOnly: ReadOnlyFile? = nil
    ) throws {
        self.path = path
        readers = ReadConnections(
            path: path, configuration: configuration, maximumCount: maximumReaders,
            readOnly: readOnly)
        guard readOnly == nil else {
            writer = nil
            return
        }
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        self.writer = writer
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
    ///
    /// - Throws: `storage` with ``ReadOnlyStore`` where nothing can be written, and what `body` throws.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writable().write(body)
    }

    /// Runs `body` on the writer.
    package func writeWithoutTransaction<Result>(
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try writable().writeWithoutTransaction(body)
    }

    private func writable() throws -> DatabaseQueue {
        guard let writer else { throw ReadOnlyStore.error(at: path) }
        return writer
    }

    /// Whether anything can be written.
    package var isReadOnly: Bool { writer == nil }

    /// Waits for those who read and closes everything, the writer last: it brings the log into the file.
    package func close() throws {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        try readers.close()
        try writer?.close()
    }
}
