import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Takes a value with nested entities apart: a row for each, the values of each, provisional keys where the service
/// gives them.
struct BodyBuilder {
    let transaction: StoreTransaction
    /// The values of each row to be created, provisional keys included.
    private(set) var created: [RowReference: StructureValue] = [:]
    private(set) var keys: [(RowReference, StructureValue)] = []
    private static let maximumDepth = 16
    private static let maximumRows = 10_000

    init(transaction: StoreTransaction) {
        self.transaction = transaction
    }

    mutating func body(
        of value: StructureValue, binds: [RequestBody.Bind], row: RowReference,
        table: TableMapping, depth: Int = 0
    ) throws -> RequestBody {
        guard depth < Self.maximumDepth, created.count < Self.maximumRows else {
            throw ODataError(
                .limitExceeded, "Expected fewer nested entities in one creation.",
                at: .path(table.path))
        }
        guard value.type.index < transaction.graph.structures.count,
            value.slots.count == transaction.graph[value.type].properties.count
        else {
            throw ODataError(
                .invalidValue, "Expected an entity of the set's type.", at: .path(table.path))
        }
        let own = value.structural(in: transaction.graph)
        let properties = transaction.graph[value.type].properties
        var body = RequestBody(values: own, binds: binds)
        var stored = own
        if let missing = LocalKeys.missing(
            in: own, table: table, row: row, transaction: transaction)
        {
            stored = StructureMerge.merge(missing, over: own)
            keys.append((row, missing))
        }
        created[row] = stored
        for slot in properties.indices
        where value.slots[slot] != nil && properties[slot].isNavigation {
            for child in Self.entities(value.slots[slot]) {
                try add(child, properties[slot].name, to: &body, table, depth)
            }
        }
        return body
    }

    private mutating func add(
        _ child: StructureValue, _ name: String, to body: inout RequestBody, _ table: TableMapping,
        _ depth: Int
    ) throws {
        guard let navigation = table.navigation(path: name) else {
            throw ODataError(
                .unknownName, "Expected a navigation property whose target is stored.",
                at: .path("\(table.path)/\(name)"))
        }
        let target = transaction.mapping[navigation.target]
        if let existing = try existingRow(child, target) {
            if let place = body.binds.firstIndex(where: { $0.navigation == name }) {
                body.binds[place].targets.append(existing)
            } else {
                body.binds.append(RequestBody.Bind(navigation: name, targets: [existing]))
            }
            return
        }
        let row = transaction.reference(target, try transaction.settings.nextLocalRowID())
        let nested = try self.body(of: child, binds: [], row: row, table: target, depth: depth + 1)
        body.inline.append(RequestBody.InlineEntity(navigation: name, row: row, body: nested))
    }

    /// A nested entity that was read before is referred to, not created again.
    private func existingRow(
        _ value: StructureValue, _ table: TableMapping
    ) throws -> RowReference? {
        guard let link = value.control.readLink ?? value.control.editLink ?? value.control.id else {
            return nil
        }
        if let row = LocalLink.row(link) {
            return try transaction.visibleRow(row) == nil ? nil : row
        }
        let access = transaction.access(table)
        guard let key = access.key(of: value), let id = try access.id(key: key) else { return nil }
        let row = transaction.reference(table, id)
        return try transaction.visibleRow(row) == nil ? nil : row
    }

    private static func entities(_ value: ODataValue?) -> [StructureValue] {
        switch value {
        case .structure(let structure): [structure]
        case .list(let items): items.compactMap(\.structure)
        default: []
        }
    }
}
