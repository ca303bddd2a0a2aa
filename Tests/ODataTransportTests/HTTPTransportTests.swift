import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataWorld
import Testing

@testable import ODataTransport

/// The ways over which every answer is to arrive alike.
enum Way: CaseIterable, Sendable {
    #if AsyncHTTPClient
        case library
    #endif
    case system

    var transport: any HTTPTransport {
        switch self {
        #if AsyncHTTPClient
            case .library: AsyncHTTPTransport.shared
        #endif
        case .system: Self.session
        }
    }

    /// Whether it says how far an exchange came, and of a failed handshake that it was one.
    var tellsSteps: Bool { self != .system }

    private static let session = URLSessionTransport(configuration: .withoutLimits)
}

@Suite struct HTTPTransportTests {
    private func code(_ body: @escaping @Sendable () throws -> Void) async throws -> ODataError
        .Code?
    {
        try await onOwnThread {
            do {
                try body()
                return nil
            } catch let error as ODataError {
                return error.code
            }
        }
    }

    @Test(arguments: Way.allCases) func statusHeadersAndBodyArriveAsSent(_ way: Way) async throws {
        let server = try ScriptedServer { _ in
            [
                .text(
                    "HTTP/1.1 412 Precondition Failed\r\nETag: W/\"3\"\r\nContent-Length: 5\r\n\r\nhello"
                )
            ]
        }
        let url = server.url
        let answer = try await onOwnThread {
            try way.transport.send(
                RequestMessage(method: "GET", url: url + "/Tools(7)"), options: TransportOptions()
            ).readAll()
        }
        #expect(answer.status == 412)
        #expect(answer.headers["etag"] == "W/\"3\"")
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        #expect(server.requests.first?.hasPrefix("GET /Tools(7) HTTP/1.1") == true)
        try server.stop()
    }

