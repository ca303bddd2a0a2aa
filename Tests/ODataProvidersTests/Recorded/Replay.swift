import ConformanceData
import Foundation
import ODataQuery
import ODataTesting
import ODataSync
import ODataText
import ODataTransport
import ODataWorld
import SAPOData
import Synchronization
import Testing

/// A recorded conversation with a service that others made, played to the real client: each request of the client is
/// answered with what the service answered to that method, path and set of query options. What was not recorded has no
/// answer, and says so.
final class Replay: Sendable {
    struct Exchange: Decodable, Sendable {
        struct Request: Decodable, Sendable {
            let method: String
            let url: String
            let headers: [String: String]
            let body: String?
        }
        struct Response: Decodable, Sendable {
            let status: Int
            let headers: [String: String]
            let body: String?
        }
        let request: Request
        let response: Response

        var accept: String { request.headers["Accept"] ?? "" }
        var bytes: [UInt8] { Array((response.body ?? "").utf8) }

        /// The answer's JSON, read without the product.
        func json() throws -> Any {
            try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
    }

    private struct File: Decodable {
        let exchanges: [Exchange]
    }

    private struct State {
        var now: Int?
        var answered: Set<Int> = []
        var skipped: [Int: String] = [:]
        var unrecorded: [String] = []
        var sent: [RequestMessage] = []
    }

    let file: String
    let root: String
    let exchanges: [Exchange]
    private let state = Mutex(State())

    init(_ file: String, root: String) throws {
        self.file = file
        self.root = root
        exchanges = try Conformance.json("recorded/" + file, as: File.self).exchanges
    }

    // MARK: The service's side

    func makeProvider(folder: String = "/nowhere") -> OnlineODataProvider {
        OnlineODataProvider(
            serviceName: "Recorded", serviceRoot: root,
            transport: LoopbackTransport { [self] in try answer($0) },
            folder: PrivateFolder(path: folder))
    }

    private func answer(_ request: RequestMessage) throws -> ResponseMessage {
        let index: Int? = state.withLock { state in
            state.sent.append(request)
            let fits = exchanges.indices.filter { Self.fits(exchanges[$0], request) }
            let index = fits.first { $0 == state.now } ?? fits.first
            if let index {
                state.answered.insert(index)
            } else {
                state.unrecorded.append(request.line)
            }
            return index
        }
        guard let index else {
            throw ODataError(.network, "Not recorded: \(request.line)")
        }
        let exchange = exchanges[index]
        var headers = HeaderFields()
        for (name, value) in exchange.response.headers { headers[name] = value }
        return ResponseMessage(
            status: exchange.response.status, headers: headers,
            body: RecordedBatch.body(of: exchange, for: request))
    }

    /// Whether this is what was asked for when the exchange was recorded.
    private static func fits(_ exchange: Exchange, _ request: RequestMessage) -> Bool {
        let recorded = exchange.request
        guard recorded.method == request.method, parts(recorded.url) == parts(request.url) else {
            return false
        }
        let accept = request.headers["Accept"] ?? "*/*"
        if recorded.method == "GET", !recorded.url.contains("$format"),
            !accept.contains("*/*") || exchange.accept.contains("metadata=")
        {
            let family = exchange.accept.split(separator: ";")[0]
            guard accept.contains(family) else { return false }
            for level in ["metadata=full", "metadata=none"] {
                guard accept.contains(level) == exchange.accept.contains(level) else {
                    return false
                }
            }
        }
        let guarded = exchange.response.headers["x-csrf-token"] == "Required"
        let token = request.headers["X-CSRF-Token"]
        if guarded { return token == nil }
        for name in ["X-CSRF-Token", "If-Match"] {
            guard (recorded.headers[name] == nil) == (request.headers[name] == nil) else {
                return false
            }
        }
        if let tag = recorded.headers["If-Match"], tag != request.headers["If-Match"] {
            return false
        }
        if let wish = recorded.headers["Prefer"] {
            let sent = request.headers["Prefer"] ?? ""
            guard sent.contains(wish.replacing("odata.", with: "")) else { return false }
        }
        guard !recorded.url.hasSuffix("$batch"), let body = recorded.body else { return true }
        return RecordedValues.holds(body, String(decoding: request.body, as: UTF8.self))
    }

    /// The path and the options in order, decoded.
    private static func parts(_ url: String) -> [String] {
        let halves = url.split(separator: "?", maxSplits: 1).map(String.init)
        let options = halves.count > 1 ? halves[1].split(separator: "&").map(String.init) : []
        let path = halves.first?.replacing("srv.example:80", with: "srv.example") ?? ""
        return ([path] + options.sorted()).map {
            $0.removingPercentEncoding ?? $0
        }
    }

    // MARK: The test's side

    /// Runs what the client does, and proves that this exchange answered it.
    func play<Result>(_ index: Int, _ body: (Exchange) throws -> Result) throws -> Result? {
        try #require(exchanges.indices.contains(index))
        state.withLock { state in
            state.now = index
            state.answered.remove(index)
        }
        defer { state.withLock { $0.now = nil } }
        let exchange = exchanges[index]
        let name = "\(file) \(index): \(exchange.request.method) \(exchange.request.url)"
        var result: Result?
        do {
            result = try body(exchange)
        } catch {
            Issue.record("\(name): \(error)")
        }
        let wasAsked = state.withLock { $0.answered.contains(index) }
        #expect(wasAsked, "not asked for: \(name)")
        return result
    }

    /// Names an exchange that is not played, and why.
    func skip(_ index: Int, because reason: String) {
        state.withLock { $0.skipped[index] = reason }
    }

    /// Requests of the client that nothing in the recording answers.
    var unrecorded: [String] { state.withLock { $0.unrecorded } }

    /// The last request of the client.
    var last: RequestMessage? { state.withLock { $0.sent.last } }

    /// Each exchange was played or has a reason; says how many.
    func settle() {
        let (answered, skipped) = state.withLock { ($0.answered, $0.skipped) }
        for index in exchanges.indices where !answered.contains(index) && skipped[index] == nil {
            let request = exchanges[index].request
            Issue.record("neither played nor given a reason: \(index) \(request.url)")
        }
        print(
            "Recorded exchanges of \(file): \(answered.count) of \(exchanges.count) played,",
            "\(skipped.count) not")
        for (index, reason) in skipped.sorted(by: { $0.key < $1.key }) {
            #expect(!answered.contains(index), "played after all: \(index)")
            let request = exchanges[index].request
            print("  not played: \(index) \(request.method) \(request.url): \(reason)")
        }
    }
}
