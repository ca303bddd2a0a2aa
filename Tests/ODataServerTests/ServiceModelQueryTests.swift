import ErrorFixture
import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Testing

/// What a service with a model answers beyond one over a database of others.
@Suite struct ServiceModelQueryTests {
    @Test func searchFindsTheTextsOfASet() throws {
        let fixture = try ModelFixture()
        #expect(fixture.send("GET /Books/$count?$search=first").text == "1")
        #expect(fixture.send("GET /Books?$search=first").items.count == 1)
        #expect(fixture.send("GET /Books?$search=first OR second").items.count == 2)
        #expect(
            fixture.send("GET /Books?$search=NOT first&$count=true").json["@odata.count"]?.text
                == "1")
        #expect(fixture.send("GET /Books?$search=first AND second").items.isEmpty)
        #expect(fixture.send("GET /People?$search=oslo").items.count == 1)
        #expect(fixture.send("PATCH /Books('a')", body: #"{"Title":"Renamed"}"#).status == 204)
        #expect(fixture.send("GET /Books?$search=first").items.isEmpty)
        #expect(fixture.send("GET /Books?$search=renamed&$filter=Isbn eq 'a'").items.count == 1)
        #expect(fixture.send("DELETE /Books('a')").status == 204)
        #expect(fixture.send("GET /Books?$search=renamed").items.isEmpty)
        // A search finds rows, not one entity.
        #expect(fixture.send("GET /Books('b')?$search=x").status == 400)
        let page = fixture.send("GET /Books?$search=second", ["Prefer: odata.track-changes"])
        #expect(page.deltaLink == nil)
        #expect(fixture.send("GET /$metadata").text.contains(#"Property="Searchable" Bool="true""#))
    }

    @Test func anEntityIsFoundByItsID() throws {
        let fixture = try ModelFixture()
        let book = fixture.send("GET /$entity?$id=Books('a')&$select=Title")
        #expect(book.json["Title"]?.string == "First")
        #expect(book.json["Genre"] == nil)
        #expect(book.json["@odata.context"]?.string?.hasSuffix("#Books(Title)/$entity") == true)
        let absolute = fixture.send("GET /$entity?$id=http%3A%2F%2Flocalhost%2FPeople(2)")
        #expect(absolute.json["Name"]?.string == "Bob")
        #expect(fixture.send("GET /$entity/Lib.Employee?$id=People(2)").status == 200)
        #expect(fixture.send("GET /$entity/Lib.Employee?$id=People(1)").status == 404)
        #expect(fixture.send("GET /$entity?$id=Books('a')/Copies(1)").json["Shelf"]?.string == "x")
        #expect(fixture.send("GET /$entity?$id=Books('z')").status == 404)
        #expect(fixture.send("GET /$entity?$id=http://other/Books('a')").status == 404)
        #expect(fixture.send("GET /$entity").status == 400)
        #expect(fixture.send("GET /$entity?$id=Books").status == 400)
        #expect(fixture.send("GET /$entity?$id=Books('a')/Title").status == 400)
        #expect(fixture.send("DELETE /$entity?$id=Books('a')").status == 405)
    }

    @Test func aChangeOfAnAbsentKeyMakesTheEntityWhereThatIsAllowed() throws {
        let allowed = ModelFixture.document.replacing(
            #"<NavigationPropertyBinding Path="Author" Target="People"/>"#,
            with:
                #"<NavigationPropertyBinding Path="Author" Target="People"/><Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record><PropertyValue Property="Upsertable" Bool="true"/></Record></Annotation>"#
        )
        let fixture = try ModelFixture(allowed)
        let made = fixture.send("PATCH /Books('n')", body: #"{"Title":"New"}"#)
        #expect(made.status == 201)
        #expect(made.headers["Location"] == "http://localhost/Books('n')")
        #expect(
            fixture.send("PUT /Books('m')", body: #"{"Isbn":"other","Title":"M"}"#).status == 201)
        #expect(fixture.member("/Books('m')", "Title") == #""M""#)
        #expect(fixture.send("PATCH /Books('m')", body: #"{"Title":"L"}"#).status == 204)
        #expect(
            fixture.send("PATCH /Books('o')", ["If-Match: *"], body: #"{"Title":"O"}"#).status
                == 404)
        #expect(
            fixture.send("PATCH /Books('m')", ["If-None-Match: *"], body: #"{"Title":"O"}"#).status
                == 412)
        #expect(fixture.send("PATCH /Books('p')", body: #"{"Genre":"Love"}"#).status == 400)
        #expect(fixture.send("PATCH /People(77)", body: #"{"Name":"N"}"#).status == 404)
        #expect(fixture.send("GET /Books/$count").text == "4")
    }

    @Test func nullsAreLeftOutWhereThatIsPreferred() throws {
        let fixture = try ModelFixture()
        let prefer = ["Prefer: omit-values=nulls"]
        let bob = fixture.send("GET /People(2)?$expand=Books", prefer)
        #expect(bob.headers["Preference-Applied"] == "omit-values=nulls")
        #expect(bob.json["Home"] == nil)
        #expect(bob.json["Name"]?.string == "Bob")
        #expect(bob.json["Nicknames"]?.text == "[]")
        let books = fixture.send("GET /Books?$expand=Copies&$filter=Isbn eq 'a'", prefer)
        #expect(books.headers["Preference-Applied"]?.contains("omit-values=nulls") == true)
        #expect(books.items.first?.contains("null") == false)
        #expect(fixture.send("GET /People(2)").json["Home"]?.isNull == true)
        let made = fixture.send("POST /Books", prefer, body: #"{"Isbn":"n","Title":"N"}"#)
        #expect(made.json["AuthorId"] == nil)
    }

    @Test func aModelIsServedFromAProgramOverHTTP() async throws {
        try await onOwnThread {
            let folder = try TemporaryDirectory()
            try Data(ModelFixture.document.utf8).write(
                to: URL(fileURLWithPath: folder.file("model.xml")))
            try FileManager.default.createDirectory(
                atPath: folder.file("rows"), withIntermediateDirectories: true)
            for (set, rows) in ModelFixture.rows {
                try Data(rows.utf8).write(
                    to: URL(fileURLWithPath: folder.file("rows/\(set).json")))
            }
            let service = try CompanionService(
                model: folder.file("model.xml"), rows: folder.file("rows"),
                database: folder.file("library.sqlite"))
            let port = try service.start().port ?? 0
            func send(_ line: String, _ body: String = "") -> String {
                let type =
                    body.isEmpty
                    ? ""
                    : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                return ServiceSocketTests.exchange(
                    "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(type)\r\n\(body)",
                    port: port)
            }
            #expect(
                send("POST /Books('a')/Copies", #"{"No":7}"#).hasPrefix("HTTP/1.1 201 "))
            #expect(send("GET /Books('a')/Copies/$count").hasSuffix("3"))
            let scan = "PUT /Books('a')/Cover HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            let sent = ServiceSocketTests.exchange(
                scan + "Content-Type: image/png\r\nContent-Length: 3\r\n\r\npng", port: port)
            #expect(sent.hasPrefix("HTTP/1.1 204 "))
            #expect(send("GET /Books('a')/Cover").hasSuffix("png"))
            try service.close()
            #expect(
                failure { _ = try CompanionService(model: folder.file("none"), database: "x") }?
                    .code
                    == "usage")
        }
    }

    @Test func openTypesKeepWhatNobodyDeclares() throws {
        let open = ModelFixture.document.replacing(
            #"<EntityType Name="Tag">"#, with: #"<EntityType Name="Tag" OpenType="true">"#)
        let fixture = try ModelFixture(open)
        let tag = "/Tags(00000000-0000-0000-0000-00000000000a)"
        #expect(fixture.send("PATCH \(tag)", body: #"{"Size":3,"Note":"n"}"#).status == 204)
        #expect(fixture.send("PATCH \(tag)", body: #"{"Note":null,"Hue":"red"}"#).status == 204)
        let entity = fixture.send("GET \(tag)").json
        #expect(entity["Size"]?.text == "3")
        #expect(entity["Hue"]?.string == "red")
        #expect(entity["Note"] == nil)
        #expect(fixture.send("GET /Tags?$filter=Size eq 3").items.count == 1)
        #expect(fixture.send("PUT \(tag)", body: #"{"Word":"w"}"#).status == 204)
        #expect(fixture.send("GET \(tag)").json["Size"] == nil)
    }
}
