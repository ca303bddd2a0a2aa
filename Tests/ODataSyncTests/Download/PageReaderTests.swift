import Foundation
import ODataQuery
import ODataTesting
import ODataText
import ODataTransport
import ODataWorld
import Synchronization
import Testing

@testable import ODataSync

@Suite struct PageReaderTests {
    private final class Service: Sendable {
        let seen = Mutex<[String]>([])
        let pages: [String: String]

        init(_ pages: [String: String]) { self.pages = pages }

        var connection: ServiceConnection {
            ServiceConnection(
                root: "http://h/svc/",
                transport: LoopbackTransport { [self] request in
                    seen.withLock { $0.append(request.url) }
                    let name = String(request.url.dropFirst("http://h/svc/".count))
                    guard let page = pages[name] else { return ResponseMessage(status: 404) }
                    return ResponseMessage(status: 200, body: Array(page.utf8))
                })
        }
    }

    private func read(_ service: Service, _ urls: [String]) async throws -> [String] {
        try await onOwnThread {
            let reader = PageReader(
                connection: service.connection, world: LiveWorld(), headers: HeaderFields(),
                pageLimit: 1 << 20, cancellation: CancellationFlag())
            defer { reader.close() }
            return try urls.map { url in
                let page = reader.page(at: url)
                _ = try page.waitForHead()
                page.pipe.waitUntilBuffered()
                let bytes = try [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                    count = try page.pipe.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    @Test func theForeseenPageIsAskedForOnce() async throws {
        let service = Service([
            "Tools": #"{"value":[{"Id":1}],"@odata.nextLink":"Tools?$skiptoken=1"}"#,
            "Tools?$skiptoken=1": #"{"value":[{"Id":2}]}"#,
        ])
        let pages = try await read(service, ["Tools", "Tools?$skiptoken=1"])
        #expect(pages[1] == #"{"value":[{"Id":2}]}"#)
        #expect(
            service.seen.withLock { $0 } == [
                "http://h/svc/Tools", "http://h/svc/Tools?$skiptoken=1",
            ])
    }

    @Test func aWrongGuessIsThrownAway() async throws {
        let service = Service([
            "Tools": #"{"value":[],"@odata.nextLink":"Tools?wrong"}"#, "Tools?wrong": "wrong",
            "Tools?right": "right",
        ])
        let pages = try await read(service, ["Tools", "Tools?right"])
        #expect(pages[1] == "right")
    }
}
