import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataWorld
import Testing

@testable import ODataTransport

/// What a session of the system would do by itself, and must not: every way sends what it is given, once.
@Suite struct WayParityTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func answer(
        _ way: Way, _ message: RequestMessage, _ options: TransportOptions = TransportOptions()
    ) async throws -> ResponseMessage {
        try await onOwnThread { try way.transport.send(message, options: options).readAll() }
    }

    /// The connection of an earlier answer breaks under the write: nobody but the caller may send it again.
    @Test(arguments: Way.allCases, ["POST", "PATCH", "DELETE"])
    func aWriteIsSentOnceWhateverBecomesOfAConnectionThatWasKept(
        _ way: Way, _ method: String
    ) async throws {
        let server = try ScriptedServer { path in
            path == "/first" ? [.text(Self.empty)] : [.hangUp]
        }
        let url = server.url
        _ = try await answer(way, RequestMessage(method: "GET", url: url + "/first"))
        let error = try await onOwnThread { () -> ODataError? in
            do {
                _ = try way.transport.send(
                    RequestMessage(method: method, url: url + "/Orders", body: [123, 125]),
                    options: TransportOptions())
                return nil
            } catch {
                return error as? ODataError
            }
        }
        #expect(error?.code == .network)
        #expect(error?.provesNotSent() == false)
        #expect(server.requests.filter { $0.contains("/Orders") }.count == 1)
        try server.stop()
    }

    @Test(arguments: Way.allCases) func everyCookieOfAnAnswerArrives(_ way: Way) async throws {
        let cookies = [
            "sid=1; Path=/; Expires=Thu, 01 May 2031 08:30:00 GMT; HttpOnly", "route=a,b=c", "x=3",
        ]
        let fields = cookies.map { "Set-Cookie: \($0)\r\n" }.joined()
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")]
        }
        let answer = try await answer(way, RequestMessage(method: "GET", url: server.url))
        var jar = CookieJar()
        jar.store(answer.headers.values("Set-Cookie"), now: 0)
        let kept = Set((jar.headerValue(now: 0) ?? "").components(separatedBy: "; "))
        #expect(kept.isSuperset(of: ["sid=1", "route=a,b=c", "x=3"]))
        try server.stop()
    }

    /// Credentials are the library's business: the challenge comes back as it is, and nothing is asked twice.
    @Test(
        arguments: Way.allCases, ["Basic realm=\"r\"", "Bearer", "Digest realm=\"r\", nonce=\"n\""])
    func aChallengeIsAnAnswer(_ way: Way, _ challenge: String) async throws {
        let server = try ScriptedServer { _ in
            [
                .text(
                    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno"
                )
            ]
        }
        let url = server.url
        for method in ["GET", "POST"] {
            let answer = try await answer(
                way,
                RequestMessage(
                    method: method, url: url, headers: ["Authorization": "Bearer abc"],
                    body: method == "POST" ? [65] : []))
            #expect(answer.status == 401)
            #expect(answer.headers["WWW-Authenticate"] == challenge)
            #expect(String(decoding: answer.body, as: UTF8.self) == "no")
        }
        let heads = server.requests
        #expect(heads.count == 2)
        #expect(heads.allSatisfy { $0.contains("Authorization: Bearer abc") })
        try server.stop()
    }

    /// Methods, targets and fields go as the engine wrote them: what is signed or counted must not be rewritten.
    @Test(arguments: Way.allCases) func requestsGoAsTheyAreWritten(_ way: Way) async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 204 No Content\r\n\r\n")]
        }
        let url = server.url
        let target =
            "/s/Orders(Id=7,Name='O%27%27Neil%2F%C3%A4')/Ns.do(x=@p)?$filter=A%20eq%20'b'&@p=%5B1%5D&$top=1;+*!~"
        for method in ["GET", "POST", "PUT", "PATCH", "MERGE", "DELETE", "HEAD"] {
            let hasBody = ["POST", "PUT", "PATCH", "MERGE"].contains(method)
            let answer = try await answer(
                way,
                RequestMessage(
                    method: method, url: url + target,
                    headers: [
                        "Content-Type": "application/json;IEEE754Compatible=true",
                        "Accept": "application/json", "If-Match": "W/\"'1'\"",
                        "RepeatabilityID": "a b",
                    ], body: hasBody ? Array(repeating: 120, count: 3_000) : []))
            #expect(answer.status == 204)
            let head = try #require(server.requests.last)
            // A body that the script does not read stands before the next head.
            let line = head.split(separator: "\r\n").first.map { $0.drop { $0 == "x" } }
            #expect(line == "\(method) \(target) HTTP/1.1")
            // The names of fields have no case (RFC 9110, section 5.1).
            let lower = head.lowercased() + "\r\n"
            for field in [
                "content-type: application/json;ieee754compatible=true",
                "accept: application/json", "if-match: w/\"'1'\"", "repeatabilityid: a b",
            ] { #expect(lower.components(separatedBy: field + "\r\n").count == 2, "\(head)") }
            #expect(!lower.contains("expect:") && !lower.contains("cookie:"))
            #expect(lower.contains("content-length: 3000") == hasBody, "\(head)")
        }
        try server.stop()
    }

    /// An operation without parameters: a service that wants a length (RFC 9110, section 8.6) gets one.
    @Test(arguments: Way.allCases) func aWriteWithoutABodySaysSo(_ way: Way) async throws {
        let server = try ScriptedServer { _ in [.text(Self.empty)] }
        let url = server.url
        for method in ["POST", "PUT", "PATCH"] {
            _ = try await answer(way, RequestMessage(method: method, url: url + "/Do"))
            let head = try #require(server.requests.last).lowercased()
            #expect(head.contains("content-length: 0"), "\(head)")
            #expect(!head.contains("content-type:"), "\(head)")
        }
        try server.stop()
    }

    /// `compressResponses` of the network options.
    @Test(arguments: Way.allCases) func whoWantsPlainBytesAsksForThem(_ way: Way) async throws {
        let server = try ScriptedServer { _ in [.text(Self.empty)] }
        _ = try await answer(
            way,
            RequestMessage(
                method: "GET", url: server.url, headers: ["Accept-Encoding": "identity"]))
        let head = try #require(server.requests.first).lowercased()
        #expect(head.components(separatedBy: "accept-encoding: identity").count == 2, "\(head)")
        #expect(!head.contains("gzip"), "\(head)")
        try server.stop()
    }

    @Test(arguments: Way.allCases) func partsInChunksArriveWhole(_ way: Way) async throws {
        let server = try ScriptedServer { _ in
            [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\noff\r\n"),
                .text("4\r\nline\r\n0\r\n\r\n"),
            ]
        }
        let answer = try await answer(way, RequestMessage(method: "GET", url: server.url))
        #expect(String(decoding: answer.body, as: UTF8.self) == "offline")
        try server.stop()
    }

    /// Sets that are downloaded beside each other wait for the service together, not for one another.
    @Test(arguments: Way.allCases) func twelveAnswersComeBesideEachOther(_ way: Way) async throws {
        let server = try ScriptedServer { path in
            path == "/last" ? [.text(Self.empty)] : [.gate, .text(Self.empty)]
        }
        let url = server.url
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            // One that fails is heard of while the others are held.
            defer { server.release() }
            for number in 0..<12 {
                group.addTask {
                    try await self.answer(
                        way, RequestMessage(method: "GET", url: url + "/\(number)")
                    ).status
                }
            }
            group.addTask {
                let haveCome = try await onOwnThread { server.awaitRequests(12) }
                #expect(haveCome)
                server.release()
                return nil
            }
            var statuses: [Int] = []
            for try await status in group { statuses += status.map { [$0] } ?? [] }
            return statuses
        }
        #expect(statuses == Array(repeating: 200, count: 12))
        try server.stop()
    }
}
