import Foundation
import GRDB
import ODataServer

/// A companion service in the test's own process, over a database of its own that goes with it.
///
/// ```swift
/// let service = try TestService(schema: "CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT)")
/// defer { service.close() }
/// try service.play(FaultScript("lose-answer write"))
/// // … the code under test works with service.url …
/// #expect(try service.text("SELECT count(*) FROM Notes") == "1")
/// #expect(service.requests.map(\.method) == ["GET", "POST", "POST"])
/// ```
///
/// Its calls wait for files and sockets: make them from a thread of your own, never from an `async` function.
public final class TestService: Sendable {
    /// The service root.
    public let url: URL
    /// The service itself.
    public let service: CompanionService

    private let folder: URL
    private let path: String

    /// Makes a database from SQL statements and serves it on a free port of this machine.
    ///
    /// - Throws: An error of SQLite for statements that it refuses, or of the service when it cannot start.
    public convenience init(
        schema: String, settings: CompanionService.Settings = CompanionService.Settings()
    ) throws {
        try self.init(settings: settings) { path in
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: schema) }
            try queue.close()
            return nil
        }
    }

    /// Serves made-up data of a field service (customers, sites, work orders): the same rows for the same seed.
    ///
    /// - Parameters:
    ///   - sampleRows: About how many rows there are in all, 20 at least.
    ///   - seed: What the rows are drawn with.
    ///   - settings: What is served, where, and within which bounds.
    /// - Throws: An error when the service cannot start.
    public convenience init(
        sampleRows: Int, seed: UInt64 = 1,
        settings: CompanionService.Settings = CompanionService.Settings()
    ) throws {
        try self.init(settings: settings) { _ in
            ServiceConfiguration.Sample(scale: max(20, sampleRows), seed: seed)
        }
    }

    private init(
        settings: CompanionService.Settings,
        _ prepare: (String) throws -> ServiceConfiguration.Sample?
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            path = folder.appendingPathComponent("service.sqlite").path
            let sample = try prepare(path)
            service = try CompanionService(
                ServiceConfiguration(databasePath: path, sample: sample), settings)
            url = try service.start()
            self.folder = folder
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit { close() }

    /// Plays a script against the requests from now on, in place of any other; nil ends all faults.
    public func play(_ script: FaultScript?) {
        guard let script else { return service.service.observer.setFaults(nil) }
        let player = FaultPlayer(script)
        service.service.observer.setFaults { request, _ in player.fault(for: request) }
    }

    /// The requests so far, members of batches behind their batch.
    public var requests: [CompanionService.SeenRequest] { service.requests }

    /// Changes the database as another program would, so that clients find the changes.
    ///
    /// - Throws: An error of SQLite for statements that it refuses.
    public func execute(_ sql: String) throws {
        try open { try $0.write { try $0.execute(sql: sql) } }
    }

    /// The first column of the first row of a query as text; nil for null or no row.
    ///
    /// - Throws: An error of SQLite for a query that it refuses.
    public func text(_ sql: String) throws -> String? {
        try open { try $0.read { try String.fetchOne($0, sql: sql) } }
    }

    private func open<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try body(queue)
    }

    /// Stops the service and removes its database. Does nothing the second time.
    public func close() {
        try? service.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
