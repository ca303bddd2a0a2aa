import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire

/// A delta that comes in pages under local changes, the answer to one of them, and metadata that widens a column.
struct SyncWork {
    let fixture: StoreFixture
    /// Called after each transaction of a download; a step has several of them.
    var committed: () throws -> Void = {}

    private static let source = DownloadSource(entitySet: "Orders", url: "Orders", bit: 0)

    private func ingest() throws -> SourceIngest {
        let store = fixture.store
        let mapping = try store.mapping()
        let context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { [committed] body in
                try store.write(.normal) { try body($0) }
                try committed()
            },
            uptime: { .zero }, now: { 7 })
        let ingest = SourceIngest(
            Self.source,
            plan: IngestPlan(
                table: try mapping.existingTable(path: "Orders"), graph: mapping.graph),
            identity: "me", isSingle: false, context: context)
        let resume = try store.read {
            try DownloadBookkeeping($0).state(of: Self.source, identity: "me").resume
        }
        try store.read { try ingest.load(resume, from: $0) }
        return ingest
    }

    private func page(_ rows: [String], next: String? = nil) -> ByteParts {
        let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
        return ByteParts([Array("{\"value\":[\(rows.joined(separator: ","))]\(link)}".utf8)])
    }

    func perform(_ step: Int) throws {
        switch step {
        case 0: break
        case 1: try fixture.adopt()
        case 2:
            let first = try ingest()
            _ = try first.take(
                page(
                    (1...40).map {
                        "{\"ID\":\($0),\"Title\":\"t\($0)\",\"Amount\":1.25,\"CustomerID\":\($0)}"
                    }),
                mode: .first)
            try first.finish(mode: .first, deltaLink: "D1")
        case 3:
            try fixture.update(try fixture.row("Orders", 5), ["Title": .text("mine")])
        case 4: try fixture.store.perform(.delete(try fixture.row("Orders", 6)))
        case 5:
            let delta = try ingest()
            _ = try delta.take(
                page(
                    (3...12).map { "{\"ID\":\($0),\"Title\":\"new \($0)\",\"CustomerID\":1}" },
                    next: "p2"), mode: .delta)
            try delta.endPage()
        case 6:
            let delta = try ingest()
            _ = try delta.take(
                page(
                    ["{\"@removed\":{\"reason\":\"deleted\"},\"ID\":20}", "{\"ID\":41}"]),
                mode: .delta)
            try delta.endPage()
            try delta.finish(mode: .delta, deltaLink: "D2")
        case 7: _ = try fixture.freeze([1])
        case 8:
            guard let attempt = try fixture.store.attempts().first else { return }
            _ = try fixture.store.record(
                [
                    AttemptAnswers.Answer(
                        request: 1,
                        outcome: .answered(
                            ResponseMessage(
                                status: 200,
                                body: Array("{\"ID\":5,\"Title\":\"mine\",\"CustomerID\":1}".utf8)))
                    )
                ], of: attempt.id)
        case 9:
            let text = StoreFixture.metadata.replacing(
                "<Property Name=\"Amount\" Type=\"Edm.Decimal\" Precision=\"12\" Scale=\"2\"/>",
                with: "<Property Name=\"Amount\" Type=\"Edm.String\"/><Property Name=\"Note\""
                    + " Type=\"Edm.String\"/>")
            try fixture.store.adopt(
                metadata: text, graph: try CSDLReader.read(Array(text.utf8)))
        default:
            try fixture.update(try fixture.row("Orders", 2), ["Title": .text("later")])
        }
    }
}
