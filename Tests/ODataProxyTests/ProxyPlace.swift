import Foundation
import GRDB
import ODataProxy
import ODataQuery
import ODataServer
import ODataText
import ODataTesting

/// A service of V2 that has no delta links (its sets are views), and a proxy in front of it.
final class ProxyPlace {
    let folder: URL
    var origin: ODataService
    var proxy: DeltaProxy
    private let adjust: (inout DeltaProxy.Settings) -> Void
    private let originConfiguration: ServiceConfiguration
    private let settings: DeltaProxy.Settings

    private static let schema = """
        CREATE TABLE Stock (Id INTEGER PRIMARY KEY, Title TEXT, Bought DATETIME, Price DECIMAL(10,2));
        CREATE VIEW Tools AS SELECT Id, Title, Bought, Price FROM Stock;
        CREATE TABLE Words (Code TEXT NOT NULL, Label TEXT);
        CREATE VIEW Tags AS SELECT Code, Label FROM Words;
        INSERT INTO Words VALUES ('a', 'one'), ('b', 'two');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        INSERT INTO Stock SELECT i, 'tool ' || i, '2026-01-02T03:04:05Z', i * 1.25 FROM n;
        """

    init(
        originSpeaksV2: Bool = true,
        _ adjust: @escaping (inout DeltaProxy.Settings) -> Void = { _ in }
    ) throws {
        folder = try TestFolder.makeFast("proxy-")
        let path = folder.appendingPathComponent("origin.db").path
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: Self.schema) }
        try queue.close()
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.speaksV2 = originSpeaksV2
        configuration.tables = TableChoice(included: ["Tools", "Tags"])
        origin = try ODataService(configuration)
        configuration.port = try origin.start()
        originConfiguration = configuration
        var settings = DeltaProxy.Settings(
            origin: "http://someone:secret-word@127.0.0.1:\(configuration.port)/",
            service: ServiceConfiguration(
                databasePath: folder.appendingPathComponent("proxy.db").path))
        settings.interval = nil
        // What is shown is tested here, not how fast it is read on a busy machine.
        settings.patience = .seconds(300)
        adjust(&settings)
        self.settings = settings
        self.adjust = adjust
        proxy = try DeltaProxy(settings)
        try proxy.start()
    }

    func close() {
        try? proxy.close()
        try? origin.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the proxy and makes another one over the same files.
    func restartProxy() throws {
        try proxy.close()
        proxy = try DeltaProxy(settings)
        try proxy.start()
    }

    /// Starts the origin again at its port.
    func restartOrigin() throws {
        origin = try ODataService(originConfiguration)
        try origin.start()
    }

    /// Changes the rows of the origin, as its own programs do.
    func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: originConfiguration.databasePath)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Asks the proxy; headers as `Name: value`.
    func get(_ url: String, _ headers: String...) -> ResponseMessage {
        var fields = HeaderFields()
        fields["Host"] = "127.0.0.1"
        for header in headers {
            let parts = header.split(separator: ":", maxSplits: 1)
            fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return proxy.service.respond(to: RequestMessage(method: "GET", url: url, headers: fields))
    }
}

extension ResponseMessage {
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var items: [JSONValue] { json["value"]?.array ?? [] }
    var deltaLink: String { json["@odata.deltaLink"]?.string ?? "no delta link" }
}
