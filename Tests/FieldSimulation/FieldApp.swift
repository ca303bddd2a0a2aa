import Foundation
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataTransport
import ODataWorld
import SAPOData

/// An app in one life of its process: makes changes over its store, and remembers which were acknowledged.
///
/// One worker of the simulation runs at a time, so that nothing here needs a lock.
final class FieldApp: @unchecked Sendable {
    let provider: CloudSyncProvider
    let service: OfflineDataService
    let world: SimulatedWorld
    let client: Int
    let changesUsers: Bool
    var memory: FieldMemory
    /// Steps that are left out.
    var omitted: Set<Int> = []
    /// The process is gone: whatever still comes back from a call was never seen.
    var isDead = false
    var tell: (String) -> Void = { _ in }
    /// What each row was before its first change that waits, and when that was read, counted in synchronisations.
    private var bases: [String: (values: [String], synchronisations: Int)] = [:]
    /// How many uploads and downloads began.
    var synchronisations = 0

    init(
        _ world: SimulatedWorld, _ client: Int, _ transport: any HTTPTransport, _ folder: URL,
        _ habits: FieldHabits, _ watch: (any FileWatch)?, _ memory: FieldMemory
    ) {
        self.world = world
        self.client = client
        self.memory = memory
        changesUsers = habits.changesUsers
        let online = OnlineODataProvider(
            serviceName: "Field", serviceRoot: FieldService.root, transport: transport,
            world: world, folder: PrivateFolder(path: folder.path))
        let store = SQLDatabaseProvider(
            serviceName: "Field", databaseURL: "sqlite:" + folder.path + "/store.db", world: world)
        if let watch { store.storeConfiguration.watch = watch }
        provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        service = OfflineDataService(provider: provider)
        configure(habits)
    }

    private func configure(_ habits: FieldHabits) {
        provider.throwUploadFailures = false
        provider.autoSaveEstimates = false
        if habits.asksForMetadata {
            provider.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
        }
        provider.batchEntityUploads = habits.batchesUploads
        provider.batchEntityDownloads = habits.batchesDownloads
        provider.entityDownloadThreads = habits.readers
        provider.uploadWorkerThreads = habits.writers
        provider.combineLocalUpdates = habits.combinesUpdates
        provider.combineLocalDeletes = habits.combinesDeletes
        provider.sendRepeatableRequests = habits.sendsIdentities
        if habits.isEncrypted { provider.encryptionKey = memory.key }
        if habits.changesUsers { provider.currentUser = memory.user }
    }

    /// Remembers what is told of conflicts that a policy decides: what the service has won is as the service has it.
    func listen() {
        provider.overwriteListener = { [weak self] overwrite in
            guard let self, !isDead else { return }
            tell("is told that \(overwrite.description)")
            for entity in [overwrite.before, overwrite.after] {
                guard let name = entity.map(name) else { continue }
                if overwrite.side == .local { loosen(name) } else { memory.overwrote.insert(name) }
            }
            guard overwrite.side == .local, let after = overwrite.after else { return }
            // What others have is what the app has from now on, and may change or delete.
            let text = text(after)
            if !text.isEmpty { memory.shown.insert("\(name(after)) \(text)") }
        }
    }

    /// Sends what was refused once more, over whatever others have.
    func insist(_ request: PendingRequest, _ name: String?) throws {
        let body = request.requestBody ?? ""
        for (name, texts) in memory.texts where texts.contains(where: body.contains) {
            memory.insisted.insert(name)
        }
        if let name { memory.insisted.insert(name) }
        try said { try request.retry() }
    }

    /// What needs the metadata.
    func configureSets(_ habits: FieldHabits) {
        for name in ["Orders", "Items"] {
            guard let set = provider.metadata.entitySet(named: name) else { continue }
            if !habits.readsAll, name == "Orders" { provider.noDefaultEntityDownload(set) }
            switch habits.policy {
            case .report: break
            case .clientWins: provider.setConflictPolicy(.clientWins, for: set)
            case .serverWins: provider.setConflictPolicy(.serverWins, for: set)
            case .merge:
                let text = set.entityType.property(withName: "Text")
                provider.setConflictPolicy(
                    .resolve { conflict in
                        guard let server = conflict.server, let local = conflict.local else {
                            return .takeServer
                        }
                        text.setDataValue(in: server, to: local.optionalValue(for: text))
                        return .merged(server)
                    }, for: set)
            }
        }
    }

