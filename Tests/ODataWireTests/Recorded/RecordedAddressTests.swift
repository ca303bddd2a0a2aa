import ConformanceData
import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// What other services were asked and answered: the same request is read, checked against their metadata and written again
/// as it was sent.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedAddressTests {
    private struct Recording: Decodable {
        struct Exchange: Decodable {
            struct Request: Decodable {
                let method: String
                let url: String
            }
            struct Response: Decodable {
                let status: Int
                let body: String?
            }
            let request: Request
            let response: Response
        }
        let exchanges: [Exchange]
    }

    @Test(arguments: [
        ("recorded/v4-olingo-basic.json", Dialect.v4, "odata.svc/", 10),
        ("recorded/v2-olingo-basic.json", .v2, "ReferenceScenario.svc/", 18),
        ("recorded/v4-goodata-basic.json", .v401, "srv.example:80/", 7),
    ])
    func recordedAddressesAreWrittenAsTheyWereSent(
        _ file: String, _ dialect: Dialect, _ root: String, _ least: Int
    ) throws {
        let recording = try Conformance.json(file, as: Recording.self)
        let metadata = try #require(
            recording.exchanges.first { $0.request.url.hasSuffix("/$metadata") }?.response.body)
        let graph = try CSDLReader.read(Array(metadata.utf8), options: .runningService)
        var written = 0
        for exchange in recording.exchanges where exchange.request.method == "GET" {
            let url = exchange.request.url
            let start = try #require(url.firstRange(of: root)).upperBound
            let text = String(url[start...])
            guard !text.isEmpty, !text.hasPrefix("$metadata") else { continue }
            var query = try URLParser.parse(text, graph: graph, dialect: dialect)
            // Before the check, which gives literals the types of what they meet.
            let again = try URLWriter.text(query, graph: graph, dialect: dialect)
            let isRight = (200..<300).contains(exchange.response.status)
            do {
                try QueryChecker.check(&query, graph: graph)
            } catch let error as ODataError {
                // What the service refused is refused before it is asked, by its place.
                #expect(!isRight, "\(text): \(error)")
                #expect(error.location != nil)
                continue
            }
            #expect(parts(again) == parts(text), "\(file): \(again)")
            written += 1
        }
        print("Recorded addresses of \(file): \(written) written as they were sent")
        #expect(written >= least)
    }

    /// The path and the options in order of name, decoded.
    private func parts(_ url: String) -> [String] {
        let halves = url.split(separator: "?", maxSplits: 1).map(String.init)
        let options = halves.count > 1 ? halves[1].split(separator: "&").map(String.init) : []
        return ([halves[0]] + options.sorted()).map { $0.removingPercentEncoding ?? $0 }
    }
}
