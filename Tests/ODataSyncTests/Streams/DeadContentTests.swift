import ODataClasses
import ODataTesting
import SAPOData
import Testing

/// Contents that do not come among many that do.
@Suite struct DeadContentTests {
    private static let schema = StubDesk.schema.replacing(
        #"<EntityType Name="Customer">"#, with: #"<EntityType Name="Customer" HasStream="true">"#)

    private static let count = 16

    /// Every second picture is dead, in a batch as by itself.
    private static func answer(_ asked: StubDesk.Asked) -> StubDesk.Said {
        guard asked.resource != "$batch" else { return batch(asked.body) }
        switch asked.resource.prefix(while: { $0 != "?" }) {
        case "Customers":
            return .page((1...count).map { "{\"ID\":\($0)}" }.joined(separator: ","))
        case "Orders": return .page("")
        case "Head": return .json(#"{"@odata.context":"$metadata#Head","ID":1}"#)
        default: return .status(502)
        }
    }

    private static func batch(_ body: String) -> StubDesk.Said {
        let wanted = body.split(separator: "\r\n").filter { $0.hasPrefix("GET ") }
        let parts = wanted.enumerated().map { position, _ in
            let (status, text) = position % 2 == 0 ? ("200 OK", "picture") : ("502 Bad", "no")
            return "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 \(status)\r\n"
                + "Content-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)\r\n"
        }
        return StubDesk.Said(
            type: "multipart/mixed; boundary=b", body: parts.joined() + "--b--\r\n")
    }

    @Test func thoseThatCameInABatchCountBetweenTheDead() async throws {
        try await StubDesk.run(Self.schema) {
            Self.answer($0)
        } _: { (desk: StubDesk) throws in
            desk.sync.streamDownloadThreads = 1
            #expect(throws: DataServiceError.self) { try desk.sync.download() }
            let alone = desk.asked.filter { $0.resource.hasSuffix("$value") }.map(\.resource)
            #expect(
                Set(alone)
                    == Set(
                        (1...Self.count).filter { $0 % 2 == 0 }.map { "Customers(\($0))/$value" }))
            #expect(
                try desk.rows("SELECT count(*) FROM _odata_stream_part")
                    == ["\(Self.count / 2)"])
        }
    }
}