    func download() throws {
        memory.isDownloadOpen = true
        memory.downloads += 1
        let number = memory.downloads
        try service.download()
        // Another one may have begun while this one ran, and be cut off.
        if !isDead, memory.downloads == number { memory.isDownloadOpen = false }
    }

    func queued() -> [PendingRequest] {
        (try? provider.queuedRequests(matching: nil, headers: nil, options: nil).toArray()) ?? []
    }

    func failed() -> [PendingRequest] {
        (try? provider.failedRequests(matching: nil, headers: nil, options: nil).toArray()) ?? []
    }

    // MARK: Rows

    /// Items have names that begin with i, or with the client and p.
    static func set(of name: String) -> String {
        name.hasPrefix("i") || name.contains("p") ? "Items" : "Orders"
    }

    func entitySet(_ name: String) -> EntitySet? { provider.metadata.entitySet(named: name) }

    func rows(_ set: EntitySet) throws -> [EntityValue] {
        try service.executeQuery(DataQuery().from(set)).entityList().toArray()
    }

    func find(_ name: String) throws -> EntityValue? {
        guard let set = entitySet(Self.set(of: name)) else { return nil }
        let property = set.entityType.property(withName: "Name")
        return try service.executeQuery(DataQuery().from(set).filter(property.equal(name)))
            .entityList().toArray().first
    }

    func name(_ entity: EntityValue) -> String {
        entity.entityType.property(withName: "Name").optionalString(from: entity) ?? ""
    }

    /// The values of a row as text, in the order of its properties.
    func values(_ entity: EntityValue) -> [String] {
        entity.entityType.propertyList.toArray().filter(\.isStructural).map { property in
            property.name + "="
                + (entity.optionalValue(for: property).map { $0.toString() } ?? "null")
        }
    }

    // MARK: Changes

    /// After a restart: the change that was under way is there or not; the app looks, and goes on from that.
    func lookForChangeUnderWay() throws {
        guard let change = memory.underWay else { return }
        memory.underWay = nil
        switch change {
        case .text(let text, let name, _):
            guard let found = try find(name), self.text(found) == text else {
                // It may have been made, and been overwritten by a download since.
                memory.loose.insert(name)
                return
            }
        case .deletion(let name):
            guard try find(name) == nil else { return }
        }
        memory.acknowledge(change)
    }

    func text(_ entity: EntityValue) -> String {
        entity.entityType.property(withName: "Text").optionalString(from: entity) ?? ""
    }

    private func perform(_ change: FieldMemory.Change, _ body: () throws -> Void) throws {
        tell("\(memory.steps) \(change)")
        memory.underWay = change
        do {
            try body()
        } catch {
            tell("is told: \(error)")
            throw error
        }
        guard !isDead else { return }
        memory.underWay = nil
        memory.acknowledge(change)
    }

    func create(in set: String, item: Bool, _ lot: UInt64) throws {
        guard let set = entitySet(set) else { return }
        let type = set.entityType
        let name = "c\(client)\(item ? "p" : "o")\(memory.steps)"
        let text = "t\(client)-\(memory.steps);"
        let entity = EntityValue.ofType(type).inSet(set)
        type.property(withName: "Name").setStringValue(in: entity, to: name)
        type.property(withName: "Text").setStringValue(in: entity, to: text)
        let key = type.property(withName: "Key")
        if key.type.toString().contains("String") { key.setStringValue(in: entity, to: name) }
        if item {
            guard let orders = entitySet("Orders") else { return }
            let parents = try rows(orders)
            guard !parents.isEmpty else { return }
            let parent = parents[Int(lot % UInt64(parents.count))]
            let value = parent.optionalValue(for: orders.entityType.property(withName: "Key"))
            type.property(withName: "OrderKey").setDataValue(in: entity, to: value)
        } else {
            type.property(withName: "Size").setIntValue(in: entity, to: Int(lot % 10))
        }
        try perform(.text(text, of: name, isNew: true)) { try service.createEntity(entity) }
    }

    func change(_ name: String, _ lot: UInt64) throws {
        guard let entity = try find(name) else { return forget(name) }
        if bases[name]?.synchronisations != synchronisations {
            bases[name] = entity.hasPendingChanges ? nil : (values(entity), synchronisations)
        }
        let type = entity.entityType
        let text = "t\(client)-\(memory.steps);"
        type.property(withName: "Text").setStringValue(in: entity, to: text)
        if lot % 4 == 0, let size = property("Size", of: type) {
            size.setIntValue(in: entity, to: Int(lot / 4 % 10))
        }
        if lot % 4 == 1, let extra = property("Extra", of: type),
            extra.type.toString().contains("String")
        {
            extra.setStringValue(in: entity, to: "extra \(lot % 7)")
        }
        try perform(.text(text, of: name, isNew: false)) { try service.updateEntity(entity) }
    }

