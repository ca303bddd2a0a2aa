import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataTransport
import ODataWorld
import SAPOData

/// An app over a store: makes changes, remembers which were acknowledged, and says what a service did not make of them.
///
/// One worker of the simulation runs at a time, so that nothing here needs a lock.
final class SimulatedClient: @unchecked Sendable {
    /// What the app remembers of its changes; it outlives a loss of power.
    struct Memory {
        var acknowledged = 0
        /// Changes that were begun.
        var steps = 0
        /// The acknowledged texts of each row by its name, in order.
        var texts: [String: [String]] = [:]
        var deleted: Set<String> = []
        /// Rows of the app's own that are still there.
        var own: [String] = []
        /// The rows of the sample that the app changes.
        var known: [String] = []
        /// The change that is not acknowledged yet.
        var underWay: Change?
        /// Rows of which a change was taken back: how far, the service's row and the store's have to agree about.
        var loose: Set<String> = []
    }

    enum Change: CustomStringConvertible {
        case text(String, of: String, isNew: Bool)
        case deletion(of: String)

        var description: String {
            switch self {
            case .text(let text, let name, true): "creates \(name) with '\(text)'"
            case .text(let text, let name, false): "changes \(name) to '\(text)'"
            case .deletion(let name): "deletes \(name)"
            }
        }
    }

    let provider: CloudSyncProvider
    let service: OfflineDataService
    private let world: SimulatedWorld
    private(set) var memory: Memory
    /// Changes, by their number, that are left out.
    var omitted: Set<Int> = []
    /// Takes changes back, cancels, adds and removes queries, and moves the clock, too.
    var isWide = false
    /// Told what the app does.
    var tell: (String) -> Void = { _ in }

    init(
        _ world: SimulatedWorld, _ transport: any HTTPTransport, _ folder: URL,
        _ disk: PowerLossDisk, _ memory: Memory = Memory()
    ) {
        self.world = world
        self.memory = memory
        let online = OnlineODataProvider(
            serviceName: "Simulated", serviceRoot: "http://service.test/", transport: transport,
            world: world, folder: PrivateFolder(path: folder.path))
        let store = SQLDatabaseProvider(
            serviceName: "Simulated",
            databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path, world: world)
        store.storeConfiguration.watch = disk
        provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        provider.throwUploadFailures = false
        service = OfflineDataService(provider: provider)
    }

    func queued() -> [PendingRequest] {
        (try? provider.queuedRequests(matching: nil, headers: nil, options: nil).toArray()) ?? []
    }

    func failed() -> [PendingRequest] {
        (try? provider.failedRequests(matching: nil, headers: nil, options: nil).toArray()) ?? []
    }

    // MARK: Work

    func load() throws {
        guard memory.known.isEmpty else { return }
        let orders = service.entitySet(withName: "WorkOrders")
        let number = orders.entityType.property(withName: "Number")
        memory.known = try service.executeQuery(DataQuery().from(orders).orderBy(number).top(8))
            .entityList().map { number.stringValue(from: $0) }
    }

    /// After a restart: the change that was under way is there or not; the app looks, and goes on from that.
    func lookForChangeUnderWay() throws {
        guard let change = memory.underWay else { return }
        memory.underWay = nil
        switch change {
        case .text(let text, let name, _):
            guard let found = try find(name),
                found.entityType.property(withName: Self.shape(name).text)
                    .stringValue(from: found) == text
            else { return }
        case .deletion(let name):
            guard try find(name) == nil else { return }
        }
        acknowledge(change)
    }

    /// - Parameter isOver: Whether the power is gone.
    func work(_ count: Int, until isOver: () -> Bool) throws {
        for _ in 0..<count where !isOver() {
            memory.steps += 1
            try write(memory.steps)
            guard !isOver() else { return }
            world.sleep(.milliseconds(Int64(world.random() % 60)), token: nil)
        }
    }

