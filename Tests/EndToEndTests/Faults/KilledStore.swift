import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataTesting
import ODataTransport
import SAPOData

/// Something that must not be.
struct KillLoss: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The store of a client that is killed, plain or encrypted, and what is looked at in it.
struct KilledStore: Sendable {
    let path: String
    /// What it is encrypted with; nil for one in clear.
    var key: String?
    /// The service.
    let url: String

    var file: StoreFile {
        get throws { try StoreFile(path: path, key: try key.map { try StoreKey($0) }) }
    }

    func remove() {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let queue = try file.queue(readonly: true)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    /// Runs `body`, which opens the file and calls what it is given before it closes it; the log beside it then stays as it is at
    /// that call, as a kill leaves it.
    func leavingLog(_ leaves: Bool, _ body: (_ keep: () throws -> Void) throws -> Void) throws {
        let files = FileManager.default
        var kept: [String] = []
        try body {
            guard leaves else { return }
            for part in ["", "-wal"] where files.fileExists(atPath: path + part) {
                try files.copyItem(atPath: path + part, toPath: path + part + ".kept")
                kept.append(path + part)
            }
        }
        guard !kept.isEmpty else { return }
        remove()
        for part in kept { try files.moveItem(atPath: part + ".kept", toPath: part) }
    }

    /// The file is whole and shows every acknowledged write, before anything repairs it.
    func check(_ notes: WriteNotes) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            guard notes.acknowledgedCount == 0 else { throw KillLoss("the store is gone") }
            return
        }
        try checkSecrets(of: [path])
        try read { database in
            let check = try String.fetchAll(database, sql: "PRAGMA quick_check")
            guard check == ["ok"] else { throw KillLoss("the store is damaged: \(check)") }
            guard !notes.rows.isEmpty else { return }
            try notes.check("_odata_view_", database)
            let torn = try String.fetchAll(
                database,
                sql: """
                    SELECT Title FROM _odata_view_WorkOrders WHERE Title GLOB 'pair *'
                        OR Title GLOB 'two made *' GROUP BY Title HAVING count(*) <> 2
                    """)
            guard torn.isEmpty else { throw KillLoss("half of what was changed together: \(torn)") }
        }
    }

    /// Nothing that a killed client left shows a title, a name of a table or of a file format.
    func checkSecrets(of paths: [String]) throws {
        guard key != nil else { return }
        for path in paths {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                let url = URL(fileURLWithPath: path + suffix)
                guard let bytes = try? Data(contentsOf: url) else { continue }
                for text in ["WorkOrders", "created ", "changed ", "SQLite format 3"]
                where bytes.range(of: Data(text.utf8)) != nil {
                    throw KillLoss("'\(text)' is in clear in \(url.lastPathComponent)")
                }
            }
        }
    }

    /// A provider as the next start of the app would make it.
    func provider() -> CloudSyncProvider {
        let provider = CloudSyncProvider(
            onlineProvider: OnlineODataProvider(
                serviceName: "Kill", serviceRoot: url, transport: StandardTransport.shared),
            offlineStore: SQLDatabaseProvider(serviceName: "Kill", databaseURL: "sqlite:" + path))
        provider.encryptionKey = key
        return provider
    }

    /// Opens the store and synchronises.
    ///
    /// - Parameter arrange: says what is downloaded.
    func drain(_ arrange: (CloudSyncProvider) throws -> Void = { _ in }) throws {
        let provider = provider()
        try provider.open()
        try arrange(provider)
        try provider.upload()
        try provider.download()
        let queued = try provider.queued().length
        let failed = try provider.failed().length
        try provider.close()
        guard queued == 0, failed == 0 else {
            throw KillLoss("\(queued) requests stay queued, \(failed) failed")
        }
    }
}

extension WriteNotes {
    /// Each row is there once at most, with a title that its notes allow; `prefix` stands before names of tables.
    func check(_ prefix: String, _ database: Database) throws {
        for (number, row) in rows {
            let titles = try Self.titles(of: number, prefix, database)
            guard titles.count < 2 else { throw KillLoss("\(number) is there twice, \(prefix)") }
            // A row of the sample that was only tried to change keeps a title that no note knows.
            if row.acknowledged == nil, number.hasPrefix("WO-") { continue }
            guard row.allows(titles.first) else {
                throw KillLoss("\(number) lost its title, \(prefix)")
            }
        }
    }

    /// The titles of the rows that go by a number: of work orders, or the cities of sites.
    static func titles(
        of number: String, _ prefix: String, _ database: Database
    ) throws -> [String] {
        let source =
            number.hasPrefix("S-")
            ? "City FROM \(prefix)Sites WHERE Name" : "Title FROM \(prefix)WorkOrders WHERE Number"
        return try String.fetchAll(
            database, sql: "SELECT \(source) = ?", arguments: [number])
    }
}
