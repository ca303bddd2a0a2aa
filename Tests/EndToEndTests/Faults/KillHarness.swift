import ChildFixture
import Foundation
import GRDB
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataSQLite
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataTransport
import Synchronization

/// A service, a store, and a client process that is killed and whose store is then looked at.
final class KillHarness {
    /// Something that must not be.
    struct Loss: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// How a client process ended.
    enum End: Equatable { case killed, finished }

    /// What can be planted to see whether it is found.
    enum Defect: String, CaseIterable {
        /// See ``DefectTransport``.
        case dropsIdentities, renewsIdentities
        /// The client notes a write as acknowledged before it makes it.
        case acknowledgesEarly
        /// What was not yet in the file itself is gone, as after a commit that did not wait for the disk.
        case losesLog
    }

    /// A client that the service is to kill.
    private final class Victim: Sendable {
        private let process = Mutex<pid_t>(0)
        private let left: Mutex<Int>

        init(after requests: Int) { left = Mutex(requests) }

        var identifier: pid_t {
            get { process.withLock { $0 } }
            set { process.withLock { $0 = newValue } }
        }

        /// True for the request at which it dies.
        func isLast() -> Bool {
            left.withLock { left in
                left -= 1
                return left == 0
            }
        }
    }

    private let folder: URL
    private let service: ODataService
    private let defect: Defect?
    /// What the store is encrypted with; nil for one in clear.
    private let key: String?
    /// The title that each row written so far had when its round was over.
    private var settled: [String: String] = [:]
    private(set) var acknowledged = 0

    private var storePath: String { folder.appendingPathComponent("store.db").path }
    private var servicePath: String { folder.appendingPathComponent("service.db").path }

    init(_ defect: Defect? = nil, key: String? = nil) throws {
        self.defect = defect
        self.key = key
        guard FileManager.default.isExecutableFile(atPath: Child.killChild) else {
            throw Loss("\(Child.killChild) is not there: build with --build-tests")
        }
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-kill-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = ServiceConfiguration(
            databasePath: folder.appendingPathComponent("service.db").path,
            sample: ServiceConfiguration.Sample(scale: 300))
        configuration.defaultPageSize = 150
        service = try ODataService(configuration)
        try service.start()
    }

    func close() throws {
        try service.close()
        try FileManager.default.removeItem(at: folder)
    }

    // MARK: The client's life

