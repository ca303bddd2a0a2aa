import Foundation
import ODataText

/// Why a store takes no change: neither its file nor a log beside it can be written by this process.
package struct ReadOnlyStore: Error, Sendable, Hashable {
    package init() {}

    /// What a change of such a store is refused with.
    package static func error(at path: String) -> ODataError {
        ODataError(
            .storage, "Expected a store that can be changed, found one that can only be read.",
            at: .path(path), underlying: ReadOnlyStore())
    }
}

/// A database file that this process cannot write, or beside which it can make no log, as on media that are read-only.
///
/// SQLite wants to make a log and an index of it beside such a file, unless it is told that nobody changes it
/// (`immutable`); then it takes no locks and keeps what it has read. Whether that is so is looked at before each use: the
/// file is the one that it was, and no log lies beside it.
package struct ReadOnlyFile: Sendable {
    private struct Identity: Sendable, Equatable {
        var device: UInt64
        var file: UInt64
        var size: Int64
        var seconds: Int64
        var nanoseconds: Int64
    }

    private let path: String
    /// The file itself: what belongs to it lies beside that, and not beside a link to it.
    private let real: String
    private let identity: Identity?

    /// - Returns: nil for a file that can be written, or that is not there.
    /// - Throws: `storage` where a log lies beside it that nobody can bring in.
    package init?(_ path: String) throws {
        guard let real = RealPath.existing(path) else { return nil }
        let folder = (real as NSString).deletingLastPathComponent
        guard
            access(real, W_OK) != 0
                || access(folder, W_OK) != 0 && access(real + "-wal", W_OK) != 0
        else { return nil }
        self.path = path
        self.real = real
        identity = Self.identity(real)
        try check()
    }

    /// - Throws: `storage` when somebody else has changed the file, or is about to.
    package func check() throws {
        guard Self.identity(real + "-wal")?.size ?? 0 == 0, !hasHotJournal else {
            throw ODataError(
                .storage,
                "Expected a store that is only read to have no log, found one: open it once where it can be written.",
                at: .path(path), underlying: ReadOnlyStore())
        }
        guard Self.identity(real) == identity else {
            throw ODataError(
                .storage,
                "Expected a store that is only read to stay as it is, found it changed: open it anew.",
                at: .path(path), underlying: ReadOnlyStore())
        }
    }

    /// Whether a transaction is to be taken back that did not end: a journal that is no more needed is empty or begins with
    /// zeros.
    private var hasHotJournal: Bool {
        let journal = real + "-journal"
        guard Self.identity(journal)?.size ?? 0 > 0 else { return false }
        let first = try? FileHandle(forReadingFrom: URL(fileURLWithPath: journal)).read(
            upToCount: 1)
        return first?.first != 0
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            file: UInt64(truncatingIfNeeded: status.st_ino), size: Int64(status.st_size),
            seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
