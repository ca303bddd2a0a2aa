import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// A service over a small database of tools, members and loans, called in process with requests written by hand.
final class ServiceFixture: Sendable {
    let directory: TemporaryDirectory
    let service: ODataService

    static let schema = """
        CREATE TABLE Members (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Since DATE);
        CREATE TABLE Tools (
            Id INTEGER PRIMARY KEY,
            Title TEXT NOT NULL,
            Price DECIMAL(10,2),
            Bought DATETIME,
            Lent BOOLEAN NOT NULL DEFAULT 0,
            Weight DOUBLE,
            Picture BLOB,
            Code UUID,
            OwnerId INTEGER REFERENCES Members(Id)
        );
        CREATE TABLE Loans (
            ToolId INTEGER NOT NULL REFERENCES Tools(Id) ON DELETE CASCADE,
            Day DATE NOT NULL,
            Note TEXT,
            PRIMARY KEY (ToolId, Day)
        );
        CREATE TABLE Tags (Name TEXT PRIMARY KEY, Remark TEXT);
        CREATE VIEW Cheap AS SELECT Id, Title FROM Tools WHERE Price < 10;
        INSERT INTO Members VALUES (1, 'Mia', '2020-01-31'), (2, 'Noah', NULL);
        INSERT INTO Tools (Id, Title, Price, Bought, Lent, Weight, Picture, Code, OwnerId) VALUES
            (1, 'Saw', 12.5, '2031-05-01T08:30:00Z', 0, 1.25, x'00ff10',
             '01234567-89ab-cdef-0123-456789abcdef', 1),
            (2, 'Plane', 7, '2031-06-01T00:00:00.250Z', 1, NULL, NULL, NULL, 1),
            (3, 'O''Hara''s hammer', NULL, NULL, 0, 0.5, NULL, NULL, 2),
            (4, 'Drill', 99.99, '2029-12-31T23:59:59Z', 0, 3, NULL, NULL, NULL);
        INSERT INTO Loans VALUES (1, '2031-05-02', 'first'), (1, '2031-05-09', NULL),
            (2, '2031-07-01', 'long');
        INSERT INTO Tags VALUES ('a/b', 'slash'), ('ü', NULL);
        """

    init(
        schema: String = ServiceFixture.schema,
        configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let path = directory.file("tools.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: schema) }
        try queue.close()
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.namespace = "Ws"
        configuration.acceptedHosts = ["h"]
        configure(&configuration)
        service = try ODataService(configuration)
    }

    /// Sends a request; `headers` as `Name: value` lines.
    @discardableResult
    func send(_ line: String, _ headers: [String] = [], body: String = "") -> ResponseMessage {
        service.send(line, headers, body: body, host: "h")
    }

    /// Runs SQL on the service's file, as another program would.
    func sql(_ text: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(
            path: directory.file("tools.sqlite"), configuration: configuration)
        try queue.write { try $0.execute(sql: text) }
        try queue.close()
    }

    /// The single text that a query gives.
    func value(_ text: String) throws -> String? {
        let queue = try DatabaseQueue(path: directory.file("tools.sqlite"))
        defer { try? queue.close() }
        return try queue.read { try String.fetchOne($0, sql: text) }
    }
}

extension ODataService {
    /// Sends `METHOD URL`; `headers` as `Name: value` lines.
    func send(_ line: String, _ headers: [String], body: String, host: String) -> ResponseMessage {
        let space = line.firstIndex(of: " ") ?? line.endIndex
        var fields = HeaderFields()
        fields["Host"] = host
        if !body.isEmpty { fields["Content-Type"] = "application/json" }
        for header in headers {
            let colon = header.firstIndex(of: ":") ?? header.endIndex
            fields[String(header[..<colon])] =
                String(header[colon...].dropFirst()).trimmingCharacters(in: .whitespaces)
        }
        return respond(
            to: RequestMessage(
                method: String(line[..<space]), url: String(line[space...].dropFirst()),
                headers: fields, body: Array(body.utf8)))
    }
}

extension ResponseMessage {
    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The members of `value` as JSON texts.
    var items: [String] { (json["value"]?.array ?? []).map(\.text) }

    var nextLink: String? { json["@odata.nextLink"]?.string }
    var deltaLink: String? { json["@odata.deltaLink"]?.string }
}

/// A link of the service as a request line.
func follow(_ link: String?) -> String {
    "GET " + (link ?? "missing link")
}
