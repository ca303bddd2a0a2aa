import ODataQuery
import ODataServer
import ODataWorld
import ODataText
import ODataWire
import Testing

@Suite struct ServiceRepeatabilityTests {
    private func identity(_ id: String, _ date: String? = nil) -> [String] {
        let seconds = ServiceConfiguration(databasePath: "").world.now().seconds
        return [
            "Repeatability-Request-ID: \(id)",
            "Repeatability-First-Sent: \(date ?? HTTPDate.text(secondsSince1970: seconds))",
        ]
    }

    private let first = "0b0e1fb2-7a09-4a8a-9d2a-3a2a4a1f0001"

    @Test func aRepeatedCreationHasOneEffectAndOneAnswer() throws {
        let fixture = try ServiceFixture()
        let headers = identity(first)
        let body = #"{"Title":"Once"}"#
        let answer = fixture.send("POST /Tools", headers, body: body)
        #expect(answer.status == 201)
        #expect(answer.headers["Repeatability-Result"] == "accepted")
        #expect(fixture.send("POST /Tools", headers, body: body) == answer)
        #expect(try fixture.value("SELECT count(*) FROM Tools WHERE Title = 'Once'") == "1")
    }

    @Test func theMemorySurvivesARestart() throws {
        let fixture = try ServiceFixture()
        let headers = identity(first) + ["If-Match: W/\"0\""]
        let body = #"{"Price":44}"#
        let answer = fixture.send("PATCH /Tools(1)", headers, body: body)
        #expect(answer.status == 204)
        try fixture.service.close()
        let again = try ODataService(fixture.service.configuration)
        var fields: HeaderFields = ["Host": "h", "Content-Type": "application/json"]
        for header in headers {
            let parts = header.split(separator: ":", maxSplits: 1)
            fields[String(parts[0])] = String(parts[1].drop { $0 == " " })
        }
        let request = RequestMessage(
            method: "PATCH", url: "/Tools(1)", headers: fields, body: Array(body.utf8))
        #expect(again.respond(to: request) == answer)
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "1")
    }

    @Test func aRepeatedDeletionIsNotMissing() throws {
        let fixture = try ServiceFixture()
        let headers = identity(first)
        #expect(fixture.send("DELETE /Tools(1)", headers).status == 204)
        #expect(fixture.send("DELETE /Tools(1)", headers).status == 204)
        #expect(fixture.send("DELETE /Tools(1)").status == 404)
    }

    /// A client that gets no answer to a batch may divide it.
    @Test func whatWasSentInABatchMayComeAgainByItself() throws {
        let fixture = try ServiceFixture()
        let headers = identity(first)
        let body = #"{"Name":"once"}"#
        let batch = fixture.send(
            "POST /$batch", ["Content-Type: multipart/mixed;boundary=b"],
            body: "--b\r\nContent-Type: application/http\r\n\r\nPOST Tags HTTP/1.1\r\n"
                + "Content-Type: application/json\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n"
                + "\(body)\r\n--b--\r\n")
        #expect(batch.status == 200)
        let answer = fixture.send("POST /Tags", headers, body: body)
        #expect(answer.status == 201)
        #expect(answer.headers["Repeatability-Result"] == "accepted")
        #expect(try fixture.value("SELECT count(*) FROM Tags WHERE Name = 'once'") == "1")
    }

    @Test func theSameIdentityForAnotherRequestIsRejected() throws {
        let fixture = try ServiceFixture()
        let headers = identity(first)
        #expect(fixture.send("POST /Tags", headers, body: #"{"Name":"a"}"#).status == 201)
        for (line, body) in [
            ("POST /Tags", #"{"Name":"b"}"#), ("POST /Tools", #"{"Name":"a"}"#),
            ("DELETE /Tools(1)", ""),
        ] {
            let other = fixture.send(line, headers, body: body)
            #expect(other.status == 400)
            #expect(other.headers["Repeatability-Result"] == "rejected")
        }
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "1")
    }

    @Test func brokenAndAncientIdentitiesAreRejected() throws {
        let fixture = try ServiceFixture()
        let body = #"{"Name":"a"}"#
        let half = fixture.send("POST /Tags", [identity(first)[0]], body: body)
        #expect(half.status == 400)
        #expect(half.headers["Repeatability-Result"] == "rejected")
        #expect(
            fixture.send("POST /Tags", identity(first, "yesterday"), body: body).status == 400)
        let old = fixture.send(
            "POST /Tags", identity(first, "Thu, 01 May 1997 08:30:00 GMT"), body: body)
        #expect(old.status == 412)
        #expect(old.headers["Repeatability-Result"] == "rejected")
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test func aFailureIsNotRemembered() throws {
        let fixture = try ServiceFixture()
        let headers = identity(first)
        let body = #"{"Title":"x","OwnerId":7}"#
        #expect(fixture.send("POST /Tools", headers, body: body).status == 409)
        try fixture.sql("INSERT INTO Members VALUES (7, 'Seven', NULL)")
        #expect(fixture.send("POST /Tools", headers, body: body).status == 201)
    }

    @Test func readsIgnoreTheHeaders() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send("GET /Tools(1)", identity(first))
        #expect(answer.status == 200)
        #expect(answer.headers["Repeatability-Result"] == nil)
    }

    @Test func aChangeSetIsRepeatedAsAWhole() throws {
        let fixture = try ServiceFixture()
        func changeSet(_ headers: [String]) -> ResponseMessage {
            let lines = headers.joined(separator: "\r\n")
            let members = ["p", "q"].enumerated().map { index, name in
                "--c\r\nContent-Type: application/http\r\nContent-ID: \(index + 1)\r\n\r\n"
                    + "POST Tags HTTP/1.1\r\nContent-Type: application/json\r\n\(lines)\r\n\r\n"
                    + "{\"Name\":\"\(name)\"}\r\n"
            }.joined()
            return fixture.send(
                "POST /$batch", ["Content-Type: multipart/mixed;boundary=b"],
                body:
                    "--b\r\nContent-Type: multipart/mixed;boundary=c\r\n\r\n\(members)--c--\r\n--b--"
            )
        }
        let headers = identity(first)
        let once = try BatchReader.parts(of: changeSet(headers)).parts
        #expect(once[0].responses.map(\.message.status) == [201, 201])
        let twice = try BatchReader.parts(of: changeSet(headers)).parts
        #expect(twice == once)
        #expect(
            twice[0].responses.allSatisfy {
                $0.message.headers["Repeatability-Result"] == "accepted"
            })
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "4")
        #expect(
            fixture.send("POST /$batch", ["Content-Type: multipart/mixed;boundary=b"] + headers)
                .status
                == 400)
    }
}
