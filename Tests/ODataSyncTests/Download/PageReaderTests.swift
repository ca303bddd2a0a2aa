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

    /// Not each second one only: a page that has come before it was needed says what comes behind it, too.
    @Test func eachPageIsAskedForWhileTheOneBeforeItIsStored() async throws {
        let links = (1...4).map { "Tools?p=\($0)" }
        var pages = ["Tools?p=5": #"{"value":[]}"#]
        for (url, next) in zip(["Tools"] + links, links + ["Tools?p=5"]) {
            pages[url] = #"{"value":[],"@odata.nextLink":"\#(next)"}"#
        }
        let service = Service(pages)
        let counts = try await onOwnThread {
            let reader = PageReader(
                connection: service.connection, world: LiveWorld(), headers: HeaderFields(),
                pageLimit: 1 << 20, cancellation: CancellationFlag())
            defer { reader.close() }
            return try (["Tools"] + links).enumerated().map { index, url in
                let page = reader.page(at: url)
                _ = try page.waitForHead()
                page.pipe.waitUntilBuffered()
                // Stored meanwhile: the one behind it is asked for, and has come, before anybody needs it.
                let end = ContinuousClock.now + .seconds(20)
                while service.seen.withLock({ $0.count }) < index + 2, ContinuousClock.now < end {
                    usleep(1_000)
                }
                usleep(20_000)
                return service.seen.withLock { $0.count }
            }
        }
        #expect(counts == [2, 3, 4, 5, 6])
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
