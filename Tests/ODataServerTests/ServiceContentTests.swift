import ODataQuery
import ODataServer
import Testing

/// Bodies that are not JSON say what they are, and are written for clients that take them.
@Suite struct ServiceContentTests {
    private func pictures() throws -> ServiceFixture {
        try ServiceFixture(
            schema:
                "CREATE TABLE P (Id INTEGER PRIMARY KEY, Name TEXT, C MEDIA, CType TEXT, D STREAM)"
        )
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded", "multipart/form-data;boundary=x",
        "Application/X-WWW-Form-Urlencoded; charset=utf-8", "", "nonsense",
    ])
    func formsMakeNoMediaEntities(type: String) throws {
        let fixture = try pictures()
        let header = "Content-Type: \(type)"
        #expect(fixture.send("POST /P", [header], body: "a=b").status == 415)
        #expect(try fixture.value("SELECT count(*) FROM P") == "0")
        #expect(
            fixture.send("POST /P", ["Content-Type: image/png"], body: "png").status == 201)
        for name in ["$value", "D"] {
            #expect(fixture.send("PUT /P(1)/\(name)", [header], body: "a=b").status == 415)
        }
        #expect(fixture.send("GET /P(1)/$value").text == "png")
    }

    /// The formats of a body that is a text and nothing else, whoever makes it.
    @Test(arguments: ["text/plain", "text/plain;charset=utf-8", "image/svg+xml", "text/csv"])
    func everyOtherTypeIsContent(type: String) throws {
        let fixture = try pictures()
        let made = fixture.send("POST /P", ["Content-Type: \(type)"], body: "a")
        #expect(made.status == 201, "\(made.text)")
        #expect(fixture.send("GET /P(1)/$value").headers["Content-Type"] == type)
    }

    @Test(arguments: [
        ("text/plain", 204), ("text/plain; charset=UTF-8", 204), ("application/octet-stream", 204),
        ("", 415), ("application/x-www-form-urlencoded", 415), ("application/json", 415),
        ("text/plain;charset=iso-8859-1", 415), ("text/plain;format=flowed", 415),
        ("text/html", 415),
    ])
    func rawValuesSayThatTheyAreText(type: String, status: Int) throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "PUT /Tools(1)/Title/$value", ["Content-Type: \(type)"], body: "Axe")
        #expect(answer.status == status, "\(answer.text)")
        #expect(
            try fixture.value("SELECT Title FROM Tools WHERE Id = 1")
                == (status == 204 ? "Axe" : "Saw"))
    }

    @Test(arguments: [
        ("*/*", 200), ("text/*", 200), ("text/plain", 200), ("text/plain;charset=utf-8", 200),
        ("text/plain, */*;q=0.5", 200), ("", 200), ("image/png, */*;q=0.1", 200),
        ("image/png", 406), ("application/json", 406), ("text/html", 406),
        ("text/plain;q=0, */*", 406), ("text/plain;charset=latin1", 406),
    ])
    func countsAndValuesAreText(accept: String, status: Int) throws {
        let fixture = try ServiceFixture()
        for url in ["/Tools/$count", "/Tools(1)/Title/$value", "/Tools(1)/Price/$value"] {
            let answer = fixture.send("GET \(url)", ["Accept: \(accept)"])
            // A count has one form, whatever payloads a client asks for all along.
            let takesJSON = ["application/json", "text/plain;q=0, */*"].contains(accept)
            let isCount = url.hasSuffix("$count") && takesJSON
            #expect(answer.status == (isCount ? 200 : status), "\(url) \(answer.text)")
        }
    }

    @Test func contentIsReadByWhoeverTakesItsType() throws {
        let fixture = try pictures()
        fixture.send("POST /P", ["Content-Type: image/png"], body: "png")
        for (accept, status) in [
            ("*/*", 200), ("image/*", 200), ("image/png", 200), ("image/png;q=0, */*", 406),
            ("image/jpeg", 406), ("text/plain", 406), ("image/jpeg, */*;q=0.1", 200),
        ] {
            let answer = fixture.send("GET /P(1)/$value", ["Accept: \(accept)"])
            #expect(answer.status == status, "\(accept)")
        }
        let bytes = try ServiceFixture()
        for (accept, status) in [("application/octet-stream", 200), ("text/plain", 406)] {
            let answer = bytes.send("GET /Tools(1)/Picture/$value", ["Accept: \(accept)"])
            #expect(answer.status == status, "\(accept)")
        }
    }
}
