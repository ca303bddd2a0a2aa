import ODataPostgres
import ODataSQL
import PostgreSQLFixture
import Testing

@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct ConnectionTests {
    @Test(arguments: [
        ("true", SQLArgument.integer(1)), ("false", .integer(0)), ("(-5)::smallint", .integer(-5)),
        ("(-2147483648)::int", .integer(-2_147_483_648)), ("'x'::\"char\"", .text("x")),
        ("(-9223372036854775808)::bigint", .integer(.min)),
        ("4294967295::oid", .integer(4_294_967_295)),
        ("1.5::real", .real(1.5)), ("0.1::float8", .real(0.1)), ("'NaN'::float8", .text("NaN")),
        ("'-Infinity'::real", .text("-INF")), ("0::numeric", .text("0")),
        ("0.00::numeric", .text("0.00")), ("-0.05::numeric", .text("-0.05")),
        ("10000::numeric", .text("10000")), ("1e20::numeric", .text("100000000000000000000")),
        ("-123456.789012::numeric(20,6)", .text("-123456.789012")),
        ("0.00001::numeric", .text("0.00001")), ("12345678.9::numeric", .text("12345678.9")),
        ("'NaN'::numeric", .text("NaN")), ("'\\x00ff'::bytea", .blob([0, 255])),
        ("''::bytea", .blob([])), ("''::text", .text("")), ("'ä'::varchar(3)", .text("ä")),
        ("'2026-05-01 12:30:00.25+02'::timestamptz", .text("2026-05-01T10:30:00.25")),
        ("'1969-12-31 23:59:59.5'::timestamp", .text("1969-12-31T23:59:59.5")),
        ("'infinity'::timestamptz", .text("infinity")),
        ("'1999-12-31'::date", .text("1999-12-31")), ("'23:59:01.5'::time", .text("23:59:01.5")),
        (
            "'6F9619FF-8B86-D011-B42D-00C04FC964FF'::uuid",
            .text("6f9619ff-8b86-d011-b42d-00c04fc964ff")
        ),
        ("NULL::int", .null),
    ])
    func aValueIsWhatItIsInSQLite(_ sql: String, _ expected: SQLArgument) throws {
        let connection = try PostgreSQLServer.makeDatabase()
        let rows = try connection.rows(SQLStatement(text: "SELECT \(sql)"))
        #expect(rows.count == 1)
        #expect(rows.first?.first?.isSame(as: expected) == true, "\(rows)")
    }

    @Test func whatIsBoundComesBack() throws {
        let connection = try PostgreSQLServer.makeDatabase()
        let values: [SQLArgument] = [
            .integer(.max), .real(-0.0), .real(.leastNonzeroMagnitude), .text(""),
            .text("a'\\\u{1F600}"),
            .blob([]), .blob([0, 1, 39]), .text(String(repeating: "x", count: 200_000)), .null,
        ]
        let marks = (1...values.count).map { "$\($0)" + ($0 == values.count ? "::text" : "") }
        let rows = try connection.rows(
            SQLStatement(
                text: "SELECT \(marks.joined(separator: ", "))", arguments: values))
        #expect(rows.count == 1)
        for (found, value) in zip(rows[0], values) { #expect(found.isSame(as: value)) }
    }

    @Test func aValueOfAnotherTypeIsRefused() throws {
        let connection = try PostgreSQLServer.makeDatabase()
        let error = #expect(throws: PostgresError.self) {
            try connection.rows(SQLStatement(text: "SELECT '{1}'::int[]"))
        }
        #expect(error?.kind == .unreadable)
        #expect(try connection.rows(SQLStatement(text: "SELECT 1")) == [[.integer(1)]])
    }

    @Test func failuresHaveTheirStateAndNoValues() throws {
        let connection = try PostgreSQLServer.makeDatabase()
        try connection.run("CREATE TABLE shops (id int CONSTRAINT one_each PRIMARY KEY, name text)")
        let insert = SQLStatement(
            text: "INSERT INTO shops VALUES ($1, $2)", arguments: [.integer(17), .text("hidden")])
        _ = try connection.rows(insert)
        let twice = #expect(throws: PostgresError.self) { try connection.rows(insert) }
        #expect(twice?.sqlState == "23505")
        #expect(twice?.constraint == "one_each")
        #expect(twice?.table == "shops")
        let parse = #expect(throws: PostgresError.self) {
            try connection.rows(
                SQLStatement(text: "SELECT CAST($1 AS int)", arguments: [.text("hidden")]))
        }
        #expect(parse?.sqlState == "22P02")
        let raised = #expect(throws: PostgresError.self) {
            try connection.run("DO $$ BEGIN RAISE EXCEPTION 'hidden'; END $$")
        }
        #expect(raised?.sqlState == "P0001")
        for error in [twice, parse, raised] {
            let text = error.map { String(reflecting: $0) } ?? ""
            #expect(error?.kind == .refused)
            #expect(!text.contains("hidden") && !text.contains("17"))
        }
        let name = #expect(throws: PostgresError.self) { try connection.run("SELECT * FROM gone") }
        #expect(name?.sqlState == "42P01")
        #expect(name?.message.contains("gone") == true)
    }

    @Test func aStatementStaysPrepared() throws {
        let connection = try PostgreSQLServer.makeDatabase()
        let count = SQLStatement(
            text: "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1 + %'"
        )
        for number in 0..<3 {
            let rows = try connection.rows(
                SQLStatement(text: "SELECT $1 + 1", arguments: [.integer(Int64(number))]))
            #expect(rows == [[.integer(Int64(number) + 1)]])
        }
        #expect(try connection.rows(count) == [[.integer(1)]])
        // Of very many texts only those used last do.
        for number in 0..<300 {
            _ = try connection.rows(
                SQLStatement(text: "SELECT $1 + 1 - \(number)", arguments: [.integer(0)]))
        }
        guard case .integer(let kept)? = try connection.rows(count).first?.first else {
            Issue.record("Expected a count.")
            return
        }
        #expect((200...256).contains(kept))
    }

    @Test func aStatementThatNobodyWaitsForIsEnded() throws {
        let connection = try PostgreSQLServer.makeDatabase()
        let clock = ContinuousClock()
        for kind in [PostgresError.Kind.tooSlow, .cancelled] {
            let start = clock.now
            connection.ending = { clock.now - start > .milliseconds(200) ? kind : nil }
            let error = #expect(throws: PostgresError.self) {
                try connection.rows(SQLStatement(text: "SELECT pg_sleep(60)"))
            }
            #expect(error?.kind == kind)
            #expect(error?.sqlState == "57014")
            #expect(clock.now - start < .seconds(30))
            connection.ending = nil
            // The connection goes on.
            #expect(try connection.rows(SQLStatement(text: "SELECT 1")) == [[.integer(1)]])
        }
    }
}
