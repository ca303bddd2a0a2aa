import Foundation
import SAPOData

/// Queries of a synced store; every property of every entity is read.
struct LocalReads {
    let service: OfflineDataService
    let orders: EntitySet
    let customers: EntitySet
    let order: OrderColumns
    let customer: CustomerColumns
    let related: Property
    let buyer: Property
    let key: Property

    init(file: String) throws {
        service = OfflineDataService(
            provider: makeProvider(service: "http://127.0.0.1:9/", file: file))
        try service.open()
        orders = service.entitySet(withName: "Orders")
        customers = service.entitySet(withName: "Customers")
        order = OrderColumns(orders.entityType)
        customer = CustomerColumns(customers.entityType)
        related = customers.entityType.property(withName: "Orders")
        buyer = orders.entityType.property(withName: "Buyer")
        key = orders.entityType.property(withName: "ID")
    }

    func point(_ id: Int64) throws -> Int64 {
        let query = DataQuery().from(orders).withKey(
            EntityKey().withProperty(key, value: LongValue.of(id)))
        return order.sum(try service.executeQuery(query).requiredEntity())
    }

    func page(_ start: Int64) throws -> Int64 {
        let number = orders.entityType.property(withName: "Number")
        let query = DataQuery().from(orders).filter(number.greaterEqual(LongValue.of(start)))
            .orderBy(number).top(100)
        var total: Int64 = 0
        for row in try service.executeQuery(query).entityList() { total += order.sum(row) }
        return total
    }

    func expand(_ start: Int64) throws -> Int64 {
        let id = customers.entityType.property(withName: "ID")
        let query = DataQuery().from(customers).filter(id.greaterEqual(LongValue.of(start)))
            .orderBy(id).top(100).expand(related)
        var total: Int64 = 0
        for row in try service.executeQuery(query).entityList() {
            total += customer.sum(row)
            for child in related.entityList(from: row) { total += order.sum(child) }
        }
        return total
    }

    /// A scan: no index has the street.
    func filter(_ start: Int64) throws -> Int64 {
        let street = orders.entityType.property(withName: "Street")
        let query = DataQuery().from(orders)
            .filter(street.equal(StringValue.of("Hauptstraße am Markt \(start % 200)")))
        var total: Int64 = 0
        for row in try service.executeQuery(query).entityList() { total += order.sum(row) }
        return total
    }

    /// Orders with their one customer each.
    func toOne(_ start: Int64) throws -> Int64 {
        let query = DataQuery().from(orders).filter(key.greaterEqual(LongValue.of(start)))
            .orderBy(key).top(100).expand(buyer)
        var total: Int64 = 0
        for row in try service.executeQuery(query).entityList() {
            total += order.sum(row)
            if let one = buyer.optionalEntity(from: row) { total += customer.sum(one) }
        }
        return total
    }

    /// Customers one of whose orders is for a city; a quarter has one.
    func any(_ start: Int64) throws -> Int64 {
        let id = customers.entityType.property(withName: "ID")
        let order = DataPath.lambda("o")
        let city = orders.entityType.property(withName: "City")
        let query = DataQuery().from(customers)
            .filter(
                id.greaterEqual(LongValue.of(start)).and(
                    related.any(order, order.path(city).equal(StringValue.of("Köln"))))
            ).orderBy(id).top(100)
        var total: Int64 = 0
        for row in try service.executeQuery(query).entityList() { total += customer.sum(row) }
        return total
    }

    /// How many of 5,000 orders of an index are active.
    func count(_ start: Int64) throws -> Int64 {
        let number = orders.entityType.property(withName: "Number")
        let active = orders.entityType.property(withName: "Active")
        let query = DataQuery().from(orders)
            .filter(
                number.greaterEqual(LongValue.of(start))
                    .and(number.lessThan(LongValue.of(start + 5_000)))
                    .and(active.equal(BooleanValue.of(true)))
            ).count()
        return try service.executeQuery(query).count()
    }

    /// - Parameter bound: Rows are asked for from here on at most.
    func run(_ kind: String, rounds: Int, bound: Int64) throws {
        let clock = ContinuousClock()
        var total: Int64 = 0
        var random = Numbers(bound: bound)
        // The first tenth warms the caches.
        var (start, cpu) = (clock.now, cpuSeconds())
        for round in 0..<rounds + rounds / 10 {
            if round == rounds / 10 { (start, cpu) = (clock.now, cpuSeconds()) }
            let value = random.next()
            switch kind {
            case "point": total += try point(value)
            case "page": total += try page(value)
            case "expand": total += try expand(value)
            case "filter": total += try filter(value)
            case "toone": total += try toOne(value)
            case "any": total += try any(value)
            default: total += try count(value)
            }
        }
        let seconds = start.duration(to: clock.now) / .seconds(1)
        let used = (cpuSeconds() - cpu) / Double(rounds)
        try service.close()
        print(
            "seconds=\(seconds / Double(rounds)) cpu=\(used) sum=\(total) peak_kib=\(peakKiB())")
    }

    /// The same numbers as in `Reads/reads.cpp`.
    struct Numbers {
        let bound: Int64
        var state: UInt64 = 20_240_229

        mutating func next() -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % bound + 1
        }
    }
}
