import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataStore
import ODataText
import ODataWire
import ODataWorld

/// The rows of one random database: as values for the oracle, and as the text of a payload for the store.
struct OracleData {
    let graph: MetadataGraph
    /// Rows by set, in the order of their keys, and the JSON they came from.
    private(set) var rows: [String: [OracleRow]] = [:]
    private(set) var payloads: [String: [String]] = [:]

    /// Links that no property tells: customers who watch an order, and the one order that a customer likes best.
    private var watchers: [Int64: [Int64]] = [:]
    private var favourites: [Int64: Int64] = [:]

    /// The sets that random conditions are about.
    static let linked = ["Customers", "Orders", "Items"]
    static let sets = linked + ["Sites"]

    static let grades: [String: Int64] = ["None": 0, "Bronze": 1, "Silver": 2, "Gold": 4]

    init(graph: MetadataGraph, seed: UInt64) {
        self.graph = graph
        var random = SeededGenerator(seed: seed)
        for id in 1...18 { add("Customers", OracleCells.customer(Int64(id), &random)) }
        for id in 1...30 { add("Orders", OracleCells.order(Int64(id), &random)) }
        for id in 1...16 {
            for line in 1...(random.below(3) + 1) {
                add("Items", OracleCells.item(Int64(id), Int64(line), &random))
            }
        }
        for order in 1...30 as ClosedRange<Int64> {
            let ids = Set((0..<random.below(4)).map { _ in Int64(random.below(18) + 1) })
            watchers[order] = ids.sorted()
        }
        for customer in 1...18 as ClosedRange<Int64> where random.chance(60) {
            favourites[customer] = Int64(random.below(30) + 1)
        }
        var other = SeededGenerator(seed: ~seed)
        for id in 1...20 { add("Sites", OracleSites.row(Int64(id), &other)) }
        link()
    }

    private mutating func add(_ set: String, _ made: (row: OracleRow, json: String)) {
        rows[set, default: []].append(made.row)
        payloads[set, default: []].append(made.json)
    }

    func rows(of set: String) -> [OracleRow] { rows[set] ?? [] }

    /// The data without some rows of a set.
    func without(_ removed: Range<Int>, of set: String) -> OracleData {
        var copy = self
        for name in Self.sets {
            copy.rows[name] = rows(of: name).map {
                OracleRow(type: $0.type, key: $0.key, values: $0.values)
            }
        }
        copy.rows[set]?.removeSubrange(removed)
        copy.payloads[set]?.removeSubrange(removed)
        copy.link()
        return copy
    }

    /// Rows hold each other; this lets them go.
    func unlink() {
        for row in rows.values.joined() {
            row.one = [:]
            row.many = [:]
        }
    }

    // MARK: Links

    /// The relations of the model: what refers to what by which property.
    private func link() {
        let customers = rows(of: "Customers")
        let orders = rows(of: "Orders")
        join(customers, "ManagerId", to: customers, one: "Manager", many: "Reports")
        join(orders, "CustomerId", to: customers, one: "Customer", many: "Orders")
        join(rows(of: "Items"), "OrderId", to: orders, one: "Order", many: "Items")
        for customer in customers { customer.many["Watched"] = [] }
        for order in orders {
            let found = customers.filter { watchers[order.key[0]]?.contains($0.key[0]) == true }
            order.many["Watchers"] = found
            for customer in found { customer.many["Watched", default: []].append(order) }
        }
        for customer in customers {
            customer.one["Favourite"] = favourites[customer.key[0]].flatMap { id in
                orders.first { $0.key == [id] }
            }
        }
    }

    private func join(
        _ dependents: [OracleRow], _ property: String, to principals: [OracleRow], one: String,
        many: String
    ) {
        for principal in principals { principal.many[many] = [] }
        for dependent in dependents {
            guard case .whole(let key)? = dependent.values[property],
                let principal = principals.first(where: { $0.key == [key] })
            else { continue }
            dependent.one[one] = principal
            principal.many[many, default: []].append(dependent)
        }
    }

    // MARK: Store

    /// A store in a file of its own, filled from payloads.
    func store() throws -> (LocalStore, folder: URL) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("oracle-\(UUID().uuidString)")
        let store = try LocalStore(
            path: folder.appendingPathComponent("oracle.sqlite").path, world: LiveWorld(),
            configuration: LocalStore.Configuration())
        try store.adopt(metadata: OracleModel.metadata, graph: graph)
        for set in Self.sets {
            let mapping = try store.mapping()
            let plan = IngestPlan(
                table: try mapping.existingTable(path: set), graph: mapping.graph)
            var reader = RowReader(shape: plan.shape)
            let shadow = QueueShadow(store)
            let text = "{\"value\":[\((payloads[set] ?? []).joined(separator: ","))]}"
            try store.write(.normal) { database in
                var ingest = try RowIngest(
                    plan, mapping: mapping, database: database, mode: .merge, handler: shadow)
                _ = try reader.readPage(Array(text.utf8), into: &ingest)
                try ingest.finish()
            }
        }
        try fill(
            store, "Orders", "Watchers",
            rows(of: "Orders").map { order in
                let links = (order.many["Watchers"] ?? []).map(Self.reference)
                return "{\"Id\":\(order.key[0]),\"Watchers\":[\(links.joined(separator: ","))]}"
            })
        try fill(
            store, "Customers", "Favourite",
            rows(of: "Customers").map { customer in
                let link = customer.one["Favourite"].map(Self.reference) ?? "null"
                return Self.reference(customer).dropLast() + ",\"Favourite\":\(link)}"
            })
        try store.write(.normal) { database in
            for (table, name) in [
                ("Orders", "Watchers"), ("Customers", "Watched"), ("Customers", "Favourite"),
            ] {
                try database.execute(
                    sql:
                        "INSERT OR IGNORE INTO _odata_loaded (\"table\", navigation) VALUES (?, ?)",
                    arguments: [table, name])
            }
        }
        try store.createSearchIndex(on: "Orders", paths: OracleSearch.properties)
        return (store, folder)
    }

    /// The row as a link names it.
    private static func reference(_ row: OracleRow) -> String {
        let kind = row.type == "Vip" ? "\"@odata.type\":\"#Shop.Vip\"," : ""
        return "{\(kind)\"Id\":\(row.key[0])}"
    }

    /// Takes in links as a page with an expanded navigation property brings them.
    private func fill(
        _ store: LocalStore, _ set: String, _ name: String, _ payload: [String]
    ) throws {
        let mapping = try store.mapping()
        let table = try mapping.existingTable(path: set)
        guard let navigation = table.navigation(path: name) else {
            throw OracleEvaluator.unknown()
        }
        let target = IngestPlan(
            table: mapping[navigation.target], graph: mapping.graph, selection: ["Id"])
        let plan = IngestPlan(
            table: table, graph: mapping.graph, selection: ["Id"],
            expansions: [IngestExpansion(navigation: navigation, plan: target)])
        var reader = RowReader(shape: plan.shape)
        let shadow = QueueShadow(store)
        let text = "{\"value\":[\(payload.joined(separator: ","))]}"
        try store.write(.normal) { database in
            var ingest = try RowIngest(
                plan, mapping: mapping, database: database, mode: .merge, handler: shadow)
            _ = try reader.readPage(Array(text.utf8), into: &ingest)
            try ingest.finish()
        }
    }
}
