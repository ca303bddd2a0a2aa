import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataWire
import ODataWorld

/// A store that is kept in step with a service of customers and orders, whose sources come and go; reads are made as a
/// download makes them, and beside it stands what each source was last given: the truth about who holds what.
final class OwnedStore {
    struct Order: Hashable {
        var customer: Int
        var group: Int
        var title: String
    }

    /// What a query asks for.
    enum Asks: Hashable {
        /// The orders of a group; all for nil.
        case orders(group: Int?)
        /// The customers up to an id, with their orders of a group.
        case tree(upTo: Int, group: Int?)

        var set: String { if case .orders = self { "Orders" } else { "Customers" } }

        var url: String {
            switch self {
            case .orders(nil): "Orders"
            case .orders(let group?): "Orders?$filter=Amount%20eq%20\(group)"
            case .tree(let last, let group):
                "Customers?$filter=ID%20le%20\(last)&$expand=Orders"
                    + (group.map { "($filter=Amount%20eq%20\($0))" } ?? "")
            }
        }
    }

    let fixture: StoreFixture
    var orders: [Int: Order] = [:]
    var customers = 4
    /// Whether the orders are downloaded as a whole.
    var hasDefault = false
    private(set) var queries: [String: Asks] = [:]
    /// The orders that each source was last given, by its key; of sources that leave under other keys.
    private(set) var held: [String: Set<Int>] = [:]
    /// What each source was last given, in full.
    private var known: [String: [Int: Order]] = [:]
    /// Sources that leave: what they wait for by their key.
    private var leaving: [String: String] = [:]
    /// Orders with unsent changes.
    private(set) var edited: Set<Int> = []

    init(world: any World = LiveWorld()) throws {
        let folder = try TestFolder.makeFast("owned")
        fixture = try StoreFixture(
            LocalStore.Configuration(), world: world,
            path: folder.appendingPathComponent("shop.sqlite").path)
        try fixture.adopt()
    }

    var store: LocalStore { fixture.store }

    // MARK: Sources

    private var defaultSource: DownloadSource {
        DownloadSource(entitySet: "Orders", url: "Orders", bit: 0)
    }

    func wanted() throws -> [DownloadSource] {
        (hasDefault ? [defaultSource] : []) + (try store.downloadQueries())
    }

    func add(_ name: String, _ asks: Asks) throws {
        queries[name] = asks
        _ = try store.addDownloadQuery(name, table: asks.set, url: asks.url, streams: false)
    }

    /// - Returns: false where unsent changes are in the way.
    func delete(_ name: String) throws -> Bool {
        do {
            try store.deleteDownloadQuery(name, among: wanted())
        } catch let error as ODataError where error.code == .conflict {
            return false
        }
        let key = "query:" + name
        queries[name] = nil
        held[key] = nil
        known[key] = nil
        for (left, awaited) in leaving where awaited == key { drop(left) }
        return true
    }

    func replace(_ name: String, with asks: Asks) throws {
        guard queries[name] != asks else { return }
        queries[name] = asks
        let key = "query:" + name
        try store.replaceDownloadQuery(name, table: asks.set, url: asks.url, streams: false)
        leave(key, awaiting: key)
    }

    /// Rows that nobody but a query of the set holds, and that are changed here.
    func isInTheWay(_ name: String) -> Bool {
        guard case .orders? = queries[name] else { return false }
        let key = "query:" + name
        return (held[key] ?? []).contains { order in
            edited.contains(order)
                && !held.contains { $0.key != key && $0.value.contains(order) }
        }
    }

    private func leave(_ key: String, awaiting awaited: String) {
        guard let rows = held[key] else { return }
        let left = "\(key) \(leaving.count) \(held.count)"
        held[left] = rows
        leaving[left] = awaited
        held[key] = nil
        known[key] = nil
    }

    private func drop(_ left: String) {
        held[left] = nil
        leaving[left] = nil
    }

    // MARK: The service

    /// What a source is given: its own orders, or the customers with theirs.
    private func rows(_ asks: Asks) -> [Int: Order] {
        orders.filter { _, order in
            switch asks {
            case .orders(let group): group == nil || group == order.group
            case .tree(let last, let group):
                order.customer <= last && (group == nil || group == order.group)
            }
        }
    }

    private func asks(_ source: DownloadSource) -> Asks {
        source.name.flatMap { queries[$0] } ?? .orders(group: nil)
    }

    private static func json(_ id: Int, _ order: Order) -> String {
        "{\"ID\":\(id),\"Title\":\"\(order.title)\",\"Amount\":\(order.group),"
            + "\"CustomerID\":\(order.customer)}"
    }

