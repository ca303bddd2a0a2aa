import Foundation
import ODataQuery
import ODataServer
import ODataText
import Synchronization
import Testing

/// One client does not stop the service for the others.
@Suite(.serialized) struct ServiceLimitsTests {
    private static let texts = """
        CREATE TABLE N (Id INTEGER PRIMARY KEY, T TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO N SELECT i, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' FROM n;
        """

    private func get(_ url: String, _ port: Int) -> String {
        ServiceSocketTests.exchange(
            "GET \(url) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port)
    }

    @Test func aPatternThatTriesEverythingIsRefused() async throws {
        let fixture = try ServiceFixture(schema: Self.texts)
        try await ServiceSocketTests.served(fixture) { port in
            let answers = Mutex<[String]>([])
            let group = DispatchGroup()
            for _ in 1...4 {
                group.enter()
                Thread.detachNewThread {
                    let answer = self.get(
                        "/N/$count?$filter=matchesPattern(T,'(a%2B)%2B$')", port)
                    answers.withLock { $0.append(answer) }
                    group.leave()
                }
            }
            group.wait()
            for answer in answers.withLock({ $0 }) {
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(200))")
            }
            let fine = self.get("/N/$count?$filter=matchesPattern(T,'a%2Bb$')", port)
            #expect(fine.hasSuffix("2000"), "\(fine.prefix(200))")
        }
    }