    private func write(_ step: Int) throws {
        let own = memory.own
        let lot = world.random() % (isWide ? 16 : 10)
        guard lot < 10 else { return try writeWidely(Int(lot), step) }
        switch lot {
        case 0...3:
            let name = memory.known[Int(world.random() % UInt64(memory.known.count))]
            try change(name, to: "text \(step)")
        case 4, 5: try create("S-\(step)", in: "Sites", like: "1", "text \(step)")
        case 6: try create("N-\(step)", in: "WorkOrders", like: memory.known[0], "text \(step)")
        case 7, 8:
            guard !own.isEmpty else {
                return try create("S-\(step)", in: "Sites", like: "1", "text \(step)")
            }
            try change(own[Int(world.random() % UInt64(own.count))], to: "text \(step)")
        default:
            guard !own.isEmpty else { return }
            let name = own[Int(world.random() % UInt64(own.count))]
            guard let entity = try row(name) else { return }
            try perform(.deletion(of: name)) { try service.deleteEntity(entity) }
        }
    }

    private func perform(_ change: Change, _ body: () throws -> Void) rethrows {
        guard !omitted.contains(memory.steps) else { return }
        tell("\(memory.steps) \(change)")
        memory.underWay = change
        try body()
        memory.underWay = nil
        acknowledge(change)
    }

    private func acknowledge(_ change: Change) {
        memory.acknowledged += 1
        switch change {
        case .text(let text, let name, let isNew):
            memory.texts[name, default: []].append(text)
            if isNew { memory.own.append(name) }
        case .deletion(let name):
            memory.own.removeAll { $0 == name }
            memory.deleted.insert(name)
        }
    }

    /// Sites go by their name and say their text as city, work orders by their number with a title.
    private static func shape(_ name: String) -> (set: String, name: String, text: String) {
        name.hasPrefix("S-") ? ("Sites", "Name", "City") : ("WorkOrders", "Number", "Title")
    }

    private func find(_ name: String) throws -> EntityValue? {
        let shape = Self.shape(name)
        let set = service.entitySet(withName: shape.set)
        let property = set.entityType.property(withName: shape.name)
        return try service.executeQuery(DataQuery().from(set).filter(property.equal(name)))
            .entityList().toArray().first
    }

    private func entity(_ name: String) throws -> EntityValue {
        guard let entity = try find(name) else {
            throw ODataError(.notFound, "The row \(name) is not in the store.")
        }
        return entity
    }

    /// The row of a name; nil where it went with what was taken back.
    private func row(_ name: String) throws -> EntityValue? {
        guard let entity = try find(name) else {
            guard memory.loose.contains(name) || !omitted.isEmpty else {
                throw ODataError(.notFound, "The row \(name) is not in the store.")
            }
            memory.own.removeAll { $0 == name }
            return nil
        }
        return entity
    }

    private func change(_ name: String, to text: String) throws {
        guard let entity = try row(name) else { return }
        entity.entityType.property(withName: Self.shape(name).text)
            .setStringValue(in: entity, to: text)
        try perform(.text(text, of: name, isNew: false)) { try service.updateEntity(entity) }
    }

    private func create(
        _ name: String, in set: String, like other: String, _ text: String
    ) throws {
        let shape = Self.shape(name)
        let set = service.entitySet(withName: set)
        let sample =
            try other == "1"
            ? service.executeQuery(DataQuery().from(set).top(1)).entityList().item(at: 0)
            : entity(other)
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        for property in set.entityType.propertyList
        where property.isStructural && !property.isKey {
            entity.setDataValue(for: property, to: sample.optionalValue(for: property))
        }
        set.entityType.property(withName: shape.name).setStringValue(in: entity, to: name)
        set.entityType.property(withName: shape.text).setStringValue(in: entity, to: text)
        try perform(.text(text, of: name, isNew: true)) { try service.createEntity(entity) }
    }

    // MARK: What takes back