    /// The page that answers a read, all rows or what has changed.
    private func page(_ source: DownloadSource, since: [Int: Order]?) -> String {
        let (asks, now) = (asks(source), rows(asks(source)))
        var items: [String] = []
        switch asks {
        case .orders:
            for (id, order) in now.sorted(by: { $0.key < $1.key }) where since?[id] != order {
                items.append(Self.json(id, order))
            }
            for id in (since ?? [:]).keys.sorted() where now[id] == nil {
                let reason = orders[id] == nil ? "deleted" : "changed"
                items.append("{\"@removed\":{\"reason\":\"\(reason)\"},\"ID\":\(id)}")
            }
        case .tree(let last, _):
            for customer in 1...max(1, min(last, customers)) {
                let own = { (rows: [Int: Order]) in rows.filter { $0.value.customer == customer } }
                if let since, own(since) == own(now) { continue }
                let nested = own(now).sorted { $0.key < $1.key }.map { Self.json($0, $1) }
                items.append(
                    "{\"ID\":\(customer),\"Name\":\"c\(customer)\","
                        + "\"Orders\":[\(nested.joined(separator: ","))]}")
            }
            if since != nil, customers < last {
                for gone in customers + 1...last {
                    items.append("{\"@removed\":{\"reason\":\"deleted\"},\"ID\":\(gone)}")
                }
            }
        }
        return "{\"value\":[\(items.joined(separator: ","))]}"
    }

    // MARK: Downloads

    /// How the sources of a download hold their rows, as all were asked when it began.
    private var planned: [String: (own: RowHold?, expansions: [TableID: RowHold])] = [:]

    /// Begins a download.
    func plan() throws {
        try store.noteSources(wanted(), switchedOff: hasDefault ? [] : ["Orders"])
        planned = [:]
        for source in try wanted() { planned[source.key] = try store.holds(of: source) }
        let key = "set:Orders"
        if hasDefault {
            for (left, awaited) in leaving where awaited == "download" {
                held[key] = held[left]
                drop(left)
            }
        } else {
            leave(key, awaiting: "download")
        }
    }

    /// Reads a source to its end, by its changes where that is possible and wanted.
    ///
    /// - Parameter endsEmpty: what comes is applied before an empty page ends it.
    func read(
        _ source: DownloadSource, byDelta: Bool = true, endsEmpty: Bool = false
    ) throws {
        let store = store
        let mapping = try store.mapping()
        let query = try URLParser.parse(
            source.url, graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        let holds = try planned[source.key] ?? store.holds(of: source)
        var plan = IngestPlan(
            table: try mapping.existingTable(path: source.entitySet), mapping: mapping,
            selection: nil, expanding: query.expand, hold: holds.own, holds: holds.expansions,
            expanded: try store.expandedTables(of: wanted()))
        plan.ownsRowsWithoutSource = query.filter == nil
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in try store.write(.normal) { try body($0) } }, uptime: { .zero },
            now: { 7 })
        context.expansions = ExpandedRemovals.Source(
            expansions: SourceExpansions(source, mapping), own: holds.own,
            holds: holds.expansions)
        context.ended = { try store.release(inPlaceOf: source, $0) }
        if endsEmpty { context.rowsPerApplication = 1 }
        let ingest = SourceIngest(
            source, plan: plan, identity: "me", isSingle: false, context: context)
        let state = try store.read {
            try DownloadBookkeeping($0).state(of: source, identity: "me")
        }
        try store.read { try ingest.load(nil, from: $0) }
        let hasLink = state.isComplete && state.deltaLink != nil
        let mode: ReadMode =
            hasLink && byDelta ? .delta : state.isComplete || state.hasRows ? .sweep : .first
        let since = mode == .delta ? known[source.key] : nil
        let text = page(source, since: since)
        let pages =
            endsEmpty
            ? [text.dropLast() + ",\"@odata.nextLink\":\"p2\"}", "{\"value\":[]}"] : [text]
        for page in pages {
            _ = try ingest.take(ByteParts([Array(page.utf8)]), mode: mode)
            try ingest.endPage()
        }
        try ingest.finish(mode: mode, deltaLink: "D")
        note(source, mode)
    }

    /// What the read tells of the truth.
    private func note(_ source: DownloadSource, _ mode: ReadMode) {
        let now = rows(asks(source))
        if mode == .delta, case .orders = asks(source) {
            let gone = (known[source.key] ?? [:]).keys.filter { orders[$0] == nil }
            for key in held.keys { held[key]?.subtract(gone) }
        }
        held[source.key] = Set(now.keys)
        known[source.key] = now
        for (left, awaited) in leaving where awaited == source.key { drop(left) }
    }

    /// Ends a download of some sources or all.
    func end() throws {
        let wanted = try wanted()
        try store.releaseSources(at: LocalStore.Ending(wanted: wanted, refused: []))
        guard wanted.allSatisfy({ held[$0.key] != nil }) else { return }
        for (left, awaited) in leaving where awaited == "download" { drop(left) }
    }

    func download(byDelta: Bool = true, endsEmpty: Bool = false) throws {
        try plan()
        for source in try wanted() {
            try read(source, byDelta: byDelta, endsEmpty: endsEmpty)
        }
        try end()
    }

    // MARK: Changes here

    func edit(_ id: Int) throws {
        try fixture.update(try fixture.row("Orders", Int64(id)), ["Title": .text("mine")])
        edited.insert(id)
    }

    func undo() throws {
        for request in try store.allRequests() { try store.undo([request.target]) }
        edited = []
    }

    // MARK: Looking

    /// The orders that are to be there.
    var expected: [Int] {
        held.values.reduce(edited) { $0.union($1) }.sorted()
    }

    /// The orders that are.
    func present() throws -> [Int] {
        try fixture.sql("SELECT ID FROM Orders WHERE (_odata_state & 4) = 0 ORDER BY ID")
            .compactMap { Int($0) }
    }

    func reopen() throws { try fixture.reopen() }
}
