import ErrorFixture
import Foundation
import ODataServer
import ODataTesting
import ODataText
import Testing

/// The service and its faults as programs of others use them.
@Suite struct CompanionServiceTests {
    private static let schema =
        "CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT); CREATE TABLE Secrets (Id INTEGER PRIMARY KEY)"

    private func send(_ service: TestService, _ line: String, _ body: String = "") -> String {
        let head = "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        let type =
            body.isEmpty
            ? ""
            : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return ServiceSocketTests.exchange("\(head)\(type)\r\n\(body)", port: service.url.port ?? 0)
    }

    @Test func faultsFollowTheScriptAndEverythingIsSeen() async throws {
        try await onOwnThread {
            let service = try TestService(schema: Self.schema)
            defer { service.close() }
            service.play(
                try FaultScript(
                    """
                    # One of each.
                    lose-answer POST Notes
                    answer 502 write times 2
                    cut-answer GET Notes after 1
                    """))
            let body = #"{"Text":"x"}"#
            #expect(self.send(service, "POST /Notes", body).isEmpty)
            #expect(self.send(service, "POST /Notes", body).hasPrefix("HTTP/1.1 502 "))
            #expect(self.send(service, "DELETE /Notes(1)").hasPrefix("HTTP/1.1 502 "))
            #expect(self.send(service, "GET /Notes").hasSuffix("]}"))
            #expect(!self.send(service, "GET /Notes").hasSuffix("]}"))
            #expect(self.send(service, "GET /Notes").hasSuffix("]}"))
            #expect(try service.text("SELECT count(*) FROM Notes") == "1")
            #expect(
                service.requests.map(\.method) == ["POST", "POST", "DELETE", "GET", "GET", "GET"])
            #expect(service.requests[0].header("content-type") == "application/json")
            #expect(service.requests[0].bodyBytes == body.utf8.count)
            service.service.forgetRequests()
            #expect(service.requests.isEmpty)
        }
    }

    @Test func aServiceIsStartedAndStoppedOnADatabase() async throws {
        try await onOwnThread {
            var settings = CompanionService.Settings()
            settings.excludedTables = ["Secrets"]
            settings.isReadOnly = true
            settings.rootPath = "/svc/"
            let service = try TestService(schema: Self.schema, settings: settings)
            defer { service.close() }
            try service.execute("INSERT INTO Notes VALUES (7, 'seven')")
            #expect(self.send(service, "GET /svc/Notes(7)/Text").contains("seven"))
            #expect(self.send(service, "GET /svc/Secrets").hasPrefix("HTTP/1.1 404 "))
            #expect(self.send(service, "DELETE /svc/Notes(7)").hasPrefix("HTTP/1.1 405 "))
            #expect(self.send(service, "GET /other/Notes(7)").hasPrefix("HTTP/1.1 404 "))
            service.service.stop()
            #expect(service.service.url == nil)
            let url = try service.service.start()
            #expect(url.path == "/svc/" || url.path == "/svc")
        }
    }

    @Test func beyondThisMachineIsListenedOnlyWhenThatIsMeant() async throws {
        try await onOwnThread {
            var settings = CompanionService.Settings()
            settings.host = "0.0.0.0"
            let refused = {
                failure { _ = try TestService(schema: Self.schema, settings: settings) }
            }
            let expected = Failure(
                .usage,
                "Expected an address of this machine, an access file and a certificate, or listensBeyondThisMachine."
            )
            #expect(refused() == expected)
            settings.accessFile = "/nowhere/access.json"
            #expect(refused() == expected)
            settings.certificateFile = "/nowhere/certificate.pem"
            #expect(
                refused()
                    == Failure(.usage, "Expected a certificate with its key, found one of the two.")
            )
            settings.keyFile = "/nowhere/key.pem"
            #expect(refused()?.place?.contains("/nowhere/access.json") == true)
        }
    }

    @Test func whoMayDoWhatIsReadFromAFileAndReadAgain() async throws {
        try await onOwnThread {
            let folder = try TestFolder.makeFast("access")
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("access.json")
            func write(_ actions: String) throws {
                try Data(
                    """
                    {"users": {"mia": {"password": "\(AccessFixture.hash("mia"))", "roles": ["writer"]}},
                     "roles": {"writer": {"sets": {"Notes": [\(actions)]}}}}
                    """.utf8
                ).write(to: file)
            }
            try write("\"read\"")
            var settings = CompanionService.Settings()
            settings.accessFile = file.path
            let service = try TestService(schema: Self.schema, settings: settings)
            defer { service.close() }
            let mia = "\r\nAuthorization: Basic " + Data("mia:mia".utf8).base64EncodedString()
            let status = { (method: String, proof: String) in
                let answer = ServiceSocketTests.exchange(
                    "\(method) /Notes(1) HTTP/1.1\r\nHost: localhost\r\nConnection: close\(proof)\r\n\r\n",
                    port: service.url.port ?? 0)
                return String(answer.dropFirst(9).prefix(3))
            }
            try service.execute("INSERT INTO Notes VALUES (1, 'one')")
            #expect(status("GET", "") == "401")
            #expect(status("GET", mia) == "200")
            #expect(status("DELETE", mia) == "403")
            try write("\"read\", \"delete\"")
            #expect(service.service.reload().isEmpty)
            #expect(status("DELETE", mia) == "204")
            try write("nonsense")
            #expect(service.service.reload().count == 1)
            #expect(status("GET", mia) == "404")
            service.service.drain(seconds: 1)
            #expect(!["200", "401", "404"].contains(status("GET", mia)))
        }
    }

    @Test(arguments: [
        ("lose-request\n\nbreak it", 3), ("answer 99", 1), ("lose-answer what", 1),
        ("cut-answer GET x after", 1), ("# fine\nlose-answer write times 0", 2),
    ])
    func linesThatAreNoStepsAreNamed(text: String, line: Int) {
        let error = #expect(throws: FaultScript.SyntaxError.self) { _ = try FaultScript(text) }
        #expect(error?.line == line)
    }
}
