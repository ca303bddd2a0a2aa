import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTesting
import ODataTransport
import ODataWorld

/// One round of work with a store: it does the same whatever earlier rounds left behind.
struct KillChild {
    private let provider: CloudSyncProvider
    private let notes: URL
    private let round: Int
    private let trap: KillingWorld.Trap
    /// A planted defect: a write is acknowledged before it is made.
    private let acknowledgesEarly: Bool
    private static let indexes = [
        "Status", "Title", "Priority", "AssignedTo", "CreatedAt", "ScheduledAt", "Cost",
        "CompletedOn", "IsBillable", "Description",
    ]

    init(_ arguments: [String], _ trap: KillingWorld.Trap) {
        let defect = ProcessInfo.processInfo.environment["ODATA_PLANTED_DEFECT"] ?? ""
        acknowledgesEarly = defect == "acknowledgesEarly"
        let online = OnlineODataProvider(
            serviceName: "Kill", serviceRoot: arguments[2],
            transport: DefectTransport.wrapping(StandardTransport.shared, named: defect))
        let store = SQLDatabaseProvider(
            serviceName: "Kill", databaseURL: "sqlite:" + arguments[1], world: KillingWorld(trap))
        provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        let key = ProcessInfo.processInfo.environment["ODATA_STORE_KEY"] ?? ""
        provider.encryptionKey = key.isEmpty ? nil : key
        notes = URL(fileURLWithPath: arguments[3])
        round = Int(arguments[4]) ?? 0
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
        for step in 0..<6 {
            let order = try create(step, in: orders, at: known[step])
            let name = number.stringValue(from: order)
            try perform(name, "changed \(round) \(step)") {
                title.setStringValue(in: order, to: $0)
                try service.updateEntity(order)
            }
            if step % 3 == 0 { try createSite(step, service) }
            if step % 2 == 1 { try service.upload() }
        }
        let changed = known[round % known.length]
        try perform(number.stringValue(from: changed), "known \(round)") {
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
        let type = set.entityType
        let order = EntityValue.ofType(type).inSet(set)
        let site = type.property(withName: "SiteId")
        let number = "K-\(round)-\(step)"
        site.setDataValue(in: order, to: sample.optionalValue(for: site))
        type.property(withName: "Number").setStringValue(in: order, to: number)
        type.property(withName: "Priority").setShortValue(in: order, to: 1)
        type.property(withName: "Status").setStringValue(in: order, to: "Open")
        type.property(withName: "CreatedAt").setDataValue(
            in: order, to: GlobalDateTime.of(year: 2031, month: 5, day: 1))
        type.property(withName: "IsBillable").setBooleanValue(in: order, to: true)
        try perform(number, "created \(round) \(step)") {
            type.property(withName: "Title").setStringValue(in: order, to: $0)
            try provider.createEntity(order, headers: HTTPHeaders(), options: RequestOptions())
        }
        return order
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
        let name = "S-\(round)-\(step)"
        sites.entityType.property(withName: "Name").setStringValue(in: site, to: name)
        try perform(name, "made \(round) \(step)") {
            sites.entityType.property(withName: "City").setStringValue(in: site, to: $0)
            try service.createEntity(site)
        }
    }

    /// Notes what is tried, and once more when it has returned; a killed process loses nothing that it had written.
    private func perform(_ number: String, _ title: String, _ write: (String) throws -> Void)
        throws
    {
        try note("try\t\(number)\t\(title)")
        if acknowledgesEarly { try note("done\t\(number)\t\(title)") }
        try write(title)
        try note("done\t\(number)\t\(title)")
    }

    private func note(_ line: String) throws {
        let handle = try FileHandle(forWritingTo: notes)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((line + "\n").utf8))
        try handle.close()
    }
}
