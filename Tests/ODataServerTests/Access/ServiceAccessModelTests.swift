import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Filters of rows in a database that is made from a document: links in tables of their own, contained rows, full-text
/// search, streams. Ada sees the book `a` and the person 1.
@Suite struct ServiceAccessModelTests {
    private static let file = """
        {"users": {"ada": {"password": "\(AccessFixture.hash("ada"))", "roles": ["author"]},
                   "kim": {"password": "\(AccessFixture.hash("kim"))", "roles": ["keeper"]}},
         "roles": {"author": {"sets": {"Books": ["read", "create", "update", "delete"], "People": ["read"], "Tags": ["read", "create"],
                                       "Scans": ["read", "update", "create"], "Desk": ["read"]},
                              "rows": {"Books": "AuthorId eq 1", "People": "Id eq 1", "Tags": "Books/any(b:b/AuthorId eq 1)",
                                       "Scans": "Label eq 'mine'"}},
                   "keeper": {"sets": {"*": ["read", "create", "update", "delete"]}}}}
        """

    private func fixture(_ file: String = file) throws -> ModelFixture {
        let control = AccessControl(try AccessFixture.rules(file))
        return try ModelFixture { $0.access = control }
    }

    @Test func searchFindsWhatIsInView() throws {
        let fixture = try fixture()
        #expect(fixture.send("GET /Books?$search=second", as: "kim").items.count == 1)
        #expect(fixture.send("GET /Books?$search=second", as: "ada").items.isEmpty)
        #expect(fixture.send("GET /Books/$count?$search=NOT nothing", as: "ada").text == "1")
        #expect(fixture.send("GET /People?$search=bob", as: "ada").items.isEmpty)
    }

