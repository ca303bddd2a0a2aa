import ODataQuery
import ODataServer
import Testing

/// Streams that stand in rows and in tables of the service.
@Suite struct ServiceStreamTests {
    /// A media type beside bytes in a row may be of any kind, whatever the column says.
    @Test func aMediaTypeThatIsNoTextStopsNothing() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE P (Id INTEGER PRIMARY KEY, Content MEDIA, ContentType STRING);
                INSERT INTO P VALUES (1, x'0102', 'image/png');
                """)
        #expect(fixture.send("PATCH /P(1)", body: #"{"ContentType":"5"}"#).status == 204)
        #expect(try fixture.value("SELECT typeof(ContentType) FROM P") == "integer")
        let page = fixture.send("GET /P")
        #expect(page.status == 200)
        let content = fixture.send("GET /P(1)/$value")
        #expect(content.headers["Content-Type"] == "application/octet-stream")
        #expect(content.body == [1, 2])
    }

    private static let media = """
        CREATE TABLE P (Id INTEGER PRIMARY KEY, Content MEDIA, Small STREAM, Name TEXT);
        CREATE TABLE T (Id INTEGER PRIMARY KEY, PId INTEGER REFERENCES P(Id), Name TEXT);
        INSERT INTO P VALUES (1, x'01', x'02', 'p');
        INSERT INTO T VALUES (1, 1, 't');
        """

    /// How many contents were ever begun in the file: their numbers are not used again.
    private static let begun =
        "SELECT coalesce(max(seq), 0) FROM sqlite_sequence"
        + " WHERE name = '_odata_streams'"

    private static func put(
        _ line: String, _ bytes: Int, host: String = "127.0.0.1", port: Int
    ) -> String {
        let answer = ServiceSocketTests.exchange(
            "\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\nContent-Type: image/png\r\n"
                + "Content-Length: \(bytes)\r\n\r\n" + String(repeating: "x", count: bytes),
            port: port)
        return String(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
    }

    /// A part is 256 KiB long: bodies of more leave one in the file while they arrive.
    private static let long = 600_000

    @Test func aBodyThatIsRefusedByItsHeadIsNotStored() async throws {
        for (guards, reads) in [(false, true), (true, false)] {
            let fixture = try ServiceFixture(schema: Self.media) {
                $0.isReadOnly = reads
                $0.guardsAgainstCSRF = guards
            }
            try await ServiceSocketTests.served(fixture) { port in
                for line in ["PUT /P(1)/$value", "PUT /P(1)/Small", "POST /P", "PUT /none/$value"] {
                    #expect(
                        Self.put(line, Self.long, port: port) == (reads ? "405" : "403"), "\(line)")
                    let other = Self.put(line, Self.long, host: "evil.example", port: port)
                    #expect(other == "421", "\(line)")
                }
            }
            #expect(try fixture.value(Self.begun) == "0")
        }
    }

    @Test func whatArrivedForNothingIsDeletedAtOnce() async throws {
        let fixture = try ServiceFixture(schema: Self.media)
        try await ServiceSocketTests.served(fixture) { port in
            // No path to a stream: not into the file.
            #expect(Self.put("PUT /none/$value", Self.long, port: port) == "404")
            #expect(Self.put("PUT /T(1)/$value", Self.long, port: port) == "400")
            let before = try fixture.value(Self.begun)
            #expect(before == "0")
            // A path to a stream of no row.
            #expect(Self.put("PUT /P(9)/$value", Self.long, port: port) == "404")
            fixture.service.observer.setFaults { _, _ in .answer(ResponseMessage(status: 503)) }
            #expect(Self.put("PUT /P(1)/$value", Self.long, port: port) == "503")
        }
        #expect(try fixture.value(Self.begun) == "2")
        #expect(try fixture.value("SELECT count(*) FROM _odata_streams") == "0")
        #expect(try fixture.value("SELECT count(*) FROM _odata_stream_parts") == "0")
    }

    @Test func everyWayToAStreamTakesItsBody() async throws {
        let fixture = try ServiceFixture(schema: Self.media)
        try await ServiceSocketTests.served(fixture) { port in
            let lines = [
                "PUT /P(1)/$value", "PUT /P(1)/Small", "PUT /T(1)/P/$value",
                "PUT /P(1)/Small?x=1", "PUT /P/1/$value", "PUT /P/1/Small", "PUT /T/1/P/$value",
            ]
            for line in lines {
                #expect(Self.put(line, Self.long, port: port) == "204", "\(line)")
            }
            #expect(Self.put("POST /P", Self.long, port: port) == "201")
        }
        #expect(
            try fixture.value("SELECT group_concat(length) FROM _odata_streams")
                == "600000,600000,600000")
        #expect(try fixture.value(Self.begun) == "8")
    }

    /// What is no stream is gathered in memory, whose bound is a lower one.
    @Test func aKeyInASegmentHasTheLimitsOfOneInParentheses() async throws {
        let fixture = try ServiceFixture(schema: Self.media) { $0.maximumBodyBytes = 1_000 }
        try await ServiceSocketTests.served(fixture) { port in
            for line in ["PUT /P(1)/$value", "PUT /P/1/$value", "PUT /P/1/Small"] {
                #expect(Self.put(line, 5_000, port: port) == "204", "\(line)")
            }
            for line in ["PUT /P(1)/Name/$value", "PUT /P/1/Name/$value", "PUT /T/1/Name/$value"] {
                #expect(Self.put(line, 5_000, port: port) == "413", "\(line)")
            }
        }
    }

    /// A crash leaves what had come of a content; a service for readers takes no write that would take it away.
    @Test(arguments: [false, true]) func aStartDeletesWhatWasOnItsWay(isReadOnly: Bool) throws {
        let fixture = try ServiceFixture(schema: Self.media)
        try fixture.service.close()
        try fixture.sql(
            """
            INSERT INTO _odata_streams (id, media_type, state) VALUES (7, 'a/b', 'arriving'),
                (8, 'a/b', 'doomed');
            INSERT INTO _odata_stream_parts (id, bytes) VALUES (7 << 24, x'00'), (8 << 24, x'00');
            """)
        var configuration = fixture.service.configuration
        configuration.isReadOnly = isReadOnly
        let again = try ODataService(configuration)
        #expect(try fixture.value("SELECT count(*) FROM _odata_streams") == "0")
        #expect(try fixture.value("SELECT count(*) FROM _odata_stream_parts") == "0")
        try again.close()
    }
}