    private func property(_ name: String, of type: EntityType) -> Property? {
        type.propertyList.toArray().first { $0.name == name }
    }

    func delete(_ name: String) throws {
        guard let entity = try find(name) else { return forget(name) }
        try perform(.deletion(of: name)) { try service.deleteEntity(entity) }
    }

    /// Changes a row whose request was refused; the change corrects the request.
    func correct(_ entity: EntityValue, _ name: String) throws {
        let text = "t\(client)-\(memory.steps);"
        entity.entityType.property(withName: "Text").setStringValue(in: entity, to: text)
        // Changes behind it stay on top.
        memory.corrected.insert(name)
        loosen(name)
        try perform(.text(text, of: name, isNew: false)) { try service.updateEntity(entity) }
    }

    /// Others may have deleted it; whether nobody did is asked in the end.
    private func forget(_ name: String) { memory.own.removeAll { $0 == name } }

    // MARK: What takes back

    /// What the library says where it cannot do what it is asked for now.
    func said(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error where error is UsageError || error is DataServiceError {
            tell("is told: \(error)")
        }
    }

    /// - Returns: a finding.
    func undo(_ name: String, _ wasSent: (String) -> Bool) throws -> String? {
        guard let entity = try find(name) else { return nil }
        tell("\(memory.steps) takes back what was changed in \(name)")
        loosen(name)
        let base = bases[name]
        try said {
            try service.undoPendingChanges(for: entity)
            guard !isDead else { return }
            memory.takenBack.formUnion((memory.texts[name] ?? []).filter { !wasSent($0) })
        }
        guard !isDead, let base, base.synchronisations == synchronisations,
            let now = try find(name), !now.hasPendingChanges, base.values != values(now)
        else { return nil }
        return "undo made \(values(now)) of \(name), which was \(base.values)"
    }

    /// Of this row, and of what belongs to it, nobody can say in the end what it is.
    func loosen(_ name: String) {
        memory.loose.insert(name)
        guard Self.set(of: name) == "Orders" else { return }
        memory.loose.formUnion(memory.texts.keys.filter { Self.set(of: $0) == "Items" })
    }

    /// Cancels a request, and with it those that depend on it.
    func give(up request: PendingRequest) throws {
        tell("\(memory.steps) cancels \(request.httpMethod) \(request.requestURL)")
        loosen(request)
        try said { try request.cancel() }
    }

    /// Whatever a request is about.
    func loosen(_ request: PendingRequest) {
        guard let body = request.requestBody else { return loosenAll() }
        var isKnown = false
        for (name, texts) in memory.texts where texts.contains(where: body.contains) {
            loosen(name)
            isKnown = true
        }
        if !isKnown { loosenAll() }
    }

    private func loosenAll() {
        memory.loose.formUnion(memory.deleted)
        memory.loose.formUnion(memory.texts.keys)
    }

    // MARK: Queries

    func changeQuery(_ name: String, _ lot: UInt64) throws {
        try said {
            guard try service.downloadQuery(name: name) == nil else {
                tell("\(memory.steps) removes the query \(name)")
                try service.deleteDownloadQuery(name: name)
                if !isDead { memory.queries[name] = nil }
                return
            }
            guard let set = entitySet("Orders"), let size = property("Size", of: set.entityType)
            else { return }
            let query = FieldQuery(limit: Int(lot / 2 % 9), isAbove: lot % 2 == 0)
            tell(
                "\(memory.steps) adds the query \(name): \(query.isAbove ? ">" : "≤") \(query.limit)"
            )
            let filter =
                query.isAbove ? size.greaterThan(query.limit) : size.lessEqual(query.limit)
            memory.attempted[name] = query
            try service.createDownloadQuery(name: name, query: DataQuery().from(set).filter(filter))
            if !isDead { memory.queries[name] = query }
        }
    }

    /// After a restart: which queries are there.
    func lookForQueries() throws {
        memory.queries = [:]
        for (name, query) in memory.attempted where try service.downloadQuery(name: name) != nil {
            memory.queries[name] = query
        }
    }
}