    @Test func containedRowsAreInViewWithWhatContainsThem() throws {
        let fixture = try fixture()
        #expect(fixture.send("GET /Books('a')/Copies", as: "ada").items.count == 2)
        for line in [
            "GET /Books('b')/Copies", "GET /Books('b')/Copies(1)",
            "GET /Books('b')/Copies(1)/Shelf",
            "GET /Books('b')/Copies/$count", "GET /Books('b')/Remark", "GET /Books('b')/Quotes",
            "GET /Books('b')/Cover", "GET /Books('b')/Tags", "GET /Books('b')/Sequel",
            "GET /Books('b')/Tags/$ref",
        ] {
            #expect(fixture.send(line, as: "ada").status == 404, "\(line)")
            #expect(fixture.send(line, as: "kim").status < 300, "\(line)")
        }
        for line in [
            "POST /Books('b')/Copies", "PATCH /Books('b')/Copies(1)",
            "DELETE /Books('b')/Copies(1)",
        ] {
            #expect(
                fixture.send(line, as: "ada", body: #"{"No": 7, "Shelf": "z"}"#).status == 404,
                "\(line)")
        }
        #expect(
            fixture.send("POST /Books('a')/Copies", as: "ada", body: #"{"No": 7}"#).status == 201)
        #expect(
            fixture.send("PATCH /Books('a')/Copies(7)", as: "ada", body: #"{"Shelf": "z"}"#).status
                == 204)
        #expect(fixture.send("DELETE /Books('a')/Copies(7)", as: "ada").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM \"Books/Copies\"") == "3")
    }

    @Test func linksInTablesOfTheirOwnLeadToWhatIsInView() throws {
        let fixture = try fixture()
        let tag = "Tags(00000000-0000-0000-0000-00000000000a)"
        let link = #"{"@odata.id": "\#(tag)"}"#
        #expect(fixture.send("POST /Books('b')/Tags/$ref", as: "kim", body: link).status == 204)
        #expect(fixture.send("GET /\(tag)/Books", as: "kim").items.count == 2)
        #expect(fixture.send("GET /\(tag)/Books", as: "ada").items.count == 1)
        #expect(fixture.send("GET /\(tag)/Books/$ref", as: "ada").items.count == 1)
        #expect(fixture.send("GET /\(tag)/Books('b')", as: "ada").status == 404)
        let expanded = fixture.send("GET /Tags?$expand=Books", as: "ada").text
        #expect(expanded.contains("First") && !expanded.contains("Second"), "\(expanded)")
        #expect(
            fixture.send("GET /Tags?$filter=Books/any(b:b/Title eq 'Second')", as: "ada").items
                .isEmpty)
        // A link to what is out of view is one to nothing, from either end.
        #expect(fixture.send("POST /Books('b')/Tags/$ref", as: "ada", body: link).status == 404)
        #expect(
            fixture.send(
                "DELETE /Books('b')/Tags(00000000-0000-0000-0000-00000000000a)/$ref", as: "ada"
            ).status == 404)
        let sequel = #"{"@odata.id": "Books('b')"}"#
        #expect(fixture.send("PUT /Books('a')/Sequel/$ref", as: "ada", body: sequel).status == 400)
        // Gone from the last book in view, the tag leaves it, too.
        #expect(
            fixture.send(
                "DELETE /Books('a')/Tags(00000000-0000-0000-0000-00000000000a)/$ref", as: "ada"
            ).status == 204)
        #expect(fixture.send("GET /\(tag)", as: "ada").status == 404)
        #expect(fixture.send("GET /\(tag)", as: "kim").status == 200)
    }

    @Test func whatAWriteMakesIsLookedAtWhenItsLinksAreThere() throws {
        let fixture = try fixture()
        let linked =
            #"{"Id": "00000000-0000-0000-0000-00000000000b", "Word": "w", "Books@odata.bind": ["Books('a')"]}"#
        #expect(fixture.send("POST /Tags", as: "ada", body: linked).status == 201)
        let loose = #"{"Id": "00000000-0000-0000-0000-00000000000c", "Word": "w"}"#
        #expect(fixture.send("POST /Tags", as: "ada", body: loose).status == 403)
        let hidden =
            #"{"Id": "00000000-0000-0000-0000-00000000000d", "Word": "w", "Books@odata.bind": ["Books('b')"]}"#
        #expect(fixture.send("POST /Tags", as: "ada", body: hidden).status == 400)
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test func streamsAreThoseOfRowsInView() throws {
        let fixture = try fixture()
        let id = "Scans(00000000-0000-0000-0000-000000000001)"
        let scan = #"{"Id": "00000000-0000-0000-0000-000000000001", "Label": "others"}"#
        #expect(fixture.send("POST /Scans", as: "kim", body: scan).status == 201)
        #expect(
            fixture.send(
                "PUT /\(id)/$value", as: "kim", ["Content-Type: text/plain"], body: "hello"
            ).status == 204)
        #expect(
            fixture.send(
                "PUT /Books('b')/Cover", as: "kim", ["Content-Type: text/plain"], body: "hello"
            ).status == 204)
        for line in ["\(id)/$value", "Books('b')/Cover"] {
            #expect(fixture.send("GET /\(line)", as: "kim").text == "hello")
            for method in ["GET", "HEAD", "PUT", "DELETE"] {
                let answer = fixture.send(
                    "\(method) /\(line)", as: "ada", ["Content-Type: text/plain"],
                    body: method == "PUT" ? "x" : "")
                #expect(answer.status == 404 && answer.headers["ETag"] == nil, "\(method) \(line)")
            }
            let range = fixture.send("GET /\(line)", as: "ada", ["Range: bytes=0-1"])
            #expect(range.status == 404)
        }
        // Content that makes an entity with none of the properties that bring it into view.
        #expect(
            fixture.send("POST /Scans", as: "ada", ["Content-Type: text/plain"], body: "x").status
                == 403)
        #expect(
            try fixture.value("SELECT count(*) FROM _odata_streams WHERE state = 'whole'") == "2")
    }

    @Test func rowsOfTheBeginningNeedNoRole() throws {
        #expect(try fixture().value("SELECT count(*) FROM Books") == "2")
    }

    @Test func trackedReadsWithLinksShowWhatIsInView() throws {
        let fixture = try fixture()
        let track = ["Prefer: odata.track-changes"]
        let start = fixture.send("GET /Books?$expand=Copies", as: "ada", track)
        #expect(start.items.count == 1)
        let link = try #require(start.deltaLink)
        #expect(
            fixture.send("PATCH /Books('b')/Copies(1)", as: "kim", body: #"{"Shelf": "n"}"#).status
                == 204)
        #expect(fixture.send(follow(link), as: "ada").items.isEmpty)
        #expect(
            fixture.send("PATCH /Books('b')", as: "kim", body: #"{"AuthorId": 1}"#).status == 204)
        #expect(
            fixture.send(follow(link), as: "ada").items.first?.contains("\"Shelf\":\"n\"") == true)
        // Whether a tag is in view is told by others: it is not tracked.
        #expect(fixture.send("GET /Tags", as: "ada", track).deltaLink == nil)
        #expect(fixture.send("GET /Tags", as: "kim", track).deltaLink != nil)
        #expect(fixture.send("GET /Books?$expand=Tags", as: "ada", track).deltaLink == nil)
    }
}

extension ModelFixture {
    @discardableResult
    func send(
        _ line: String, as user: String, _ headers: [String] = [], body: String = ""
    ) -> ResponseMessage {
        send(line, headers + [AccessFixture.basic(user)], body: body)
    }
}
