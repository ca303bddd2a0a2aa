import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataSync
import ODataTransport
import ODataWorld
import SAPOData

/// A companion service over loopback HTTP, a store file, and a provider between them, in a folder that goes with the
/// test. Both files are read and changed by stock SQLite, past all code of ours.
///
/// Confined to the thread that made it; what it shares with the service guards itself.
package final class ServiceWorkplace: @unchecked Sendable {
    package let folder: URL
    package private(set) var service: ODataService
    /// The provider in use; ``reopen(_:)`` puts another one in its place.
    package private(set) var sync: CloudSyncProvider
    private var configuration: ServiceConfiguration

    /// Starts a service over sample data; the store is not opened yet.
    package init(
        scale: Int = 100, pageSize: Int = 1_000, sql: String = "",
        adjust: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        configuration = ServiceConfiguration(
            databasePath: folder.appendingPathComponent("service.db").path,
            sample: ServiceConfiguration.Sample(scale: scale))
        configuration.defaultPageSize = pageSize
        adjust(&configuration)
        // Makes the sample's rows.
        service = try ODataService(configuration)
        try service.close()
        if !sql.isEmpty { try Self.execute(sql, at: configuration.databasePath) }
        service = try Self.started(&configuration)
        sync = Self.provider(service.url ?? "", folder)
    }

    /// Starts a service on a port below those that the system hands out itself, so that nobody gets it while the
    /// service is stopped.
    private static func started(_ configuration: inout ServiceConfiguration) throws -> ODataService
    {
        for _ in 0..<50 {
            configuration.port = Int.random(in: 20_000..<32_000)
            let service = try ODataService(configuration)
            if (try? service.start()) != nil { return service }
            try service.close()
        }
        throw CocoaError(.fileWriteNoPermission)
    }

    /// Runs a test in a workplace that is closed and removed after it.
    package static func run(
        scale: Int = 100, pageSize: Int = 1_000, sql: String = "",
        adjust: @escaping @Sendable (inout ServiceConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ServiceWorkplace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try ServiceWorkplace(
                scale: scale, pageSize: pageSize, sql: sql, adjust: adjust)
            defer { place.close() }
            try body(place)
        }
    }

    /// - Parameter world: where the engine waits and reads the clock.
    package static func provider(
        _ url: String, _ folder: URL, world: any World = LiveWorld(),
        transport: any HTTPTransport = StandardTransport.shared
    ) -> CloudSyncProvider {
        let online = OnlineODataProvider(
            serviceName: "FieldService", serviceRoot: url, transport: transport,
            folder: PrivateFolder(path: folder.path))
        let store = SQLDatabaseProvider(
            serviceName: "FieldService",
            databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path, world: world)
        return CloudSyncProvider(onlineProvider: online, offlineStore: store)
    }

    /// Lets go of everything and removes the folder.
    package func close() {
        try? sync.close()
        try? service.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// As a new start of the app: another provider over the same store, set up by `configure` and opened.
    package func reopen(_ configure: (CloudSyncProvider) throws -> Void = { _ in }) throws {
        try sync.close()
        sync = Self.provider(configuration.rootURL, folder)
        try configure(sync)
        try sync.open()
    }

    /// Another provider over the same store, which was not opened yet, in this world.
    package func use(_ world: any World) throws {
        try sync.close()
        sync = Self.provider(configuration.rootURL, folder, world: world)
    }

    /// Stops the service, runs `sql` on its file, and starts it on the same port.
    package func restartService(
        sql: String = "", adjust: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        try service.close()
        if !sql.isEmpty { try Self.execute(sql, at: configuration.databasePath) }
        adjust(&configuration)
        service = try ODataService(configuration)
        try service.start()
    }

    // MARK: The network

    package var observer: ServiceObserver { configuration.observer }

    /// Every request is lost from now on.
    package func cutNetwork() { observer.setFaults { _, _ in .loseRequest } }

    package func restoreNetwork() { observer.setFaults(nil) }

    /// Method and URL, percent-decoded and relative to the service root, of the requests so far; members of batches
    /// stand behind their batch.
    package func requests(_ start: String = "") -> [String] {
        observer.requests.map { "\($0.method) \(resource($0))" }.filter { $0.hasPrefix(start) }
    }

    /// The URL of a request, percent-decoded and relative to the service root.
    package func resource(_ seen: ServiceObserver.Seen) -> String {
        var url = seen.url
        if url.hasPrefix(configuration.rootURL) { url.removeFirst(configuration.rootURL.count) }
        if url.hasPrefix("/") { url.removeFirst() }
        return url.removingPercentEncoding ?? url
    }

    // MARK: Files

    package var storePath: String { folder.appendingPathComponent("store.db").path }

    package func serviceRows(_ sql: String) throws -> [Row] {
        try DatabaseQueue(path: configuration.databasePath).read { try Row.fetchAll($0, sql: sql) }
    }

    package func storeRows(_ sql: String) throws -> [Row] {
        try DatabaseQueue(path: storePath).read { try Row.fetchAll($0, sql: sql) }
    }

    /// The first column of the first row as text; nil for null or no row.
    package func serviceText(_ sql: String) throws -> String? {
        try DatabaseQueue(path: configuration.databasePath)
            .read { try String.fetchOne($0, sql: sql) }
    }

    package func storeText(_ sql: String) throws -> String? {
        try DatabaseQueue(path: storePath).read { try String.fetchOne($0, sql: sql) }
    }

    /// A change that somebody else makes in the service's data.
    package func atService(_ sql: String) throws {
        try Self.execute(sql, at: configuration.databasePath)
    }

    private static func execute(_ sql: String, at path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}

extension ServiceConfiguration {
    /// The URL of the service root on the fixed port.
    fileprivate var rootURL: String { "http://\(host):\(port)\(rootPath)" }
}
