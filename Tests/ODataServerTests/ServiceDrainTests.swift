import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// A service that is asked to end while it works.
@Suite struct ServiceDrainTests {
    private static let close = "Host: h\r\nConnection: close\r\n"

    /// What a request is answered that begins before the service drains.
    private static func answer(
        _ request: String, from fixture: ServiceFixture, port: Int, within limit: Duration,
        begun: () -> Bool
    ) -> (text: String, drained: Duration) {
        let answered = DispatchSemaphore(value: 0)
        let box = AnswerBox()
        Thread.detachNewThread {
            box.text = ServiceSocketTests.exchange(request, port: port)
            answered.signal()
        }
        for _ in 0..<20_000 where !begun() { usleep(1_000) }
        let start = ContinuousClock.now
        fixture.service.drain(within: limit)
        let drained = ContinuousClock.now - start
        fixture.service.stop()
        answered.wait()
        return (box.text, drained)
    }

    private final class AnswerBox: @unchecked Sendable {  // handed over by the semaphore
        var text = ""
    }

    @Test func aRequestThatRunsIsAnswered() async throws {
        let fixture = try ServiceFixture(schema: SlowRows.schema)
        // 400² combinations: a second or so.
        let url =
            "/N/$count?$filter=Id%20eq%201%20and%20Parent/N_Parent/any(a:a/Parent/N_Parent/any(b:b/V%20add%20a/V%20lt%200))"
        try await ServiceSocketTests.served(fixture) { port in
            let (text, _) = Self.answer(
                "GET \(url) HTTP/1.1\r\n\(Self.close)\r\n", from: fixture, port: port,
                within: .seconds(60)
            ) { !fixture.service.observer.requests.isEmpty }
            #expect(
                text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("\r\n\r\n0"),
                "\(text.prefix(900))")
            #expect(ServiceSocketTests.connection(port: port) == nil)
        }
    }

    @Test func oneThatTakesTooLongIsEnded() async throws {
        let fixture = try ServiceFixture(schema: SlowRows.schema)
        try await ServiceSocketTests.served(fixture) { port in
            let (text, drained) = Self.answer(
                "GET \(SlowRows.url) HTTP/1.1\r\n\(Self.close)\r\n", from: fixture, port: port,
                within: .seconds(1)
            ) { !fixture.service.observer.requests.isEmpty }
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 503 "), "\(text)")
            #expect(drained < .seconds(20), "\(drained)")
        }
    }

    @Test func oneThatIsHeldIsAnsweredAtOnce() async throws {
        let fixture = try ServiceFixture()
        let link = try #require(
            fixture.send("GET /Tags", ["Prefer: odata.track-changes"]).deltaLink)
        let path = link.replacing("http://h", with: "")
        try await ServiceSocketTests.served(fixture) { port in
            let (text, drained) = Self.answer(
                "GET \(path) HTTP/1.1\r\n\(Self.close)Prefer: wait=50\r\n\r\n", from: fixture,
                port: port, within: .seconds(40)
            ) { fixture.service.heldRequests == 1 }
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("deltatoken"), "\(text)")
            #expect(drained < .seconds(20), "\(drained)")
        }
    }

    @Test func connectionsThatWaitForNothingAreClosed() async throws {
        let fixture = try ServiceFixture()
        try await ServiceSocketTests.served(fixture) { port in
            let handle = try #require(ServiceSocketTests.connection(port: port))
            defer { closeSocket(handle) }
            let request = Array("GET /Tags HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            _ = request.withUnsafeBytes { send(handle, $0.baseAddress, $0.count, 0) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            #expect(recv(handle, &bytes, bytes.count, 0) > 0)
            let start = ContinuousClock.now
            fixture.service.drain(within: .seconds(40))
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(recv(handle, &bytes, bytes.count, 0) == 0)
        }
    }

    @Test func aServiceThatWasDrainedStartsAgain() async throws {
        try await onOwnThread {
            let fixture = try ServiceFixture()
            for _ in 1...3 {
                let port = try fixture.service.start()
                let answer = ServiceSocketTests.exchange(
                    "GET /Tags/$count HTTP/1.1\r\n\(Self.close)\r\n", port: port)
                #expect(answer.hasSuffix("\r\n\r\n2"), "\(answer)")
                fixture.service.drain(within: .seconds(5))
                fixture.service.stop()
            }
        }
    }

    @Test func whoSendsTooManyIsToldWhenToComeAgain() async throws {
        let fixture = try ServiceFixture { $0.requestsPerSecond = 0.1 }
        try await ServiceSocketTests.served(fixture) { port in
            let answers = (0..<2).map { _ in
                ServiceSocketTests.exchange(
                    "POST /Tags HTTP/1.1\r\n\(Self.close)Content-Type: application/json\r\n"
                        + "Content-Length: 12\r\n\r\n{\"Name\":\"n\"}", port: port)
            }
            #expect(answers[0].hasPrefix("HTTP/1.1 201 "), "\(answers[0])")
            #expect(answers[1].hasPrefix("HTTP/1.1 429 "), "\(answers[1])")
            let lowered = answers[1].lowercased()
            #expect(lowered.contains("\r\nretry-after: ") && answers[1].contains("tooManyRequests"))
        }
    }

    @Test func guessingIsSlowAndDisturbsNobody() async throws {
        let fixture = try AccessFixture.service()
        try await ServiceSocketTests.served(fixture) { port in
            func status(_ credentials: String) -> Substring {
                ServiceSocketTests.exchange(
                    "GET /Tags HTTP/1.1\r\n\(Self.close)\(credentials)\r\n\r\n", port: port
                ).dropFirst("HTTP/1.1 ".count).prefix(3)
            }
            let guesses = (0..<30).map { status(AccessFixture.basic("mia", "guess \($0)")) }
            #expect(guesses.first == "401" && guesses.last == "429", "\(guesses)")
            // Not even with the right one, as the guesser would learn it.
            #expect(status(AccessFixture.basic("mia")) == "429")
            #expect(status(AccessFixture.basic("kim")) == "200")
        }
    }
}

private func closeSocket(_ handle: Int32) { close(handle) }
