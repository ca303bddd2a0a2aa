import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// What clients of V2 that are not ours look for.
@Suite struct ServiceV2StrictTests {
    private func fixture(_ schema: String = ServiceFixture.schema) throws -> ServiceFixture {
        try ServiceFixture(schema: schema) { $0.speaksV2 = true }
    }

    @Test func theMetadataIsOfV2Only() throws {
        let fixture = try fixture(
            "CREATE TABLE T (Id INTEGER PRIMARY KEY, A DECIMAL, B DECIMAL(10,2), C NUMERIC)")
        let answer = fixture.send("GET /$metadata")
        #expect(!answer.text.contains("variable") && !answer.text.contains("floating"))
        #expect(answer.text.contains(#"Scale="2""#))
        let graph = try CSDLReader.read(answer.body)
        #expect(
            graph.containers[0].annotations.flag("Org.OData.Repeatability.V1.Supported") == true)
    }

    @Test func nothingIsSaidAsV2() throws {
        let fixture = try fixture()
        let property = fixture.send("GET /Tools(3L)/Price")
        #expect(property.status == 200 && property.text == #"{"d":{"Price":null}}"#)
        #expect(property.headers["DataServiceVersion"] == "2.0")
        for url in ["/Tools(4L)/Owner", "/Tools(4L)/$links/Owner", "/Tools(3L)/Price/$value"] {
            let answer = fixture.send("GET \(url)")
            #expect(answer.status == 404, "\(url)")
            #expect(answer.json["error"]?["message"]?["value"]?.string?.isEmpty == false)
        }
    }

    @Test func collectionsOfV4AloneAreNotThere() throws {
        let fixture = try fixture()
        for url in ["/$all", "/$all/$count", "/$crossjoin(Tools,Members)"] {
            let answer = fixture.send("GET \(url)")
            #expect(answer.status == 501, "\(url) \(answer.text)")
            #expect(answer.json["error"]?["message"]?["value"]?.string?.isEmpty == false)
        }
    }

    @Test func aReadMayComeAsAPost() throws {
        let fixture = try fixture()
        for url in [
            "/Tools?$orderby=Id", "/Tools(1L)", "/Tools(3L)/Price", "/Tools(4L)/Owner",
            "/Members(1L)/$links/Tools", "/Tools/$count", "/$metadata", "/",
        ] {
            let read = fixture.send("GET \(url)")
            for name in ["X-HTTP-Method", "X-HTTP-Method-Override"] {
                let tunnelled = fixture.send("POST \(url)", ["\(name): GET"])
                #expect(tunnelled.status == read.status, "\(url)")
                #expect(tunnelled.body == read.body, "\(url) \(tunnelled.text)")
            }
        }
        #expect(
            fixture.send("POST /Tools(3L)/Price", ["X-HTTP-Method: GET"]).text
                == #"{"d":{"Price":null}}"#)
        #expect(
            fixture.send("POST /Tools", ["X-HTTP-Method: GET"])
                .json["d"]?["results"]?.array?.count == 4)
        #expect(fixture.send("POST /Tools(1L)", ["X-HTTP-Method: DELETE"]).status == 204)
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "3")
    }

    @Test func theServiceDocumentIsAtomUnlessJSONIsAskedFor() throws {
        let fixture = try fixture()
        for headers in [
            [], ["Accept: */*"], ["Accept: application/atomsvc+xml"], ["Accept: application/xml"],
        ] {
            let answer = fixture.send("GET /", headers)
            #expect(answer.status == 200)
            #expect(
                answer.headers["Content-Type"] == "application/atomsvc+xml;charset=utf-8")
            let document = try ServiceDocument(xml: answer.body)
            #expect(document.entries.map(\.url).contains("Tools"))
            #expect(answer.text.contains(#"xml:base="http://h/""#))
        }
        for line in ["GET /?$format=json", "GET /"] {
            let json = fixture.send(line, line == "GET /" ? ["Accept: application/json"] : [])
            #expect(json.headers["Content-Type"] == "application/json")
            #expect(json.json["d"]?["EntitySets"]?.array?.isEmpty == false)
        }
        #expect(fixture.send("GET /", ["Accept: text/html"]).status == 406)
    }

    @Test(arguments: [
        ("Accept: application/json;odata=verbose", 200),
        ("Accept: application/json;odata=light", 406),
        ("Accept: application/atom+xml", 406), ("Accept: application/json;charset=latin1", 406),
        ("MaxDataServiceVersion: 2.0", 200), ("MaxDataServiceVersion: 0.5", 400),
        ("DataServiceVersion: 3.0", 400), ("DataServiceVersion: 1.0;x", 200),
        ("OData-Isolation: snapshot", 412),
    ])
    func headersAreChecked(header: String, status: Int) throws {
        #expect(try fixture().send("GET /Tools", [header]).status == status)
    }

    @Test func changesStandInChangeSets() throws {
        let fixture = try fixture()
        let change =
            "Content-Type: application/http\r\n\r\nPOST Tags HTTP/1.1\r\n"
            + "Content-Type: application/json\r\n\r\n{\"Name\":\"x\"}\r\n"
        let send = { (body: String) throws -> [Int] in
            let answer = fixture.send(
                "POST /$batch", ["Content-Type: multipart/mixed;boundary=b"], body: body)
            return try BatchReader.parts(of: answer).parts.flatMap(\.responses)
                .map(\.message.status)
        }
        #expect(try send("--b\r\n\(change)--b--") == [400])
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
        #expect(
            try send(
                "--b\r\nContent-Type: multipart/mixed;boundary=c\r\n\r\n--c\r\n\(change)--c--\r\n--b--"
            ) == [201])
    }

    /// Nobody who writes a text knows what the parts of the next batch stand between.
    @Test func eachBatchHasABoundaryOfItsOwn() throws {
        let fixture = try fixture()
        let read = {
            let answer = fixture.send(
                "POST /$batch", ["Content-Type: multipart/mixed;boundary=b"],
                body: "--b\r\nContent-Type: application/http\r\n\r\n"
                    + "GET Tags('x')/Remark/$value HTTP/1.1\r\n\r\n\r\n--b--")
            let type = try #require(MediaType(parsing: answer.headers["Content-Type"] ?? ""))
            return (try #require(type["boundary"]), try BatchReader.parts(of: answer).parts)
        }
        let (before, _) = try read()
        let text = "a\r\n--\(before)\r\nContent-Type: application/http\r\n\r\n--\(before)--"
        let made = fixture.send(
            "POST /Tags", body: #"{"Name":"x","Remark":"# + JSONValue.string(text).text + "}")
        #expect(made.status == 201, "\(made.text)")
        let (after, parts) = try read()
        #expect(after != before)
        #expect(parts.flatMap(\.responses).map(\.message.text) == [text])
    }

    @Test func bodiesHaveToSayThatTheyAreJSON() throws {
        let fixture = try fixture()
        for type in ["text/plain", "application/x-www-form-urlencoded", "", "application/atom+xml"]
        {
            let answer = fixture.send(
                "POST /Tags", ["Content-Type: \(type)"], body: #"{"Name":"x"}"#)
            #expect(answer.status == 415, "\(type)")
        }
        #expect(
            fixture.send(
                "POST /Tags", ["Content-Type: application/json;odata=verbose"],
                body: #"{"Name":"x"}"#
            ).status == 201)
    }
}
