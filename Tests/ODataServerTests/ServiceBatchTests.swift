import ODataQuery
import ODataServer
import ODataWorld
import ODataText
import ODataWire
import Testing

@Suite struct ServiceBatchTests {
    private func batch(_ fixture: ServiceFixture, _ body: String) -> ResponseMessage {
        batch(fixture, [], body)
    }

    private func batch(_ fixture: ServiceFixture, _ headers: [String], _ body: String)
        -> ResponseMessage
    {
        fixture.send(
            "POST /$batch", ["Content-Type: multipart/mixed; boundary=b"] + headers,
            body: body.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n"))
    }

    private func parts(_ answer: ResponseMessage) throws -> [BatchResponsePart] {
        try BatchReader.parts(of: answer).parts
    }

    private func part(_ message: String, id: String? = nil) -> String {
        """
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        \(id.map { "Content-ID: \($0)\n" } ?? "")
        \(message)

        """
    }

    private func changeSet(_ members: [String]) -> String {
        "Content-Type: multipart/mixed; boundary=c\n\n"
            + members.map { "--c\n" + $0 }.joined(separator: "\n") + "\n--c--\n"
    }

    private func whole(_ parts: [String]) -> String {
        parts.map { "--b\n" + $0 }.joined(separator: "\n") + "\n--b--\n"
    }

    private func write(_ line: String, _ json: String, _ headers: String = "") -> String {
        "\(line) HTTP/1.1\nContent-Type: application/json\n\(headers)Content-Length: \(json.utf8.count)\n\n\(json)"
    }

    @Test func aChangeSetRefersToWhatItMade() throws {
        let fixture = try ServiceFixture()
        let answer = batch(
            fixture,
            whole([
                part("GET Tools(1)?$select=Title HTTP/1.1\nAccept: application/json\n"),
                changeSet([
                    part(write("POST Members", #"{"Name":"Ida"}"#), id: "1"),
                    part(write("POST $1/Tools", #"{"Title":"Awl"}"#), id: "2"),
                    part(write("PATCH $2", #"{"Owner@odata.bind":"$1","Price":5}"#), id: "3"),
                    part(write("PATCH http://h/Tools(1)", #"{"Price":6}"#), id: "4"),
                ]),
                part("GET /Members(3)/Tools HTTP/1.1\n"),
            ]))
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"]?.hasPrefix("multipart/mixed; boundary=") == true)
        let parts = try parts(answer)
        #expect(parts.count == 3, "\(answer.text)")
        #expect(parts[0].responses[0].message.json["Title"]?.string == "Saw")
        #expect(parts[1].responses.map(\.message.status) == [201, 201, 204, 204])
        #expect(parts[1].responses.map(\.contentID) == ["1", "2", "3", "4"])
        #expect(parts[2].responses[0].message.json["value"]?.array?.count == 1)
        #expect(try fixture.value("SELECT Price FROM Tools WHERE Title = 'Awl'") == "5")
    }

    @Test func aFailedMemberUndoesItsChangeSetAndStopsTheBatch() throws {
        let fixture = try ServiceFixture()
        let body = whole([
            changeSet([
                part(write("POST Tags", #"{"Name":"one"}"#), id: "1"),
                part(write("PATCH Tools(99)", "{}"), id: "2"),
            ]),
            part(write("POST Tags", #"{"Name":"two"}"#)),
        ])
        let stopped = try parts(batch(fixture, body))
        #expect(stopped.count == 1)
        #expect(stopped[0].responses.map(\.message.status) == [404])
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
        let goesOn = try parts(batch(fixture, ["Prefer: odata.continue-on-error"], body))
        #expect(goesOn.map { $0.responses.map(\.message.status) } == [[404], [201]])
        #expect(try fixture.value("SELECT group_concat(Name) FROM Tags WHERE Name > 'o'") != nil)
        #expect(try fixture.value("SELECT count(*) FROM Tags WHERE Name = 'one'") == "0")
    }

    @Test func membersMayComeInAnyOrderOfTheirForeignKeys() throws {
        let fixture = try ServiceFixture()
        let answer = batch(
            fixture,
            whole([
                changeSet([
                    part(write("POST Tools", #"{"Id":50,"Title":"t","OwnerId":60}"#), id: "1"),
                    part(write("POST Members", #"{"Id":60,"Name":"m"}"#), id: "2"),
                ])
            ]))
        #expect(try parts(answer)[0].responses.map(\.message.status) == [201, 201])
        let broken = batch(
            fixture,
            whole([
                changeSet([
                    part(write("POST Tools", #"{"Id":51,"Title":"t","OwnerId":61}"#), id: "1"),
                    part(write("POST Tags", #"{"Name":"x"}"#), id: "2"),
                ])
            ]))
        #expect(try parts(broken)[0].responses.map(\.message.status) == [409])
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test func theAnswersOfABatchHaveABound() throws {
        let fixture = try ServiceFixture(
            schema: "CREATE TABLE L (Id INTEGER PRIMARY KEY, T TEXT);"
                + "INSERT INTO L SELECT value, hex(zeroblob(2000)) FROM json_each('[1,2,3,4]')"
        ) { $0.maximumBatchBytes = 10_000 }
        let read = { (id: Int) in self.part("GET L(\(id)) HTTP/1.1\n") }
        let answers = try parts(
            batch(
                fixture, ["Prefer: odata.continue-on-error"],
                whole([
                    read(1), read(2), read(3),
                    changeSet([
                        part(write("POST L", #"{"Id":5}"#), id: "1"),
                        part(write("PATCH L(4)", "{}", "Prefer: return=representation\n"), id: "2"),
                    ]),
                    part("GET L/$count HTTP/1.1\n"),
                ])))
        let messages = answers.flatMap(\.responses).map(\.message)
        #expect(messages.map(\.status) == [200, 200, 503, 503, 200])
        #expect(messages[2].headers["Retry-After"] == "1")
        #expect(messages[3].text.contains("batchIsFull"))
        // Nothing of the change set has happened.
        #expect(messages[4].text == "4")
        #expect(fixture.send("GET /L(3)").status == 200)
    }

    @Test(arguments: [false, true])
    func theBoundHoldsForBatchesOfAllKinds(speaksV2: Bool) throws {
        let url = { (id: Int) in "Tools(\(id)\(speaksV2 ? "L" : ""))" }
        let whole = try ServiceFixture { $0.speaksV2 = speaksV2 }.send("GET /\(url(1))")
        // Room for the first answer and next to nothing.
        let fixture = try ServiceFixture {
            $0.speaksV2 = speaksV2
            $0.maximumBatchBytes = whole.body.count + 20
        }
        let reads = (1...3).map { part("GET \(url($0)) HTTP/1.1\n") }
        let members = try parts(
            batch(fixture, ["Prefer: odata.continue-on-error"], self.whole(reads)))
        #expect(members.flatMap(\.responses).map(\.message.status) == [200, 503, 503])
        guard !speaksV2 else { return }
        let requests = (1...3).map { #"{"id":"\#($0)","method":"GET","url":"\#(url($0))"}"# }
        let json = fixture.send(
            "POST /$batch", body: #"{"requests":["# + requests.joined(separator: ",") + "]}")
        let statuses = json.json["responses"]?.array?.map { $0["status"]?.text }
        #expect(statuses == ["200", "503", "503"], "\(json.text)")
    }

    @Test func aReferenceToAFailedRequestFails() throws {
        let fixture = try ServiceFixture()
        let answer = batch(
            fixture, ["Prefer: odata.continue-on-error"],
            whole([
                part(write("POST Nothing", "{}"), id: "1"),
                part(write("PATCH $1", #"{"Title":"x"}"#), id: "2"),
            ]))
        #expect(try parts(answer).map { $0.responses[0].message.status } == [404, 424])
    }

    @Test func batchesThatMakeNoSenseAreRefusedAsAWhole() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /$batch").status == 405)
        #expect(fixture.send("POST /$batch", body: "{}").status == 400)
        #expect(batch(fixture, "--b\n").status == 400)
        #expect(
            batch(fixture, "--b\nContent-Type: application/http\n\nnonsense\n\n--b--").status == 400
        )
        #expect(
            batch(fixture, ["If-Match: *"], whole([part("GET Tools HTTP/1.1\n")])).status == 400)
        let inner = try parts(
            batch(
                fixture, ["Prefer: continue-on-error"],
                whole([
                    part("POST $batch HTTP/1.1\n"),
                    changeSet([part("GET Tools HTTP/1.1\n", id: "1")]),
                ])))
        #expect(inner.map { $0.responses[0].message.status } == [400, 400])
        let limited = try ServiceFixture { $0.maximumBatchRequests = 2 }
        #expect(
            batch(limited, whole(Array(repeating: part("GET Tools HTTP/1.1\n"), count: 3))).status
                == 400)
    }
}
