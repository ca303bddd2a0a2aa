import ErrorFixture
import ODataQuery
import ODataServer
import ODataText
import Testing

/// What annotations of a document say of changes holds.
@Suite struct ServiceModelRuleTests {
    /// The library with annotations in the place of a property and of a set.
    private func fixture(
        _ property: String = "", set: String = "", rows: [String: String] = ModelFixture.rows
    ) throws -> ModelFixture {
        let document = ModelFixture.document
            .replacing(
                #"<Property Name="AuthorId" Type="Edm.Int32"/>"#,
                with: #"<Property Name="AuthorId" Type="Edm.Int32"/>"# + property
            )
            .replacing(
                #"<NavigationPropertyBinding Path="Author" Target="People"/>"#,
                with: #"<NavigationPropertyBinding Path="Author" Target="People"/>"# + set)
        return try ModelFixture(document, rows: rows)
    }

    private static func property(_ type: String, _ annotations: String) -> String {
        #"<Property Name="P" Type="\#(type)">\#(annotations)</Property>"#
    }

    private static func validation(_ term: String, _ value: String) -> String {
        #"<Annotation Term="Org.OData.Validation.V1.\#(term)" \#(value)/>"#
    }

    @Test(arguments: [
        ("Edm.Int32", validation("Minimum", #"Int="3""#), "3", "2"),
        ("Edm.Double", validation("Maximum", #"Decimal="1.5""#), "1.5", "1.6"),
        (
            "Edm.Int32",
            #"<Annotation Term="Org.OData.Validation.V1.Minimum" Int="3"><Annotation Term="Org.OData.Validation.V1.Exclusive"/></Annotation>"#,
            "4", "3"
        ),
        ("Edm.String", validation("Pattern", #"String="^[A-Z]{2}$""#), #""AB""#, #""ab""#),
        (
            "Edm.String",
            #"<Annotation Term="Org.OData.Validation.V1.AllowedValues"><Collection><Record><PropertyValue Property="Value" String="a"/></Record></Collection></Annotation>"#,
            #""a""#, #""b""#
        ),
        ("Edm.Decimal\" Precision=\"3\" Scale=\"1", "", "99.5", "123.5"),
        ("Edm.String\" MaxLength=\"2", "", #""äö""#, #""abc""#),
        ("Collection(Edm.String)\" MaxLength=\"2", "", #"["ab"]"#, #"["a","abc"]"#),
    ])
    func valuesBeyondWhatIsSaidAreRefused(
        _ type: String, _ annotations: String, _ right: String, _ wrong: String
    ) throws {
        let fixture = try fixture(Self.property(type, annotations))
        #expect(fixture.send("PATCH /Books('a')", body: #"{"P":\#(right)}"#).status == 204)
        let refusal = fixture.send("PATCH /Books('a')", body: #"{"P":\#(wrong)}"#)
        #expect(refusal.status == 400)
        #expect(refusal.text.contains(#""target":"P""#))
        #expect(fixture.send("PUT /Books('a')/P", body: #"{"value":\#(wrong)}"#).status == 400)
        let new = #"{"Isbn":"n","Title":"N","P":\#(wrong)}"#
        #expect(fixture.send("POST /Books", body: new).status == 400)
        #expect(fixture.send("GET /Books/$count").text == "2")
    }

    @Test func aPatternThatTakesTooManyStepsRefusesTheValue() throws {
        let fixture = try fixture(
            Self.property("Edm.String", Self.validation("Pattern", #"String="^(a+)+$""#)))
        let text = String(repeating: "a", count: 40)
        #expect(fixture.send("PATCH /Books('a')", body: #"{"P":"\#(text)"}"#).status == 204)
        let refusal = fixture.send("PATCH /Books('a')", body: #"{"P":"\#(text)b"}"#)
        #expect(refusal.status == 400)
        #expect(refusal.json["error"]?["code"]?.string == "limitExceeded")
        #expect(refusal.json["error"]?["target"]?.string == "P")
        #expect(fixture.member("/Books('a')", "P") == #""\#(text)""#)
    }

    @Test(arguments: [
        (#"<Annotation Term="Org.OData.Core.V1.Computed"/>"#, false, false),
        (
            #"<Annotation Term="Org.OData.Core.V1.Permissions"><EnumMember>Org.OData.Core.V1.Permission/Read</EnumMember></Annotation>"#,
            false, false
        ),
        (#"<Annotation Term="Org.OData.Core.V1.Immutable"/>"#, true, false),
    ])
    func propertiesThatClientsCannotSetKeepTheirValue(
        _ annotation: String, _ onCreate: Bool, _ onChange: Bool
    ) throws {
        let fixture = try fixture(Self.property("Edm.Int32", annotation))
        let new = #"{"Isbn":"n","Title":"N","P":5}"#
        #expect(fixture.send("POST /Books", body: new).status == 201)
        let made = onCreate ? "5" : "null"
        #expect(fixture.member("/Books('n')", "P") == made)
        #expect(fixture.send("PATCH /Books('n')", body: #"{"P":6,"Title":"M"}"#).status == 204)
        #expect(fixture.send("PUT /Books('n')", body: #"{"Title":"L","P":7}"#).status == 204)
        #expect(fixture.member("/Books('n')", "P") == made)
        #expect(fixture.send("PUT /Books('n')/P", body: #"{"value":8}"#).status == 405)
        #expect(fixture.member("/Books('n')", "Title") == #""L""#)
    }

    @Test(arguments: [
        ("InsertRestrictions", "Insertable", "POST /Books", "GET, HEAD"),
        ("UpdateRestrictions", "Updatable", "PATCH /Books('a')", "GET, HEAD, DELETE"),
        ("UpdateRestrictions", "Updatable", "PUT /Books('a')/Title", "GET, HEAD, DELETE"),
        ("UpdateRestrictions", "Updatable", "DELETE /Books('a')/Remark", "GET, HEAD, DELETE"),
        ("DeleteRestrictions", "Deletable", "DELETE /Books('a')", "GET, HEAD, PATCH, PUT"),
    ])
    func setsThatTakeNoSuchChangeSaySo(
        _ term: String, _ flag: String, _ line: String, _ allowed: String
    ) throws {
        let fixture = try fixture(
            set:
                #"<Annotation Term="Org.OData.Capabilities.V1.\#(term)"><Record><PropertyValue Property="\#(flag)" Bool="false"/></Record></Annotation>"#
        )
        let body = line.hasPrefix("DELETE") ? "" : #"{"Isbn":"z","Title":"T","value":"x"}"#
        let refusal = fixture.send(line, body: body)
        #expect(refusal.status == 405)
        #expect(refusal.headers["Allow"] == allowed)
        if term == "InsertRestrictions" {
            let inside = #"{"Name":"D","Books":[{"Isbn":"q","Title":"T"}]}"#
            #expect(fixture.send("POST /People", body: inside).status == 405)
            #expect(fixture.send("GET /People/$count").text == "2")
        }
        #expect(fixture.send("GET /Books('a')").status == 200)
    }

    /// A property whose values the service makes.
    private static func generated(_ name: String, _ type: String, _ kind: String) -> String {
        property(type, #"<Annotation Term="OfflineOData.V1.Generated" String="\#(kind)"/>"#)
            .replacing(#""P""#, with: #""\#(name)""#)
    }

    @Test func versionsCountChangesAndTheTimeOfCreationStays() throws {
        let fixture = try fixture(
            Self.generated("P", "Edm.Int32", "Version")
                + Self.generated("C", "Edm.DateTimeOffset", "Created"))
        #expect(fixture.send("POST /Books", body: #"{"Isbn":"n","Title":"N"}"#).status == 201)
        let made = fixture.member("/Books('n')", "C")
        #expect(made.hasSuffix(#"Z""#))
        #expect(fixture.member("/Books('n')", "P") == "1")
        #expect(fixture.send("PATCH /Books('n')", body: #"{"Title":"M"}"#).status == 204)
        #expect(fixture.send("PUT /Books('n')/Title", body: #"{"value":"L"}"#).status == 204)
        #expect(fixture.member("/Books('n')", "P") == "3")
        #expect(fixture.member("/Books('n')", "C") == made)
    }

    @Test func theTimeOfTheLastChangeIsMadeWithEachChange() throws {
        let old = "1990-01-01T00:00:00Z"
        let rows = #"[{"Isbn":"a","Title":"A","C":"\#(old)","M":"\#(old)"}]"#
        let fixture = try fixture(
            Self.generated("C", "Edm.DateTimeOffset", "Created")
                + Self.generated("M", "Edm.DateTimeOffset", "Changed"), rows: ["Books": rows])
        #expect(fixture.member("/Books('a')", "M") == #""\#(old)""#)
        #expect(fixture.send("PATCH /Books('a')", body: #"{"Title":"M"}"#).status == 204)
        #expect(fixture.member("/Books('a')", "M").hasPrefix(#""2"#))
        #expect(fixture.member("/Books('a')", "C") == #""\#(old)""#)
    }
}
