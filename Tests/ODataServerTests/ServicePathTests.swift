import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Conventions of 4.01 for paths: options in the body, conditions in the path, versions of the schema.
@Suite struct ServicePathTests {
    private static let text = "Content-Type: text/plain"

    @Test(
        arguments: [
            (
                "/Tools/$query", "$filter=Id%20gt%202&$select=Title",
                "/Tools?$filter=Id gt 2&$select=Title"
            ),
            ("/Tools/%24query?$top=1", "$orderby=Title", "/Tools?$top=1&$orderby=Title"),
            ("/Tools/$query", "", "/Tools"),
            ("/Tools(1)/$query", "$select=Title", "/Tools(1)?$select=Title"),
            ("/Tools/$count/$query", "$filter=Id%20gt%202", "/Tools/$count?$filter=Id gt 2"),
            (
                "/$crossjoin(Tools,Members)/$query", "$filter=Tools/Id%20eq%20Members/Id",
                "/$crossjoin(Tools,Members)?$filter=Tools/Id eq Members/Id"
            ),
            ("/$all/$query", "$top=2", "/$all?$top=2"),
        ]) func optionsMayStandInTheBody(path: String, body: String, url: String) throws
    {
        let fixture = try ServiceFixture()
        let answer = fixture.send("POST " + path, [Self.text], body: body)
        let expected = fixture.send("GET " + url)
        #expect(answer.status == 200 && answer.text == expected.text, "\(answer.text)")
        #expect(answer.headers["ETag"] == expected.headers["ETag"])
    }

