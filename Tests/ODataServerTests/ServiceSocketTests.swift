import Foundation
import ODataQuery
import ODataServer
import ODataText
import Testing

/// The service through a real socket, with requests written byte by byte.
@Suite(.serialized) struct ServiceSocketTests {
    /// A connected socket; nil when nobody listens.
    static func connection(port: Int) -> Int32? {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let handle = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(handle, $0, size) }
        }
        guard connected == 0 else {
            close(handle)
            return nil
        }
        return handle
    }

    /// Sends bytes to a port and reads until the other side closes; blocks, so it runs on a thread of its own.
    static func exchange(_ request: String, port: Int) -> String {
        exchange(bytes: Array(request.utf8), port: port)
    }

    static func exchange(bytes: [UInt8], port: Int) -> String {
        guard let handle = connection(port: port) else { return "not connected" }
        defer { close(handle) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            handle, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(handle, $0.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
            }
            guard count > 0 else { break }
            sent += count
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(handle, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            answer += chunk[..<count]
        }
        return String(String.UnicodeScalarView(answer.map { Unicode.Scalar($0) }))
    }

    /// Starts the service, runs `body` with its port on a thread of its own, and stops it.
    static func served(
        _ fixture: ServiceFixture, _ body: @escaping @Sendable (Int) throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                do {
                    let port = try fixture.service.start()
                    let result = Result { try body(port) }
                    fixture.service.stop()
                    continuation.resume(with: result)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test func requestsAreAnsweredOverHTTP() async throws {
        let fixture = try ServiceFixture()
        try await Self.served(fixture) { port in
            let answer = Self.exchange(
                "GET /Tools(1)?$select=Title HTTP/1.1\r\nHost: h:1\r\nConnection: close\r\n\r\n",
                port: port)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            #expect(
                answer.contains(#""@odata.context":"http://h:1/$metadata#Tools(Title)/$entity""#))
            let posted = Self.exchange(
                "POST /Tags HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"Name\":\"net\"}",
                port: port)
            #expect(posted.hasPrefix("HTTP/1.1 201 Created\r\n"), "\(posted)")
            let deleted = Self.exchange(
                "DELETE /Tags('net') HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port)
            #expect(deleted.hasPrefix("HTTP/1.1 204 No Content\r\n"), "\(deleted)")
        }
        #expect(
            fixture.service.observer.requests.map { "\($0.method) \($0.url)" } == [
                "GET /Tools(1)?$select=Title", "POST /Tags", "DELETE /Tags('net')",
            ])
        #expect(fixture.service.observer.requests[1].headers["Content-Length"] == "14")
    }

    @Test func answersAreCompressedWhenAsked() async throws {
        let fixture = try ServiceFixture()
        try await Self.served(fixture) { port in
            let head = "Host: h\r\nConnection: close\r\n"
            let packed = Self.exchange(
                "GET /$metadata HTTP/1.1\r\n\(head)Accept-Encoding: gzip\r\n\r\n", port: port)
            #expect(packed.lowercased().contains("content-encoding: gzip"))
            #expect(packed.contains("\r\n\r\n") && !packed.contains("EntityContainer"))
            let plain = Self.exchange("GET /$metadata HTTP/1.1\r\n\(head)\r\n", port: port)
            #expect(!plain.lowercased().contains("content-encoding"))
            #expect(plain.contains("EntityContainer"))
        }
    }

    @Test func oneConnectionCarriesManyRequests() async throws {
        let fixture = try ServiceFixture()
        try await Self.served(fixture) { port in
            let one = "GET /Tools/$count HTTP/1.1\r\nHost: h\r\n\r\n"
            let last = "GET /Tools/$count HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            let answer = Self.exchange(one + one + last, port: port)
            #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 4, "\(answer)")
        }
    }

    @Test func nonsenseOnTheWireIsRefused() async throws {
        let fixture = try ServiceFixture { $0.maximumBodyBytes = 1_000 }
        try await Self.served(fixture) { port in
            #expect(Self.exchange("NONSENSE\r\n\r\n", port: port).contains(" 400 "))
            let big = Self.exchange(
                "POST /Tags HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n"
                    + String(repeating: "x", count: 5_000), port: port)
            #expect(big.contains(" 413 "), "\(big)")
            let fine = Self.exchange(
                "GET /Tools/$count HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port)
            #expect(fine.hasSuffix("\r\n\r\n4"), "\(fine)")
        }
    }

    @Test func faultsLoseRequestsAndAnswersAsTold() async throws {
        let fixture = try ServiceFixture()
        fixture.service.observer.setFaults { _, number in
            switch number {
            case 1: .loseRequest
            case 2: .loseAnswer
            case 3: .cutAnswer
            case 4: .answer(ResponseMessage(status: 503, headers: ["Retry-After": "1"]))
            default: nil
            }
        }
        try await Self.served(fixture) { port in
            func post(_ name: String) -> String {
                let json = #"{"Name":"\#(name)"}"#
                return Self.exchange(
                    "POST /Tags HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)", port: port)
            }
            #expect(post("one").isEmpty)
            #expect(post("two").isEmpty)
            let cut = post("three")
            #expect(cut.hasPrefix("HTTP/1.1 201"), "\(cut)")
            #expect(!cut.hasSuffix("}"))
            #expect(post("four").hasPrefix("HTTP/1.1 503"))
            #expect(post("five").hasPrefix("HTTP/1.1 201"))
        }
        #expect(
            try fixture.value(
                "SELECT group_concat(Name, ' ') FROM (SELECT Name FROM Tags WHERE Remark IS NULL AND Name < 'z' ORDER BY Name)"
            ) == "five three two")
    }

    @Test func anIdleConnectionDoesNotHoldUpTheStop() async throws {
        let fixture = try ServiceFixture()
        try await Self.served(fixture) { port in
            Thread.detachNewThread {
                _ = Self.exchange("GET /Tools/$count HTTP/1.1\r\nHost: h\r\n\r\n", port: port)
            }
            while fixture.service.observer.requestCount == 0 { usleep(1_000) }
        }
        #expect(fixture.service.url == nil)
    }

    @Test func aServiceCanBeStoppedAndStartedAgain() async throws {
        let fixture = try ServiceFixture()
        for _ in 0..<2 {
            try await Self.served(fixture) { port in
                #expect(fixture.service.url == "http://127.0.0.1:\(port)/")
                let answer = Self.exchange(
                    "GET /Tools/$count HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port
                )
                #expect(answer.hasSuffix("4"))
            }
        }
        #expect(fixture.service.url == nil)
    }
}
