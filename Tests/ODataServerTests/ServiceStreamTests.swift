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
}
