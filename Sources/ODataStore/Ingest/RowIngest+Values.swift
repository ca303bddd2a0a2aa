import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// Entities and changes that came as values: they take the same way as rows of bytes, but for how they are bound.
extension RowIngest {
    mutating func receive(_ item: EntityPageItem) throws {
        counts.received += 1
        isCheckDue = counts.received & 63 == 0
        try writeBatch()
        if case .removed = item {} else { try takeGoneAway() }
        switch item {
        case .entity(let value, _):
            guard let row = try row(value), let id = try write(row) else { return }
            touched?.written.append(id)
            try takeNavigations(of: row.value, id: id)
        case .removed(let removed):
            let removal = RowRemoval(
                id: removed.reference.id, reason: removed.reason == .deleted ? .deleted : .changed)
            try remove(try identify(removal), because: removal.reason)
        case .link(let change): try take(try FlatLink(change), isAdded: true)
        case .deletedLink(let change): try take(try FlatLink(change), isAdded: false)
        }
    }

    /// The row of an entity, found by its id where it does not bring its key; nil when it is none of this table's, or
    /// nobody can tell which one it is.
    private mutating func row(_ value: StructureValue) throws -> ValueRow? {
        identified = nil
        let encoder = RowEncoder(table: plan.table, graph: plan.graph)
        let row = try ValueRow(value, plan: plan, encoder: encoder)
        guard let slot = plan.keySlots.first(where: { row.arguments[$0] == nil }) else {
            return row
        }
        if let id = value.control.id {
            switch try identify(id) {
            case .row(let found):
                identified = found
                return row
            case .absent:
                guard let key = plan.table.key(ofID: id, in: plan.graph)
                else { break }
                return try ValueRow(value, key: key, plan: plan, encoder: encoder)
            case .elsewhere: return nil
            case .unknown: break
            }
        }
        try noteUnknown(missing: slot)
        return nil
    }

    private mutating func write(_ row: ValueRow) throws -> Int64? {
        let known = identified
        identified = nil
        let key = row.key(of: plan)
        if known == nil, key == nil {
            throw missingKey(
                plan.keySlots.first { row.arguments[$0]?.first ?? .null == .null } ?? 0)
        }
        let found: FoundRow? = if let known { known } else { try find(key: key) }
        let statements = statements(of: row.pattern)
        if let found, let id = try met(found, statements) { return id }
        if let found, !found.state.isDisjoint(with: IngestSQL.shadowed) || found.isOnlyBase {
            let base = try statements.writeBase(database, sql)
            return try wroteBase(base, id: found.id, bind(row, to: base, statements))
        }
        guard let found else {
            let insert = try statements.insert(database, sql, state)
            return try inserted(insert, bind(row, to: insert, statements))
        }
        let update = try statements.update(database, sql, state)
        return try updated(update, id: found.id, bind(row, to: update, statements))
    }

    /// Binds our own columns and the row's; returns the index of the next parameter.
    private func bind(
        _ row: ValueRow, to statement: BoundStatement, _ statements: RowStatements
    ) -> Int32 {
        var next: Int32 = 1
        for own in statements.own {
            if own == .parent {
                bindParent(statement, &next)
                continue
            }
            if let text = row.text(own, of: plan) {
                statement.bind(copy: text, next)
            } else {
                statement.bindNull(next)
            }
            next += 1
        }
        for step in statements.steps {
            for (offset, argument) in (row.arguments[step.slot] ?? []).enumerated() {
                statement.bind(copy: argument, step.parameter + Int32(offset))
            }
        }
        return statements.nextParameter
    }

    private mutating func takeNavigations(of value: StructureValue, id: Int64) throws {
        for (index, expansion) in plan.expansions.enumerated() {
            let path = expansion.navigation.path
            let content = value.related(path, in: plan.graph)
            let next = value.control.nextLinks[path]
            var named: [Int64] = []
            if let content {
                metExpansions |= 1 << UInt64(index & 63)
                named = try nested[index].take(content, id: id, isWhole: next == nil)
                takeOpenNavigations(ofNested: index)
            }
            guard let next else { continue }
            var open = OpenNavigation(
                row: id, path: [index], navigation: expansion.navigation, nextLink: next)
            open.related = named
            openNavigations.append(open)
        }
    }
}

extension StructureValue {
    /// The entities of an expanded navigation property; nil where the value says nothing of it.
    func related(_ navigation: String, in graph: MetadataGraph) -> [StructureValue]? {
        guard let slot = graph[type].slot(named: navigation), let content = slots[slot] else {
            return nil
        }
        switch content {
        case .scalar: return []
        case .structure(let entity): return [entity]
        case .list(let items):
            return items.compactMap { if case .structure(let entity) = $0 { entity } else { nil } }
        }
    }
}
