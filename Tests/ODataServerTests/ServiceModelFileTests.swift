import ErrorFixture
import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataText
import Testing

/// What a service that makes its database from a document does with a file that is there, and what it refuses.
@Suite struct ServiceModelFileTests {
    private static func changed(_ old: String, _ new: String) -> String {
        ModelFixture.document.replacing(old, with: new)
    }

    @Test func theSameDocumentFindsItsRowsAndTokens() throws {
        let folder = try TemporaryDirectory()
        var delta: String?
        var tag: String?
        do {
            let fixture = try ModelFixture(in: folder)
            delta = fixture.send("GET /Books", ["Prefer: odata.track-changes"]).deltaLink
            #expect(fixture.send("PATCH /Books('a')", body: #"{"Title":"Again"}"#).status == 204)
            tag = fixture.send("GET /Books('a')").headers["ETag"]
            try fixture.service.close()
        }
        do {
            let fixture = try ModelFixture(in: folder)
            #expect(fixture.send("GET /Books('a')").headers["ETag"] == tag)
            #expect(fixture.send("GET /Books/$count").text == "2")
            #expect(fixture.send(follow(delta)).items.count == 1)
            try fixture.service.close()
        }
        // The file knows its document.
        let plain = try ModelFixture(in: folder) { $0.model = nil }
        #expect(plain.send("GET /Books('a')/Copies/$count").text == "2")
        try plain.service.close()
        #expect(failure { try ODataService.untrack(plain.path) }?.code == "storage")
    }

    @Test func aLargerDocumentAddsToTheFile() throws {
        let folder = try TemporaryDirectory()
        try ModelFixture(in: folder).service.close()
        let larger = Self.changed(
            #"<Property Name="AuthorId" Type="Edm.Int32"/>"#,
            """
            <Property Name="AuthorId" Type="Edm.Int32"/><Property Name="Pages" Type="Edm.Int32" Nullable="false" DefaultValue="7"/>
            <Property Name="Words" Type="Collection(Edm.String)" Nullable="false"/>
            <NavigationProperty Name="Readers" Type="Collection(Lib.Person)"/>
            """)
        let fixture = try ModelFixture(larger, in: folder)
        #expect(fixture.member("/Books('a')", "Pages") == "7")
        #expect(fixture.member("/Books('a')", "Words") == "[]")
        #expect(
            fixture.send("PATCH /Books('a')", body: #"{"Pages":8,"Readers":[{"@id":"People(2)"}]}"#)
                .status == 204)
        #expect(fixture.send("GET /Books('a')/Readers/$count").text == "1")
        #expect(fixture.send("GET /Books?$filter=Pages eq 8&$select=Isbn").items.count == 1)
        try fixture.service.close()
    }

    @Test(arguments: [
        (#"<Property Name="AuthorId" Type="Edm.Int32"/>"#, "", "Books.AuthorId"),
        (#"Name="Title" Type="Edm.String""#, #"Name="Title" Type="Edm.Int32""#, "Books.Title"),
        (
            #"<Property Name="AuthorId" Type="Edm.Int32"/>"#,
            #"<Property Name="AuthorId" Type="Edm.Int32"/><Property Name="P" Type="Edm.Int32" Nullable="false"/>"#,
            "Books.P"
        ),
        (
            #"UnderlyingType="Edm.Decimal" Precision="9" Scale="2""#,
            #"UnderlyingType="Edm.Decimal" Precision="9" Scale="3""#, "People.Salary"
        ),
    ])
    func anotherDocumentIsRefused(_ old: String, _ new: String, _ place: String) throws {
        let folder = try TemporaryDirectory()
        let fixture = try ModelFixture(in: folder)
        try fixture.service.close()
        let before = try fixture.value("SELECT group_concat(sql) FROM sqlite_schema")
        var document = Self.changed(old, new)
        if new.isEmpty {
            document = document.replacing(
                #"<ReferentialConstraint Property="AuthorId" ReferencedProperty="Id"/>"#, with: "")
        }
        let refusal = failure { _ = try ModelFixture(document, in: folder) }
        #expect(refusal?.code == "unhostable")
        #expect(refusal?.place == place || new.isEmpty)
        #expect(try fixture.value("SELECT group_concat(sql) FROM sqlite_schema") == before)
    }

    @Test(arguments: [
        (
            #"<Property Name="Id" Type="Edm.Guid" Nullable="false"/><Property Name="Word""#,
            #"<Property Name="Id" Type="Edm.Double" Nullable="false"/><Property Name="Word""#,
            "Lib.Tag/Id"
        ),
        (
            #"<EntitySet Name="Tags" EntityType="Lib.Tag"><NavigationPropertyBinding Path="Books" Target="Books"/></EntitySet>"#,
            "", "Books/Tags"
        ),
        (
            #"<Property Name="Text" Type="Edm.String"/>"#,
            #"<Property Name="Text" Type="Edm.String"/><NavigationProperty Name="Of" Type="Lib.Book"/>"#,
            "Lib.Note/Of"
        ),
        (
            #"<EntityType Name="Desk">"#,
            #"<EntityType Name="Desk"><Property Name="_odata_x" Type="Edm.Int32"/>"#,
            "Lib.Desk/_odata_x"
        ),
        (
            #"<Property Name="City" Type="Edm.String"/>"#,
            #"<Property Name="City" Type="Edm.String"><Annotation Term="Org.OData.Validation.V1.Pattern" String="(a"/></Property>"#,
            "Lib.Address/City"
        ),
    ])
    func whatHasNoPlaceIsRefusedByName(_ old: String, _ new: String, _ place: String) throws {
        var document = Self.changed(old, new)
        document = document.replacing(
            #"<NavigationPropertyBinding Path="Tags" Target="Tags"/>"#,
            with: new.isEmpty ? "" : #"<NavigationPropertyBinding Path="Tags" Target="Tags"/>"#)
        let refusal = failure { _ = try ModelFixture(document, rows: [:]) }
        #expect(refusal?.code == "unhostable")
        #expect(refusal?.place == place)
    }

    @Test func anotherDatabaseAndWrongRowsAreLeftAsTheyAre() throws {
        let folder = try TemporaryDirectory()
        let queue = try DatabaseQueue(path: folder.file("library.sqlite"))
        try queue.write { try $0.execute(sql: "CREATE TABLE Mine (Id INTEGER)") }
        try queue.close()
        #expect(failure { _ = try ModelFixture(rows: [:], in: folder) }?.code == "unhostable")
        #expect(failure { _ = try ModelFixture(in: folder) }?.code == "usage")
        let other = try TemporaryDirectory()
        let wrong = failure {
            _ = try ModelFixture(
                rows: ["Books": #"[{"Isbn":"a","Title":"x","Nix":1}]"#], in: other)
        }
        #expect(wrong?.place == "Books[0]/Nix")
        // Nothing of it stays: the next start begins anew.
        let fixture = try ModelFixture(in: other)
        #expect(fixture.send("GET /Books/$count").text == "2")
    }
}
