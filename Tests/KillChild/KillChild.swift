import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTesting
import ODataTransport
import ODataWorld

/// One round of work with a store: it does the same whatever earlier rounds left behind.
struct KillChild: @unchecked Sendable {  // handed to the one thread that runs it
    private let provider: CloudSyncProvider
    private let notes: NoteFile
    private let round: Int
    /// The round's number, and which of the stores in the process this one is.
    private let label: String
    private let isSecond: Bool
    private let trap: KillingWorld.Trap
    /// A planted defect: what is changed together is stored in two transactions.
    private let dividesPairs: Bool
    /// A planted defect: a write is acknowledged before it is made.
    private let acknowledgesEarly: Bool
    private static let indexes = [
        "Status", "Title", "Priority", "AssignedTo", "CreatedAt", "ScheduledAt", "Cost",
        "CompletedOn", "IsBillable", "Description",
    ]

    /// - Parameters:
    ///   - store: its path, and its key, which is empty for one in clear.
    ///   - world: shared by the stores of the process.
    init(
        _ arguments: [String], _ trap: KillingWorld.Trap, _ world: KillingWorld,
        store: (path: String, key: String), isSecond: Bool = false
    ) {
        let defect = ProcessInfo.processInfo.environment["ODATA_PLANTED_DEFECT"] ?? ""
        acknowledgesEarly = defect == (isSecond ? "secondAcknowledgesEarly" : "acknowledgesEarly")
        dividesPairs = defect == "dividesPairs"
        let online = OnlineODataProvider(
            serviceName: "Kill", serviceRoot: arguments[2],
            transport: DefectTransport.wrapping(StandardTransport.shared, named: defect))
        provider = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: "Kill", databaseURL: "sqlite:" + store.path, world: world))
        provider.encryptionKey = store.key.isEmpty ? nil : store.key
        notes = NoteFile(
            URL(fileURLWithPath: arguments[3] + (isSecond ? ".second" : "")))
        round = Int(arguments[4]) ?? 0
        self.isSecond = isSecond
        label = "\(round)" + (isSecond ? "b" : "")
        self.trap = trap
        provider.createDynamicIndex("WorkOrders", Self.indexes[round % Self.indexes.count])
        provider.createDynamicIndex("WorkOrders", Self.indexes[round / 10 % 10], "Number")
    }

    func run() throws {
        let service = OfflineDataService(provider: provider)
        try service.open()
        if try !service.hasInitialData() { try service.download() }
        let orders = service.entitySet(withName: "WorkOrders")
        let type = orders.entityType
        let title = type.property(withName: "Title")
        let number = type.property(withName: "Number")
        let known = try service.executeQuery(
            DataQuery().from(orders).filter(number.startsWith("WO-")).orderBy(number)
        ).entityList()
        let paired = known.toArray().suffix(6).map { $0 }
        for step in 0..<6 {
            let order = try create(step, in: orders, at: known[step])
            let name = number.stringValue(from: order)
            try perform(name, "changed \(label) \(step)") {
                title.setStringValue(in: order, to: $0)
                try service.updateEntity(order)
            }
            if step % 3 == 0 { try createSite(step, service) }
            if step % 4 == 0 { try changePairs(step / 4, paired, service) }
            if step % 2 == 1 { try service.upload() }
        }
        // Each store of the process has rows of its own to change, so that they do not meet.
        let changed = known[round % ((known.length - paired.count) / 2) * 2 + (isSecond ? 1 : 0)]
        try perform(number.stringValue(from: changed), "known \(label)") {
            title.setStringValue(in: changed, to: $0)
            try service.updateEntity(changed)
        }
        try service.upload()
        // A change that waits while the others come back from the service.
        _ = try create(6, in: orders, at: known[0])
        try service.download()
        try service.upload()
        try provider.offlineStore.checkpointDatabase()
        if trap.delayMicroseconds > 0 { usleep(trap.delayMicroseconds + 100_000) }
    }

    private func create(
        _ step: Int, in set: EntitySet, at sample: EntityValue
    ) throws -> EntityValue {
        let order = filled("K-\(label)-\(step)", in: set, at: sample)
        try perform("K-\(label)-\(step)", "created \(label) \(step)") {
            set.entityType.property(withName: "Title").setStringValue(in: order, to: $0)
            try provider.createEntity(order, headers: HTTPHeaders(), options: RequestOptions())
        }
        return order
    }

    /// An order without a title yet.
    private func filled(
        _ number: String, in set: EntitySet, at sample: EntityValue
    ) -> EntityValue {
        let type = set.entityType
        let order = EntityValue.ofType(type).inSet(set)
        let site = type.property(withName: "SiteId")
        site.setDataValue(in: order, to: sample.optionalValue(for: site))
        type.property(withName: "Number").setStringValue(in: order, to: number)
        type.property(withName: "Priority").setShortValue(in: order, to: 1)
        type.property(withName: "Status").setStringValue(in: order, to: "Open")
        type.property(withName: "CreatedAt").setDataValue(
            in: order, to: GlobalDateTime.of(year: 2031, month: 5, day: 1))
        type.property(withName: "IsBillable").setBooleanValue(in: order, to: true)
        return order
    }

    /// Gives two orders that are known the same title, and makes two, each in one change set: nobody may ever see one of two.
    private func changePairs(
        _ step: Int, _ known: [EntityValue], _ service: OfflineDataService
    ) throws {
        guard !isSecond else { return }
        let set = service.entitySet(withName: "WorkOrders")
        let number = set.entityType.property(withName: "Number")
        let title = set.entityType.property(withName: "Title")
        let pair = [known[step * 2], known[step * 2 + 1]]
        try perform(pair.map { number.stringValue(from: $0) }, "pair \(label) \(step)") { text in
            for order in pair { title.setStringValue(in: order, to: text) }
            try apply(pair, service) { $0.updateEntity($1) }
        }
        let names = ["a", "b"].map { "K-\(label)-p\(step)\($0)" }
        let made = names.map { filled($0, in: set, at: known[0]) }
        try perform(names, "two made \(label) \(step)") { text in
            for order in made { title.setStringValue(in: order, to: text) }
            try apply(made, service) { $0.createEntity($1) }
        }
    }

    private func apply(
        _ pair: [EntityValue], _ service: OfflineDataService,
        _ add: (ChangeSet, EntityValue) -> Void
    ) throws {
        let parts = dividesPairs ? pair.map { [$0] } : [pair]
        for part in parts {
            let changes = ChangeSet()
            for entity in part { add(changes, entity) }
            try service.applyChanges(changes)
            if dividesPairs { usleep(20_000) }
        }
    }

    /// A row that nothing but its identity keeps from being made twice.
    private func createSite(_ step: Int, _ service: OfflineDataService) throws {
        let sites = service.entitySet(withName: "Sites")
        let known = try service.executeQuery(DataQuery().from(sites).top(1)).entityList()
        let site = EntityValue.ofType(sites.entityType).inSet(sites)
        for property in sites.entityType.propertyList
        where property.isStructural && !property.isKey {
            site.setDataValue(for: property, to: known[0].optionalValue(for: property))
        }
        let name = "S-\(label)-\(step)"
        sites.entityType.property(withName: "Name").setStringValue(in: site, to: name)
        try perform(name, "made \(label) \(step)") {
            sites.entityType.property(withName: "City").setStringValue(in: site, to: $0)
            try service.createEntity(site)
        }
    }

    private func perform(_ number: String, _ title: String, _ write: (String) throws -> Void)
        throws
    {
        try perform([number], title, write)
    }

    private func perform(_ numbers: [String], _ title: String, _ write: (String) throws -> Void)
        throws
    {
        try notes.perform(numbers, title, isEarly: acknowledgesEarly, write)
    }
}
