import Foundation
import OData
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTesting
import ODataWorld

// A client that works until it is killed: downloads, writes, uploads, and notes each write that was acknowledged.
//
// usage: odata-kill-child STORE URL ACKNOWLEDGED ROUND POINT PASSAGES
let arguments = CommandLine.arguments
guard arguments.count == 7, let passages = Int(arguments[6]) else {
    FileHandle.standardError.write(Data("seven arguments are needed\n".utf8))
    exit(2)
}
let worker = Thread {
    do {
        try KillChild(arguments, passages: passages).run()
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}
worker.stackSize = 8 << 20
worker.start()
while true { sleep(1_000) }

/// One round of work.
struct KillChild {
    let provider: CloudSyncProvider
    let acknowledged: URL
    let round: String

    init(_ arguments: [String], passages: Int) {
        let world = KillingWorld(at: arguments[5], after: passages)
        let online = OnlineODataProvider(serviceName: "Kill", serviceRoot: arguments[2])
        let store = SQLDatabaseProvider(
            serviceName: "Kill", databaseURL: "sqlite:" + arguments[1], world: world)
        provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        provider.createDynamicIndex("WorkOrders", "Status")
        acknowledged = URL(fileURLWithPath: arguments[3])
        round = arguments[4]
    }

    func run() throws {
        let service = OfflineDataService(provider: provider)
        try service.open()
        if try !service.hasInitialData() { try service.download() }
        let orders = service.entitySet(withName: "WorkOrders")
        let type = orders.entityType
        let title = type.property(withName: "Title")
        let sample = try service.executeQuery(
            DataQuery().from(orders).orderBy(type.property(withName: "Number")).top(3)
        ).entityList()
        for step in 0..<6 {
            let number = "K-\(round)-\(step)"
            let order = EntityValue.ofType(type).inSet(orders)
            type.property(withName: "SiteId").setLongValue(
                in: order, to: type.property(withName: "SiteId").longValue(from: sample[0]))
            type.property(withName: "Number").setStringValue(in: order, to: number)
            title.setStringValue(in: order, to: "killed in round \(round)")
            type.property(withName: "Priority").setShortValue(in: order, to: 1)
            type.property(withName: "Status").setStringValue(in: order, to: "new")
            type.property(withName: "CreatedAt").setDataValue(
                in: order, to: GlobalDateTime.of(year: 2031, month: 5, day: 1))
            type.property(withName: "IsBillable").setBooleanValue(in: order, to: true)
            try service.createEntity(order)
            try note("create \(number)")
            title.setStringValue(in: order, to: "changed in round \(round)")
            try service.updateEntity(order)
            try note("update \(number)")
            if step % 2 == 1 { try service.upload() }
        }
        let changed = sample[Int(round.utf8.reduce(0) { $0 &+ $1 }) % sample.length]
        title.setStringValue(in: changed, to: "round \(round)")
        try service.updateEntity(changed)
        try service.upload()
        try service.download()
        try provider.offlineStore.checkpointDatabase()
    }

    /// Appends a line once a write has returned; a killed process loses nothing that it had written.
    private func note(_ line: String) throws {
        let handle = try FileHandle(forWritingTo: acknowledged)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((line + "\n").utf8))
        try handle.close()
    }
}
