import ODataModel
import ODataSQL

/// Rewrites what waits after the service gave rows their keys: foreign keys that follow them, in effects and in bodies
/// (offline reference, section 10): state → edits.
package struct Rekeying: Sendable {
    /// The requests that change.
    package private(set) var requests: [QueuedRequest] = []
    /// The rows whose foreign keys changed.
    package private(set) var rows: Set<RowReference> = []

    /// - Parameters:
    ///   - keyed: the rows whose keys became known, with their values.
    ///   - queue: every request that follows one of them; others change nothing.
    /// - Throws: `unknownName` for a row of a set that is not stored.
    package init(
        _ keyed: [RowReference: StructureValue], in queue: [QueuedRequest], mapping: SchemaMapping
    ) throws {
        let keys = ForeignKeys(mapping)
        for var request in queue where !request.isSealed {
            var isChanged = false
            for place in request.effects.indices {
                guard
                    case .values(let row, let old, let principal?) = request.effects[place],
                    let values = keyed[principal], mapping.table(path: row.table) != nil,
                    let new = try keys.following(row, principal, old, values)
                else { continue }
                request.effects[place] = .values(row: row, values: new, principal: principal)
                Self.rewrite(&request, row, old, new)
                rows.insert(row)
                isChanged = true
            }
            if isChanged { requests.append(request) }
        }
    }

    /// The same values where the app wrote them into a body.
    private static func rewrite(
        _ request: inout QueuedRequest, _ row: RowReference, _ old: StructureValue,
        _ new: StructureValue
    ) {
        func change(_ body: inout RequestBody) {
            for slot in old.slots.indices {
                guard let before = old.slots[slot], body.values.slots.indices.contains(slot),
                    body.values.slots[slot] == before
                else { continue }
                body.values.slots[slot] = new.slots[slot]
            }
        }
        guard var body = request.body else { return }
        if request.target == row { change(&body) } else { body.change(row, change) }
        // As for what is joined: a service may know the identity of the other body.
        if body != request.body, !request.wasSent {
            request.identity = RepeatabilityIdentity(id: "")
        }
        request.body = body
    }
}

/// How rows refer to others by columns (pure).
package struct ForeignKeys: Sendable {
    private let mapping: SchemaMapping

    package init(_ mapping: SchemaMapping) { self.mapping = mapping }

    /// The foreign key anew: each column of the old one from the principal's column it equals; nil where none of the ways
    /// from row to principal has all of its columns.
    package func following(
        _ row: RowReference, _ principal: RowReference, _ old: StructureValue,
        _ values: StructureValue
    ) throws -> StructureValue? {
        let table = try mapping.existingTable(path: row.table)
        let principalTable = try mapping.existingTable(path: principal.table)
        for (own, other) in pairs(table, principalTable) {
            var new = StructureValue(type: old.type, in: mapping.graph)
            var isComplete = !own.isEmpty
            for (target, source) in zip(own, other) {
                guard old.value(at: target.slots) != nil,
                    let value = values.value(at: source.slots)
                else {
                    isComplete = false
                    break
                }
                new.set(value, at: target.slots, in: mapping.graph)
            }
            if isComplete { return new }
        }
        return nil
    }

    /// Every way in which rows of `table` can refer to rows of `principal` by columns.
    private func pairs(
        _ table: TableMapping, _ principal: TableMapping
    ) -> [([ODataSQL.ColumnMapping], [ODataSQL.ColumnMapping])] {
        var found: [([ODataSQL.ColumnMapping], [ODataSQL.ColumnMapping])] = []
        func add(_ pairs: [(own: String, other: String)]) {
            let own = pairs.compactMap { pair in
                table.columns.first { $0.comparedColumn == pair.own }
            }
            let other = pairs.compactMap { pair in
                principal.columns.first { $0.comparedColumn == pair.other }
            }
            if own.count == pairs.count, other.count == pairs.count { found.append((own, other)) }
        }
        for navigation in table.navigations where navigation.target == principal.id {
            guard case .columns(let columns) = navigation.storage,
                isDependent(navigation, in: table)
            else { continue }
            add(columns.map { ($0.source, $0.target) })
        }
        for navigation in principal.navigations where navigation.target == table.id {
            guard case .columns(let columns) = navigation.storage,
                !isDependent(navigation, in: principal)
            else { continue }
            add(columns.map { ($0.target, $0.source) })
        }
        return found
    }

    /// True when the columns that carry the relation are in the table of the navigation property itself.
    package func isDependent(_ navigation: NavigationMapping, in table: TableMapping) -> Bool {
        guard case .columns(let pairs) = navigation.storage, let first = pairs.first else {
            return false
        }
        if first.source == table.system.id { return false }
        if first.target == mapping[navigation.target].system.id { return true }
        var type = navigation.owner
        for (depth, slot) in navigation.slots.enumerated() {
            let property = mapping.graph[type].properties[slot]
            if depth == navigation.slots.count - 1 {
                return !(property.navigation?.referentialConstraints.isEmpty ?? true)
            }
            guard let inner = property.type.structure else { return false }
            type = inner
        }
        return false
    }
}
