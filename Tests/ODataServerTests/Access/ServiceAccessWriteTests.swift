import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// What changes there are for a client whose rows are filtered. Mia has the tools 1 and 2.
@Suite struct ServiceAccessWriteTests {
    private static let tool = #"{"Id": 7, "Title": "File", "OwnerId": 1}"#

    @Test func rowsOutOfViewAreNotThere() throws {
        let fixture = try AccessFixture.service()
        let before = try fixture.value(
            "SELECT group_concat(Title || coalesce(OwnerId, '')) FROM Tools")
        for (line, body) in [
            ("PATCH /Tools(3)", #"{"Title": "x"}"#), ("PUT /Tools(3)", #"{"Title": "x"}"#),
            ("DELETE /Tools(3)", ""), ("PUT /Tools(3)/Title", #"{"value": "x"}"#),
            ("DELETE /Tools(3)/Weight", ""), ("POST /Tools(3)/Loans", #"{"Day": "2031-01-01"}"#),
            ("PATCH /Tools(3)/Owner", #"{"Name": "x"}"#), ("DELETE /Tools(3)/Owner/$ref", ""),
            ("PUT /Tools(3)/Owner/$ref", #"{"@odata.id": "Members(1)"}"#),
            ("POST /Members(2)/Tools", Self.tool),
            ("POST /Members(2)/Tools/$ref", #"{"@odata.id": "Tools(1)"}"#),
        ] {
            for match in ["*", "W/\"0\"", "W/\"99\""] {
                let answer = fixture.send(line, as: "mia", ["If-Match: \(match)"], body: body)
                // Not 412: a tag tells that there is something.
                #expect(
                    [403, 404].contains(answer.status), "\(line): \(answer.status) \(answer.text)")
                #expect(
                    answer.status == 404 || line.contains("Members") || line.contains("Owner"),
                    "\(line)")
                #expect(answer.headers["ETag"] == nil)
            }
        }
        #expect(
            try fixture.value("SELECT group_concat(Title || coalesce(OwnerId, '')) FROM Tools")
                == before)
    }

    @Test func nothingIsWrittenOutOfView() throws {
        let fixture = try AccessFixture.service()
        func refused(_ line: String, _ body: String, _ status: Int = 403) {
            let answer = fixture.send(line, as: "mia", body: body)
            #expect(answer.status == status, "\(line): \(answer.status) \(answer.text)")
        }
        refused("POST /Tools", #"{"Id": 7, "Title": "File"}"#)
        // A reference to whom one may not see is one to nobody.
        refused("POST /Tools", #"{"Id": 7, "Title": "File", "OwnerId": 2}"#, 409)
        refused(
            "POST /Tools", #"{"Id": 7, "Title": "File", "Owner@odata.bind": "Members(2)"}"#, 400)
        refused("PATCH /Tools(1)", #"{"OwnerId": null}"#)
        refused("PATCH /Tools(1)", #"{"OwnerId": 2}"#, 409)
        refused("PUT /Tools(1)", #"{"Title": "x"}"#)
        refused("PUT /Tools(1)/OwnerId", #"{"value": 2}"#, 403)
        refused("DELETE /Tools(1)/OwnerId", "")
        refused("DELETE /Tools(1)/Owner/$ref", "")
        refused("POST /Loans", #"{"ToolId": 3, "Day": "2031-01-01"}"#, 409)
        refused("POST /Loans", #"{"Tool@odata.bind": "Tools(3)", "Day": "2031-01-01"}"#, 400)
        refused(
            "POST /Tools",
            #"{"Id": 7, "Title": "F", "OwnerId": 1, "Owner": {"Id": 5, "Name": "x"}}"#)
        #expect(
            try fixture.value("SELECT group_concat(coalesce(OwnerId, '-')) FROM Tools") == "1,1,2,-"
        )
        #expect(try fixture.value("SELECT count(*) FROM Members") == "2")
        let made = fixture.send("POST /Tools", as: "mia", body: Self.tool)
        #expect(made.status == 201 && made.json["Title"]?.string == "File")
        #expect(
            fixture.send("PATCH /Tools(7)", as: "mia", body: #"{"Title": "Rasp"}"#).status == 204)
        #expect(
            fixture.send("POST /Members(1)/Tools", as: "mia", body: #"{"Id": 8, "Title": "Awl"}"#)
                .status == 201)
        #expect(
            fixture.send("POST /Tools(7)/Loans", as: "mia", body: #"{"Day": "2031-01-01"}"#).status
                == 201)
        #expect(fixture.send("DELETE /Tools(7)", as: "mia").status == 204)
    }

    @Test func aRowThatKeepsAReferenceOutOfViewMayBeChanged() throws {
        let file = AccessFixture.file(
            roles: AccessFixture.roles.replacing(
                #""Tools": "OwnerId eq @claim.member""#, with: #""Tools": "Id ge @claim.member""#))
        let fixture = try AccessFixture.service(file)
        let body = #"{"Title": "Hammer", "OwnerId": 2}"#
        #expect(fixture.send("PUT /Tools(3)", as: "mia", body: body).status == 204)
        #expect(fixture.send("PATCH /Tools(1)", as: "mia", body: #"{"OwnerId": 2}"#).status == 409)
    }

    @Test func whereTheFileSaysSoRowsMayLeave() throws {
        let fixture = try AccessFixture.service()
        let answer = fixture.send(
            "PATCH /Tools(1)", as: "carl", ["Prefer: return=representation"],
            body: #"{"OwnerId": null}"#)
        // It is not shown any more.
        #expect(answer.status == 204 && answer.body.isEmpty, "\(answer.text)")
        #expect(fixture.send("GET /Tools(1)", as: "carl").status == 404)
        #expect(fixture.send("PATCH /Tools(1)", as: "carl", body: #"{"OwnerId": 1}"#).status == 404)
        #expect(fixture.send("DELETE /Tools(2)", as: "carl").status == 403)
        #expect(fixture.send("POST /Tools", as: "carl", body: Self.tool).status == 403)
        // Who may make and not read gets no answer to read.
        let tag = fixture.send("POST /Tags", as: "carl", body: #"{"Name": "n"}"#)
        #expect(tag.status == 204 && tag.body.isEmpty && tag.headers["Location"] != nil)
    }

    @Test func aChangeSetWithOneThatIsForbiddenDoesNothing() throws {
        let fixture = try AccessFixture.service()
        let body = """
            {"requests": [
                {"id": "1", "atomicityGroup": "g", "method": "PATCH", "url": "Tools(1)", "headers": {"content-type": "application/json"}, "body": {"Title": "x"}},
                {"id": "2", "atomicityGroup": "g", "method": "POST", "url": "Tools", "headers": {"content-type": "application/json"}, "body": {"Id": 9, "Title": "y"}}]}
            """
        let answer = fixture.send("POST /$batch", as: "mia", body: body)
        #expect(answer.text.contains("403"), "\(answer.text)")
        #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 1") == "Saw")
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "4")
    }

    @Test func anAnswerThatIsRememberedIsNobodyElses() throws {
        let fixture = try AccessFixture.service()
        let repeatable = [
            "Repeatability-Request-ID: 0c8f1b0e-2f0a-4a44-9a65-6f9b1c2d3e4f",
            "Repeatability-First-Sent: Sun, 29 Nov 2026 00:00:00 GMT",
            "Prefer: return=representation",
        ]
        let body = #"{"Title": "Saw of Mia"}"#
        let first = fixture.send("PATCH /Tools(1)", as: "mia", repeatable, body: body)
        #expect(first.status == 200, "\(first.text)")
        #expect(
            fixture.send("PATCH /Tools(1)", as: "mia", repeatable, body: body).text == first.text)
        let other = fixture.send("PATCH /Tools(1)", as: "noah", repeatable, body: body)
        #expect(other.status == 400 && !other.text.contains("Saw"), "\(other.text)")
    }

    /// Tokens last for minutes: what is sent again comes with another one.
    @Test func anAnswerIsRememberedForWhoeverHasANewToken() throws {
        let keys =
            #"{"keys": [{"kty": "oct", "k": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"}]}"#
        let text = AccessFixture.file(
            #", "tokens": {"keys": "k", "issuer": "me", "audience": "tools"}"#)
        let control = AccessControl(try AccessFixture.rules(text, files: ["k": keys]))
        let operations = try ServiceOperation.parse(Array(ServiceOperationTests.declaration.utf8))
        let fixture = try ServiceFixture {
            $0.access = control
            $0.operations = operations
        }
        let answers = [4_000_000_000, 4_000_000_100].map { end in
            let token = JSONWebTokenTests.hs256(
                #"{"sub": "x", "roles": ["member"], "member": 1, "iss": "me", "aud": "tools", "exp": \#(end)}"#,
                head: #"{"alg": "HS256"}"#)
            return fixture.send(
                "POST /Tools",
                [
                    "Authorization: Bearer \(token)",
                    "Repeatability-Request-ID: 1c8f1b0e-2f0a-4a44-9a65-6f9b1c2d3e4f",
                    "Repeatability-First-Sent: Sun, 29 Nov 2026 00:00:00 GMT",
                ], body: Self.tool)
        }
        #expect(answers[0].status == 201, "\(answers[0].text)")
        #expect(answers[1] == answers[0])
        #expect(try fixture.value("SELECT count(*) FROM Tools") == "5")
    }
}
