import ODataQuery
import ODataServer
import ODataWorld
import ODataWire
import ODataText
import Testing

@Suite struct ServiceWriteTests {
    @Test func aCreationAnswersWithTheEntityItsPlaceAndItsTag() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "POST /Tools", body: #"{"Title":"Ax","Price":3.10,"OwnerId":2}"#)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.headers["Location"] == "http://h/Tools(5)")
        #expect(answer.headers["ETag"] == "W/\"1\"")
        #expect(answer.json["Id"]?.number == "5")
        #expect(answer.json["Lent"]?.boolean == false)
        #expect(try fixture.value("SELECT Title || Price FROM Tools WHERE Id = 5") == "Ax3.1")
    }

    @Test func aMinimalCreationAnswersWithItsPlaceOnly() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "POST /Tags", ["Prefer: return=minimal"], body: #"{"Name":"it's new"}"#)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(answer.headers["OData-EntityId"] == answer.headers["Location"])
        #expect(answer.headers["Preference-Applied"] == "return=minimal")
        let path = try #require(answer.headers["Location"])
        #expect(fixture.send("GET " + path).json["Name"]?.string == "it's new")
    }

    @Test func everyTypeTravelsBothWays() throws {
        let fixture = try ServiceFixture()
        let body =
            #"{"Id":77,"Title":"ü \"q\" \u0041","Price":9999999.99,"Bought":"2030-02-28T23:59:59.125Z","#
            + #""Lent":true,"Weight":-0.125,"Picture":"AAEC_w","Code":"0F234567-89AB-CDEF-0123-456789ABCDEF"}"#
        #expect(fixture.send("POST /Tools", body: body).status == 201)
        let back = fixture.send("GET /Tools(77)").json
        #expect(back["Title"]?.string == "ü \"q\" A")
        #expect(back["Price"]?.number == "9999999.99")
        #expect(back["Bought"]?.string == "2030-02-28T23:59:59.125Z")
        #expect(back["Weight"]?.number == "-0.125")
        #expect(back["Picture"]?.string == "AAEC_w==")
        #expect(back["Code"]?.string == "0f234567-89ab-cdef-0123-456789abcdef")
        #expect(back["OwnerId"]?.isNull == true)
    }

    @Test func patchChangesWhatItNamesAndPutResetsTheRest() throws {
        let fixture = try ServiceFixture()
        let patched = fixture.send("PATCH /Tools(1)", body: #"{"Price":1}"#)
        #expect(patched.status == 204)
        #expect(patched.headers["ETag"] == "W/\"1\"")
        #expect(fixture.send("GET /Tools(1)").json["Title"]?.string == "Saw")
        let put = fixture.send(
            "PUT /Tools(1)", ["Prefer: return=representation"], body: #"{"Title":"Bow saw"}"#)
        #expect(put.status == 200)
        #expect(put.headers["ETag"] == "W/\"2\"")
        #expect(put.json["Price"]?.isNull == true)
        #expect(put.json["Lent"]?.boolean == false)
        #expect(put.json["Code"]?.isNull == true)
    }

    @Test func preconditionsProtectAgainstLostUpdates() throws {
        let fixture = try ServiceFixture()
        let stale = ["If-Match: W/\"0\""]
        #expect(fixture.send("PATCH /Tools(1)", stale, body: #"{"Price":1}"#).status == 204)
        let refused = fixture.send("PATCH /Tools(1)", stale, body: #"{"Price":2}"#)
        #expect(refused.status == 412)
        #expect(try fixture.value("SELECT Price FROM Tools WHERE Id = 1") == "1")
        #expect(fixture.send("DELETE /Tools(1)", stale).status == 412)
        #expect(fixture.send("DELETE /Tools(1)", ["If-Match: *"]).status == 204)
        #expect(fixture.send("DELETE /Tools(1)", ["If-Match: *"]).status == 404)
        let tag = fixture.send("GET /Tools(2)").headers["ETag"] ?? ""
        #expect(fixture.send("GET /Tools(2)", ["If-None-Match: \(tag)"]).status == 304)
        #expect(
            fixture.send("PATCH /Tools(2)", ["If-None-Match: *"], body: "{}").status == 412)
    }

    @Test func aServiceMayInsistOnPreconditions() throws {
        let fixture = try ServiceFixture { $0.requiresPreconditions = true }
        #expect(fixture.send("PATCH /Tools(1)", body: #"{"Price":1}"#).status == 428)
        #expect(fixture.send("DELETE /Tools(1)").status == 428)
        #expect(
            fixture.send("PATCH /Tools(1)", ["If-Match: W/\"0\""], body: #"{"Price":1}"#).status
                == 204)
        #expect(fixture.send("POST /Tags", body: #"{"Name":"n"}"#).status == 201)
    }

    @Test func missingEntitiesAreNotMadeByAnUpdate() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("PATCH /Tools(99)", body: #"{"Title":"x"}"#).status == 404)
        #expect(fixture.send("PUT /Tools(99)", body: #"{"Title":"x"}"#).status == 404)
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "4")
    }

    @Test func deletionCascadesAsTheDatabaseSays() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("DELETE /Tools(1)").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM Loans") == "1")
        #expect(fixture.send("DELETE /Members(2)").status == 409)
        #expect(fixture.send("GET /Tools(1)").status == 404)
    }

    @Test func badBodiesChangeNothing() throws {
        let fixture = try ServiceFixture()
        let cases: [(String, [String], String, Int)] = [
            ("POST /Tools", [], #"{"Title":"x","#, 400),
            ("POST /Tools", [], #"[]"#, 400),
            ("POST /Tools", [], #"{"Title":"x","Nothing":1}"#, 400),
            ("POST /Tools", [], #"{"Title":1}"#, 400),
            ("POST /Tools", [], #"{"Title":null}"#, 400),
            ("POST /Tools", [], #"{"Price":1}"#, 400),
            ("POST /Tools", [], #"{"Id":1,"Title":"twice"}"#, 409),
            ("POST /Tools", [], #"{"Title":"x","OwnerId":99}"#, 409),
            ("POST /Tools", ["Content-Type: text/xml"], "<a/>", 415),
            ("POST /Tools", ["If-Match: *"], #"{"Title":"x"}"#, 412),
            ("PATCH /Tools(1)", [], #"{"Title":null}"#, 400),
            ("PATCH /Tools(1)", [], #"{"Bought":"yesterday"}"#, 400),
            ("PATCH /Tools(1)", [], #"{"OwnerId":99}"#, 409),
            ("POST /Cheap", [], #"{"Id":7}"#, 405),
        ]
        for (line, headers, body, status) in cases {
            let answer = fixture.send(line, headers, body: body)
            #expect(answer.status == status, "\(line) \(body): \(answer.status) \(answer.text)")
        }
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "4")
    }

    @Test func bindingsBecomeForeignKeys() throws {
        let fixture = try ServiceFixture()
        let made = fixture.send(
            "POST /Tools", body: #"{"Title":"Ax","Owner@odata.bind":"Members(2)"}"#)
        #expect(made.json["OwnerId"]?.number == "2", "\(made.text)")
        #expect(
            fixture.send(
                "PATCH /Tools(5)", body: #"{"Owner@odata.bind":"http://h/Members(1)"}"#
            ).status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 5") == "1")
        #expect(
            fixture.send("PATCH /Tools(5)", body: #"{"Owner":{"@id":"Members(2)"}}"#).status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 5") == "2")
        #expect(fixture.send("PATCH /Tools(5)", body: #"{"Owner":null}"#).status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 5") == nil)
        #expect(
            fixture.send(
                "PATCH /Tools(5)", body: #"{"Owner@odata.bind":"Members(99)"}"#
            ).status == 400)
        let member = fixture.send(
            "POST /Members", body: #"{"Name":"Zoë","Tools@odata.bind":["Tools(3)","Tools(4)"]}"#)
        #expect(member.status == 201, "\(member.text)")
        #expect(try fixture.value("SELECT count(*) FROM Tools WHERE OwnerId = 3") == "2")
    }

    @Test func linksAreWrittenThroughReferences() throws {
        let fixture = try ServiceFixture()
        let body = #"{"@odata.id":"Members(2)"}"#
        #expect(fixture.send("PUT /Tools(1)/Owner/$ref", body: body).status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 1") == "2")
        #expect(fixture.send("DELETE /Tools(1)/Owner/$ref").status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 1") == nil)
        #expect(
            fixture.send("POST /Members(1)/Tools/$ref", body: #"{"@odata.id":"Tools(4)"}"#).status
                == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 4") == "1")
        #expect(fixture.send("DELETE /Members(1)/Tools(4)/$ref").status == 204)
        #expect(fixture.send("DELETE /Members(1)/Tools/$ref?$id=Tools(2)").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM Tools WHERE OwnerId = 1") == "0")
        #expect(fixture.send("PUT /Members(1)/Tools/$ref", body: body).status == 405)
        #expect(
            fixture.send("PUT /Tools(1)/Owner/$ref", body: #"{"@odata.id":"Tags('x')"}"#).status
                == 400)
    }

    @Test func relatedEntitiesAreMadeTogetherOrNotAtAll() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "POST /Members",
            body: """
                {"Name":"Emil","Tools":[{"Title":"Rasp","Loans":[{"Day":"2031-01-01"}]},{"Title":"File"}]}
                """)
        #expect(answer.status == 201, "\(answer.text)")
        let tools = answer.json["Tools"]?.array ?? []
        #expect(tools.compactMap { $0["Title"]?.string } == ["Rasp", "File"])
        #expect(tools.first?["Loans"]?.array?.count == 1)
        let bad = fixture.send(
            "POST /Members", body: #"{"Name":"Olga","Tools":[{"Title":"A"},{"Id":1,"Title":"B"}]}"#)
        #expect(bad.status == 409)
        #expect(try fixture.value("SELECT count(*) FROM Members") == "3")
        let up = fixture.send("POST /Tools", body: #"{"Title":"C","Owner":{"Name":"New"}}"#)
        #expect(up.json["OwnerId"]?.number == "4", "\(up.text)")
        let below = fixture.send("POST /Members(1)/Tools", body: #"{"Title":"Below"}"#)
        #expect(below.json["OwnerId"]?.number == "1")
    }

    @Test func propertiesAreWrittenOneByOne() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("PUT /Tools(1)/Title", body: #"{"value":"Blade"}"#).status == 204)
        #expect(
            fixture.send("PUT /Tools(1)/Price/$value", ["Content-Type: text/plain"], body: "4.25")
                .status == 204)
        #expect(fixture.send("DELETE /Tools(1)/Weight").status == 204)
        #expect(fixture.send("DELETE /Tools(1)/Title").status == 400)
        #expect(fixture.send("PUT /Tools(1)/Id", body: #"{"value":9}"#).status == 405)
        let back = fixture.send("GET /Tools(1)").json
        #expect(back["Title"]?.string == "Blade")
        #expect(back["Price"]?.number == "4.25")
        #expect(back["Weight"]?.isNull == true)
    }

    @Test func changesOfOtherProgramsMoveTagsToo() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tools SET Price = 0 WHERE Id = 1")
        #expect(fixture.send("GET /Tools(1)").headers["ETag"] == "W/\"1\"")
        #expect(
            fixture.send("PATCH /Tools(1)", ["If-Match: W/\"0\""], body: #"{"Price":1}"#).status
                == 412)
    }

    /// The triggers that a foreign key fires cannot replace what they noted before.
    @Test func whatADeletionTakesAlongMayHaveChangedBefore() throws {
        let fixture = try ServiceFixture()
        let loan = "Loans(ToolId=1,Day=2031-05-02)"
        let delta = fixture.send("GET /Loans", ["Prefer: odata.track-changes"]).deltaLink
        #expect(fixture.send("PATCH /\(loan)", body: #"{"Note":"changed"}"#).status == 204)
        #expect(fixture.send("DELETE /Tools(1)").status == 204)
        #expect(fixture.send("GET /\(loan)").status == 404)
        #expect(fixture.send(follow(delta)).items.count == 2)
    }
}
