import Foundation
import GRDB
import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataWire

/// A companion service with orders and their items, which takes batches and knows repeated requests, and a proxy in front
/// of it that takes changes.
final class OrderPlace {
    let folder: URL
    let origin: ODataService
    let proxy: DeltaProxy
    private let file: String

    private static let schema = """
        CREATE TABLE Orders (Id INTEGER PRIMARY KEY, Note TEXT, Placed DATETIME, Total DECIMAL(10,2));
        CREATE TABLE Items (Id INTEGER PRIMARY KEY, OrderId INTEGER REFERENCES Orders(Id), Name TEXT NOT NULL);
        INSERT INTO Orders VALUES (1, 'first', '2026-01-02T03:04:05Z', 12.5), (2, 'second', NULL, NULL);
        INSERT INTO Items VALUES (1, 1, 'bolt'), (2, 1, 'nut');
        """

    init(
        originSpeaksV2: Bool = false, _ adjust: (inout DeltaProxy.Settings) -> Void = { _ in }
    ) throws {
        folder = try TestFolder.makeFast("orders-")
        file = folder.appendingPathComponent("origin.db").path
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: Self.schema) }
        try queue.close()
        var configuration = ServiceConfiguration(databasePath: file)
        configuration.speaksV2 = originSpeaksV2
        origin = try ODataService(configuration)
        try origin.start()
        var settings = DeltaProxy.Settings(
            origin: origin.url ?? "",
            service: ServiceConfiguration(
                databasePath: folder.appendingPathComponent("proxy.db").path))
        settings.interval = nil
        settings.patience = .seconds(300)
        settings.takesChanges = true
        adjust(&settings)
        proxy = try DeltaProxy(settings)
        try proxy.start()
        origin.observer.forget()
    }

    static func run(
        originSpeaksV2: Bool = false,
        adjusting adjust: @escaping @Sendable (inout DeltaProxy.Settings) -> Void = { _ in },
        _ body: @escaping @Sendable (OrderPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try OrderPlace(originSpeaksV2: originSpeaksV2, adjust)
            defer {
                try? place.proxy.close()
                try? place.origin.close()
                try? FileManager.default.removeItem(at: place.folder)
            }
            try body(place)
        }
    }

    /// Asks the proxy; headers as `Name: value`.
    func ask(
        _ method: String, _ url: String, _ body: String = "", _ headers: String...
    ) -> ResponseMessage {
        proxy.service.respond(to: PassPlace.request(method, url, body, headers))
    }

    func tag(_ url: String) -> String { "If-Match: " + (ask("GET", url).headers["ETag"] ?? "none") }

    /// What the origin holds, read beside it: the first column of each row, or why it cannot be read.
    func rows(_ sql: String) -> [String] {
        do {
            let queue = try DatabaseQueue(path: file)
            defer { try? queue.close() }
            return try queue.read { database in
                try Row.fetchAll(database, sql: sql).map { row in
                    let value: DatabaseValue = row[0]
                    return String.fromDatabaseValue(value) ?? "\(value)"
                }
            }
        } catch {
            return ["\(error)"]
        }
    }

    /// Changes that came to the origin by themselves, and batches.
    var sent: [String] {
        origin.observer.requests.filter { !$0.isInBatch && $0.method != "GET" }.map {
            "\($0.method) \($0.url.split(separator: "/").last ?? "")"
        }
    }
}
