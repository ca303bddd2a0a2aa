import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataTesting
import ODataWire
import ODataWorld

/// One piece of work at a store that nobody synchronises meanwhile, until it is killed, with `work.begin` as its first point:
/// `KillChild work NAME STORE KEY|- OTHERKEY|METADATA|- POINT PASSAGES THEN MICROSECONDS`.
///
/// What comes to its end says how many microseconds that took, and how many operations of the disk.
struct StoreWork: Sendable {
    private enum Kind: String {
        /// Opens a store of an older format.
        case migrate
        /// Brings the store to other metadata, whose file stands in the place of the other key.
        case adopt
        case repair
        /// Writes a copy under another key, or of a store in clear under its first one.
        case export
        /// The copy that is sent to where it is examined.
        case send
        case rekey
    }

    private let kind: Kind
    private let path: String
    private let key: StoreKey?
    private let other: StoreKey?
    private let document: String
    private let world: KillingWorld
    private let disk: KillingDisk
    /// A planted defect, if any.
    private let defect = ProcessInfo.processInfo.environment["ODATA_PLANTED_DEFECT"] ?? ""

    init?(_ arguments: [String]) {
        guard arguments.count == 10, arguments[1] == "work",
            let kind = Kind(rawValue: arguments[2]),
            let trap = KillingWorld.Trap(arguments.suffix(4))
        else { return nil }
        self.kind = kind
        path = arguments[3]
        key = arguments[4] == "-" ? nil : try? StoreKey(arguments[4])
        document = arguments[5]
        other = arguments[5] == "-" ? nil : try? StoreKey(arguments[5])
        world = KillingWorld(trap)
        disk = KillingDisk(world)
    }

    func run() throws {
        let begin = ContinuousClock.now
        world.checkpoint("work.begin")
        switch kind {
        case .migrate:
            if defect == "upgradesInParts" { try upgradeInParts() }
            try open().close()
        case .repair: try repair()
        case .adopt, .export, .send, .rekey:
            let store = try open()
            try work(at: store)
            try store.close()
        }
        let microseconds = Int((ContinuousClock.now - begin) / .microseconds(1))
        print("done \(microseconds) \(disk.count)")
    }

    private func open() throws -> LocalStore {
        var configuration = LocalStore.Configuration()
        configuration.key = key
        configuration.watch = disk
        return try LocalStore(path: path, world: world, configuration: configuration)
    }

    private func work(at store: LocalStore) throws {
        switch (kind, other) {
        case (.adopt, _):
            let text = try String(contentsOfFile: document, encoding: .utf8)
            if defect == "notesMetadataFirst" { try noteMetadata(text, at: store) }
            try store.adopt(
                metadata: text,
                graph: try CSDLReader.read(Array(text.utf8), options: .runningService))
        case (.export, _):
            try store.export(to: path + ".copy", key: other)
            if defect == "copiesInParts" { try copyQueueLast() }
        case (.send, let other?): _ = try store.sealedImage(key: other, limit: 1 << 30)
        case (.rekey, let other?):
            if defect == "tearsHeader" { return try changeKeyInParts(store, other) }
            try store.changeKey(to: other)
        default: throw CocoaError(.fileReadUnknown)
        }
    }

    // MARK: Planted defects

    /// Each step to format 7 is on disk before the next begins, and the format is noted behind the last.
    private func upgradeInParts() throws {
        let queue = try StoreFile(path: path, key: key).queue()
        try queue.writeWithoutTransaction { database in
            let format = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard format < 7 else { return }
            for step in format..<7 {
                for statement in StoreFormat.current.upgrades[step] ?? [] {
                    try database.execute(sql: statement)
                    usleep(5_000)
                }
            }
            try database.execute(sql: "PRAGMA user_version = 7")
        }
        try queue.close()
    }

    /// The document is the store's before the tables are as it says.
    private func noteMetadata(_ text: String, at store: LocalStore) throws {
        let old = try store.metadataText()
        for text in [text, old] {
            try store.write(.full) {
                try $0.execute(
                    sql: "UPDATE _odata_meta SET value = ? WHERE name = 'metadata'",
                    arguments: [text])
            }
            usleep(300_000)
        }
    }

    private func repair() throws {
        guard defect == "repairsInPlace" else {
            _ = try StoreRepair(path: path, key: key, world: world).run()
            return
        }
        let aside = (path as NSString).deletingLastPathComponent + "/aside.db"
        try LocalStore.deleteFiles(at: aside)
        try FileManager.default.copyItem(atPath: path, toPath: aside)
        _ = try StoreRepair(path: aside, key: key, world: LiveWorld()).run()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: aside))
        try LocalStore.deleteFiles(at: aside)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        world.checkpoint("store.repair.replace")
        try file.truncate(atOffset: 0)
        for start in stride(from: 0, to: bytes.count, by: 16_384) {
            usleep(5_000)
            try file.write(contentsOf: bytes[start..<min(start + 16_384, bytes.count)])
        }
        try file.close()
    }

    /// The copy is there under its name before all is in it.
    private func copyQueueLast() throws {
        let queue = try StoreFile(path: path + ".copy", key: other).queue()
        try queue.write {
            try $0.execute(
                sql: "CREATE TABLE kept AS SELECT * FROM _odata_request;"
                    + " DELETE FROM _odata_request")
        }
        usleep(200_000)
        try queue.write {
            try $0.execute(
                sql: "INSERT INTO _odata_request SELECT * FROM kept; DROP TABLE kept")
        }
        try queue.close()
    }

    /// Both slots of the header are written at once.
    private func changeKeyInParts(_ store: LocalStore, _ other: StoreKey) throws {
        try store.changeKey(to: other)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let header = try file.read(upToCount: 8192) ?? Data()
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(count: 8192))
        usleep(20_000)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: header)
        try file.close()
    }
}
