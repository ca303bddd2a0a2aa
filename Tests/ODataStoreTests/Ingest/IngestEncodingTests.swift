import ErrorFixture
import ODataSQL
import ODataStore
import ODataText
import Testing

@Suite struct IngestEncodingTests {
    /// Property, JSON, and the stored columns (with companions) as the fixture writes them.
    static let stored: [(String, String, String)] = [
        ("Title", "\"plain\"", "'plain'"), ("Title", "\"\"", "''"),
        ("Title", #""\u00e9\ud83d\ude00\n\"""#, "'é😀\n\"'"), ("Title", "null", "-"),
        ("Price", "12.5", "1250"), ("Price", "-0.01", "-1"), ("Price", "12", "1200"),
        ("Price", "\"7.25\"", "725"), ("Price", "1.5e2", "15000"), ("Price", "12.500", "1250"),
        ("Price", "9999999.99", "999999999"),
        ("Exact", "12.50", "'12.50'|x3"), ("Exact", "null", "-|-"),
        ("Weight", "1.5", "1.5"), ("Weight", "1e300", "1e+300"), ("Weight", "3", "3.0"),
        ("Weight", "\"INF\"", "'INF'"), ("Weight", "\"NaN\"", "'NaN'"),
        ("Weight", "0.1", "0.1"), ("Weight", "123456789012345678.5", "1.2345678901234568e+17"),
        ("Open", "true", "1"), ("Open", "false", "0"), ("Open", "null", "-"),
        ("Count", "-32768", "-32768"), ("Count", "\"77\"", "77"),
        ("At", "\"2031-05-01T08:30:00Z\"", "'2031-05-01T08:30:00'|-"),
        ("At", "\"2031-05-01T08:30:00.120Z\"", "'2031-05-01T08:30:00.12'|-"),
        ("At", "\"2031-05-01T08:30:00.000Z\"", "'2031-05-01T08:30:00'|-"),
        ("At", "\"2031-05-01T00:30:00+02:00\"", "'2031-04-30T22:30:00'|120"),
        ("At", "\"2028-02-29T23:59:59-11:30\"", "'2028-03-01T11:29:59'|-690"),
        ("At", "null", "-|-"),
        ("Day", "\"2031-05-01\"", "'2031-05-01'"), ("Clock", "\"08:30:00.500\"", "'08:30:00.5'"),
        ("Clock", "\"08:30\"", "'08:30:00'"),
        (
            "Mark", "\"0000AAAA-bbbb-CCCC-dddd-0123456789AB\"",
            "'0000aaaa-bbbb-cccc-dddd-0123456789ab'"
        ),
        ("Raw", "\"AQID\"", "x3"), ("Raw", "\"\"", "x0"),
        ("Colour", "\"Blue\"", "2"), ("Colour", "\"Red,Blue\"", "3"), ("Colour", "2", "2"),
        ("Tags", #"["a", "b"]"#, #"'["a", "b"]'"#), ("Tags", "[]", "'[]'"),
        ("Size", #"{"W":1,"H":2}"#, "1|1|2"), ("Size", "null", "-|-|-"), ("Size", "{}", "1|-|-"),
        ("Id", "-5", "-5"), ("Id", "9223372036854775807", "9223372036854775807"),
        ("Id", "\"123\"", "123"),
    ]

    @Test(arguments: stored)
    func aValueIsStoredInItsColumnsEncoding(name: String, json: String, expected: String) throws {
        let fixture = try IngestFixture()
        try fixture.ingest(name == "Id" ? "{\"Id\":\(json)}" : "{\"Id\":1,\"\(name)\":\(json)}")
        let table = try fixture.mapping.existingTable(path: "Tools")
        let columns = table.columns
            .filter { $0.path == name || $0.path.hasPrefix(name + "/") }
            .flatMap(\.storedColumns).map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try fixture.rows("SELECT \(columns) FROM Tools") == [expected])
    }

    static let refused: [(String, String)] = [
        ("Title", "1"), ("Title", "true"), ("Title", "{}"), ("Price", "\"x\""), ("Price", "true"),
        ("Price", "1.234"), ("Open", "1"), ("Open", "\"true\""), ("Count", "32768"),
        ("Count", "1.5"),
        ("At", "\"2031-02-29T08:30:00Z\""), ("At", "\"2031-05-01T24:30:00Z\""), ("At", "5"),
        ("Day", "\"2031-13-01\""), ("Day", "\"2031-05-1\""), ("Clock", "\"8:30\""),
        ("Mark", "\"x\""),
        ("Mark", "\"0000AAAA-bbbb-CCCC-dddd-0123456789AG\""), ("Raw", "\"***\""),
        ("Colour", "\"Green\""), ("Size", "[]"), ("Took", "\"1 hour\""), ("Id", "null"),
        ("Id", "9223372036854775808"),
    ]

    @Test(arguments: refused)
    func aValueOfAnotherFormIsRefusedAndNothingIsWritten(name: String, json: String) throws {
        let fixture = try IngestFixture()
        let row = name == "Id" ? "{\"Id\":\(json)}" : "{\"Id\":1,\"\(name)\":\(json)}"
        let refused =
            switch (name, json) {
            case ("Price", "1.234"):
                Failure(ODataError.Code("valueBeyondColumn"), at: .path("Tools/Price"))
            case ("Size", _): Failure(.invalidPayload, at: .offset(34))
            case ("Id", "null"): Failure(.invalidPayload, at: .path("Tools/Id"))
            default: Failure(.invalidValue, at: .path(name))
            }
        #expect(failure { try fixture.ingest("{\"Id\":9},\(row)") } == refused)
        #expect(try fixture.rows("SELECT * FROM Tools").isEmpty)
    }

    @Test func keysCompareInTheirStoredForm() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan("Things")
        let code = "0000aaaa-bbbb-cccc-dddd-0123456789ab"
        for mode in [RowIngest.Mode.first, .merge] {
            try fixture.ingest(
                "{\"Code\":\"\(code.uppercased())\",\"No\":12.5,\"Note\":\"a\(mode)\"},"
                    + "{\"Code\":\"\(code)\",\"No\":12.50,\"Note\":\"b\(mode)\"}", plan: plan,
                mode: mode)
            #expect(
                try fixture.rows("SELECT Code, No, Note FROM Things")
                    == ["'\(code)'|'12.50'|'b\(mode)'"])
        }
    }

