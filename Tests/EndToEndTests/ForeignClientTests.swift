import Foundation
import ODataCommand
import ODataTesting
import Testing

/// The clients that `Scripts/setup test` installs by Scripts/foreign-clients.
enum ForeignClients {
    /// The scripts of the project.
    static let scripts: URL = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appendingPathComponent("Scripts")
    }()

    /// The Python that has the clients; nil where they are not installed.
    static let python: String? = {
        let found = try? Child.run(
            scripts.appendingPathComponent("foreign-clients").path, ["--there"])
        guard let found, found.status == 0 else { return nil }
        return found.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    static let isThere = python != nil
    static let reason = "pyodata and python-odata are not installed (Scripts/setup test)"
}

/// Clients that are not ours at work with `odata serve`, each in a process of its own; the database file tells what they
/// did.
@Suite struct ForeignClientTests {
    private static let schema = """
        CREATE TABLE Customers (Id TEXT PRIMARY KEY NOT NULL, Name TEXT);
        CREATE TABLE Orders (Id INTEGER PRIMARY KEY, Title TEXT NOT NULL, Amount DECIMAL(10,3), Placed DATETIME,
            CustomerId TEXT REFERENCES Customers(Id));
        CREATE TABLE Tags (Code TEXT PRIMARY KEY NOT NULL, Label TEXT);
        INSERT INTO Customers VALUES ('c-1', 'Ada'), ('c-2', 'Blaise');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
        INSERT INTO Orders SELECT i, 'order ' || i, i, '2026-01-02T03:04:05Z', 'c-' || (1 + (i + 1) % 2) FROM n;
        INSERT INTO Tags VALUES ('plain', 'x'), ('O''Hara', 'quoted'), ('last', 'z'), ('a/b', 'slash');
        """

    private static let operations = """
        {"functions": [{"name": "OrdersAbove", "parameters": {"amount": "Edm.Int32"},
            "returns": "Collection(Orders)", "sql": "SELECT Id FROM Orders WHERE Amount > :amount AND Id <= 10"}],
         "actions": [{"name": "CloseAll", "returns": "Edm.Int32", "sql": [
            "UPDATE Orders SET Title = 'closed' WHERE Id > 10",
            "SELECT count(*) FROM Orders WHERE Title = 'closed'"]}]}
        """

    /// Lets a client work with a new service; returns what it says and gives the file to `look`.
    private func run(
        _ program: String, _ arguments: [String], _ look: (String) throws -> Void
    ) throws {
        let python = try #require(ForeignClients.python)
        let folder = try TestFolder.makeFast("foreign-")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appendingPathComponent("shop.db").path
        try sqlite(database, Self.schema)
        let operations = folder.appendingPathComponent("operations.json")
        try Data(Self.operations.utf8).write(to: operations)
        let service = try ServeProcess(
            ["--database", database, "--functions", operations.path, "--page-size", "3"]
                + arguments)
        defer { service.end() }
        let client = try Child.run(
            python,
            [ForeignClients.scripts.appendingPathComponent("foreign/\(program)").path, service.url])
        #expect(client.status == 0, "\(client.output)\(client.errors)")
        #expect(!client.output.contains("FAIL"), "\(client.output)")
        service.end()
        try look(database)
    }

    @discardableResult
    private func sqlite(_ database: String, _ sql: String) throws -> String {
        let result = try Child.run("/usr/bin/env", ["sqlite3", database, sql])
        #expect(result.status == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(.enabled(if: ForeignClients.isThere, "\(ForeignClients.reason)"))
    func pyodataWorksWithTheV2Face() async throws {
        try await onOwnThread {
            try run("v2.py", ["--v2", "--csrf"]) { database in
                let customers = try sqlite(database, "SELECT Id, Name FROM Customers ORDER BY Id")
                #expect(customers == "c-1|Ada\nc-2|Blaise\nc-9|O'Neil")
                let orders = try sqlite(
                    database, "SELECT Title, Amount, CustomerId FROM Orders WHERE Id > 10")
                #expect(orders == "closed|1.125|c-9")
                let tags = try sqlite(database, Self.codes)
                #expect(tags == "O'Hara,a/b,plain")
            }
        }
    }

    @Test(.enabled(if: ForeignClients.isThere, "\(ForeignClients.reason)"))
    func pythonODataWorksWithTheV4Face() async throws {
        try await onOwnThread {
            try run("v4.py", []) { database in
                let orders = try sqlite(
                    database, "SELECT Title, CustomerId FROM Orders WHERE Id > 10")
                // The client sends no foreign keys.
                #expect(orders == "changed|")
                let tags = try sqlite(database, Self.codes)
                #expect(tags == "O'Hara,a/b,b1,plain")
            }
        }
    }

    private static let codes =
        "SELECT group_concat(Code) FROM (SELECT Code FROM Tags ORDER BY 1)"

    /// CSP-178: the command as proxy; nothing that it says or keeps names the password.
    @Test func theCommandIsAProxyAndKeepsPasswordsToItself() async throws {
        try await onOwnThread {
            let folder = try TestFolder.makeFast("proxy-command-")
            defer { try? FileManager.default.removeItem(at: folder) }
            let database = folder.appendingPathComponent("shop.db").path
            try sqlite(database, Self.schema)
            let origin = try ServeProcess(["--database", database, "--v2"])
            defer { origin.end() }
            let url = origin.url.replacing("http://", with: "http://ada:pass-word@")
            let kept = folder.appendingPathComponent("proxy.db").path
            let proxy = try ServeProcess(["--proxy", url, "--database", kept, "--every", "0"])
            defer { proxy.end() }
            let store = folder.appendingPathComponent("store.db").path
            let first = try Child.odata("sync", proxy.url, "--store", store, "--json")
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.output.contains(#""downloaded":16"#), "\(first.output)")
            try sqlite(
                database,
                "UPDATE Tags SET Label = 'new' WHERE Code = 'plain'; DELETE FROM Tags WHERE Code = 'last'"
            )
            let fresh = try Child.run(
                "/usr/bin/env",
                ["curl", "-s", "-H", "Cache-Control: no-cache", proxy.url + "Tags('plain')"])
            #expect(fresh.output.contains(#""Label":"new""#), "\(fresh.output)")
            let second = try Child.odata("sync", proxy.url, "--store", store, "--json")
            #expect(second.output.contains(#""downloaded":2"#), "\(second.output)")
            #expect(second.output.contains(#""Tags":3"#))
            origin.end()
            _ = try Child.run(
                "/usr/bin/env",
                ["curl", "-s", "-H", "Cache-Control: no-cache", proxy.url + "Tags"])
            proxy.end()
            let said = proxy.said
            #expect(said.contains("the origin was not read"), "\(said)")
            #expect(!said.contains("pass-word"), "\(said)")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
                #expect(bytes.range(of: Data("pass-word".utf8)) == nil, "\(name)")
            }
            let refused = try Child.odata(
                "serve", "--proxy", "http://ada:pass-word@127.0.0.1:9/", "--database",
                folder.appendingPathComponent("none.db").path)
            #expect(refused.status == 1)
            #expect(!(refused.output + refused.errors).contains("pass-word"), "\(refused.errors)")
        }
    }
}
