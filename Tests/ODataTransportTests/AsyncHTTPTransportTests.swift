import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataWorld
import Testing

@testable import ODataTransport

@Suite struct AsyncHTTPTransportTests {
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

    @Test func statusHeadersAndBodyArriveAsSent() async throws {
        let server = try ScriptedServer { _ in
            [
                .text(
                    "HTTP/1.1 412 Precondition Failed\r\nETag: W/\"3\"\r\nContent-Length: 5\r\n\r\nhello"
                )
            ]
        }
        let url = server.url
        let answer = try await onOwnThread {
            try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url + "/Tools(7)"), options: TransportOptions()
            ).readAll()
        }
        #expect(answer.status == 412)
        #expect(answer.headers["etag"] == "W/\"3\"")
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        #expect(server.requests.first?.hasPrefix("GET /Tools(7) HTTP/1.1") == true)
        try server.stop()
    }

    @Test func gzipBodiesAreInflated() async throws {
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
            try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions()
            ).readAll()
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == "offline")
        #expect(server.requests[0].lowercased().contains("accept-encoding: gzip"))
        try server.stop()
    }

    @Test func silenceEndsWithATimeout() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .gate]
        }
        let url = server.url
        let code = try await code {
            _ = try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url),
                options: TransportOptions(idleTimeout: .milliseconds(150))
            ).readAll()
        }
        #expect(code == .timeout)
        server.release()
        try server.stop()
    }

    @Test func aBrokenBodyIsANetworkErrorNotAShortAnswer() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .hangUp]
        }
        let url = server.url
        let code = try await code {
            _ = try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions()
            ).readAll()
        }
        #expect(code == .network)
        try server.stop()
    }

    @Test func noListenerIsANetworkError() async throws {
        let server = try ScriptedServer { _ in [] }
        let url = server.url
        try server.stop()
        let code = try await code {
            _ = try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions())
        }
        #expect(code == .network)
    }

    private func failure(_ url: String) async throws -> ODataError? {
        try await onOwnThread {
            do {
                _ = try AsyncHTTPTransport.shared.send(
                    RequestMessage(method: "POST", url: url, body: Array("{}".utf8)),
                    options: TransportOptions())
                return nil
            } catch let error as ODataError {
                return error
            }
        }
    }

    @Test func aRefusedConnectionProvesThatNothingWasSent() async throws {
        let server = try ScriptedServer { _ in [] }
        let port = server.port
        try server.stop()
        let error = try #require(
            try await failure("http://user:word@127.0.0.1:\(port)/Orders?secret=1"))
        #expect(error.provesNotSent())
        #expect((error.underlying as? NetworkFailure)?.phase == .connect)
        #expect(error.message.hasPrefix("POST: no connection to 127.0.0.1:\(port)"))
        #expect(!error.description.contains("word") && !error.description.contains("secret"))
    }

    @Test func whoHangsUpMayHaveActed() async throws {
        let server = try ScriptedServer { _ in [.hangUp] }
        let error = try #require(try await failure(server.url + "/Orders"))
        #expect(!error.provesNotSent())
        #expect((error.underlying as? NetworkFailure)?.phase == .wait)
        try server.stop()
    }

    @Test func cancellingWakesTheReader() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .gate]
        }
        let url = server.url
        let flag = CancellationFlag()
        let code = try await code {
            let answer = try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url),
                options: TransportOptions(cancellation: flag))
            flag.cancel()
            _ = try answer.readAll()
        }
        #expect(code == .cancelled)
        server.release()
        try server.stop()
    }

    @Test func aBodyLargerThanTheBufferArrivesWhole() async throws {
        let chunk = [UInt8](repeating: 120, count: 1 << 20)
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: \(8 << 20)\r\n\r\n")]
                + Array(repeating: .bytes(chunk), count: 8)
        }
        let url = server.url
        let size = try await onOwnThread {
            try AsyncHTTPTransport.shared.send(
                RequestMessage(method: "GET", url: url), options: TransportOptions()
            ).readAll().body.count
        }
        #expect(size == 8 << 20)
        try server.stop()
    }

    @Test func readsAreFollowedToAnotherHostWithoutCredentials() throws {
        let request = RequestMessage(
            method: "GET", url: "https://one.example/svc/Tools",
            headers: ["Authorization": "Basic eA==", "Accept": "application/json"])
        let other = try #require(
            Redirect.next(after: 307, ["Location": "https://two.example/Tools"], of: request))
        #expect(other.headers["Authorization"] == nil)
        #expect(other.headers["Accept"] == "application/json")
        let same = try #require(Redirect.next(after: 301, ["Location": "/new/Tools"], of: request))
        #expect(same.url == "https://one.example/new/Tools")
        #expect(same.headers["Authorization"] == "Basic eA==")
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
