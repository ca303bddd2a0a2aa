import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText

/// The whole story: download, work offline, a competing change, upload, a conflict and its repair, deltas, proof.
///
/// Everything goes through the public API of the library and through HTTP on the loopback interface. Used by one thread.
package final class DemoStory {
    let console: Console
    let service: DemoService
    let storePath: String
    var figures = DemoFigures()
    /// The customer that both sides change, and its state before.
    var contested = ""
    var baseState: JSONValue = .null
    private var opened: CloudSyncProvider?
    private var step = 0

    package init(folder: String, scale: Int, seed: UInt64, console: Console) {
        self.console = console
        service = DemoService(
            databasePath: folder + "/service.sqlite", scale: scale, seed: seed)
        storePath = folder + "/store.sqlite"
    }

    /// Runs the story to its end.
    ///
    /// - Throws: a failed operation that says what was not as it should be.
    package func run() throws -> DemoFigures {
        defer {
            try? opened?.close()
            try? service.stop()
        }
        try downloadFirst()
        try service.stop()
        title("The service is stopped; queries and changes go on")
        try queryOffline()
        let changes = try changeOffline()
        try changeAtService()
        try uploadAndMeetConflict(changes)
        try repair()
        try downloadDeltas()
        try compare()
        return figures
    }

    private func downloadFirst() throws {
        let url = try service.start()
        title("A service on \(url), a new store")
        let online = OnlineODataProvider(serviceName: "FieldService", serviceRoot: url)
        let store = SQLDatabaseProvider(
            serviceName: "FieldServiceStore", databaseURL: "sqlite:\(storePath)")
        let provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        provider.throwUploadFailures = false
        opened = provider
        try provider.open()
        figures.downloaded = try download("first download")
        say(
            "downloaded \(figures.downloaded) entities of \(provider.metadata.graph.entitySets.count) sets"
        )
    }

    private func downloadDeltas() throws {
        title("Delta download")
        figures.deltas += try download("delta")
        say("\(figures.deltas) changed or removed entities came since the first download")
        let waiting = try provider.queuedRequests(matching: nil, headers: nil, options: nil).length
        let failed = try failedRequests().count
        guard waiting == 0, failed == 0 else {
            throw CommandError.failed(
                "expected an empty queue, found \(waiting) waiting and \(failed) refused requests.")
        }
    }

    private func compare() throws {
        title("Service and store are read by SQL, apart from each other, and compared")
        let comparison = try RowComparison(service: service.databasePath, store: storePath)
        figures.rowsCompared = comparison.rowsCompared
        figures.differences = comparison.differenceCount
        say(
            "\(comparison.rowsCompared) rows of \(comparison.tables.count) tables,"
                + " \(comparison.differenceCount) differences")
        guard comparison.differenceCount == 0, comparison.rowsCompared > 0 else {
            throw CommandError.failed(
                (["service and store differ:"] + comparison.differences).joined(separator: "\n  "))
        }
    }
}

extension DemoStory {
    var provider: CloudSyncProvider {
        get throws {
            guard let opened else { throw CommandError.failed("the store is not open.") }
            return opened
        }
    }

    /// Downloads with a progress bar; returns how many entities came.
    func download(_ title: String) throws -> Int64 {
        let counter = EntityCounter()
        let options = SyncOptions().listen(
            ProgressListener { [console] progress in
                counter.set(progress.entityCount)
                console.progress(
                    title, fraction: progress.fractionCompleted,
                    detail: "\(progress.entityCount) entities")
            })
        try provider.download(groups: StringList(), options: options)
        return counter.value
    }

    func failedRequests() throws -> [PendingRequest] {
        try provider.failedRequests(matching: nil, headers: nil, options: nil).toArray()
    }

    /// The entities that a query relative to the service root selects in the store.
    func entities(_ text: String) throws -> [EntityValue] {
        try result(text, online: false).entityList().toArray()
    }

    /// What a query gives, in the store or at the service.
    func result(_ text: String, online: Bool) throws -> QueryResult {
        let provider = try provider
        let query = try ResourceArgument(text, in: provider.metadata).dataQuery()
        return online
            ? try provider.onlineProvider.executeQuery(query, headers: .empty, options: .none)
            : try provider.executeQuery(query, headers: .empty, options: .none)
    }

    /// The JSON of the contested customer, in the store or at the service.
    func contestedState(online: Bool) throws -> JSONValue {
        let found = try result("Customers(\(contested))", online: online).requiredEntity()
        return ResultJSON(graph: try provider.metadata.graph).structure(found.structureValue)
    }

    func title(_ text: String) {
        step += 1
        write("")
        write("\(step)  \(text)")
    }

    func say(_ text: String) { write("   " + text) }

    func table(_ lines: [String]) { for line in lines { say("  " + line) } }

    private func write(_ line: String) {
        if console.isJSON { console.note(line) } else { console.print(line) }
    }
}
