import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Gives entities their ETags: `W/"n"`, n being the sequence of the row's last change that was seen, or the one since which
/// changes of its table are seen; 0 when the row never changed.
struct EntityTagger {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    /// False for a row that nothing addresses.
    func hasKey(_ row: StructureValue, _ table: TableMapping) -> Bool {
        table.keys.allSatisfy { column in
            guard let slot = column.slots.first, row.slots.indices.contains(slot) else {
                return true
            }
            return row.slots[slot]?.scalar.map { $0 != .null } ?? false
        }
    }

    /// What is asked of a table once, however many rows bring others of it.
    private struct TableFacts {
        /// Since when its changes are seen.
        var since: Int64
        /// Any row of it has changed since.
        var hasVersions: Bool
    }

    /// Tags the rows of a table and the entities expanded below them.
    func tag(_ rows: inout [StructureValue], of table: TableMapping) throws {
        var facts: [String: TableFacts] = [:]
        try tag(&rows, of: table, depth: 0, &facts)
    }

    private func facts(
        of table: TableMapping, _ known: inout [String: TableFacts]
    ) throws -> TableFacts {
        if let facts = known[table.name] { return facts }
        let facts = TableFacts(
            since: try exchange.log.trackedSince(table.name),
            hasVersions: try exchange.log.hasVersions(table.name))
        known[table.name] = facts
        return facts
    }

    private func tag(
        _ rows: inout [StructureValue], of table: TableMapping, depth: Int,
        _ known: inout [String: TableFacts]
    ) throws {
        // Rows without a key are what steps of a nested $apply made.
        guard !rows.isEmpty, depth < Self.maximumDepth else { return }
        if depth == 0 || rows.contains(where: { hasKey($0, table) }) {
            // Nothing addresses a row without a key: it is no entity.
            rows.removeAll { !hasKey($0, table) }
        } else {
            return
        }
        // Rows of other databases than SQLite bring theirs.
        if table.isWritable, table.system.etag == nil {
            let facts = try facts(of: table, &known)
            if facts.hasVersions {
                try tagByVersions(&rows, of: table, since: facts.since)
            } else {
                let unchanged = Self.text(facts.since).description
                for position in rows.indices { rows[position].control.etag = unchanged }
            }
        }
        if exchange.format.level == .full, table.parent == nil { try link(&rows, of: table) }
        if let streams = exchange.model.streams[table.id] {
            for position in rows.indices {
                try exchange.addStreamFacts(
                    streams, to: &rows[position], key: Self.key(of: rows[position], in: table),
                    table)
            }
        }
        for navigation in table.navigations {
            guard navigation.slots.count == 1, let slot = navigation.slots.first else { continue }
            let target = exchange.model.mapping[navigation.target]
            for position in rows.indices {
                guard rows[position].slots.indices.contains(slot) else { continue }
                switch rows[position].slots[slot] {
                case .structure(let value)?:
                    var nested = [value]
                    try tag(&nested, of: target, depth: depth + 1, &known)
                    rows[position].slots[slot] =
                        nested.first.map { .structure($0) } ?? .scalar(.null)
                case .list(let values)? where !values.isEmpty:
                    var nested = values.compactMap(\.structure)
                    try tag(&nested, of: target, depth: depth + 1, &known)
                    rows[position].slots[slot] = .list(nested.map { .structure($0) })
                default: continue
                }
            }
        }
    }

    /// What a client of `metadata=full` does not compute itself: the id and, for rows that can be changed, the edit link.
    private func link(_ rows: inout [StructureValue], of table: TableMapping) throws {
        for position in rows.indices {
            let id = try exchange.entityID(Self.key(of: rows[position], in: table), of: table)
            rows[position].control.id = id
            if table.isWritable {
                rows[position].control.editLink = id
            } else {
                rows[position].control.readLink = id
            }
        }
    }

    private func tagByVersions(
        _ rows: inout [StructureValue], of table: TableMapping, since: Int64
    ) throws {
        let keys = try rows.map { try TargetRows.rowKey(Self.key(of: $0, in: table), of: table) }
        let versions = try exchange.log.versions(table: table.name, keys: keys)
        for position in rows.indices {
            let version = max(versions[keys[position]] ?? 0, since)
            rows[position].control.etag = Self.text(version).description
        }
    }

    /// The tag of one row; nil for rows of views, which have none.
    func tag(of key: [Scalar], in table: TableMapping) throws -> EntityTag? {
        guard table.isWritable else { return nil }
        if table.system.etag != nil {
            return try TargetRows(exchange, sees: .all).tag(
                of: EntityChanges(exchange).row(key, of: table)
            ).map { EntityTag($0) }
        }
        let rowKey = try TargetRows.rowKey(key, of: table)
        let version = try exchange.log.versions(table: table.name, keys: [rowKey])[rowKey]
        // Nobody knows whether the row changed while changes of the table were not seen.
        return Self.text(max(version ?? 0, try exchange.log.trackedSince(table.name)))
    }

    /// The tag of a row that is about to change, as its preconditions ask for it. Where there are several writers, the row is kept
    /// from the others until the transaction ends; where no precondition is stated, its tag is nobody's concern.
    func tagBeforeChange(of key: [Scalar], in table: TableMapping) throws -> EntityTag? {
        guard case .served(let rows) = exchange.source else { return try tag(of: key, in: table) }
        guard Preconditions(exchange.request.headers).areStated else { return nil }
        let row = EntityChanges(exchange).row(key, of: table)
        guard let tag = try TargetRows(exchange).lock(row, in: rows) else {
            throw PathWalker.missing()
        }
        return EntityTag(tag)
    }

    static func text(_ version: Int64) -> EntityTag { .weak(String(version)) }

    /// The key's values in key order.
    static func key(of row: StructureValue, in table: TableMapping) throws -> [Scalar] {
        try table.keys.map { column in
            guard let slot = column.slots.first, row.slots.indices.contains(slot),
                let scalar = row.slots[slot]?.scalar
            else {
                throw ODataError(
                    .storage, "Expected the key property to be read.", at: .path(column.path))
            }
            return scalar
        }
    }

    private static let maximumDepth = 16
}
