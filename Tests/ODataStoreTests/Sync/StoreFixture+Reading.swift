import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire

/// Losing answers, and reading sources as downloads do.
extension StoreFixture {
    /// Sends what waits and loses the answers; nobody can tell what became of it.
    func loseAnswers() throws {
        for request in try store.allRequests() where request.state == .waiting {
            let attempt = try freeze([request.id])
            try store.noteSending(of: attempt.id)
            _ = try store.record(
                [.init(request: request.id, outcome: .undecided("No answer."))], of: attempt.id)
        }
    }

    /// Reads a set with what its rows lead to through `expanding`, and settles at its end what it can.
    ///
    /// - Returns: what was settled or found.
    func readSet(
        _ set: String, _ rows: String, expanding: [String] = [], mode: ReadMode = .sweep
    ) throws -> [String] {
        let store = store
        let mapping = try store.mapping()
        let items = expanding.map { ExpandTerm(ExpressionPath($0)) }
        let awaited = try store.awaitedCreations(
            in: set, isWhole: true, hasAllProperties: true, isContinued: false, expanding: items)
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in try store.write(.normal) { try body($0) } }, uptime: { .zero },
            now: { 7 })
        context.settle = { try store.settleCreations(awaited, isComplete: $0, met: $1, $2) }
        let query = expanding.isEmpty ? "" : "?$expand=" + expanding.joined(separator: ",")
        let ingest = SourceIngest(
            DownloadSource(entitySet: set, url: set + query, bit: 0),
            plan: IngestPlan(
                table: try mapping.existingTable(path: set), mapping: mapping,
                selection: nil, expanding: items),
            identity: "me", isSingle: false, context: context)
        _ = try ingest.take(
            ByteParts([Array("{\"value\":[\(rows)]}".utf8)]), mode: mode)
        try ingest.finish(mode: mode, deltaLink: nil)
        return ingest.settled
    }
}
