import Foundation
import GRDB
import GRDBSQLite
import ODataSQLite
import ODataText
import ODataWorld

extension LocalStore {
    /// Whether the file is encrypted.
    package var isEncrypted: Bool { file.isEncrypted }

    /// Lets another key open the store from now on, and the old one no longer.
    ///
    /// Only the header is written, so it is instant at any size. Connections and processes that have the store open go on.
    /// - Throws: `usage` for a store in clear.
    package func changeKey(to key: StoreKey) throws {
        let pool = try pool()
        try translating {
            try pool.writeWithoutTransaction { database in
                // Two changes of keys take turns.
                try database.inTransaction(.immediate) {
                    try file.replaceKey(with: key, database)
                    return .commit
                }
            }
        }
    }

    /// Writes a copy of everything that is committed to a new file: under a key with a data key of its own, or in clear.
    ///
    /// The copy is one file without a log beside it, and is on disk when the call returns. Writers go on meanwhile.
    /// - Throws: `storage` when there is a file already, or the copy cannot be written; there is none then.
    package func export(to target: String, key: StoreKey?) throws {
        let target = URL(fileURLWithPath: target).path
        guard !FileManager.default.fileExists(atPath: target) else {
            throw ODataError(
                .storage, "Expected no file where the copy is to be written, found one.",
                at: .path(target))
        }
        _ = try pool()
        do {
            try translating { try copy(to: target, key: key) }
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: target))
            try handle.synchronize()
            try handle.close()
        } catch {
            try? Self.deleteFiles(at: target)
            throw error
        }
    }

    /// Everything that is committed, as a SQLite file in clear that is in memory only.
    ///
    /// - Throws: `limitExceeded` for a store of more than `limit` bytes.
    package func plainImage(limit: Int) throws -> [UInt8] {
        _ = try pool()
        return try translating {
            let queue = try file.queue()
            defer { try? queue.close() }
            return try queue.read { database in
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
                try Self.check(pages * size, limit)
                var count: Int64 = 0
                guard let bytes = sqlite3_serialize(database.sqliteConnection, "main", &count, 0)
                else {
                    throw ODataError(.storage, "Expected to copy the store, SQLite could not.")
                }
                defer { sqlite3_free(bytes) }
                return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
        }
    }

    /// Everything that is committed, as an encrypted file under `key`.
    package func sealedImage(key: StoreKey, limit: Int) throws -> [UInt8] {
        removeLeftCopies()
        let (high, low) = world.makeIdentifier()
        let target = path + Self.copySuffix + String(high ^ low, radix: 16)
        defer { try? Self.deleteFiles(at: target) }
        try export(to: target, key: key)
        let url = URL(fileURLWithPath: target)
        try Self.check(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0, limit)
        return [UInt8](try Data(contentsOf: url))
    }

    private static let copySuffix = "-copy-"

    /// The files beside a store that ``sealedImage(key:limit:)`` makes, and deletes when it is not killed.
    static func copies(of path: String) -> [String] {
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + copySuffix
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.isEmpty ? "." : folder)
        return (names ?? []).filter { name in
            name.hasPrefix(prefix) && isOwnCopy(name.dropFirst(prefix.count))
        }.map { (folder as NSString).appendingPathComponent($0) }
    }

    /// Whether a name ends as one of ours, a number of 64 bits; what people call a copy of theirs does not.
    private static func isOwnCopy(_ end: Substring) -> Bool {
        let number = end.prefix { $0.isHexDigit }
        return (12...16).contains(number.count)
            && ["", "-wal", "-shm", "-journal"].contains(end.dropFirst(number.count))
    }

    /// Deletes copies that a kill has left: a copy that somebody makes is written to all the time.
    private func removeLeftCopies() {
        let limit = Double(world.now().seconds) - 3_600
        for copy in Self.copies(of: path) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: copy)
            guard let written = attributes?[.modificationDate] as? Date,
                written.timeIntervalSince1970 < limit
            else { continue }
            try? FileManager.default.removeItem(atPath: copy)
        }
    }

    private static func check(_ count: Int, _ limit: Int) throws {
        guard count <= limit else {
            throw ODataError(
                .limitExceeded, "Expected a store of at most \(limit) bytes, found \(count).")
        }
    }

    private func copy(to target: String, key: StoreKey?) throws {
        let queue = try file.queue()
        defer { try? queue.close() }
        let pageSize = try queue.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } ?? 4096
        PrivateFiles.prepare(database: target)
        let sealed = try key.map { try StoreFile(path: target, key: $0, pageSize: pageSize) }
        let address = try sealed?.connectionPath ?? StoreFile.plainAddress(of: target)
        try queue.writeWithoutTransaction { database in
            if sealed != nil { StoreFile.reserve(in: database) }
            try database.execute(sql: "PRAGMA temp_store = FILE")
            try database.execute(sql: "VACUUM INTO ?", arguments: [address])
        }
        try queue.close()
    }
}
