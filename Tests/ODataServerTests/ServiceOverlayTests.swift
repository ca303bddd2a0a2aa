import ErrorFixture
import Foundation
import ODataQuery
import ODataServer
import ODataText
import Testing

/// A database that is there, with a document that says what of it is offered.
@Suite struct ServiceOverlayTests {
    /// A document of the tools, changed by the pairs.
    private func described(_ changes: [(String, String)]) throws -> (TemporaryDirectory, String) {
        let plain = try ServiceFixture()
        try plain.service.close()
        try ODataService.untrack(plain.directory.file("tools.sqlite"))
        var text = try DescribedDatabase.document(of: plain.directory.file("tools.sqlite")).text
        for (old, new) in changes {
            #expect(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        return (plain.directory, text)
    }

    private func served(_ changes: [(String, String)] = []) throws -> ServiceFixture {
        let (_, text) = try described(changes)
        return try ServiceFixture { $0.model = ModelDocument(Array(text.utf8)) }
    }

    @Test func theFirstDocumentIsWhatIsOfferedWithoutOne() throws {
        let plain = try ServiceFixture { $0.namespace = nil }
        let fixture = try served()
        for line in [
            "GET /Tools?$expand=Loans,Owner", "GET /Members?$expand=Tools", "GET /Cheap",
            "GET /Loans(ToolId=1,Day=2031-05-02)", "GET /Tools(1)/Picture/$value", "GET /",
        ] {
            #expect(fixture.send(line).status == 200, "\(line)")
            #expect(fixture.send(line).text == plain.send(line).text, "\(line)")
        }
        #expect(fixture.send("PATCH /Tools(1)", body: #"{"Title":"x"}"#).status == 204)
        #expect(fixture.send("POST /Cheap", body: "{}").status == 405)
    }

    @Test func namesTypesAndWhatIsLeftOutAreThoseOfTheDocument() throws {
        let fixture = try served([
            (#"<EntitySet Name="Tools""#, #"<EntitySet Name="Gear""#),
            (#"Target="Tools""#, #"Target="Gear""#),
            (
                #"<Property Name="Title" Type="Edm.String" Nullable="false">"#,
                #"<Property Name="Label" Type="Edm.String" Nullable="false" MaxLength="9">"#
            ),
            (
                #"<Property Name="Picture" Type="Edm.Binary">"#,
                #"<Property Name="Hidden" Type="Edm.Binary"><Annotation Term="Org.OData.Core.V1.Computed" Bool="true"/>"#
            ),
            (#"<NavigationProperty Name="Owner""#, #"<NavigationProperty Name="Keeper""#),
            (#"Partner="Owner""#, #"Partner="Keeper""#), (#"Path="Owner""#, #"Path="Keeper""#),
        ])
        let tool = fixture.send("GET /Gear(1)?$expand=Keeper")
        #expect(tool.json["Label"]?.string == "Saw")
        #expect(tool.json["Title"] == nil)
        #expect(tool.json["Keeper"]?["Name"]?.string == "Mia")
        #expect(fixture.send("GET /Tools").status == 404)
        #expect(fixture.send("GET /Gear?$filter=Label eq 'Saw'").items.count == 1)
        #expect(fixture.send("PATCH /Gear(1)", body: #"{"Label":"Short"}"#).status == 204)
        #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 1") == "Short")
        let long = fixture.send("PATCH /Gear(1)", body: #"{"Label":"Much too long"}"#)
        #expect(long.status == 400)
        #expect(
            fixture.send("PUT /Gear(1)/Label", body: #"{"value":"Much too long"}"#).status == 400)
        #expect(fixture.send("PATCH /Gear(1)", body: #"{"Hidden":null}"#).status == 204)
        #expect(try fixture.value("SELECT hex(Picture) FROM Tools WHERE Id = 1") == "00FF10")
        #expect(fixture.send("DELETE /Gear(1)/Hidden").status == 405)
    }

    @Test func setsAndPropertiesAreLeftOutAndRestricted() throws {
        let (_, whole) = try described([])
        func without(_ text: String, _ start: String, _ end: String) -> String {
            guard let from = text.range(of: start),
                let to = text.range(of: end, range: from.lowerBound..<text.endIndex)
            else { return text }
            return text.replacingCharacters(in: from.lowerBound..<to.upperBound, with: "")
        }
        var text = without(whole, #"<EntitySet Name="Tags""#, "</EntitySet>")
        text = without(text, #"<Property Name="Weight""#, "</Property>")
        text = text.replacing(
            #"<EntitySet Name="Members" EntityType="Database.Members">"#,
            with:
                #"<EntitySet Name="Members" EntityType="Database.Members"><Annotation Term="Org.OData.Capabilities.V1.DeleteRestrictions"><Record><PropertyValue Property="Deletable" Bool="false"/></Record></Annotation>"#
        )
        let fixture = try ServiceFixture { $0.model = ModelDocument(Array(text.utf8)) }
        #expect(fixture.send("GET /Tags").status == 404)
        #expect(fixture.send("GET /Tools(1)").json["Weight"] == nil)
        #expect(fixture.send("GET /Tools?$filter=Weight gt 1").status == 400)
        #expect(fixture.send("DELETE /Members(2)").status == 405)
        #expect(fixture.send("PATCH /Members(2)", body: #"{"Name":"N"}"#).status == 204)
        #expect(try fixture.value("SELECT Weight FROM Tools WHERE Id = 1") == "1.25")
    }

    @Test func whatDoesNotFitIsSaid() throws {
        let (folder, text) = try described([
            (
                #"<Property Name="Weight" Type="Edm.Double">"#,
                #"<Property Name="Weight" Type="Edm.Guid">"#
            ),
            (
                #"Term="OfflineOData.V1.Column" String="Since""#,
                #"Term="OfflineOData.V1.Column" String="Gone""#
            ),
            (
                #"Term="OfflineOData.V1.Table" String="Tags""#,
                #"Term="OfflineOData.V1.Table" String="Nix""#
            ),
        ])
        let document = ModelDocument(Array(text.utf8))
        let misfits = try DescribedDatabase.misfits(of: document, with: folder.file("tools.sqlite"))
        #expect(
            misfits.map { String($0.prefix { $0 != ":" }) }.sorted()
                == ["Members/Since", "Tags", "Tools/Weight"])
        let refusal = failure { _ = try ServiceFixture { $0.model = document } }
        #expect(refusal?.code == "unhostable")
        #expect(misfits.contains { $0.hasPrefix(refusal?.place ?? "none") })
    }

    @Test func aPatternThatIsNoRegularExpressionIsRefused() throws {
        let (folder, text) = try described([
            (
                #"<Property Name="Title" Type="Edm.String" Nullable="false">"#,
                #"<Property Name="Title" Type="Edm.String" Nullable="false"><Annotation Term="Org.OData.Validation.V1.Pattern" String="[a"/>"#
            )
        ])
        let document = ModelDocument(Array(text.utf8))
        let misfits = try DescribedDatabase.misfits(of: document, with: folder.file("tools.sqlite"))
        #expect(misfits.map { String($0.prefix { $0 != ":" }) } == ["Tools/Title"])
        let refusal = failure { _ = try ServiceFixture { $0.model = document } }
        #expect(refusal?.code == "unhostable")
        #expect(refusal?.place == "Tools/Title")
    }
}
