import GRDBSQLite
import ODataText

/// A database file that may be damaged, held alone: no other connection, of this process or another, has it open.
///
/// Not to be shared between threads.
package final class DamagedFile {
    private let file: StoreFile
    private let handle: OpaquePointer
    private var isOpen = true

    /// Takes the file for itself and brings its log into it, so that the file alone is the whole store.
    ///
    /// - Parameter file: Made with `salvages`, so that damaged pages of an encrypted store read as empty ones.
    /// - Throws: `storage` when it is in use, or no database at all (``isNoDatabase(_:)``).
    package init(holding file: StoreFile) throws {
        self.file = file
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            file.connectionPath, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw file.takeFailure() ?? Self.error(code)
        }
        handle = opened
        do {
            sqlite3_busy_timeout(handle, 2_000)
            // A schema that cannot be read is no reason to stop.
            try run("PRAGMA writable_schema = ON")
            try run("PRAGMA locking_mode = EXCLUSIVE")
            var keep: Int32 = 1
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
            try run("PRAGMA page_count")
            try run("BEGIN EXCLUSIVE")
            try run("ROLLBACK")
            var (frames, done): (Int32, Int32) = (0, 0)
            try check(
                sqlite3_wal_checkpoint_v2(
                    handle, "main", SQLITE_CHECKPOINT_TRUNCATE, &frames, &done))
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Lets the file go; its log stays, empty.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        sqlite3_close_v2(handle)
    }

    /// The length of the file, as SQLite sees it.
    package func size() throws -> Int {
        var size: sqlite3_int64 = 0
        guard let file = pages, let measure = file.pointee.pMethods?.pointee.xFileSize else {
            throw Self.error(SQLITE_IOERR)
        }
        try check(measure(file, &size))
        return Int(size)
    }

    /// Bytes of the file, in clear; zeros where they cannot be read or the file has ended.
    package func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard let file = pages, let read = file.pointee.pMethods?.pointee.xRead else {
            return bytes
        }
        let code = bytes.withUnsafeMutableBytes {
            read(file, $0.baseAddress, Int32(count), offset)
        }
        guard code == SQLITE_OK || code == Self.shortRead else {
            _ = self.file.takeFailure()
            return [UInt8](repeating: 0, count: count)
        }
        return bytes
    }

    /// `SQLITE_IOERR_SHORT_READ`: the rest is zeros.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// The main file behind the connection, which reads pages as they are.
    private var pages: UnsafeMutablePointer<sqlite3_file>? {
        guard isOpen else { return nil }
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        return pointer
    }

    private func run(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        throw file.takeFailure() ?? Self.error(code)
    }

    private struct NoDatabase: Error {}

    /// Whether the error says that the file's first bytes are not those of a database.
    package static func isNoDatabase(_ error: any Error) -> Bool {
        (error as? ODataError)?.underlying is NoDatabase
    }

    private static func error(_ code: Int32) -> ODataError {
        switch code & 0xff {
        case SQLITE_NOTADB, SQLITE_CORRUPT:
            ODataError(
                .storage, "Expected a database, found a damaged header.", underlying: NoDatabase())
        case SQLITE_BUSY, SQLITE_LOCKED:
            ODataError(.storage, "Expected a store that nobody has open, found one in use.")
        default: ODataError(.storage, "The local database failed with code \(code).")
        }
    }
}