    @Test func aRequestIsOverAtItsDeadline() async throws {
        let fixture = try ServiceFixture(schema: SlowRows.schema) {
            $0.requestTime = .milliseconds(200)
        }
        try await ServiceSocketTests.served(fixture) { port in
            let answer = self.get(SlowRows.url, port)
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer.prefix(200))")
            #expect(answer.contains("deadlineExceeded"))
            // On a busy machine a quick request, too, may meet the deadline.
            #expect((1...20).contains { _ in self.get("/N/$count", port).hasSuffix("400") })
        }
    }

    @Test func theStopEndsWhatRuns() async throws {
        let fixture = try ServiceFixture(schema: SlowRows.schema) { $0.requestTime = .seconds(600) }
        try await ServiceSocketTests.served(fixture) { port in
            for _ in 1...4 {
                Thread.detachNewThread { _ = self.get(SlowRows.url, port) }
            }
            while fixture.service.observer.requestCount < 4 { usleep(1_000) }
        }
        #expect(fixture.service.url == nil)
    }

    @Test func aRequestWhoseClientLeftIsOver() async throws {
        let fixture = try ServiceFixture(schema: SlowRows.schema) {
            $0.requestTime = .seconds(600)
            $0.workerThreads = 1
        }
        try await ServiceSocketTests.served(fixture) { port in
            let handle = try #require(ServiceSocketTests.connection(port: port))
            let bytes = Array("GET \(SlowRows.url) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            _ = bytes.withUnsafeBytes { send(handle, $0.baseAddress, $0.count, 0) }
            while fixture.service.observer.requestCount < 1 { usleep(1_000) }
            close(handle)
            // The only thread is free again, or this is never answered.
            #expect(self.get("/N/$count", port).hasSuffix("400"))
        }
    }

    @Test func connectionsThatDoNothingEnd() async throws {
        let fixture = try ServiceFixture {
            $0.idleTime = .milliseconds(200)
            $0.stallTime = .milliseconds(200)
        }
        try await ServiceSocketTests.served(fixture) { port in
            for start in [
                "", "GET /Tools HT", "GET /Tools/$count HTTP/1.1\r\nHost: h\r\n\r\n",
                "POST /Tags HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n"
                    + "Content-Type: application/json\r\n\r\n{",
            ] {
                // Returns when the service has closed the connection.
                let answer = ServiceSocketTests.exchange(start, port: port)
                if start.hasSuffix("\r\n\r\n") { #expect(answer.hasSuffix("4")) }
            }
        }
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test func headOverTheWireHasTheLengthOfGet() async throws {
        let fixture = try ServiceFixture()
        try await ServiceSocketTests.served(fixture) { port in
            let body = fixture.send("GET /Tools(1)").body
            for encoding in ["identity", "gzip"] {
                let answer = ServiceSocketTests.exchange(
                    "HEAD /Tools(1) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                        + "Accept-Encoding: \(encoding)\r\n\r\n", port: port)
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
                #expect(answer.lowercased().contains("content-length: \(body.count)\r\n"))
                #expect(answer.hasSuffix("\r\n\r\n"))
            }
        }
    }

    @Test func otherNamesForThisMachineAreRefused() async throws {
        let fixture = try ServiceFixture()
        try await ServiceSocketTests.served(fixture) { port in
            for (host, status) in [
                ("evil.example", "421"), ("evil.example:80", "421"), ("localhost:1", "200"),
                ("127.0.0.1:\(port)", "200"), ("[::1]", "200"), ("h:99", "200"), ("a b", "400"),
            ] {
                let answer = ServiceSocketTests.exchange(
                    "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", port: port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(host): \(answer.prefix(60))")
            }
            let without = ServiceSocketTests.exchange(
                "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", port: port)
            #expect(without.hasPrefix("HTTP/1.1 400 "))
            let absolute = ServiceSocketTests.exchange(
                "GET http://evil.example/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                port: port)
            // The name in an absolute URL is not taken over into links.
            #expect(absolute.contains("http://h/$metadata"))
        }
    }

    @Test func aBusyDatabaseIsNoFailure() throws {
        let fixture = try ServiceFixture { $0.busySeconds = 0.05 }
        let holder = try HeldDatabase(fixture.directory.file("tools.sqlite"))
        let answer = fixture.send("POST /Tags", body: #"{"Name":"x"}"#)
        #expect(answer.status == 503 && answer.headers["Retry-After"] == "1")
        #expect(answer.json["error"]?["code"]?.string == "databaseBusy")
        #expect(fixture.send("GET /Tools").status == 200)
        try holder.release()
        #expect(fixture.send("POST /Tags", body: #"{"Name":"x"}"#).status == 201)
    }

    @Test func compressedBodiesCountAsWhatTheyUnfoldTo() async throws {
        let fixture = try ServiceFixture { $0.maximumBodyBytes = 100_000 }
        let bomb = GzipOfBlanks.bytes(count: 10 << 20)
        #expect(bomb.count < 100_000)
        try await ServiceSocketTests.served(fixture) { port in
            let answer = ServiceSocketTests.exchange(
                bytes: Array(
                    ("POST /Tags HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"
                        + "Content-Length: \(bomb.count)\r\n\r\n").utf8) + bomb, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(100))")
            #expect(self.get("/Tools/$count", port).hasSuffix("4"))
        }
    }

    @Test func pagesAreShorterWhereRowsAreLong() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE L (Id INTEGER PRIMARY KEY, T TEXT);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
                    INSERT INTO L SELECT i, hex(zeroblob(5000)) FROM n;
                """
        ) { $0.maximumRowBytes = 100_000 }
        var (ids, pages) = (0, 0)
        var line: String? = "GET /L"
        while let next = line {
            let page = fixture.send(next)
            #expect(page.status == 200 && page.body.count < 110_000)
            ids += page.items.count
            pages += 1
            line = page.nextLink.map { follow($0) }
        }
        #expect(ids == 40 && pages > 4)
        let delta = fixture.send("GET /L?$filter=Id%20lt%203", ["Prefer: odata.track-changes"])
        try fixture.sql("UPDATE L SET T = T || 'x' WHERE Id < 3")
        #expect(fixture.send(follow(delta.deltaLink)).status == 200)
        // No page is shorter than one row.
        #expect(fixture.send("GET /L?$expand=*&$apply=concat(identity,identity)").status == 501)
    }
}
