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
}
