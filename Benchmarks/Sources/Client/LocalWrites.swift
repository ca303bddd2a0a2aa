import Foundation
import SAPOData

/// Changes of a synced store, each durable when it returns.
struct LocalWrites {
    let service: OfflineDataService
    let orders: EntitySet

    init(_ service: OfflineDataService) {
        self.service = service
        orders = service.entitySet(withName: "Orders")
    }

    init(file: String) throws {
        service = OfflineDataService(
            provider: makeProvider(service: "http://127.0.0.1:9/", file: file))
        try service.open()
        orders = service.entitySet(withName: "Orders")
    }

    private func property(_ name: String) -> Property { orders.entityType.property(withName: name) }

    /// An order that no service gave a key yet.
    func newOrder(_ number: Int64) -> EntityValue {
        let order = EntityValue.ofType(orders.entityType).inSet(orders)
        property("ID").setLongValue(in: order, to: 100_000_000 + number)
        property("Number").setLongValue(in: order, to: 100_000_000 + number)
        property("Customer").setStringValue(in: order, to: "Customer \(number)")
        property("City").setStringValue(in: order, to: "Wien")
        property("Street").setStringValue(in: order, to: "Hauptstraße am Markt \(number)")
        property("Category").setStringValue(in: order, to: "express")
        property("Note").setStringValue(in: order, to: "deliver before noon, keep upright")
        property("Price").setDecimalValue(in: order, to: BigDecimal(Int(number)))
        property("Active").setBooleanValue(in: order, to: true)
        property("CustomerID").setLongValue(in: order, to: number % 10_000 + 1)
        return order
    }

    private func order(_ id: Int64) throws -> EntityValue {
        let key = EntityKey().withProperty(property("ID"), value: LongValue.of(id))
        return try service.executeQuery(DataQuery().from(orders).withKey(key)).requiredEntity()
    }

    /// Seconds of one change; entities are made or read before.
    func run(_ kind: String, rounds: Int) throws {
        let clock = ContinuousClock()
        let warm = rounds / 10
        var (seconds, used) = (0.0, 0.0)
        for round in 0..<rounds + warm {
            let number = Int64(round)
            let entity = kind == "create" ? newOrder(number) : try order(number * 7 + 1)
            if kind == "update" {
                property("Note").setStringValue(in: entity, to: "changed \(number)")
                property("Number").setLongValue(in: entity, to: 2_000_000 + number)
            }
            let (start, cpu) = (clock.now, cpuSeconds())
            switch kind {
            case "create": try service.createEntity(entity)
            case "update": try service.updateEntity(entity)
            default: try service.deleteEntity(entity)
            }
            guard round >= warm else { continue }
            seconds += start.duration(to: clock.now) / .seconds(1)
            used += cpuSeconds() - cpu
        }
        let count = try service.executeQuery(DataQuery().from(orders).count()).count()
        try service.close()
        print(
            "seconds=\(seconds / Double(rounds)) cpu=\(used / Double(rounds)) sum=\(count)",
            "peak_kib=\(peakKiB())")
    }
}
