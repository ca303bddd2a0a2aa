import Foundation
import ODataQuery
import ODataTransport
import SAPFoundation
import Synchronization
import Testing

@testable import SAPOfflineOData

/// What the provider adds to each request, and counts of it.
@Suite struct TransferCounterTests {
    /// Keeps what it is given.
    private final class Seen: HTTPTransport {
        let requests = Mutex<[RequestMessage]>([])

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            requests.withLock { $0.append(request) }
            return BufferedAnswer(ResponseMessage(status: 200, headers: [:], body: [1, 2, 3]))
        }
    }

    /// Answers with three bytes.
    private struct Three: HTTPTransport {
        let headers: HeaderFields

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            BufferedAnswer(ResponseMessage(status: 200, headers: headers, body: [1, 2, 3]))
        }
    }

    /// The length of what comes packed is not that of what is read.
    @Test(
        arguments: [
            (["Content-Length": "3"], 3), ([:], 0), (["Content-Length": "-1"], 0),
            (["Content-Length": "3", "Content-Encoding": "gzip"], 0),
        ] as [(HeaderFields, Int)])
    func whatIsToComeIsKnownFromTheHead(headers: HeaderFields, expected: Int) throws {
        let counter = TransferCounter(Three(headers: headers))
        let answer = try counter.send(
            RequestMessage(method: "GET", url: "http://h/s/Items"), options: TransportOptions())
        #expect(counter.count.expected == expected && counter.count.received == 0)
        _ = try answer.readAll()
        #expect(counter.count.expected == 3 && counter.count.received == 3)
        counter.reset()
        #expect(counter.count.expected == 0 && counter.count.received == 0)
    }

    private final class Files: OfflineODataDelegate, Sendable {
        let told = Mutex<[[Int]]>([])

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress
        ) {
            told.withLock { $0.append([Int(progress.bytesReceived), Int(progress.fileSize)]) }
        }
    }

    @Test("OFF-009 what is to come is told before it has come")
    func whatIsToComeIsTold() throws {
        let files = Files()
        let parameters = OfflineODataParameters()
        parameters.storePath = FileManager.default.temporaryDirectory
            .appendingPathComponent("told-" + UUID().uuidString)
        let provider = try OfflineODataProvider(
            serviceRoot: try #require(URL(string: "http://h.invalid/s/")), parameters: parameters,
            sapURLSession: SAPURLSession(), delegate: files)
        let reporter = provider.session.reporter
        for (received, expected) in [(0, 30), (10, 30), (40, 30)] {
            reporter.transferred(
                .init(received: received, expected: expected), in: .open, isLast: false)
        }
        reporter.transferred(.init(received: 40, expected: 50), in: .open, isLast: true)
        #expect(files.told.withLock { $0 } == [[0, 30], [10, 30], [40, 40], [40, 40]])
    }

    @Test(arguments: [true, false]) func requestsThatOthersCarryAreCountedAndHaveTheAppsCookies(
        isCarried: Bool
    ) throws {
        let (base, carrier) = (Seen(), Seen())
        let counter = TransferCounter(base)
        counter.configure(cookies: ["a": "b"], idleSeconds: nil)
        var options = TransportOptions()
        if isCarried { options.carrier = carrier }
        let request = RequestMessage(method: "POST", url: "http://h/s/Items", body: [9, 9])
        _ = try counter.carry(request, options: options).readAll()
        let seen = (isCarried ? carrier : base).requests.withLock { $0 }
        #expect(seen.map { $0.headers["Cookie"] } == ["a=b"])
        #expect((isCarried ? base : carrier).requests.withLock { $0.isEmpty })
        #expect(counter.count.sent == 2 && counter.count.received == 3)
    }
}