    private func writeWidely(_ lot: Int, _ step: Int) throws {
        let lots = (world.random(), world.random())
        guard !omitted.contains(step) else { return }
        switch lot {
        case 10, 11:
            let names = memory.own + memory.known
            try undo(names[Int(lots.0 % UInt64(names.count))])
        case 12: try cancel(lots.0)
        case 13, 14: try changeQuery("q\(lots.0 % 3)", lots.1)
        default:
            let seconds = Int64(lots.0 % 7_200) - 3_600
            tell("\(step) moves the clock by \(seconds) s")
            world.moveClock(seconds: seconds)
        }
    }

    /// What the library says where it cannot do what it is asked for now.
    private func said(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error where error is UsageError || error is DataServiceError {
            tell("is told: \(error)")
        }
    }

    private func undo(_ name: String) throws {
        guard let entity = try find(name) else { return }
        tell("\(memory.steps) takes back what was changed in \(name)")
        memory.loose.insert(name)
        try said { try service.undoPendingChanges(for: entity) }
    }

    private func cancel(_ lot: UInt64) throws {
        let requests = queued()
        guard !requests.isEmpty else { return }
        try give(up: requests[Int(lot % UInt64(requests.count))])
    }

    /// Cancels a request, and with it those that depend on it.
    func give(up request: PendingRequest) throws {
        tell("\(memory.steps) cancels \(request.httpMethod) \(request.requestURL)")
        // Of a deletion nobody can say which row it was, and what depends on a request goes with it.
        memory.loose.formUnion(memory.deleted)
        memory.loose.formUnion(memory.own)
        memory.loose.formUnion(memory.known)
        try said { try request.cancel() }
    }

    private func changeQuery(_ name: String, _ lot: UInt64) throws {
        try said {
            guard try service.downloadQuery(name: name) == nil else {
                tell("\(memory.steps) removes the query \(name)")
                return try service.deleteDownloadQuery(name: name)
            }
            let set = service.entitySet(withName: lot % 2 == 0 ? "Sites" : "WorkOrders")
            let id = set.entityType.property(withName: "Id")
            let query = DataQuery().from(set).filter(id.greaterThan(Int(lot % 9)))
            tell("\(memory.steps) adds the query \(name) of \(set.localName)")
            try service.createDownloadQuery(name: name, query: query)
        }
    }

    // MARK: What the service made of it

    /// Invariant 1: each acknowledged write is there, in order, and none had its effect twice.
    func findings(in database: Database) throws -> [String] {
        var findings: [String] = []
        for (name, texts) in memory.texts.sorted(by: { $0.key < $1.key }) {
            let shape = Self.shape(name)
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT Id, \(shape.text) FROM \(shape.set) WHERE \(shape.name) = ?",
                arguments: [name])
            let expected = memory.deleted.contains(name) ? 0 : 1
            if memory.loose.contains(name) {
                if rows.count > 1 { findings.append("\(name) is there \(rows.count) times") }
                continue
            }
            guard rows.count == expected else {
                findings.append("\(name) is \(rows.count) times at the service, not \(expected)")
                continue
            }
            guard let row = rows.first else { continue }
            let last = row[1] as String
            if last != texts.last {
                findings.append("\(name) says '\(last)', not '\(texts.last ?? "")'")
            }
            let seen =
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT json_extract(old, '$.\(shape.text)') FROM _odata_changes
                        WHERE table_name = ? AND operation = 'U' AND key = ? ORDER BY rowid
                        """, arguments: [shape.set, "\(row[0] as Int64)"]) + [last]
            findings += Self.disorder(name, Self.withoutRepeats(seen, of: texts), texts)
        }
        return findings
    }

    /// The texts of the app that the row had one after the other; a change of something else repeats the text before it.
    private static func withoutRepeats(_ seen: [String], of texts: [String]) -> [String] {
        var result: [String] = []
        for text in seen where texts.contains(text) && text != result.last { result.append(text) }
        return result
    }

    private static func disorder(_ name: String, _ seen: [String], _ texts: [String]) -> [String] {
        let places = seen.compactMap { texts.firstIndex(of: $0) }
        return places == places.sorted() && Set(places).count == places.count
            ? [] : ["\(name) had the texts \(seen), which were written as \(texts)"]
    }
}