    @Test(arguments: Way.allCases) func gzipBodiesAreInflated(_ way: Way) async throws {
        // printf 'offline' | gzip -n, as hex
        let zipped: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x4f, 0x4b, 0xcb,
            0xc9, 0xcc, 0x4b, 0x05, 0x00, 0x32, 0xe6, 0x1d, 0xd8, 0x07, 0x00, 0x00, 0x00,
        ]
        let server = try ScriptedServer { _ in
            [
                .text(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(zipped.count)\r\n\r\n"
                ),
                .bytes(zipped),
            ]
        }
        let url = server.url
        let answer = try await onOwnThread {
            try way.transport.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions()
            ).readAll()
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == "offline")
        let field = server.requests[0].lowercased().split(separator: "\r\n")
            .first { $0.hasPrefix("accept-encoding:") }
        #expect(field?.contains("gzip") == true)
        try server.stop()
    }

    @Test(arguments: Way.allCases) func silenceEndsWithATimeout(_ way: Way) async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .gate]
        }
        let url = server.url
        let code = try await code {
            _ = try way.transport.send(
                RequestMessage(method: "GET", url: url),
                options: TransportOptions(idleTimeout: .milliseconds(150))
            ).readAll()
        }
        #expect(code == .timeout)
        server.release()
        try server.stop()
    }

    @Test(arguments: Way.allCases) func aBrokenBodyIsANetworkErrorNotAShortAnswer(_ way: Way)
        async throws
    {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .hangUp]
        }
        let url = server.url
        let code = try await code {
            _ = try way.transport.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions()
            ).readAll()
        }
        #expect(code == .network)
        try server.stop()
    }

    @Test(arguments: Way.allCases) func noListenerIsANetworkError(_ way: Way) async throws {
        let server = try ScriptedServer { _ in [] }
        let url = server.url
        try server.stop()
        let code = try await code {
            _ = try way.transport.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions())
        }
        #expect(code == .network)
    }

    private func failure(_ way: Way, _ url: String) async throws -> ODataError? {
        try await onOwnThread {
            do {
                _ = try way.transport.send(
                    RequestMessage(method: "POST", url: url, body: Array("{}".utf8)),
                    options: TransportOptions())
                return nil
            } catch let error as ODataError {
                return error
            }
        }
    }

    @Test(arguments: Way.allCases) func aRefusedConnectionProvesThatNothingWasSent(_ way: Way)
        async throws
    {
        let server = try ScriptedServer { _ in [] }
        let port = server.port
        try server.stop()
        let error = try #require(
            try await failure(way, "http://user:word@127.0.0.1:\(port)/Orders?secret=1"))
        #expect(error.provesNotSent())
        #expect((error.underlying as? NetworkFailure)?.phase == .connect)
        #expect(error.message.hasPrefix("POST: no connection to 127.0.0.1:\(port)"))
        #expect(!error.description.contains("word") && !error.description.contains("secret"))
    }

    /// A name that nobody has (RFC 6761, section 6.4) and a port that speaks no TLS: nothing was sent, and the error says
    /// which step failed, of whom, and why.
    @Test(arguments: Way.allCases) func namesAndTLSAreStepsOfTheirOwn(_ way: Way) async throws {
        let name = try #require(try await failure(way, "http://nobody.invalid/Orders?secret=1"))
        let server = try PlainListener()
        let tls = try #require(
            try await failure(way, "https://127.0.0.1:\(server.port)/Orders?secret=1"))
        try server.stop()
        let (first, second) = (
            try #require(name.underlying as? NetworkFailure),
            try #require(tls.underlying as? NetworkFailure)
        )
        #expect(name.provesNotSent())
        #expect(first.phase == .name, "\(name)")
        #expect(
            name.message.hasPrefix("POST: the name of nobody.invalid was not resolved ("), "\(name)"
        )
        #expect(first.cause != nil)
        // The system's session on Linux does not tell a failed handshake from other failures: nothing is claimed of it.
        if way.tellsSteps {
            #expect(tls.provesNotSent(), "\(tls)")
            #expect(second.phase == .tls, "\(tls)")
            #expect(tls.message.hasPrefix("POST: no secure connection to 127.0.0.1:"), "\(tls)")
            #expect(second.cause != nil)
        }
        for error in [name, tls] { #expect(!error.description.contains("secret")) }
    }

    @Test(arguments: Way.allCases) func whoHangsUpMayHaveActed(_ way: Way) async throws {
        let server = try ScriptedServer { _ in [.hangUp] }
        let error = try #require(try await failure(way, server.url + "/Orders"))
        #expect(!error.provesNotSent())
        #expect((error.underlying as? NetworkFailure)?.phase == .wait)
        try server.stop()
    }

    /// A silence says who was silent, when, and for how long.
    @Test(arguments: Way.allCases) func aTimeLimitNamesMethodHostAndPhase(_ way: Way) async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .gate]
        }
        let silent = try ScriptedServer { _ in [.gate] }
        defer { for server in [server, silent] { try? server.stop() } }
        let (begun, mute) = (server.url, silent.url)
        // A busy machine takes its time for the connection and the head, which are not what is waited for.
        let limit = Duration.seconds(20)
        let errors = try await onOwnThread {
            [begun, mute].map { url -> ODataError? in
                do {
                    _ = try way.transport.send(
                        RequestMessage(method: "GET", url: url + "/Orders('k')?secret=1"),
                        options: TransportOptions(idleTimeout: limit)
                    ).readAll()
                    return nil
                } catch {
                    return error as? ODataError
                }
            }
        }
        let (body, wait) = (try #require(errors[0]), try #require(errors[1]))
        #expect(body.code == .timeout && wait.code == .timeout)
        #expect((wait.underlying as? NetworkFailure)?.phase == .wait)
        // The system's session on Linux hands a head over with the first bytes of its body.
        if way.tellsSteps {
            #expect((body.underlying as? NetworkFailure)?.phase == .body)
            #expect(body.message.hasPrefix("GET: the answer of 127.0.0.1:"), "\(body.message)")
        }
        #expect(
            wait.message.contains("gave no answer (nothing came for 20"),
            "\(wait.message)")
        #expect(wait.description.contains("/Orders") && !wait.description.contains("secret"))
    }

    @Test(arguments: Way.allCases) func cancellingWakesTheReader(_ way: Way) async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .gate]
        }
        let url = server.url
        let flag = CancellationFlag()
        let code = try await code {
            let answer = try way.transport.send(
                RequestMessage(method: "GET", url: url),
                options: TransportOptions(cancellation: flag))
            flag.cancel()
            _ = try answer.readAll()
        }
        #expect(code == .cancelled)
        server.release()
        try server.stop()
    }

    @Test(arguments: Way.allCases) func aBodyLargerThanTheBufferArrivesWhole(_ way: Way)
        async throws
    {
        let chunk = [UInt8](repeating: 120, count: 1 << 20)
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: \(8 << 20)\r\n\r\n")]
                + Array(repeating: .bytes(chunk), count: 8)
        }
        let url = server.url
        let size = try await onOwnThread {
            try way.transport.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions()
            ).readAll().body.count
        }
        #expect(size == 8 << 20)
        try server.stop()
    }

    /// A reader that comes late finds the sender held back, as often as what was under way asked for it. The limit only
    /// ends a test that hangs: beside all others the first byte may take longer than it takes alone.
    @Test(arguments: Way.allCases) func aBodyWaitsForALateReader(_ way: Way) async throws {
        let chunk = [UInt8](repeating: 120, count: 1 << 20)
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: \(8 << 20)\r\n\r\n")]
                + Array(repeating: .bytes(chunk), count: 8)
        }
        let url = server.url
        let size = try await onOwnThread {
            let answer = try way.transport.send(
                RequestMessage(method: "GET", url: url),
                options: TransportOptions(idleTimeout: .seconds(300)))
            usleep(100_000)
            return try answer.readAll().body.count
        }
        #expect(size == 8 << 20)
        try server.stop()
    }

    @Test(arguments: Way.allCases) func aBodyThatIsReadWhileItIsSentArrivesWhole(
        _ way: Way
    ) async throws {
        let server = try ScriptedServer { _ in
            [.body(700_000), .text("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")]
        }
        let url = server.url
        let answer = try await onOwnThread {
            try way.transport.send(
                RequestMessage(method: "PUT", url: url + "/Tools(7)/$value"),
                options: TransportOptions(content: CountedContent(700_000))
            ).readAll()
        }
        #expect(answer.status == 204)
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("PUT /Tools(7)/$value HTTP/1.1"))
        #expect(head.lowercased().contains("content-length: 700000"))
        try server.stop()
    }

    #if AsyncHTTPClient
        /// Portals answer a head and hang up. Where the end of the body is told on another event loop than the connection's,
        /// the connection is given back to a pool that has forgotten it, and AsyncHTTPClient ends the process.
        @Test func whoAnswersBeforeTheBodyEndsAndHangsUpEndsNoProcess() async throws {
            let server = try ScriptedServer { _ in
                [.text("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"), .hangUp]
            }
            let url = server.url
            let transport = AsyncHTTPTransport()
            let ends = try await onOwnThread {
                (0..<400).map { round in
                    Result {
                        try transport.send(
                            RequestMessage(method: "PUT", url: url + "/Tools(\(round))/$value"),
                            options: TransportOptions(content: CountedContent(300_000))
                        ).readAll().status
                    }
                }
            }
            for end in ends {
                switch end {
                case .success(let status): #expect(status == 204)
                case .failure(let error): #expect((error as? ODataError)?.code == .network)
                }
            }
            #expect(!server.requests.isEmpty)
            try server.stop()
        }
    #endif

    @Test(arguments: Way.allCases) func contentThatFailsEndsTheRequestWithItsOwnError(
        _ way: Way
    ) async throws {
        let server = try ScriptedServer { _ in [.gate] }
        defer { server.release() }
        let url = server.url
        let code = try await code {
            _ = try way.transport.send(
                RequestMessage(method: "PUT", url: url + "/Tools(7)/$value"),
                options: TransportOptions(content: CountedContent(700_000, failsAt: 300_000)))
        }
        #expect(code == .storage)
        try server.stop()
    }

    @Test(arguments: Way.allCases) func readsAreFollowedWithinTheService(
        _ way: Way
    ) async throws {
        let server = try ScriptedServer { path in
            path == "/old"
                ? [
                    .text(
                        "HTTP/1.1 307 Moved\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")
                ]
                : [.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew")]
        }
        let url = server.url
        let read = try await onOwnThread {
            try way.transport.send(
                RequestMessage(method: "GET", url: url + "/old"), options: TransportOptions()
            ).readAll()
        }
        #expect(String(decoding: read.body, as: UTF8.self) == "new")
        let write = try await onOwnThread {
            try way.transport.send(
                RequestMessage(method: "POST", url: url + "/old", body: [123, 125]),
                options: TransportOptions()
            ).readAll()
        }
        #expect(write.status == 307)
        #expect(write.headers["Location"] == "/new")
        try server.stop()
    }

    @Test func readsAreFollowedToAnotherHostWithoutCredentials() throws {
        let request = RequestMessage(
            method: "GET", url: "https://one.example/svc/Tools",
            headers: [
                "Authorization": "Basic eA==", "Accept": "application/json", "X-Site-Key": "s3cret",
            ])
        let other = try #require(
            Redirect.next(after: 307, ["Location": "https://two.example/Tools"], of: request))
        #expect(other.headers == ["Accept": "application/json"])
        let same = try #require(Redirect.next(after: 301, ["Location": "/new/Tools"], of: request))
        #expect(same.url == "https://one.example/new/Tools")
        #expect(same.headers == request.headers)
    }

    @Test func writesAndDowngradesAreNotFollowed() {
        let write = RequestMessage(method: "POST", url: "https://one.example/Tools")
        #expect(
            Redirect.next(after: 307, ["Location": "https://two.example/Tools"], of: write) == nil)
        let read = RequestMessage(method: "GET", url: "https://one.example/Tools")
        #expect(
            Redirect.next(after: 302, ["Location": "http://one.example/Tools"], of: read) == nil)
    }
}

/// So many bytes, or an error in their place behind some. Used by one thread.
private final class CountedContent: RequestContent, @unchecked Sendable {
    let length: Int64?
    let canRewind = false
    private var left: Int
    private let end: Int

    init(_ count: Int, failsAt failure: Int? = nil) {
        length = Int64(count)
        left = count
        end = failure.map { count - $0 } ?? -1
    }

    func rewind() throws -> Bool { false }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard left > end else { throw ODataError(.storage, "Expected content, found a bad disk.") }
        let count = min(left, buffer.count)
        // What memory held before may look like the head of a request.
        buffer.initializeMemory(as: UInt8.self, repeating: 0x78)
        left -= count
        return count
    }
}
