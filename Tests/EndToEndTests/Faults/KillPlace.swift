import Foundation
import GRDB
import ODataCommand
import ODataServer
import ODataTesting

/// A service, a folder beside it for the stores of its clients, and what is known of its rows.
final class KillPlace {
    let folder: URL
    let service: ODataService
    /// The title that each row written so far had when its round was over.
    private var settled: [String: String] = [:]
    private(set) var acknowledged = 0

    private var servicePath: String { folder.appendingPathComponent("service.db").path }

    init() throws {
        guard FileManager.default.isExecutableFile(atPath: Child.killChild) else {
            throw KillLoss("\(Child.killChild) is not there: build with --build-tests")
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

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func store(_ name: String, key: String?) -> KilledStore {
        KilledStore(path: path(name), key: key, url: service.url ?? "")
    }

    /// An empty file for what a client notes.
    func emptyFile(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        return url
    }

    func atService<Result>(_ body: (Database) throws -> Result) throws -> Result {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: servicePath, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    /// The service shows each write once, and the stores show the same rows.
    ///
    /// - Parameter only: the sets that the stores have whole; nil for all.
    func check(_ notes: WriteNotes, _ stores: [KilledStore], only: [String]? = nil) throws {
        acknowledged += notes.acknowledgedCount
        try atService { database in
            try notes.check("", database)
            for number in notes.rows.keys {
                settled[number] = try WriteNotes.titles(of: number, "", database).first
            }
            let titles = try Row.fetchAll(
                database,
                sql: "SELECT Number, Title FROM WorkOrders UNION ALL"
                    + " SELECT Name, City FROM Sites WHERE Name LIKE 'S-%'")
            let found = Dictionary(
                titles.map { ($0[0] as String, $0[1] as String) },
                uniquingKeysWith: { first, _ in first })
            for (number, title) in settled where found[number] != title {
                throw KillLoss("\(number) changed in a later round")
            }
            try Self.checkEffects(database)
        }
        for store in stores {
            let comparison = try RowComparison(
                service: servicePath, store: store.path, key: store.key, only: only)
            guard comparison.differences.isEmpty, comparison.rowsCompared > 0 else {
                throw KillLoss("service and store differ: \(comparison.differences)")
            }
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
            throw KillLoss(
                "\(created ?? 0) creations had an effect, \(present ?? 0) rows are there")
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
        guard doubles == 0 else { throw KillLoss("\(doubles ?? 0) changes had their effect twice") }
    }
}
