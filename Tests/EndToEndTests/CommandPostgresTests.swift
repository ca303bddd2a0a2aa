#if PostgreSQL
    import ChildFixture
    import Foundation
    import ODataCommand
    import ODataPostgres
    import ODataSQL
    import ODataTesting
    import PostgreSQLFixture
    import Testing

    /// `odata serve --database postgres://…`.
    @Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
    struct CommandPostgresTests {
        /// The address of a database as a URL.
        private static func url(_ address: String, password: String = "") throws -> String {
            let options = try PostgresAddress(address).options
            let host = options["host", default: ""].replacing("/", with: "%2F")
            return "postgres://\(options["user", default: ""])\(password)@\(host)"
                + "/\(options["dbname", default: ""])"
        }

        @Test func aSchemaIsServedAndSynchronised() async throws {
            try await onOwnThread {
                let address = try PostgreSQLServer.makeAddress()
                try PostgreSQLServer.connection(to: address).run(
                    """
                    CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, since timestamptz);
                    CREATE TABLE orders (id bigint PRIMARY KEY, customer_id int REFERENCES customers,
                        amount numeric(10,2));
                    INSERT INTO customers SELECT n, 'Customer ' || n, '2026-01-01Z'::timestamptz
                        + n * interval '1 minute' FROM generate_series(1, 2500) n;
                    INSERT INTO orders SELECT n, n, n / 4.0 FROM generate_series(1, 2500) n;
                    """)
                let service = try ServeProcess([
                    "--database", try Self.url(address), "--read-only",
                ])
                let store = FileManager.default.temporaryDirectory
                    .appending(path: UUID().uuidString + ".store").path
                defer {
                    for suffix in ["", "-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: store + suffix)
                    }
                }
                let synced = try Child.odata(
                    "sync", service.url, "--store", store, "--query", "C=customers", "--query",
                    "O=orders")
                #expect(synced.status == 0, "\(synced)")
                let found = try Child.odata(
                    "query", "--store", store,
                    "customers?$filter=orders/any(o:o/amount gt 624.9)&$orderby=id")
                #expect(found.output.contains("Customer 2500"), "\(found)")
                #expect(!found.output.contains("Customer 2499"), "\(found)")
                #expect(
                    service.said.contains("Changes of customers are not tracked: no service that"))
                #expect(try service.end(by: SIGTERM) == .exit(0))
            }
        }

        /// Changes that were made offline arrive, and one that is too late is a conflict.
        @Test func changesOfAStoreAreTaken() async throws {
            try await onOwnThread {
                let address = try PostgreSQLServer.makeAddress()
                let connection = try PostgreSQLServer.connection(to: address)
                try connection.run(
                    """
                    CREATE TABLE customers (id serial PRIMARY KEY, name text NOT NULL, at timestamptz);
                    INSERT INTO customers (name) VALUES ('one'), ('two');
                    """)
                func names() throws -> [SQLArgument] {
                    try connection.rows(
                        SQLStatement(text: "SELECT name FROM customers ORDER BY id")
                    ).map { $0[0] }
                }
                let service = try ServeProcess(["--database", try Self.url(address)])
                #expect(!service.said.contains("not tracked"))
                let folder = try TemporaryFolder("odata-postgres")
                defer { folder.remove() }
                func odata(_ command: String, _ arguments: String...) throws -> Child.Result {
                    let store = [command, "--store", folder.file("store.sqlite")]
                    return try Child.run(Child.command, store + arguments)
                }
                let synced = try odata("sync", service.url)
                #expect(synced.status == 0, "\(synced)")
                #expect(try odata("create", "customers", #"{"name":"three"}"#).status == 0)
                #expect(try odata("update", "customers(1)", #"{"name":"first"}"#).status == 0)
                let sent = try odata("upload")
                #expect(sent.status == 0, "\(sent)")
                #expect(try names() == [.text("first"), .text("two"), .text("three")])
                #expect(try odata("update", "customers(2)", #"{"name":"mine"}"#).status == 0)
                try connection.run("UPDATE customers SET name = 'theirs' WHERE id = 2")
                #expect(try odata("upload").status == 1)
                #expect(try names() == [.text("first"), .text("theirs"), .text("three")])
                #expect(try service.end(by: SIGTERM) == .exit(0))
            }
        }

        /// What others change and delete comes to a store by deltas, also from a transaction that ends late and from a process
        /// that only reads.
        @Test func aStoreFollowsByDeltas() async throws {
            try await onOwnThread {
                let address = try PostgreSQLServer.makeAddress()
                let connection = try PostgreSQLServer.connection(to: address)
                try connection.run(
                    """
                    CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL);
                    INSERT INTO customers SELECT n, 'Customer ' || n FROM generate_series(1, 2000) n;
                    """)
                let service = try ServeProcess(["--database", try Self.url(address)])
                let folder = try TemporaryFolder("odata-postgres")
                defer { folder.remove() }
                func odata(_ command: String, _ arguments: String...) throws -> Child.Result {
                    let store = [command, "--store", folder.file("store.sqlite")]
                    return try Child.run(Child.command, store + arguments)
                }
                func names(_ filter: String) throws -> String {
                    let found = try odata("query", "customers?$filter=\(filter)&$orderby=id")
                    #expect(found.status == 0, "\(found)")
                    return found.output
                }
                let first = try odata("sync", service.url)
                #expect(first.status == 0, "\(first)")
                let late = try PostgreSQLServer.connection(to: address)
                try late.run("BEGIN; UPDATE customers SET name = 'late' WHERE id = 7")
                try connection.run(
                    "DELETE FROM customers WHERE id = 8; UPDATE customers SET name = 'new' WHERE id = 9"
                )
                let second = try odata("sync", service.url)
                #expect(second.status == 0, "\(second)")
                // Not all rows once more.
                #expect(second.output.contains("downloaded=2 "), "\(second)")
                let found = try names("id ge 6 and id le 9")
                for name in ["Customer 6", "Customer 7", "new"] { #expect(found.contains(name)) }
                #expect(!found.contains("Customer 8"))
                try late.run("COMMIT")
                #expect(try odata("sync", service.url).status == 0)
                #expect(try names("id eq 7").contains("late"))
                try connection.run("TRUNCATE customers; INSERT INTO customers VALUES (1, 'alone')")
                #expect(try odata("sync", service.url).status == 0)
                #expect(try names("id lt 3000").contains("alone"))
                #expect(!(try names("id gt 1").contains("Customer")))
                #expect(try service.end(by: SIGTERM) == .exit(0))
            }
        }

        @Test func whatIsNotOfferedAndPasswordsAreRefused() async throws {
            try await onOwnThread {
                let address = try PostgreSQLServer.makeAddress()
                let old = try Child.odata("serve", "--database", try Self.url(address), "--v2")
                #expect(old.status == 1)
                #expect(old.errors.contains("does not offer this yet: V2"))
                let secret = try Child.odata(
                    "serve", "--database", try Self.url(address, password: ":s3cr3t"),
                    "--read-only")
                #expect(secret.status == 2)
                #expect(secret.errors.contains("without a password"))
                #expect(!(secret.errors + secret.output).contains("s3cr3t"))
                let file = try Child.odata("serve", "--database", "shop.db", "--schema", "sales")
                #expect(file.status == 2)
            }
        }
    }
#endif
