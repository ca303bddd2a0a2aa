import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// What the service refuses rather than overlooks (Protocol 4.01, section 8).
@Suite struct ServiceNegotiationTests {
    @Test(arguments: [
        "application/json;foo=bar", "application/json;odata.metadata=some", "application/foo",
        "application/json;charset=latin1", "application/atom+xml", "text/html", "image/*",
        "application/json;q=0", "application/json;q=0, */*", "application/json;IEEE754Compatible=2",
        "garbage",
    ])
    func formatsThatCannotBeMetAre406(accept: String) throws {
        let fixture = try ServiceFixture()
        for url in ["/Tools", "/Tools(1)", "/", "/Tools(1)/Title", "/Tools(1)/Owner/$ref"] {
            let answer = fixture.send("GET \(url)", ["Accept: \(accept)"])
            #expect(answer.status == 406, "\(url) \(accept)")
            #expect(answer.headers["OData-Version"] == "4.0")
            #expect(answer.json["error"]?["code"]?.string == "notAcceptable")
        }
        let made = fixture.send("POST /Tags", ["Accept: \(accept)"], body: #"{"Name":"x"}"#)
        #expect(made.status == 406)
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test(arguments: [
        ("*/*", "minimal"), ("application/*", "minimal"), ("application/json", "minimal"),
        ("application/json;odata.metadata=none", "none"),
        ("application/json;metadata=none;streaming=true", "none"),
        ("application/json;odata.streaming=true;charset=utf-8", "minimal"),
        ("application/xml, application/json;odata.metadata=none;q=0.1", "none"),
        ("application/json;odata.metadata=none;q=0.2, application/json;q=0.8", "minimal"),
        ("application/json;foo=bar, */*;q=0.1", "minimal"),
        ("application/json;odata.metadata=full", "full"),
    ])
    func formatsThatCanBeMetAreAnswered(accept: String, level: String) throws {
        let answer = try ServiceFixture().send("GET /Tools(1)", ["Accept: \(accept)"])
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json;odata.metadata=\(level)")
    }

    @Test func fullMetadataSaysTypesAndLinks() throws {
        let fixture = try ServiceFixture()
        let tool = fixture.send(
            "GET /Tools(1)?$expand=Owner&$format=application/json;metadata=full"
        )
        .json
        #expect(tool["@odata.type"]?.string == "#Ws.Tools")
        #expect(tool["@odata.id"]?.string == "http://h/Tools(1)")
        #expect(tool["@odata.editLink"]?.string == "http://h/Tools(1)")
        #expect(tool["Id@odata.type"]?.string == "#Int64")
        #expect(tool["Title@odata.type"] == nil)
        #expect(tool["Loans@odata.navigationLink"]?.string == "http://h/Tools(1)/Loans")
        #expect(tool["Loans@odata.associationLink"]?.string == "http://h/Tools(1)/Loans/$ref")
        #expect(tool["Owner"]?["@odata.id"]?.string == "http://h/Members(1)")
        let rows = fixture.send("GET /Cheap", ["Accept: application/json;odata.metadata=full"])
        #expect(
            rows.json["value"]?.array?.first?["@odata.readLink"]?.string == "http://h/Cheap(2)")
    }

    @Test func formatGoesBeforeAccept() throws {
        let fixture = try ServiceFixture()
        let accept = ["Accept: application/xml"]
        #expect(fixture.send("GET /Tools?$format=json", accept).status == 200)
        #expect(
            fixture.send("GET /Tools?$format=application%2Fjson%3Bodata.metadata%3Dnone", accept)
                .headers["Content-Type"] == "application/json;odata.metadata=none")
        for format in ["xml", "atom", "foo", "application/json;x=1", "text/csv"] {
            #expect(fixture.send("GET /Tools?$format=\(format)").status == 406, "\(format)")
        }
        #expect(fixture.send("GET /$metadata?$format=json").text.hasPrefix("{"))
        #expect(fixture.send("GET /$metadata?$format=atom").status == 406)
    }

    @Test func metadataFollowsTheWeights() throws {
        let fixture = try ServiceFixture()
        func type(_ accept: String) -> String {
            let answer = fixture.send("GET /$metadata", ["Accept: \(accept)"])
            return answer.headers["Content-Type"].map { "\(answer.status) \($0)" } ?? ""
        }
        #expect(type("*/*") == "200 application/xml")
        #expect(type("application/json") == "200 application/json")
        #expect(type("application/xml, application/json;q=0.5") == "200 application/xml")
        #expect(type("application/xml;q=0.5, application/json") == "200 application/json")
        #expect(type("text/html").hasPrefix("406"))
    }

