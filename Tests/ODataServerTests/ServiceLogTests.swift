import ODataQuery
import ODataServer
import Testing

/// The change log and the memory of repeatable requests stay within their bounds, whoever writes.
@Suite struct ServiceLogTests {
    private static let count = "SELECT count(*) FROM _odata_changes"

    private static let schema = """
        CREATE TABLE T (Id INTEGER PRIMARY KEY, N INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO T SELECT i, 0 FROM n;
        """

    @Test(arguments: [false, true]) func readsSeeThatOthersHaveWritten(isReadOnly: Bool) throws {
        let fixture = try ServiceFixture(schema: Self.schema) {
            $0.retainedChanges = 100
            $0.isReadOnly = isReadOnly
        }
        let page = fixture.send("GET /T?$filter=Id%20lt%203", ["Prefer: odata.track-changes"])
        try fixture.sql("UPDATE T SET N = 1")
        #expect(try fixture.value(Self.count) == "5000")
        _ = fixture.send("GET /T(1)")
        fixture.service.finishTrimming()
        #expect(try fixture.value(Self.count) == "100")
        #expect(fixture.send(follow(page.deltaLink)).status == 410)
        // A few more are not worth a transaction.
        try fixture.sql("UPDATE T SET N = 2 WHERE Id < 10")
        _ = fixture.send("GET /T(1)")
        fixture.service.finishTrimming()
        #expect(try fixture.value(Self.count) == "109")
    }

    @Test func writesCutTheLogOnlyWhereItHasGrown() throws {
        let fixture = try ServiceFixture(schema: Self.schema) { $0.retainedChanges = 5 }
        func write(_ id: Int) {
            #expect(fixture.send("PATCH /T(\(id))", body: #"{"N":7}"#).isSuccess)
        }
        for id in 1...20 { write(id) }
        #expect(try fixture.value(Self.count) == "20")
        try fixture.sql("UPDATE T SET N = 2 WHERE Id <= 2000")
        // One step of 2,000 rows; what it leaves is done by the next write.
        write(3000)
        #expect(try fixture.value(Self.count) == "21")
        write(3001)
        #expect(try fixture.value(Self.count) == "5")
    }

    @Test func theStartCutsWhatIsLeft() throws {
        let fixture = try ServiceFixture(schema: Self.schema) { $0.retainedChanges = 100 }
        try fixture.sql("UPDATE T SET N = 1 WHERE Id <= 900")
        try fixture.sql(
            "INSERT INTO _odata_repeatability VALUES ('', 'old', 1000, 'f', x'00')")
        try fixture.service.close()
        let again = try ODataService(fixture.service.configuration)
        #expect(try fixture.value(Self.count) == "100")
        #expect(try fixture.value("SELECT count(*) FROM _odata_repeatability") == "0")
        try again.close()
    }
}
