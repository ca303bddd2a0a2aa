import Foundation
import SAPOData
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataTransport

/// Changes what is downloaded, while changes of rows wait, and is killed:
/// `KillChild queries STORE URL NOTES ROUND POINT PASSAGES THEN MICROSECONDS`.
///
/// Orders come by the queries `main` and `more` only. `main` is replaced by one for another priority, `more` made and deleted; each is noted
/// as a write is, and so is each download. Nothing is sent.
struct QueryWork: @unchecked Sendable {  // handed to the one thread that runs it
    private let provider: CloudSyncProvider
    private let world: KillingWorld
    private let notes: NoteFile
    private let round: Int
    /// A planted defect: a query is replaced by deleting it and making the other.
    private let replacesInParts: Bool

    init?(_ arguments: [String]) {
        guard arguments.count == 10, arguments[1] == "queries", let round = Int(arguments[5]),
            let trap = KillingWorld.Trap(arguments.suffix(4))
        else { return nil }
        world = KillingWorld(trap)
        self.round = round
        notes = NoteFile(URL(fileURLWithPath: arguments[4]))
        let environment = ProcessInfo.processInfo.environment
        replacesInParts = environment["ODATA_PLANTED_DEFECT"] == "replacesInParts"
        provider = CloudSyncProvider(
            onlineProvider: OnlineODataProvider(
                serviceName: "Kill", serviceRoot: arguments[3],
                transport: StandardTransport.shared),
            offlineStore: SQLDatabaseProvider(
                serviceName: "Kill", databaseURL: "sqlite:" + arguments[2], world: world))
        let key = environment["ODATA_STORE_KEY"] ?? ""
        provider.encryptionKey = key.isEmpty ? nil : key
    }

    func run() throws {
        try provider.open()
        let orders = provider.metadata.entitySet(withName: "WorkOrders")
        provider.noDefaultEntityDownload(orders)
        let begin = ContinuousClock.now
        world.checkpoint("work.begin")
        for step in 0..<3 {
            let priority = (round + step) % 5 + 1
            switch (round + step) % 3 {
            case 0: try replace(with: priority, orders)
            case 1: try addOrDelete(priority, orders)
            default:
                try retitle(step, orders)
                try replace(with: priority, orders)
            }
            try notes.perform(["download"], "\(step)") { _ in
                try provider.download(groups: [], options: SyncOptions())
            }
        }
        try provider.close()
        print("done \(Int((ContinuousClock.now - begin) / .microseconds(1))) 0")
    }

    private func query(_ priority: Int, _ orders: EntitySet) -> DataQuery {
        let query = DataQuery().from(orders)
        query.url = "WorkOrders?$filter=Priority eq \(priority)"
        return query
    }

    private func replace(with priority: Int, _ orders: EntitySet) throws {
        try notes.perform(["query main"], "\(priority)") { _ in
            if replacesInParts, (try? provider.deleteDownloadQuery(name: "main")) != nil {
                usleep(100_000)
                try provider.createDownloadQuery(
                    name: "main", query: query(priority, orders), streams: false)
            } else {
                _ = try provider.replaceDownloadQuery(
                    name: "main", with: query(priority, orders), streams: false)
            }
        }
    }

    /// A query goes only when none of the rows that it alone holds has changes that wait; else it is refused, and stays.
    private func addOrDelete(_ priority: Int, _ orders: EntitySet) throws {
        guard let more = try provider.downloadQuery(name: "more") else {
            return try notes.perform(["query more"], "\(priority)") { _ in
                try provider.createDownloadQuery(
                    name: "more", query: query(priority, orders), streams: false)
            }
        }
        do {
            try notes.perform(["query more"], "-") { _ in
                try provider.deleteDownloadQuery(name: "more")
            }
        } catch let error as DataServiceError where error.status == 409 {
            let text = more.query.toString()
            try notes.note("done\tquery more\t\(text.suffix(1))")
        }
    }

    /// Changes the title of the first two orders there are.
    private func retitle(_ step: Int, _ orders: EntitySet) throws {
        let type = orders.entityType
        let (number, title) = (
            type.property(withName: "Number"), type.property(withName: "Title")
        )
        let known = try provider.executeQuery(
            DataQuery().from(orders).filter(number.startsWith("WO-")).orderBy(number).top(2),
            headers: HTTPHeaders(), options: RequestOptions()
        ).entityList()
        for order in known {
            try notes.perform([number.stringValue(from: order)], "changed \(round) \(step)") {
                title.setStringValue(in: order, to: $0)
                try provider.updateEntity(
                    order, headers: HTTPHeaders(), options: RequestOptions())
            }
        }
    }
}
