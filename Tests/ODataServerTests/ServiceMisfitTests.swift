import ODataQuery
import ODataServer
import ODataText
import Testing

/// Values that are none of their column's type and come while the service runs.
@Suite struct ServiceMisfitTests {
    @Test func aValueThatDoesNotFitIsLoggedOnceAndShownAsNull() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools").items.count == 4)
        #expect(fixture.service.observer.conversionErrors.isEmpty)
        try fixture.sql(
            "UPDATE Tools SET Bought = 'soon', Weight = x'00' WHERE Id = 2; UPDATE Tools SET Title = 'fits' WHERE Id = 1"
        )
        let tool = fixture.send("GET /Tools(2)")
        #expect(tool.status == 200)
        #expect(tool.json["Bought"]?.isNull == true)
        #expect(tool.json["Title"]?.string == "Plane")
        _ = fixture.send("GET /Tools")
        #expect(
            fixture.service.observer.conversionErrors.sorted() == [
                "Conversion error: Tools.Bought of the row 2 is no Edm.DateTimeOffset and is shown as null.",
                "Conversion error: Tools.Weight of the row 2 is no Edm.Double and is shown as null.",
            ])
        #expect(fixture.send("GET /Tools(2)/Bought").status == 204)
        try fixture.sql("UPDATE Tools SET Weight = 2 WHERE Id = 2")
        #expect(fixture.send("GET /Tools(2)").json["Weight"]?.text == "2.0")
        let metadata = fixture.send("GET /$metadata").text
        #expect(metadata.contains(#"Name="Bought" Type="Edm.DateTimeOffset""#))
    }

    /// The look is for the log only.
    @Test func anAnswerThatIsReadyIsSentWhereChangesCannotBeLookedAt() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tools SET Weight = x'00' WHERE Id = 2")
        try fixture.sql("ALTER TABLE _odata_changes RENAME COLUMN key TO other")
        let tool = fixture.send("GET /Tools(2)")
        #expect(tool.status == 200)
        #expect(tool.json["Title"]?.string == "Plane")
        #expect(fixture.service.observer.conversionErrors.isEmpty)
    }

    /// Each read takes some of the changes, in their order; a row that changes again is told again.
    @Test func aLargeChangeIsLookedAtInSteps() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE T (Id INTEGER PRIMARY KEY, N INTEGER);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                    INSERT INTO T SELECT i, i FROM n;
                """)
        try fixture.sql("UPDATE T SET N = CASE WHEN Id IN (1, 1500, 2400) THEN 'x' ELSE 0 END")
        let counts = (0..<4).map { _ in
            _ = fixture.send("GET /T(7)")
            return fixture.service.observer.conversionErrors.count
        }
        #expect(counts == [1, 2, 3, 3])
    }

    /// What keeps the look from being taken does not come back with each read.
    @Test func aLookThatFailsIsNotTakenAgain() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tools SET Weight = x'00' WHERE Id = 2")
        try fixture.sql("ALTER TABLE _odata_changes RENAME COLUMN key TO other")
        #expect(fixture.send("GET /Tools(1)").status == 200)
        try fixture.sql("ALTER TABLE _odata_changes RENAME COLUMN other TO key")
        #expect(fixture.send("GET /Tools(1)").status == 200)
        #expect(fixture.service.observer.conversionErrors.isEmpty)
        try fixture.sql("UPDATE Tools SET Weight = x'00' WHERE Id = 3")
        #expect(fixture.send("GET /Tools(1)").status == 200)
        #expect(fixture.service.observer.conversionErrors.count == 1)
    }
}
