import Foundation
import GRDB
import ODataPostgres
import ODataQuery
import ODataServer
import ODataServerPostgres
import ODataText
import ODataWire
import PostgreSQLFixture

/// The same tables and rows served from SQLite and from PostgreSQL, each in the types that it has.
final class TwinServices {
    let sqlite: ODataService
    let postgres: ODataService
    let address: String
    private let file: String

    init(isReadOnly: Bool = true) throws {
        file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: Self.sqliteTables + Self.rows) }
        try queue.close()
        address = try PostgreSQLServer.makeAddress()
        let connection = try PostgreSQLServer.connection(to: address)
        try connection.run(Self.postgresTables)
        try connection.run(Self.rows)
        sqlite = try ODataService(Self.configuration(file, isReadOnly: isReadOnly))
        postgres = try Self.serve(address, Self.configuration("", isReadOnly: isReadOnly))
    }

    deinit {
        try? postgres.close()
        try? sqlite.close()
        try? FileManager.default.removeItem(atPath: file)
    }

    static func configuration(
        _ path: String, isReadOnly: Bool = true
    ) -> ServiceConfiguration {
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.isReadOnly = isReadOnly
        configuration.defaultPageSize = 100
        return configuration
    }

    static func serve(
        _ address: String, _ configuration: ServiceConfiguration = configuration("")
    ) throws -> ODataService {
        try ODataService(configuration, reading: database(address))
    }

    static func database(_ address: String) throws -> PostgresDatabase {
        try PostgresDatabase(PostgresConnection.Settings(PostgresAddress(address)))
    }

    /// The answer to a GET: its status, and its body without what tells of tracking, which only SQLite has here.
    static func get(_ url: String, _ service: ODataService) -> (status: Int, body: NSObject) {
        let answer = service.respond(
            to: RequestMessage(method: "GET", url: encoded(url), headers: [:], body: []))
        let data = Data(answer.body)
        let json = try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
        return (
            answer.status,
            (json.map(plain) as? NSObject) ?? (String(decoding: data, as: UTF8.self) as NSString)
        )
    }

    static func encoded(_ url: String) -> String {
        "/" + (url.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "")
    }

    static func plain(_ value: Any) -> Any {
        if let object = value as? [String: Any] {
            var result: [String: Any] = [:]
            for (name, member) in object
            where name != "@odata.etag" && !name.hasSuffix("nextLink")
                // A sum of decimals is one only where decimals are exact.
                && !name.hasSuffix("@odata.type")
            {
                result[name] = plain(member)
            }
            return result as NSDictionary
        }
        if let list = value as? [Any] { return list.map(plain) as NSArray }
        return value
    }

    /// Every row of a collection, page after page.
    static func pages(_ url: String, size: Int, _ service: ODataService) throws -> [String] {
        var ids: [String] = []
        var next: String? = encoded(url)
        while let url = next, ids.count < 1_000 {
            let answer = service.respond(
                to: RequestMessage(
                    method: "GET", url: url, headers: ["Prefer": "odata.maxpagesize=\(size)"],
                    body: []))
            let object =
                try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] ?? [:]
            let rows = object["value"] as? [[String: Any]] ?? []
            ids += rows.map { "\($0["Id"] ?? "none")" }
            next = object["@odata.nextLink"] as? String
        }
        return ids
    }

    private static let sqliteTables = """
        CREATE TABLE "Customers" ("Id" INTEGER PRIMARY KEY, "Name" VARCHAR(40) NOT NULL,
            "Balance" DECIMAL(10,2), "Score" DOUBLE, "Active" BOOLEAN, "Since" DATE,
            "Changed" DATETIME, "Token" UUID, "Wakes" TIME, "Level" SMALLINT);
        CREATE TABLE "Orders" ("Id" INTEGER PRIMARY KEY,
            "CustomerId" INTEGER REFERENCES "Customers"("Id"), "Amount" DECIMAL(10,2),
            "Placed" DATETIME);
        CREATE TABLE "Items" ("OrderId" INTEGER NOT NULL REFERENCES "Orders"("Id"),
            "Line" INTEGER NOT NULL, "Product" TEXT, "Quantity" INTEGER,
            PRIMARY KEY ("OrderId", "Line"));
        CREATE TABLE "Labels" ("Code" TEXT NOT NULL PRIMARY KEY, "Text" TEXT);
        """

    private static let postgresTables = """
        CREATE TABLE "Customers" ("Id" int PRIMARY KEY, "Name" varchar(40) NOT NULL,
            "Balance" numeric(10,2), "Score" double precision, "Active" boolean, "Since" date,
            "Changed" timestamptz, "Token" uuid, "Wakes" time, "Level" smallint);
        CREATE TABLE "Orders" ("Id" bigint PRIMARY KEY,
            "CustomerId" int REFERENCES "Customers"("Id"), "Amount" numeric(10,2),
            "Placed" timestamp);
        CREATE TABLE "Items" ("OrderId" bigint NOT NULL REFERENCES "Orders"("Id"),
            "Line" int NOT NULL, "Product" text, "Quantity" int, PRIMARY KEY ("OrderId", "Line"));
        CREATE TABLE "Labels" ("Code" text NOT NULL PRIMARY KEY, "Text" text);
        """

    private static let rows = """
        INSERT INTO "Customers" VALUES
            (1, 'Anna', 12.5, 1.5, TRUE, '2020-02-29', '2026-01-02T03:04:05Z',
                '6f9619ff-8b86-d011-b42d-00c04fc964ff', '07:30:00', 3),
            (2, 'anna', -0.05, -2.25, FALSE, '1999-12-31', '2026-01-02T03:04:05.25Z',
                '00000000-0000-0000-0000-000000000001', '23:59:59', -1),
            (3, 'Zoë', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
            (4, 'O''Brien_%', 1000, 1e10, TRUE, '2024-07-01', '2025-12-31T23:59:59Z',
                'ffffffff-ffff-ffff-ffff-ffffffffffff', '00:00:00', 0),
            (5, 'Äpfel', 12.5, 0, FALSE, '2024-07-01', '2025-12-31T23:59:59Z', NULL, NULL, 32767);
        INSERT INTO "Orders" VALUES (10, 1, 5, '2026-03-01T10:00:00'), (11, 1, 7.25, NULL),
            (12, 2, NULL, '2026-03-01T10:00:00.5'), (13, NULL, 99.99, '2026-04-01T00:00:00');
        INSERT INTO "Items" VALUES (10, 1, 'Saw', 2), (10, 2, 'Nail', 100), (11, 1, NULL, NULL),
            (13, 1, 'Saw', 1);
        INSERT INTO "Labels" VALUES ('a', 'first'), ('B', 'second'), ('ä', NULL), ('', 'empty');
        """
}
