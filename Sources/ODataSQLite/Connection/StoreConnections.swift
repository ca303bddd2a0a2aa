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
    private let configuration: Configuration
    /// Callers of ``writeSoon(_:)`` that wait for the writer.
    private let waiting = Atomic(0)
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
        self.configuration = configuration
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

    /// As ``writeWithoutTransaction(_:)``, for changes that are not to wait for long: while this waits, ``isWriterAwaited``.
    package func writeSoon<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let writer = try writable()
        waiting.add(1, ordering: .relaxed)
        return try writer.writeWithoutTransaction { database in
            waiting.subtract(1, ordering: .relaxed)
            return try body(database)
        }
    }

    /// Whether a change of this process waits for the writer. Who only looks for changes of others does not count: the
    /// making of an index, which is what it looks at, would be ended by it.
    package var isWriterAwaited: Bool { waiting.load(ordering: .relaxed) > 0 }

    /// Another connection that may write, to bring the log into the file beside the writer; who asks for it closes it.
    package func makeCheckpointer() throws -> DatabaseQueue {
        _ = try writable()
        return try DatabaseQueue(path: path, configuration: configuration)
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
