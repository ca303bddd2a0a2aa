import ConformanceData
import Foundation
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct BatchRecordingTests {
    private struct Text: Decodable {
        var name: String
        var text: String
    }

    @Test(arguments: ["recorded/v2-olingo-basic.json", "recorded/v4-olingo-basic.json"])
    func recordedBatchesMatchTheirAnswers(file: String) throws {
        let recording = try Conformance.json(file, as: Recording.self)
        let exchange = try #require(
            recording.exchanges.first { $0.request.url.hasSuffix("$batch") })
        let requests = try BatchReader.requests(
            of: RequestMessage(
                method: "POST", url: exchange.request.url,
                headers: ["Content-Type": exchange.request.headers["Content-Type"] ?? ""],
                body: Array((exchange.request.body ?? "").utf8)))
        let answers = try BatchReader.parts(
            of: ResponseMessage(
                status: exchange.response.status,
                headers: ["Content-Type": exchange.response.header("Content-Type") ?? ""],
                body: Array((exchange.response.body ?? "").utf8)))
        #expect(answers.isComplete)
        let outcomes = try BatchMatcher.match(requests, answers.parts)
        #expect(outcomes.count >= 2)
        guard case .answered(let first) = outcomes[0],
            case .changeSet(let members) = outcomes[1]
        else {
            Issue.record("Expected an answer and a change set.")
            return
        }
        #expect(first.status == 200)
        #expect(members.map { $0?.status } == [201, 204])
        #expect(
            members[0]?.headers["Location"]?.contains("odata") == true
                || members[0]?.headers["Location"]?.contains("Rooms('105')") == true)
        if file.contains("v4") {
            guard case .answered(let last) = outcomes[2] else {
                Issue.record("Expected an answer to the last request.")
                return
            }
            #expect(last.status == 404)
            #expect(String(decoding: last.body, as: UTF8.self).hasSuffix("\"Nothing found.\"}}"))
        }
    }

    @Test func bodiesWithTheirOwnLineEndKeepIt() throws {
        let texts = try Conformance.json("payloads/v2-batch-texts.json", as: [Text].self)
        let text = try #require(texts.first { $0.name.contains("AdditionalLineEnding") }).text
        let answers = try BatchReader.parts(
            of: ResponseMessage(
                status: 202, headers: ["Content-Type": "multipart/mixed; boundary=batch_123"],
                body: Array(text.utf8)))
        let body = try #require(answers.parts.first?.responses.first).message.body
        #expect(
            String(decoding: body, as: UTF8.self)
                == "This is the body we need to parse. The trailing line ending is part of the body.\r\n"
        )
    }

    @Test(arguments: ["payloads/v2-batch-texts.json", "payloads/sdk-batch-texts.json"])
    func batchTextsOfOtherLibrariesAreRead(file: String) throws {
        let texts = try Conformance.json(file, as: [Text].self)
        #expect(!texts.isEmpty)
        for item in texts {
            let text = item.text.replacingOccurrences(of: "\r\n", with: "\n")
            let line = text.prefix { $0 != "\n" }
            var boundary = line.dropFirst(2)
            if boundary.hasSuffix("--") { boundary = boundary.dropLast(2) }
            let headers: HeaderFields = ["Content-Type": "multipart/mixed; boundary=\(boundary)"]
            if text.contains("\nHTTP/1.1") {
                let answers = try BatchReader.parts(
                    of: ResponseMessage(status: 200, headers: headers, body: Array(item.text.utf8)))
                #expect(answers.isComplete, "\(item.name)")
                let statusLines = text.components(separatedBy: "\nHTTP/1.1 ").count - 1
                #expect(
                    answers.parts.flatMap(\.responses).count == statusLines, "\(item.name)")
            } else {
                let parts = try BatchReader.requests(
                    of: RequestMessage(
                        method: "POST", url: "$batch", headers: headers,
                        body: Array(item.text.utf8)))
                let requestLines = text.components(separatedBy: " HTTP/1.1").count - 1
                #expect(parts.flatMap(\.requests).count == requestLines, "\(item.name)")
            }
        }
    }
}