    @Test func theBodyOfAQueryIsWhatAURLHas() throws {
        let fixture = try ServiceFixture { $0.isReadOnly = true }
        let pages = fixture.send(
            "POST /Tools/$query", [Self.text, "Prefer: odata.maxpagesize=3"],
            body: "$orderby=Title%20desc")
        #expect(fixture.send(follow(pages.nextLink)).items.count == 1)
        #expect(fixture.send("GET /Tools/$query").status == 405)
        #expect(fixture.send("GET /Tools/$query").headers["Allow"] == "POST")
        for type in ["application/json", "application/x-www-form-urlencoded", "text/plain;x=1"] {
            let answer = fixture.send(
                "POST /Tools/$query", ["Content-Type: " + type], body: "$top=1")
            #expect(answer.status == 415, "\(type)")
        }
        for body in ["$filter=Id gt 2", "$top=1\n", "$top=1#", "$filter=Nothing", "$top=1&$top=2"] {
            let answer = fixture.send("POST /Tools/$query", [Self.text], body: body)
            #expect(answer.status == 400, "\(body) \(answer.text)")
        }
        #expect(
            fixture.send("POST /Tools/$query?$top=1", [Self.text], body: "$top=1").status == 400)
        #expect(fixture.send("POST /Tools", body: "{}").status == 405)
    }

    @Test func batchesAndAccessRulesKnowSuchQueries() throws {
        let fixture = try AccessFixture.service()
        let answer = fixture.send(
            "POST /Tools/$query", as: "mia", [Self.text], body: "$filter=Id%20ge%202")
        #expect(answer.items.count == 1 && answer.text.contains("Plane"), "\(answer.text)")
        #expect(fixture.send("POST /Tools/$query", as: "gus", [Self.text]).status == 403)
        #expect(fixture.send("POST /Tools/$query", [Self.text]).status == 401)
        let part =
            "--b\r\nContent-Type: application/http\r\n\r\nPOST Tools/$query HTTP/1.1\r\n"
            + "Content-Type: text/plain\r\n\r\n$select=Title\r\n--b--"
        let batch = fixture.send(
            "POST /$batch", as: "noah", ["Content-Type: multipart/mixed;boundary=b"], body: part)
        #expect(
            batch.text.contains("HTTP/1.1 200") && batch.text.contains("hammer"), "\(batch.text)")
        #expect(!batch.text.contains("Plane"))
    }

    @Test(
        arguments: [
            ("/Tools/$filter(Id%20gt%202)", ["3", "4"]),
            ("/Tools/$filter(@f)?@f=Id gt 1&$filter=Id lt 4&$orderby=Id desc", ["3", "2"]),
            ("/Tools/$filter(@p)/$filter(@c)?@p=Price lt 20&@c=Lent", ["2"]),
            ("/Tools/$filter(@f)?@f=Owner/Name eq 'Mia'&$top=1&$skip=1", ["2"]),
            ("/Members(1)/Tools/$filter(Id%20ne%201)", ["2"]),
            ("/Tools/$filter(Id%20gt%209)", []),
        ]) func conditionsMayStandInThePath(url: String, expected: [String]) throws
    {
        let fixture = try ServiceFixture()
        var (found, next) = ([String](), String?.some(url))
        while let line = next, found.count < 9 {
            let answer = fixture.send("GET " + line, ["Prefer: odata.maxpagesize=1"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["@odata.context"]?.string == "http://h/$metadata#Tools")
            found += (answer.json["value"]?.array ?? []).compactMap { $0["Id"]?.number }
            next = answer.nextLink
        }
        #expect(found == expected)
    }

    @Test func filteredCollectionsAreCountedAndNamed() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools/$filter(@f)/$count?@f=Id gt 1").text == "3")
        let ids = fixture.send("GET /Tools/$filter(@f)/$ref?@f=Id gt 3")
        #expect(ids.items == [#"{"@odata.id":"Tools(4)"}"#], "\(ids.text)")
        let tracked = fixture.send("GET /Tools/$filter(@f)?@f=Id gt 3", ["Prefer: track-changes"])
        #expect(tracked.items.count == 1 && tracked.deltaLink == nil)
        for (line, status) in [
            ("GET /Tools/$filter(@f)?@f=Nothing eq 1", 400), ("GET /Tools/$filter(Title)", 400),
            ("GET /Tools(1)/$filter(true)", 400), ("GET /Tools/$filter(true)(1)", 501),
            ("GET /Tools/$filter(true)/1", 501), ("PATCH /Tools/$filter(true)", 501),
            ("DELETE /Tools/$filter(true)/$each", 501),
        ] {
            let answer = fixture.send(line, body: line.hasPrefix("PATCH") ? "{}" : "")
            #expect(answer.status == status, "\(line) \(answer.text)")
        }
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "4")
        let access = try AccessFixture.service()
        #expect(access.ids("GET /Tools/$filter(@f)?@f=Id gt 1", as: "mia") == ["2"])
    }

    /// No collection says that it takes insertions at a place (`Core.PositionalInsert`).
    @Test func placesForInsertionsAreRefused() throws {
        let fixture = try ServiceFixture()
        for place in ["0", "-1"] {
            let answer = fixture.send("POST /Tags?$index=\(place)", body: #"{"Name":"x"}"#)
            #expect(answer.status == 501, "\(answer.text)")
        }
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test func aSchemaThatIsNotThereIsNotFound() throws {
        let fixture = try ServiceFixture()
        for path in ["/Tools", "/$metadata", "/", "/Tools(1)", "/Tools/$count", "/$all"] {
            #expect(fixture.send("GET \(path)?$schemaversion=*").status == 200, "\(path)")
            for name in ["$schemaversion", "schemaVersion", "%24schemaversion"] {
                #expect(fixture.send("GET \(path)?\(name)=2").status == 404, "\(path) \(name)")
            }
        }
        let body = #"{"requests":[{"id":"1","method":"GET","url":"Tools?$schemaversion=2"}]}"#
        let batch = fixture.send("POST /$batch", body: body)
        #expect(batch.json["responses"]?.array?.first?["status"]?.number == "404")
        #expect(fixture.send("POST /$batch?$schemaversion=2", body: body).status == 404)
        let annotated = ModelFixture.document.replacing(
            #"Namespace="Lib">"#,
            with:
                #"Namespace="Lib"><Annotation Term="Org.OData.Core.V1.SchemaVersion" String="2"/>"#)
        let versioned = try ModelFixture(annotated)
        #expect(versioned.send("GET /People?$schemaversion=2").status == 200)
        #expect(versioned.send("GET /$metadata?$schemaversion=2").text.contains("SchemaVersion"))
        #expect(versioned.send("GET /People?$schemaversion=1").status == 404)
    }
}
