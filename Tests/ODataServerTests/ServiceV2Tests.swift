import ODataModel
import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// The companion service as one of V2 (`odata serve --v2`).
@Suite struct ServiceV2Tests {
    private func fixture(_ configure: (inout ServiceConfiguration) -> Void = { _ in }) throws
        -> ServiceFixture
    {
        try ServiceFixture {
            $0.speaksV2 = true
            configure(&$0)
        }
    }

    private func results(_ answer: ResponseMessage) -> [JSONValue] {
        answer.json["d"]?["results"]?.array ?? []
    }

    private func follow(_ link: JSONValue?) -> String { "GET " + (link?.string ?? "missing") }

    @Test func itsDocumentsAreThoseOfV2() throws {
        let fixture = try fixture()
        let metadata = fixture.send("GET /$metadata")
        #expect(metadata.headers["Content-Type"] == "application/xml")
        let graph = try CSDLReader.read(metadata.body)
        #expect(graph.version == .v2)
        let member = try #require(graph.structure(named: "Ws.Members"))
        #expect(
            graph[member].slot(named: "Since").map { graph[member].properties[$0].type.primitive }
                == .dateTime)
        let tools = try #require(graph.entitySet(named: "Tools"))
        #expect(graph[tools].annotations.flag("sap:change-tracking") == true)
        let cheap = try #require(graph.entitySet(named: "Cheap"))
        #expect(graph[cheap].annotations.flag("sap:change-tracking") != true)
        let root = fixture.send("GET /", ["Accept: application/json"])
        #expect(root.headers["DataServiceVersion"] == "2.0")
        #expect(root.headers["OData-Version"] == nil)
        #expect(root.json["d"]?["EntitySets"]?.array?.contains(.string("Tools")) == true)
    }

    @Test func entitiesAreWrittenAsV2() throws {
        let answer = try fixture().send("GET /Tools(1)?$expand=Owner")
        let tool = try #require(answer.json["d"])
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(tool["__metadata"]?["uri"]?.string == "http://h/Tools(1L)")
        #expect(tool["__metadata"]?["type"]?.string == "Ws.Tools")
        #expect(tool["__metadata"]?["etag"]?.string == "W/\"0\"")
        #expect(tool["Price"]?.string == "12.5")
        #expect(tool["Bought"]?.string == "/Date(1935390600000+0000)/")
        #expect(tool["Owner"]?["Since"]?.string == "/Date(1580428800000)/")
        #expect(tool["Owner"]?["__metadata"]?["uri"]?.string == "http://h/Members(1L)")
        #expect(tool["Loans"]?["__deferred"]?["uri"]?.string == "http://h/Tools(1L)/Loans")
    }

    @Test func queriesAreThoseOfV2() throws {
        let fixture = try fixture()
        func titles(_ options: String) -> [String] {
            results(fixture.send("GET /Tools?" + options)).compactMap { $0["Title"]?.string }
        }
        #expect(titles("$filter=substringof('a',Title) and Price gt 7.00M") == ["Saw"])
        #expect(
            titles("$filter=Bought lt datetimeoffset'2030-01-01T00:00:00Z'&$format=json") == [
                "Drill"
            ])
        #expect(
            titles("$filter=Code eq guid'01234567-89ab-cdef-0123-456789abcdef'") == ["Saw"])
        #expect(
            titles("$filter=Owner/Since eq datetime'2020-01-31T00:00:00'&$orderby=Id desc") == [
                "Plane", "Saw",
            ])
        let counted = fixture.send("GET /Tools?$inlinecount=allpages&$top=1&$expand=Owner,Loans")
        #expect(counted.json["d"]?["__count"]?.string == "4")
        #expect(results(counted).first?["Loans"]?["results"]?.array?.count == 2)
        #expect(fixture.send("GET /Tools/$count").text == "4")
        #expect(fixture.send("GET /Tools(1)/Title/$value").text == "Saw")
        #expect(fixture.send("GET /Tools(1)/Title").text == #"{"d":{"Title":"Saw"}}"#)
        #expect(
            fixture.send("GET /Tools(1)/$links/Owner").text
                == #"{"d":{"uri":"http://h/Members(1L)"}}"#)
        #expect(
            fixture.send("GET /Members(1)/$links/Tools").json["d"]?["results"]?.array?.count == 2)
        #expect(
            fixture.send("GET /Loans(ToolId=1,Day=datetime'2031-05-02T00:00:00')").json["d"]?[
                "Note"]?.string == "first")
    }

    @Test func refusalsAreSaidAsV2() throws {
        let fixture = try fixture()
        let missing = fixture.send("GET /Tools(99)")
        #expect(missing.status == 404)
        #expect(missing.json["error"]?["message"]?["value"]?.string?.isEmpty == false)
        #expect(fixture.send("GET /Tools?$filter=Nothing eq 1").status == 400)
        #expect(fixture.send("GET /Nothing").status == 404)
        #expect(fixture.send("GET /Tools?$format=atom").status == 406)
        #expect(fixture.send("GET /Tools", ["Accept: application/atom+xml"]).status == 406)
        #expect(fixture.send("POST /Tools", body: #"{"Nothing":1}"#).status == 400)
    }

    @Test func pagesAndChangesAreLinked() throws {
        let fixture = try fixture { $0.defaultPageSize = 3 }
        let first = fixture.send("GET /Tools?$orderby=Id&$filter=Id lt 9L")
        #expect(results(first).count == 3)
        #expect(first.json["d"]?["__delta"] == nil)
        let second = fixture.send(follow(first.json["d"]?["__next"]))
        #expect(results(second).compactMap { $0["Title"]?.string } == ["Drill"])
        let delta = second.json["d"]?["__delta"]
        #expect(delta?.string?.contains("!deltatoken='") == true)
        try fixture.sql("DELETE FROM Tools WHERE Id = 4; UPDATE Tools SET Title = 'X' WHERE Id = 3")
        let changes = fixture.send(follow(delta))
        #expect(changes.status == 200, "\(changes.text)")
        let items = results(changes)
        #expect(items.compactMap { $0["Title"]?.string } == ["X"])
        #expect(items.compactMap { $0["id"]?.string } == ["http://h/Tools(4L)"])
        let none = fixture.send(follow(changes.json["d"]?["__delta"]))
        #expect(none.status == 200 && results(none).isEmpty)
    }

    @Test func entitiesAreMadeChangedAndDeleted() throws {
        let fixture = try fixture()
        let made = fixture.send(
            "POST /Tools",
            body: #"{"Id":"9","Title":"Awl","Price":"3.25","Bought":"\/Date(1935390600000)\/","#
                + #""Owner":{"__metadata":{"uri":"Members(2)"}}}"#)
        #expect(made.status == 201, "\(made.text)")
        #expect(made.headers["Location"] == "http://h/Tools(9L)")
        #expect(made.json["d"]?["Price"]?.string == "3.25")
        #expect(
            try fixture.value("SELECT OwnerId || ' ' || Bought FROM Tools WHERE Id = 9")?
                .hasPrefix("2 2031-05-01T08:30:00") == true)
        let tag = made.json["d"]?["__metadata"]?["etag"]?.string ?? ""
        let merged = fixture.send("MERGE /Tools(9)", ["If-Match: \(tag)"], body: #"{"Price":null}"#)
        #expect(merged.status == 204)
        #expect(merged.headers["ETag"] != nil && merged.headers["ETag"] != tag)
        #expect(
            fixture.send("MERGE /Tools(9)", ["If-Match: \(tag)"], body: #"{"Price":"1"}"#).status
                == 412)
        let tunnelled = fixture.send(
            "POST /Tools(9)", ["X-HTTP-Method: MERGE"], body: #"{"d":{"Title":"Awl 2"}}"#)
        #expect(tunnelled.status == 204, "\(tunnelled.text)")
        #expect(fixture.send("PUT /Tools(9)", body: #"{"Id":"9","Title":"Awl 3"}"#).status == 204)
        #expect(
            try fixture.value("SELECT Title || ifnull(OwnerId, '-') FROM Tools WHERE Id = 9") != nil
        )
        #expect(
            fixture.send("PUT /Tools(9)/$links/Owner", body: #"{"uri":"http://h/Members(1)"}"#)
                .status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 9") == "1")
        #expect(fixture.send("DELETE /Tools(9)/$links/Owner").status == 204)
        #expect(
            fixture.send("POST /Members(2)/$links/Tools", body: #"{"uri":"Tools(9)"}"#).status
                == 204)
        #expect(fixture.send("DELETE /Members(2)/$links/Tools(9)").status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 9") == nil)
        #expect(fixture.send("DELETE /Tools(9)").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "4")
    }

    @Test func aDeepInsertMakesItsChildren() throws {
        let fixture = try fixture()
        let made = fixture.send(
            "POST /Members",
            body: #"{"Id":"7","Name":"Ida","Since":"\/Date(1580428800000)\/","#
                + #""Tools":{"results":[{"Id":"20","Title":"File"}]}}"#)
        #expect(made.status == 201, "\(made.text)")
        #expect(try fixture.value("SELECT Title FROM Tools WHERE OwnerId = 7") == "File")
        #expect(try fixture.value("SELECT Since FROM Members WHERE Id = 7") == "2020-01-31")
    }

    private func batch(_ fixture: ServiceFixture, _ parts: [BatchPart]) throws
        -> [BatchResponsePart]
    {
        var request = try BatchWriter.request(parts, boundary: "b")
        request.url = "/$batch"
        request.headers["Host"] = "h"
        let answer = fixture.service.respond(to: request)
        #expect(answer.status == 202, "\(answer.text)")
        return try BatchReader.parts(of: answer).parts
    }

    private func request(_ line: String, _ body: String = "", id: String? = nil) -> BatchRequest {
        let words = line.split(separator: " ").map(String.init)
        return BatchRequest(
            contentID: id,
            RequestMessage(
                method: words[0], url: words[1],
                headers: body.isEmpty ? HeaderFields() : ["Content-Type": "application/json"],
                body: Array(body.utf8)))
    }

    @Test func batchesRunPartByPart() throws {
        let fixture = try fixture()
        let parts = try batch(
            fixture,
            [
                .request(request("GET Tools(1)?$select=Title")),
                .changeSet([
                    request("POST Members", #"{"Id":"8","Name":"Ola"}"#, id: "1"),
                    request("POST $1/Tools", #"{"Id":"30","Title":"Vice"}"#, id: "2"),
                    request("MERGE $2", #"{"Price":"4.5"}"#, id: "3"),
                ]),
                .changeSet([
                    request("DELETE Tools(30)", id: "4"),
                    request("MERGE Tools(99)", #"{"Price":"4.5"}"#, id: "5"),
                ]),
                .request(request("GET Nothing")),
                .request(request("GET /Members(8)/Tools")),
            ])
        #expect(
            parts.map { $0.responses.map(\.message.status) } == [
                [200], [201, 201, 204], [404], [404], [200],
            ])
        #expect(parts[0].responses[0].message.json["d"]?["Title"]?.string == "Saw")
        #expect(parts[1].responses.map(\.contentID) == ["1", "2", "3"])
        #expect(
            parts[1].responses[1].message.json["d"]?["__metadata"]?["uri"]?.string
                == "http://h/Tools(30L)")
        #expect(parts[3].responses[0].message.json["error"]?["message"]?["value"] != nil)
        #expect(results(parts[4].responses[0].message).first?["Price"]?.string == "4.5")
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 30") == "8")
    }

    @Test func mutatedRequestsAreAnswered() throws {
        let fixture = try fixture()
        var generator = SeededGenerator(seed: 5)
        func random(_ bound: Int) -> Int { generator.below(bound) }
        let urls = [
            "/Tools(1)/$links/Owner", "/Tools?$skiptoken='v4.VG9vbHM'", "/Tools?$filter=Id eq 1L",
            "/Tools?!deltatoken='v4.VG9vbHM_JGRlbHRhdG9rZW49MQ'", "/$batch", "/Loans(ToolId=1)",
        ].map { Array($0.utf8) }
        let bodies = [
            #"{"d":{"Id":"9","Title":"x","Owner":{"__metadata":{"uri":"Members(2)"}}}}"#,
            #"{"uri":"Members(1)"}"#, "",
        ].map { Array($0.utf8) }
        for _ in 0..<1_500 {
            var url = urls[random(urls.count)]
            var body = bodies[random(bodies.count)]
            for _ in 0..<random(4) {
                url.insert(Array("()$'/=&%v4.1L".utf8)[random(13)], at: 1 + random(url.count))
            }
            for _ in 0..<random(4) where !body.isEmpty { body.remove(at: random(body.count)) }
            let methods = ["GET", "POST", "MERGE", "PUT", "DELETE"]
            let answer = fixture.service.respond(
                to: RequestMessage(
                    method: methods[random(5)], url: String(decoding: url, as: UTF8.self),
                    headers: ["Content-Type": "application/json", "Host": "h"], body: body))
            #expect((200..<600).contains(answer.status) && answer.status != 500)
            #expect(answer.headers["DataServiceVersion"] == "2.0")
        }
    }
}
