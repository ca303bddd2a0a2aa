import Foundation
import ODataModel
import ODataPostgres
import ODataQuery
import ODataSQL
import ODataServer
import ODataServerPostgres
import ODataText
import ODataWire
import PostgreSQLFixture
import Testing

/// What is PostgreSQL's alone.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PostgresServiceTests {
    private let address: String
    private let connection: PostgresConnection

    init() throws {
        address = try PostgreSQLServer.makeAddress()
        connection = try PostgreSQLServer.connection(to: address)
    }

    private func get(_ url: String, _ service: ODataService) -> String {
        let answer = service.respond(
            to: RequestMessage(method: "GET", url: "/" + url, headers: [:], body: []))
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test func typesAreThoseOfTheDatabase() throws {
        try connection.run(
            """
            CREATE TYPE mood AS ENUM ('glad', 'sad');
            CREATE DOMAIN price AS numeric(8,3) NOT NULL;
            CREATE TABLE things (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, m mood, p price,
                j jsonb, f real, n numeric, c char(4), w interval, at timestamptz,
                twice int GENERATED ALWAYS AS (2) STORED, b bytea, note text DEFAULT 'new'::text);
            INSERT INTO things (m, p, j, f, n, c, w, at, b) VALUES
                ('sad', 1.5, '{"a": 1}', 0.1, 1e30, 'ab', '1 day 02:00:00', 'infinity', '\\x00ff');
            """)
        let service = try TwinServices.serve(address)
        defer { try? service.close() }
        let metadata = get("$metadata", service)
        for part in [
            #"Name="m" Type="Edm.String""#, #"Name="f" Type="Edm.Single""#,
            #"Name="p" Type="Edm.Decimal" Nullable="false" Precision="8" Scale="3""#,
            #"Name="n" Type="Edm.Decimal" Scale="variable""#,
            #"Name="c" Type="Edm.String" MaxLength="4""#, #"Name="w" Type="Edm.Duration""#,
            #"Name="at" Type="Edm.DateTimeOffset""#, #"Name="id" Type="Edm.Int32""#,
            #"DefaultValue="new""#,
        ] { #expect(metadata.contains(part), "\(part) in \(metadata)") }
        let row = get("things(1)", service)
        for part in [
            #""m":"sad""#, #""p":1.500"#, #""f":0.1,"#, #""n":1000000000000000000000000000000"#,
            #""c":"ab""#, #""w":"P1DT2H""#, #""at":null"#, #""twice":2"#, #""b":"AP8=""#,
        ] { #expect(row.contains(part), "\(part) in \(row)") }
        #expect(get("things?$filter=f%20eq%200.1", service).contains(#""id":1"#))
        #expect(service.notes.contains { $0.contains("things.m") && $0.contains("text") })
    }

    @Test func partitionedTablesViewsAndWhatMayNotBeRead() throws {
        try connection.run(
            """
            CREATE TABLE log (id int, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
            CREATE TABLE log_2026 PARTITION OF log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
            INSERT INTO log VALUES (1, '2026-05-01');
            CREATE VIEW latest AS SELECT * FROM log;
            CREATE TABLE secret (id int PRIMARY KEY);
            CREATE SCHEMA other;
            CREATE TABLE other.elsewhere (id int PRIMARY KEY);
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(1);
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'reader') THEN
                    CREATE ROLE reader LOGIN;
                END IF;
            END $$;
            GRANT SELECT ON log, latest TO reader
            """)
        // Its owner's service makes the functions; then rights to read are enough.
        try TwinServices.serve(address).close()
        let service = try TwinServices.serve(
            address.replacing("user=odata", with: "user=reader"))
        defer { try? service.close() }
        #expect(service.graph.entitySets.map(\.name) == ["log"])
        #expect(get("log(id=1,day=2026-05-01)", service).contains(#""day":"2026-05-01""#))
        #expect(service.notes.contains { $0.contains("secret") && $0.contains("may not read") })
        #expect(service.notes.contains { $0.contains("View latest is not exposed") })
        let other = try ODataService(
            TwinServices.configuration(""),
            reading: PostgresDatabase(
                PostgresConnection.Settings(PostgresAddress(address)), schema: "other"))
        defer { try? other.close() }
        #expect(other.graph.entitySets.map(\.name) == ["elsewhere"])
    }

    @Test func whatIsNotOfferedYetIsRefusedAtTheStart() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("access-" + UUID().uuidString)
        try Data(#"{"anonymous": ["guest"], "roles": {"guest": {"sets": {"*": ["read"]}}}}"#.utf8)
            .write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var configurations = Array(repeating: TwinServices.configuration(""), count: 3)
        configurations[0].speaksV2 = true
        configurations[1].sample = .init()
        configurations[2].access = try AccessControl(file: file.path)
        for (configuration, word) in zip(configurations, ["V2", "sample", "access"]) {
            let error = #expect(throws: ODataError.self) {
                try TwinServices.serve(address, configuration)
            }
            #expect(error?.code == .notImplemented)
            #expect(error?.message.contains(word) == true)
        }
        let missing = #expect(throws: ODataError.self) {
            try ODataService(
                TwinServices.configuration(""),
                reading: PostgresDatabase(
                    PostgresConnection.Settings(PostgresAddress(address)), schema: "gone"))
        }
        #expect(missing?.code == .notFound)
    }

    /// The owner's indexes serve keys and filters of types that are read in another form.
    @Test func indexesServe() throws {
        try connection.run(
            """
            CREATE TABLE t (code text PRIMARY KEY, token uuid UNIQUE, at timestamptz UNIQUE, day date,
                de text COLLATE "de-x-icu" UNIQUE);
            INSERT INTO t SELECT md5(n::text), md5(n::text)::uuid,
                '2026-01-01Z'::timestamptz + n * interval '1 minute', '2026-01-01'::date + n, n
                FROM generate_series(1, 20000) n;
            CREATE INDEX ON t (day);
            ANALYZE t
            """)
        let service = try TwinServices.serve(address)
        defer { try? service.close() }
        let before = try scans()
        for url in [
            "t('c4ca4238a0b923820dcc509a6f75849b')",
            "t?$filter=token%20eq%20c4ca4238-a0b9-2382-0dcc-509a6f75849b",
            "t?$filter=at%20eq%202026-01-01T01:01:00%2B01:00",
            "t?$filter=day%20lt%202026-01-03", "t?$filter=de%20eq%20%271%27",
        ] {
            let answer = get(url, service)
            #expect(answer.contains("c4ca4238a0b923820dcc509a6f75849b"), "\(answer)")
        }
        // More digits than the type has are compared all the same.
        #expect(
            get("t?$filter=at%20eq%202026-01-01T00:01:00.0000001Z", service).contains("[]"))
        let long = get("t/$count?$filter=at%20lt%202026-01-01T00:01:00.0000001Z", service)
        #expect(long == "1")
        try service.close()
        // The two that compare texts of times read the whole table.
        let after = try scans()
        #expect(after - before == 2)
    }

    /// How often the table was read as a whole.
    private func scans() throws -> Int64 {
        // What other sessions counted comes when they are idle.
        usleep(1_500_000)
        try connection.run("SELECT pg_stat_clear_snapshot()")
        let rows = try connection.rows(
            SQLStatement(text: "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 't'"))
        guard case .integer(let count)? = rows.first?.first else { return -1 }
        return count
    }

    @Test func whoStartsItIsToldWhyNot() throws {
        var settings = PostgresConnection.Settings(
            try PostgresAddress(address.replacing("user=odata", with: "user=guarded")))
        settings.password = .variable(name: "SHOP_PASSWORD")
        settings.environment = ["SHOP_PASSWORD": "wr0ng"]
        let error = #expect(throws: ODataError.self) { try PostgresDatabase(settings) }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("authentication failed") == true)
        #expect(error.map { String(reflecting: $0) }?.contains("wr0ng") == false)
    }

    @Test func theDatabaseIsLeftAsItWas() throws {
        try connection.run("CREATE TABLE t (id int PRIMARY KEY, n text); INSERT INTO t VALUES (1)")
        let service = try TwinServices.serve(address)
        #expect(get("t(1)", service).contains(#""id":1"#))
        // Its owner changes tables while they are served: nothing of ours depends on them.
        try connection.run("ALTER TABLE t ALTER COLUMN id TYPE bigint")
        #expect(get("t(1)", service).contains(#""id":1"#))
        try service.close()
        try connection.run("DROP SCHEMA _odata CASCADE")
        let rest = try connection.rows(
            SQLStatement(text: "SELECT count(*) FROM pg_proc WHERE proname LIKE '\\_odata%'"))
        #expect(rest == [[.integer(0)]])
    }

    @Test func aDatabaseThatIsGoneIsSaidSoAndComesBack() throws {
        try connection.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
        let service = try TwinServices.serve(address)
        defer { try? service.close() }
        #expect(get("t(1)", service).contains(#""id":1"#))
        let kill =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            + "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        try connection.run(kill)
        #expect(get("t(1)", service).contains(#""id":1"#))
        let parts = address.components(separatedBy: "dbname=")
        let outside = try PostgreSQLServer.connection(to: parts[0] + "dbname=postgres")
        try outside.run("ALTER DATABASE \(parts[1]) ALLOW_CONNECTIONS false")
        try connection.run(kill)
        let answer = service.respond(
            to: RequestMessage(method: "GET", url: "/t", headers: [:], body: []))
        #expect(answer.status == 503)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("databaseUnreachable"))
        try outside.run("ALTER DATABASE \(parts[1]) ALLOW_CONNECTIONS true")
        #expect(get("t(1)", service).contains(#""id":1"#))
    }
}