    @Test func derivedTypesAndDynamicPropertiesAreKept() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan("Things")
        let key = "\"Code\":\"0000aaaa-bbbb-cccc-dddd-0123456789ab\",\"No\":1"
        try fixture.ingest(
            "{\"@odata.type\":\"#Ws.Special\",\(key),\"Extra\":\"x\",\"free\":[1,{\"a\":\"\\u00e9\"}],\"n\":1.50}",
            plan: plan)
        #expect(
            try fixture.rows("SELECT _odata_type, Extra, _odata_dynamic FROM Things") == [
                #"'Ws.Special'|'x'|'{"free":[1,{"a":"\u00e9"}],"n":1.50}'"#
            ])
        try fixture.ingest("{\"@odata.type\":\"#Ws.Special\",\(key),\"n\":2}", plan: plan)
        #expect(
            try fixture.rows(
                "SELECT json_extract(_odata_dynamic, '$.n'), json_extract(_odata_dynamic, '$.free[0]') FROM Things"
            )
                == ["2|1"])
    }

    @Test func aSingletonIsOneRow() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan("Me")
        for mode in [RowIngest.Mode.first, .merge, .merge] {
            try fixture.ingest("{\"Name\":\"\(mode)\"}", plan: plan, mode: mode)
            #expect(try fixture.rows("SELECT _odata_id, Name FROM Me") == ["1|'\(mode)'"])
        }
    }

    @Test func controlInformationThatCannotBeWorkedOutIsKept() throws {
        let fixture = try IngestFixture()
        try fixture.ingest(
            #"{"Id":1,"@odata.mediaContentType":"image/png","@odata.etag":"W/\"1\"","@odata.mediaReadLink":"x"}"#
        )
        #expect(
            try fixture.rows("SELECT _odata_etag, _odata_control FROM Tools")
                == [#"'W/"1"'|'{"mediaReadLink":"x","mediaContentType":"image/png"}'"#])
    }
}
