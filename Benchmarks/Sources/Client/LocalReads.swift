import Foundation
import SAPOData

/// Queries of a synced store; every property of every entity is read.
struct LocalReads {
    let service: OfflineDataService
    let orders: EntitySet
    let customers: EntitySet
    let orderColumns: [Column]
    let customerColumns: [Column]
    let related: Property
    let buyer: Property
    let key: Property

    /// A property with the type that it is read as.
    struct Column {
        enum Kind { case long, string, boolean, decimal, other }
        let property: Property
        let kind: Kind

        init(_ property: Property) {
            self.property = property
            kind =
                switch property.dataType.code {
                case DataType.long: .long
                case DataType.string: .string
                case DataType.boolean: .boolean
                case DataType.decimal: .decimal
                default: .other
                }
        }
    }

    init(file: String) throws {
        service = OfflineDataService(
            provider: makeProvider(service: "http://127.0.0.1:9/", file: file))
        try service.open()
        orders = service.entitySet(withName: "Orders")
        customers = service.entitySet(withName: "Customers")
        orderColumns = Self.columns(of: orders)
        customerColumns = Self.columns(of: customers)
        related = customers.entityType.property(withName: "Orders")
        buyer = orders.entityType.property(withName: "Buyer")
        key = orders.entityType.property(withName: "ID")
    }

    private static func columns(of set: EntitySet) -> [Column] {
        set.entityType.structuralProperties.map { Column($0) }
    }

    /// Adds the integers and the lengths of the texts, which the floor adds too.
    private func sum(_ entity: EntityValue, _ columns: [Column]) -> Int64 {
        var sum: Int64 = 0
        for column in columns {
            switch column.kind {
            case .long: sum += column.property.optionalLong(from: entity) ?? 0
            case .string:
                sum += Int64(column.property.optionalString(from: entity)?.utf8.count ?? 0)
            case .boolean: sum += column.property.optionalBoolean(from: entity) == true ? 1 : 0
            case .decimal: sum += column.property.optionalDecimal(from: entity) == nil ? 0 : 1
            case .other: sum += column.property.optionalValue(from: entity) == nil ? 0 : 1
            }
        }
        return sum
    }

    func point(_ id: Int64) throws -> Int64 {
        let query = DataQuery().from(orders).withKey(
            EntityKey().withProperty(key, value: LongValue.of(id)))
        return sum(try service.executeQuery(query).requiredEntity(), orderColumns)
    }

    func page(_ start: Int64) throws -> Int64 {
        let number = orders.entityType.property(withName: "Number")
        let query = DataQuery().from(orders).filter(number.greaterEqual(LongValue.of(start)))
            .orderBy(number).top(100)
        var total: Int64 = 0
        for order in try service.executeQuery(query).entityList() {
            total += sum(order, orderColumns)
        }
        return total
    }

    func expand(_ start: Int64) throws -> Int64 {
        let id = customers.entityType.property(withName: "ID")
        let query = DataQuery().from(customers).filter(id.greaterEqual(LongValue.of(start)))
            .orderBy(id).top(100).expand(related)
        var total: Int64 = 0
        for customer in try service.executeQuery(query).entityList() {
            total += sum(customer, customerColumns)
            for order in related.entityList(from: customer) { total += sum(order, orderColumns) }
        }
        return total
    }

    /// A scan: no index has the street.
    func filter(_ start: Int64) throws -> Int64 {
        let street = orders.entityType.property(withName: "Street")
        let query = DataQuery().from(orders)
            .filter(street.equal(StringValue.of("Hauptstraße am Markt \(start % 200)")))
        var total: Int64 = 0
        for order in try service.executeQuery(query).entityList() {
            total += sum(order, orderColumns)
        }
        return total
    }

    /// Orders with their one customer each.
    func toOne(_ start: Int64) throws -> Int64 {
        let query = DataQuery().from(orders).filter(key.greaterEqual(LongValue.of(start)))
            .orderBy(key).top(100).expand(buyer)
        var total: Int64 = 0
        for order in try service.executeQuery(query).entityList() {
            total += sum(order, orderColumns)
            if let customer = buyer.optionalEntity(from: order) {
                total += sum(customer, customerColumns)
            }
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
        for customer in try service.executeQuery(query).entityList() {
            total += sum(customer, customerColumns)
        }
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
        var seconds = 0.0
        for round in 0..<rounds + rounds / 10 {
            let start = clock.now
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
            // The first tenth warms the caches.
            if round >= rounds / 10 { seconds += start.duration(to: clock.now) / .seconds(1) }
        }
        try service.close()
        print("seconds=\(seconds / Double(rounds)) sum=\(total) peak_kib=\(peakKiB())")
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
