import ErrorFixture
import Foundation
import GRDB
import ODataSQLite
import ODataText
import Synchronization

/// A folder with an encrypted file in it, deleted with the value.
final class SealedFixture {
    static let key = String(repeating: "4f", count: 32)
    static let otherKey = String(repeating: "a0", count: 32)

    let folder: URL
    var path: String { folder.appendingPathComponent("a store.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "sealed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func storeFile(_ key: String? = key, watch: (any FileWatch)? = nil) throws -> StoreFile {
        try StoreFile(path: path, key: try key.map { try StoreKey($0) }, watch: watch)
    }

    /// A pool as stores have one, with a cache of few pages so that everything goes through the file.
    func pool(_ file: StoreFile, cachePages: Int = 10) throws -> DatabasePool {
        var options = Configuration()
        options.busyMode = .timeout(10)
        options.prepareDatabase { database in
            try file.prepare(database)
            try database.execute(sql: "PRAGMA temp_store = FILE; PRAGMA cache_size = \(cachePages)")
        }
        return try DatabasePool(path: file.connectionPath, configuration: options)
    }

    func bytes(_ suffix: String = "") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + suffix)))
    }

    func write(_ bytes: [UInt8], _ suffix: String = "") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + suffix))
    }

    /// The bytes of every file of the folder.
    func everything() throws -> Data {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .reduce(into: Data()) { $0.append(try Data(contentsOf: $1)) }
    }

    /// Makes the file with a table of rows, with nothing left in the log.
    func make(rows: Int = 50) throws {
        let file = try storeFile()
        let pool = try pool(file)
        try Self.fill(pool, rows: rows)
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
    }

    static func fill(_ pool: some DatabaseWriter, rows: Int) throws {
        try pool.write { database in
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, text TEXT)")
            for row in 0..<rows {
                try database.execute(
                    sql: "INSERT INTO t (text) VALUES (?)",
                    arguments: ["planted-secret-\(row)-" + String(repeating: "x", count: 200)])
            }
        }
    }

    static func count(_ reader: some DatabaseReader) throws -> Int {
        try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE text LIKE 'p%'") }
            ?? -1
    }

    /// What opening the file and reading all of it throws.
    func failure(_ key: String? = key) throws -> (any Error)? {
        var file: StoreFile?
        do {
            let opened = try storeFile(key)
            file = opened
            let queue = try opened.queue()
            _ = try Self.count(queue)
            return nil
        } catch let error as DatabaseError {
            return file?.takeFailure()?.underlying ?? error
        } catch let error as ODataError {
            return error.underlying
        }
    }
}

/// Keeps every byte that reaches the disk.
final class WrittenBytes: FileWatch {
    private struct State {
        var bytes = Data()
        var temporaryCount = 0
        var kinds: Set<FileOperation.Kind> = []
        var failing: Int?
        var count = 0
    }
    private let state = Mutex(State())

    var bytes: Data { state.withLock { $0.bytes } }
    var temporaryCount: Int { state.withLock { $0.temporaryCount } }
    var kinds: Set<FileOperation.Kind> { state.withLock { $0.kinds } }

    /// Lets the n-th write or sync from now on fail, and all that follow.
    func fail(from count: Int) {
        state.withLock { state in
            state.failing = count
            state.count = 0
        }
    }

    func before(_ operation: FileOperation) -> Int32 {
        state.withLock { state in
            guard let failing = state.failing, [.write, .sync].contains(operation.kind)
            else { return 0 }
            state.count += 1
            return state.count >= failing ? ResultCode.SQLITE_IOERR.rawValue : 0
        }
    }

    func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.kinds.insert(operation.kind)
            guard operation.kind == .write else { return }
            state.bytes.append(contentsOf: bytes)
            if operation.path == nil { state.temporaryCount += 1 }
        }
    }
}