    /// Runs a client until it is killed or done; looks at what it left, repairs and compares.
    func run(_ round: KillRound) throws -> End {
        if round.isFresh {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: storePath + suffix)
            }
        }
        let notesFile = folder.appendingPathComponent("notes")
        try Data().write(to: notesFile)
        let end = try runClient(round, notesFile)
        if defect == .losesLog { try? FileManager.default.removeItem(atPath: storePath + "-wal") }
        let notes = try WriteNotes(notesFile)
        acknowledged += notes.acknowledgedCount
        var losses: [String] = []
        for check in [{ try self.checkStore(notes) }, drain, { try self.checkService(notes) }] {
            do {
                try check()
            } catch let loss as Loss {
                losses.append(loss.description)
            }
        }
        guard losses.isEmpty else { throw Loss(losses.joined(separator: "; ")) }
        return end
    }

    private func runClient(_ round: KillRound, _ notes: URL) throws -> End {
        let errors = folder.appendingPathComponent("errors")
        try Data().write(to: errors)
        let victim = Victim(after: round.trap.passages)
        if let lost = round.lost { killBetween(lost, victim) }
        let client = try ChildProcess(
            Child.killChild,
            [storePath, service.url ?? "", notes.path, String(round.number)] + round.trap.words,
            environment: [
                "ODATA_PLANTED_DEFECT": defect?.rawValue ?? "", "ODATA_STORE_KEY": key ?? "",
            ], errors: .file(errors))
        victim.identifier = client.identifier
        let end = try client.wait(atMost: .seconds(120))
        service.observer.setFaults(nil)
        switch end {
        case .signal(SIGKILL): return .killed
        case .exit(0): return .finished
        default:
            let text = try String(contentsOf: errors, encoding: .utf8)
            throw Loss("the client failed with \(end): \(text)")
        }
    }

    /// The service kills its client when the n-th upload request has arrived, before it answers.
    private func killBetween(_ lost: KillRound.Lost, _ victim: Victim) {
        service.observer.setFaults { request, _ in
            guard request.method == "POST", Self.isUpload(request), victim.isLast() else {
                return nil
            }
            // Nothing asks before the client has started, whose number is noted right after that.
            var waits = 0
            while victim.identifier == 0, waits < 100_000 {
                usleep(100)
                waits += 1
            }
            guard victim.identifier != 0 else { return nil }
            kill(victim.identifier, SIGKILL)
            return lost == .answer ? .loseAnswer : .loseRequest
        }
    }

    private static func isUpload(_ request: RequestMessage) -> Bool {
        let name = "Repeatability-Request-ID"
        return request.headers[name] != nil
            || String(decoding: request.body, as: UTF8.self).contains(name)
    }

    // MARK: What it left

    private static var readOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        return configuration
    }

    /// The file is whole and shows every acknowledged write, before anything repairs it.
    private func checkStore(_ notes: WriteNotes) throws {
        guard FileManager.default.fileExists(atPath: storePath) else {
            guard notes.acknowledgedCount == 0 else { throw Loss("the store is gone") }
            return
        }
        try checkSecrets()
        let file = try StoreFile(path: storePath, key: try key.map { try StoreKey($0) })
        let queue = try file.queue(readonly: true)
        defer { try? queue.close() }
        try queue.read { database in
            let check = try String.fetchAll(database, sql: "PRAGMA quick_check")
            guard check == ["ok"] else { throw Loss("the store is damaged: \(check)") }
            guard !notes.rows.isEmpty else { return }
            try Self.check(notes, "_odata_view_", database)
        }
    }

    /// Nothing that a killed client left shows a title, a name of a table or of a file format.
    private func checkSecrets() throws {
        guard key != nil else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let url = URL(fileURLWithPath: storePath + suffix)
            guard let bytes = try? Data(contentsOf: url) else { continue }
            for text in ["WorkOrders", "created ", "changed ", "SQLite format 3"]
            where bytes.range(of: Data(text.utf8)) != nil {
                throw Loss("'\(text)' is in clear in the store\(suffix)")
            }
        }
    }

    private static func check(
        _ notes: WriteNotes, _ prefix: String, _ database: Database
    ) throws {
        for (number, row) in notes.rows {
            let titles = try titles(of: number, prefix, database)
            guard titles.count < 2 else { throw Loss("\(number) is there twice, \(prefix)") }
            // A row of the sample that was only tried to change keeps a title that no note knows.
            if row.acknowledged == nil, number.hasPrefix("WO-") { continue }
            guard row.allows(titles.first) else {
                throw Loss("\(number) lost its title, \(prefix)")
            }
        }
    }

    /// The titles of the rows that go by a number: of work orders, or the cities of sites.
    private static func titles(
        of number: String, _ prefix: String, _ database: Database
    ) throws -> [String] {
        let source =
            number.hasPrefix("S-")
            ? "City FROM \(prefix)Sites WHERE Name" : "Title FROM \(prefix)WorkOrders WHERE Number"
        return try String.fetchAll(
            database, sql: "SELECT \(source) = ?", arguments: [number])
    }

    /// Opens the store as the next start of the app would, and synchronises.
    private func drain() throws {
        let provider = CloudSyncProvider(
            onlineProvider: OnlineODataProvider(
                serviceName: "Kill", serviceRoot: service.url ?? "",
                transport: DefectTransport.wrapping(
                    StandardTransport.shared, named: defect?.rawValue ?? "")),
            offlineStore: SQLDatabaseProvider(
                serviceName: "Kill", databaseURL: "sqlite:" + storePath))
        provider.throwUploadFailures = false
        provider.encryptionKey = key
        try provider.open()
        try provider.upload()
        try provider.download()
        let queued = try provider.queued().length
        let failed = try provider.failed().length
        try provider.close()
        guard queued == 0, failed == 0 else {
            throw Loss("\(queued) requests stay queued, \(failed) failed")
        }
    }

    /// The service shows each write once, and the store shows the same rows.
    private func checkService(_ notes: WriteNotes) throws {
        let queue = try DatabaseQueue(path: servicePath, configuration: Self.readOnly)
        defer { try? queue.close() }
        try queue.read { database in
            try Self.check(notes, "", database)
            for number in notes.rows.keys {
                settled[number] = try Self.titles(of: number, "", database).first
            }
            let titles = try Row.fetchAll(
                database,
                sql: "SELECT Number, Title FROM WorkOrders UNION ALL"
                    + " SELECT Name, City FROM Sites WHERE Name LIKE 'S-%'")
            let found = Dictionary(
                titles.map { ($0[0] as String, $0[1] as String) },
                uniquingKeysWith: { first, _ in first })
            for (number, title) in settled where found[number] != title {
                throw Loss("\(number) changed in a later round")
            }
            try Self.checkEffects(database)
        }
        let comparison = try RowComparison(service: servicePath, store: storePath, key: key)
        guard comparison.differences.isEmpty, comparison.rowsCompared > 0 else {
            throw Loss("service and store differ: \(comparison.differences)")
        }
    }

    /// By the service's own log: as many creations as there are rows, and no title that a row had before it came back,
    /// as it would when an older change is carried out again.
    private static func checkEffects(_ database: Database) throws {
        let log = "_odata_changes WHERE table_name = 'WorkOrders'"
        let created = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM _odata_changes WHERE operation = 'I'")
        let present = try Int.fetchOne(
            database,
            sql: "SELECT (SELECT count(*) FROM WorkOrders WHERE Number LIKE 'K-%')"
                + " + (SELECT count(*) FROM Sites WHERE Name LIKE 'S-%')")
        guard created == present else {
            throw Loss("\(created ?? 0) creations had an effect, \(present ?? 0) rows are there")
        }
        let doubles = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM (
                    SELECT 1 FROM (
                        SELECT key, json_extract(old, '$.Title') AS title
                        FROM \(log) AND operation = 'U'
                        UNION ALL SELECT quote(Id), quote(Title) FROM WorkOrders)
                    GROUP BY key, title HAVING count(*) > 1)
                """)
        guard doubles == 0 else { throw Loss("\(doubles ?? 0) changes had their effect twice") }
    }
}
