import Foundation
import ODataQuery
import ODataText
import ODataWire
import Testing

@testable import ODataSyncPlan

/// The table of what the machine makes of each answer, in `docs/interop.md`: written by the machine itself
/// (`ODATA_WRITE_DOCS=1`), and compared with what stands there.
@Suite struct InteropTableTests {
    private struct Row {
        var title: String
        var result: Result<ResponseMessage, ODataError>
    }

    private static let marks: HeaderFields = ["OData-Version": "4.0"]
    private static let page: HeaderFields = ["Content-Type": "text/html"]

    private static func cut(_ phase: NetworkFailure.Phase) -> Result<ResponseMessage, ODataError> {
        .failure(
            ODataError(
                .network, "cut",
                underlying: NetworkFailure(phase: phase, method: "POST", host: "service")))
    }

    private static func answer(
        _ status: Int, _ headers: HeaderFields, _ more: HeaderFields = HeaderFields()
    ) -> Result<ResponseMessage, ODataError> {
        var all = headers
        all.merge(more)
        return .success(ResponseMessage(status: status, headers: all))
    }

    private static let rows: [Row] = [
        Row(title: "name not found, connection refused, TLS failed", result: cut(.connect)),
        Row(title: "no answer, or half of one", result: cut(.wait)),
        Row(title: "204, the service's", result: answer(204, marks)),
        Row(title: "200 with a page for people", result: answer(200, page)),
        Row(title: "204 without marks", result: answer(204, HeaderFields())),
        Row(title: "307 to another origin", result: answer(307, ["Location": "http://login/"])),
        Row(title: "401", result: answer(401, page)),
        Row(title: "407", result: answer(407, page)),
        Row(
            title: "403 that asks for a token",
            result: answer(403, marks, ["X-CSRF-Token": "Required"])),
        Row(
            title: "425, 429 with `Retry-After` up to 30 seconds",
            result: answer(429, page, ["Retry-After": "1"])),
        Row(
            title: "503 with `Retry-After`, the service's",
            result: answer(503, marks, ["Retry-After": "60"])),
        Row(title: "413", result: answer(413, page)),
        Row(title: "400, 403, 409, 412, 500, the service's", result: answer(400, marks)),
        Row(title: "404, 405, 415, 501, the service's", result: answer(404, marks)),
        Row(title: "502, 504, whoever says it", result: answer(502, marks)),
        Row(title: "400, 403 without marks", result: answer(400, page)),
        Row(title: "404, 405, 415, 501 without marks", result: answer(404, page)),
        Row(title: "500, 503 without marks", result: answer(500, page)),
    ]

    private static func work(isBatch: Bool, isOpen: Bool) -> UploadMachine.Work {
        let ids: [Int64] = isBatch ? [1, 2, 3, 4] : [1]
        let requests = ids.map {
            QueuedRequest(
                id: $0, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
                target: RowReference(table: "T", id: $0), ifMatch: "\"1\"",
                state: .frozen(attempt: 1))
        }
        let members = ids.map {
            Attempt.Member(request: $0, contentID: isBatch ? "\($0)" : nil, part: Int($0) - 1)
        }
        return .init(
            attempt: Attempt(
                id: 1, message: RequestMessage(method: isBatch ? "POST" : "PATCH", url: "T"),
                members: members, frozenAt: 0, sendCount: isOpen ? 1 : 0), requests: requests)
    }

    /// What the machine does, in words.
    private static func cell(_ row: Row, isBatch: Bool, isOpen: Bool) -> String {
        let work = work(isBatch: isBatch, isOpen: isOpen)
        var machine = UploadMachine(
            .init(marks: ServiceMarks(sendsVersion: true), keys: .parentheses))
        _ = machine.send(work)
        let outcome = SendingOutcome.of(
            row.result, to: work.attempt, asking: work.attempt.question(work.requests),
            marks: ServiceMarks(sendsVersion: true), root: "http://service/")
        var words: [String] = []
        let actions = machine.actions(following: outcome, of: 1)
        if actions.isEmpty { words.append("stays open") }
        for action in actions {
            switch action {
            case .takeBack(_, thaw: true):
                words.append(
                    machine.ready.isEmpty ? "waits as if never sent" : pieces(machine.ready))
            case .takeBack: words.append("waits, and stays open")
            case .pause: words = ["a pause"]
            case .send: words.append("the same bytes again")
            case .look: words.append("a look at each")
            case .askService: words.append("the root is asked")
            case .askBatches: words.append("a batch that reads")
            case .giveUpBatches: words.append("no more batches")
            case .record(_, let answers):
                words.append(recorded(answers[0], work.requests[0], isOpen: isOpen))
            default: continue
            }
        }
        if machine.failure != nil { words.append("the upload ends") }
        return words.joined(separator: ", ")
    }

    private static func pieces(_ pieces: some Collection<UploadMachine.Piece>) -> String {
        pieces.allSatisfy { $0.count == 1 } ? "the parts by themselves" : "in halves"
    }

    private static func recorded(
        _ answer: AttemptAnswers.Answer, _ request: QueuedRequest, isOpen: Bool
    ) -> String {
        switch AnswerRule.of(answer.outcome, for: request, isOpen: isOpen) {
        case .accept: "accepted"
        case .become(.failed): "refused"
        case .become(.unknown): "unknown"
        default: "waits"
        }
    }

    static var table: String {
        var lines = [
            "| what came | to one request | to a batch | to one request with an open sending |",
            "|---|---|---|---|",
        ]
        for row in rows {
            let cells = [
                cell(row, isBatch: false, isOpen: false), cell(row, isBatch: true, isOpen: false),
                cell(row, isBatch: false, isOpen: true),
            ]
            lines.append("| " + ([row.title] + cells).joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    @Test func theTableInTheDocumentIsTheMachines() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("docs/interop.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let begin = "<!-- begin: what the upload machine makes of each answer -->\n"
        let end = "\n<!-- end -->"
        let start = try #require(text.firstRange(of: begin)).upperBound
        let stop = try #require(text[start...].firstRange(of: end)).lowerBound
        if ProcessInfo.processInfo.environment["ODATA_WRITE_DOCS"] != nil {
            try (text[..<start] + Self.table + text[stop...])
                .write(to: file, atomically: false, encoding: .utf8)
            return
        }
        #expect(
            String(text[start..<stop]) == Self.table,
            "ODATA_WRITE_DOCS=1 swift test --filter InteropTable writes it anew")
    }
}
