import Foundation
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

    static let sets = ["Customers", "Orders", "Items"]

    static let grades: [String: Int64] = ["None": 0, "Bronze": 1, "Silver": 2, "Gold": 4]

    init(graph: MetadataGraph, seed: UInt64) {
        self.graph = graph
        var random = OracleRandom(state: seed)
        for id in 1...18 { add("Customers", OracleCells.customer(Int64(id), &random)) }
        for id in 1...30 { add("Orders", OracleCells.order(Int64(id), &random)) }
        for id in 1...16 {
            for line in 1...(random.below(3) + 1) {
                add("Items", OracleCells.item(Int64(id), Int64(line), &random))
            }
        }
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
        try store.createSearchIndex(on: "Orders", paths: OracleSearch.properties)
        return (store, folder)
    }
}