    @Test func charsetsAreNegotiated() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools", ["Accept-Charset: utf-8"]).status == 200)
        #expect(fixture.send("GET /Tools", ["Accept-Charset: latin1, *;q=0.1"]).status == 200)
        #expect(fixture.send("GET /Tools", ["Accept-Charset: iso-8859-1"]).status == 406)
        #expect(fixture.send("GET /Tools", ["Accept-Charset: *, utf-8;q=0"]).status == 406)
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded", "text/plain", "multipart/form-data;boundary=x",
        "application/xml", "application/json;charset=latin1", "application/json;foo=bar",
        "application/vnd.api+json", "",
    ])
    func bodiesHaveToSayThatTheyAreJSON(type: String) throws {
        let fixture = try ServiceFixture()
        for (line, body) in [
            ("POST /Tags", #"{"Name":"x"}"#), ("PATCH /Tools(1)", #"{"Title":"x"}"#),
            ("PUT /Tools(1)/Title", #"{"value":"x"}"#),
            ("PUT /Tools(1)/Owner/$ref", #"{"@odata.id":"Members(2)"}"#),
        ] {
            let answer = fixture.send(line, ["Content-Type: \(type)"], body: body)
            #expect(answer.status == 415, "\(line) \(type)")
            #expect(answer.json["error"]?["code"]?.string == "unsupportedMediaType")
        }
        #expect(fixture.send("POST /$batch", ["Content-Type: \(type)"], body: "x").status == 415)
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
    }

    @Test func isolationAndUnknownEncodingsAreRefused() throws {
        let fixture = try ServiceFixture()
        for name in ["OData-Isolation", "Isolation"] {
            let answer = fixture.send("GET /Tools", ["\(name): snapshot"])
            #expect(answer.status == 412)
        }
        let packed = fixture.send("POST /Tags", ["Content-Encoding: br"], body: #"{"Name":"x"}"#)
        #expect(packed.status == 415)
    }

    @Test(arguments: ["/other/", "/odata/$metadata", "//Tools", "/other/Tools(1)", "/odata"])
    func anotherRootIsNotFound(url: String) throws {
        #expect(try ServiceFixture().send("GET \(url)").status == 404)
        let below = try ServiceFixture { $0.rootPath = "/svc/" }
        #expect(below.send("GET \(url)").status == 404)
        let old = try ServiceFixture { $0.speaksV2 = true }
        #expect(old.send("GET \(url)").status == 404)
    }

    @Test(arguments: ["h<script>", "a b", "user@h", "h:80:90", "[zz]", ""])
    func hostsThatAreNoneAreRefused(host: String) throws {
        #expect(try ServiceFixture().send("GET /Tools", ["Host: \(host)"]).status == 400)
    }

    @Test func headIsGetWithoutBody() throws {
        for speaksV2 in [false, true] {
            let fixture = try ServiceFixture { $0.speaksV2 = speaksV2 }
            for url in ["/", "/$metadata", "/Tools", "/Tools(1)", "/Tools/$count", "/Tools(99)"] {
                let get = fixture.send("GET \(url)")
                let head = fixture.send("HEAD \(url)")
                #expect(head.status == get.status && head.body.isEmpty, "\(url)")
                #expect(head.headers["Content-Length"] == String(get.body.count), "\(url)")
                #expect(head.headers["ETag"] == get.headers["ETag"])
                #expect(head.headers["Content-Type"] == get.headers["Content-Type"])
            }
        }
    }

    @Test func methodsThatAreNotTakenNameThoseThatAre() throws {
        let fixture = try ServiceFixture()
        let batch = fixture.send("GET /$batch")
        #expect(batch.status == 405 && batch.headers["Allow"] == "POST")
        let set = fixture.send("DELETE /Tools")
        #expect(set.status == 405 && set.headers["Allow"] == "GET, HEAD, POST")
        let document = fixture.send("POST /", body: "{}")
        #expect(document.status == 405 && document.headers["Allow"] == "GET, HEAD")
    }
}
