import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization
import Testing

/// Requests for changes that are held until there are some (`Prefer: wait`), over real sockets.
@Suite struct ServiceHoldTests {
    private static let track = ["Prefer: odata.track-changes"]

    /// A client on a connection of its own, whose answer is read while others are at work.
    private final class Client: Sendable {
        let handle: Int32
        private let text = Mutex("")
        private let isThere = DispatchSemaphore(value: 0)

        init(_ link: String, port: Int, wait: Int = 50, _ more: String = "") throws {
            handle = try #require(ServiceSocketTests.connection(port: port))
            let path = link.replacingOccurrences(of: "http://h", with: "")
            let request =
                "GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                + "Prefer: wait=\(wait)\r\n\(more)\r\n"
            let bytes = Array(request.utf8)
            _ = bytes.withUnsafeBytes { send(handle, $0.baseAddress, $0.count, 0) }
        }

        /// Reads until the service closes the connection.
        func answer() -> String {
            defer { close(handle) }
            var timeout = timeval(tv_sec: 40, tv_usec: 0)
            setsockopt(
                handle, SOL_SOCKET, SO_RCVTIMEO, &timeout,
                socklen_t(MemoryLayout<timeval>.size))
            var answer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(handle, &chunk, chunk.count, 0)
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += chunk[..<count]
            }
        }
    }

    /// Waits until so many requests are held.
    private static func held(_ count: Int, _ fixture: ServiceFixture) {
        for _ in 0..<20_000 where fixture.service.heldRequests != count { usleep(1_000) }
        #expect(fixture.service.heldRequests == count)
    }

    /// A service that holds one request and no more, with that one.
    private static func full(
        _ body:
            @escaping @Sendable (ServiceFixture, _ link: String, _ port: Int, Client) throws
            -> Void
    ) async throws {
        let fixture = try ServiceFixture { $0.maximumHeld = 1 }
        let link = try #require(fixture.send("GET /Tags", track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            let client = try Client(link, port: port)
            held(1, fixture)
            try body(fixture, link, port, client)
        }
    }

    private static func post(_ name: String, _ fixture: ServiceFixture) {
        let answer = fixture.send("POST /Tags", body: #"{"Name":"\#(name)"}"#)
        #expect(answer.status == 201)
    }

    @Test func aRequestForChangesIsHeldUntilThereIsOne() async throws {
        let fixture = try ServiceFixture()
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            let client = try Client(link, port: port)
            Self.held(1, fixture)
            // That is another table.
            #expect(
                fixture.send("PATCH /Tools(1)", body: #"{"Title":"Fret saw"}"#).status == 204)
            Self.held(1, fixture)
            Self.post("new", fixture)
            let answer = client.answer()
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            #expect(answer.contains("\r\nPreference-Applied: odata.track-changes, wait=50\r\n"))
            #expect(answer.contains(#""Name":"new""#))
            Self.held(0, fixture)
            // Who comes behind the change is answered at once, and told that the wish is known.
            let late = try Client(link, port: port, wait: 100).answer()
            #expect(late.contains(#""Name":"new""#) && late.contains(", wait=60\r\n"), "\(late)")
        }
        // However often it looked, it came once.
        #expect(fixture.service.observer.requests.count { $0.url.contains("deltatoken") } == 2)
    }

    @Test func twoHundredWaitWithoutAThreadEach() async throws {
        let fixture = try ServiceFixture { $0.workerThreads = 2 }
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        let tools = try #require(fixture.send("GET /Tools", Self.track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            let clients = try (0..<200).map { _ in try Client(link, port: port) }
            let other = try Client(tools, port: port)
            Self.held(201, fixture)
            let plain = ServiceSocketTests.exchange(
                "GET /Tags/$count HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port)
            #expect(plain.hasSuffix("\r\n\r\n2"), "\(plain)")
            Self.post("for all", fixture)
            for client in clients { #expect(client.answer().contains(#""Name":"for all""#)) }
            Self.held(1, fixture)
            #expect(
                fixture.send("PATCH /Tools(1)", body: #"{"Title":"Fret saw"}"#).status == 204)
            #expect(other.answer().contains("Fret saw"))
        }
    }

    @Test func aChangeOutsideTheFilterAnswersNothing() async throws {
        let fixture = try ServiceFixture()
        let url = "GET /Tools?$filter=Price%20gt%208&$select=Title"
        let link = try #require(fixture.send(url, Self.track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            let client = try Client(link, port: port)
            Self.held(1, fixture)
            #expect(fixture.send("PATCH /Tools(2)", body: #"{"Title":"Cheap"}"#).status == 204)
            #expect(fixture.send("PATCH /Tools(4)", body: #"{"Title":"Dear"}"#).status == 204)
            let answer = client.answer()
            #expect(answer.contains("Dear") && !answer.contains("Cheap"), "\(answer)")
        }
    }

    /// Nobody of the service hears of that commit but by the file.
    @Test func whatAnotherProgramCommitsIsAnswered() async throws {
        let fixture = try ServiceFixture()
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            for name in ["one", "two"] {
                let client = try Client(link, port: port)
                if name == "one" { Self.held(1, fixture) }
                try fixture.sql("INSERT INTO Tags VALUES ('\(name)', NULL)")
                let answer = client.answer()
                #expect(answer.contains(#""Name":"one""#), "\(answer)")
            }
        }
    }

    @Test func whenTheTimeIsOverTheAnswerIsEmpty() async throws {
        let fixture = try ServiceFixture { $0.holdTime = .milliseconds(30) }
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            let answer = try Client(link, port: port).answer()
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.contains(", wait=1\r\n") && answer.contains(#""value":[]"#))
            #expect(answer.contains("$deltatoken="))
            Self.held(0, fixture)
        }
    }

    @Test(arguments: [
        ("?$deltatoken=", "?%24deltatoken="), ("?$deltatoken=", "?x=deltatoken=&$deltatoken="),
    ]) func theTokenIsFoundHoweverItsNameIsWritten(name: String, written: String) async throws {
        let fixture = try ServiceFixture { $0.holdTime = .milliseconds(30) }
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        let other = link.replacingOccurrences(of: name, with: written)
        #expect(other != link)
        try await ServiceSocketTests.served(fixture) { port in
            let answer = try Client(other, port: port).answer()
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            #expect(answer.contains(", wait=1\r\n"), "\(answer)")
        }
    }

    @Test func whoFindsAllPlacesTakenIsAnsweredAtOnce() async throws {
        try await Self.full { fixture, link, port, first in
            let second = try Client(link, port: port).answer()
            #expect(second.contains(#""value":[]"#), "\(second)")
            #expect(second.contains("\r\nPreference-Applied: odata.track-changes\r\n"))
            Self.held(1, fixture)
            Self.post("one", fixture)
            #expect(first.answer().contains(#""Name":"one""#))
            // The place is free again.
            let third = try Client(link, port: port).answer()
            #expect(third.contains(", wait=50\r\n"), "\(third)")
        }
    }

    @Test func nobodyWaitsForAClientThatLeft() async throws {
        try await Self.full { fixture, link, port, client in
            close(client.handle)
            for _ in 0..<20_000 where fixture.service.placesForHeld != 0 { usleep(1_000) }
            // Its place is another's.
            let next = try Client(link, port: port)
            Self.held(1, fixture)
            Self.post("next", fixture)
            #expect(next.answer().contains(#""Name":"next""#))
        }
    }

    @Test func aServiceThatStopsLetsAllGo() async throws {
        let fixture = try ServiceFixture()
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        try await ServiceSocketTests.served(fixture) { port in
            let clients = try (0..<20).map { _ in try Client(link, port: port) }
            Self.held(20, fixture)
            fixture.service.stop()
            #expect(fixture.service.heldRequests == 0)
            for client in clients { #expect(!client.answer().contains(" 200 ")) }
        }
    }

    /// What has no connection to wait on, what stands in a batch, and what is no request for changes is answered at once.
    @Test func nothingElseIsHeld() async throws {
        let fixture = try ServiceFixture()
        let link = try #require(fixture.send("GET /Tags", Self.track).deltaLink)
        let inProcess = fixture.send(follow(link), ["Prefer: wait=50"])
        #expect(inProcess.items.isEmpty)
        #expect(inProcess.headers["Preference-Applied"] == "odata.track-changes")
        try await ServiceSocketTests.served(fixture) { port in
            let read = try Client("/Tags?$filter=Name%20eq%20'none'", port: port).answer()
            #expect(read.contains(#""value":[]"#) && !read.contains("wait="), "\(read)")
            let url = link.replacingOccurrences(of: "http://h/", with: "")
            let body =
                #"{"requests":[{"id":"1","method":"GET","url":"\#(url)","headers":{"Prefer":"wait=50"}}]}"#
            let batch = ServiceSocketTests.exchange(
                "POST /$batch HTTP/1.1\r\nHost: h\r\nConnection: close\r\nPrefer: wait=50\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body, port: port)
            #expect(batch.contains(#""value":[]"#) && !batch.contains("wait="), "\(batch)")
        }
    }
}
