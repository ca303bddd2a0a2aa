import GRDB
import ODataSQL

/// Writes the links of one navigation property as a payload states them. Pairs that are changed here keep their
/// state; what the service says about them becomes their base.
struct LinkIngest {
    let navigation: NavigationMapping
    let target: TableMapping
    let mapping: SchemaMapping
    let database: Database
    let looksForBase: Bool

    /// The link table and the names of the columns for this side and the other; nil where columns of the rows carry
    /// the links.
    private var pair: (table: LinkTableMapping, near: String, far: String)? {
        guard case .linkTable(let index, let isReversed) = navigation.storage else { return nil }
        let table = mapping.linkTables[index]
        return isReversed
            ? (table, table.targetColumn, table.sourceColumn)
            : (table, table.sourceColumn, table.targetColumn)
    }

    func add(_ row: Int64, _ related: Int64) throws {
        guard let pair, try !setBase(row, related, isPresent: true) else { return }
        try execute(
            "INSERT OR REPLACE INTO \(SQLName.quoted(pair.table.name))"
                + " (\(pair.near), \(pair.far)) VALUES (?, ?)", row, related)
    }

    func remove(_ row: Int64, _ related: Int64) throws {
        guard let pair, try !setBase(row, related, isPresent: false) else { return }
        try execute(
            "DELETE FROM \(SQLName.quoted(pair.table.name))"
                + " WHERE \(pair.near) = ? AND \(pair.far) = ?", row, related)
    }

    /// Makes `related` the row's links: all of them if the payload holds the whole relation.
    ///
    /// - Returns: ids of contained rows that are no longer there.
    func replace(_ row: Int64, with related: [Int64], isWhole: Bool) throws -> [Int64] {
        let wanted = Set(related)
        let current = try currentRows(row)
        if isWhole, pair != nil {
            for id in current where !wanted.contains(id) { try remove(row, id) }
        }
        for id in related where !current.contains(id) { try add(row, id) }
        guard isWhole, pair == nil, target.parent != nil else { return [] }
        return current.filter { !wanted.contains($0) }.sorted()
    }

    /// The rows related now: by link table, or contained.
    private func currentRows(_ row: Int64) throws -> Set<Int64> {
        let sql: String
        if let pair {
            sql =
                "SELECT \(pair.far) FROM \(SQLName.quoted(pair.table.name))"
                + " WHERE \(pair.near) = ?"
        } else if let parent = target.system.parent, let id = target.system.id {
            sql =
                "SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(target.name))"
                + " WHERE \(SQLName.quoted(parent)) = ?"
        } else {
            return []
        }
        return try Set(
            Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [row]))
    }

    /// Notes what the service says about a pair that is changed here; false when it is not.
    private func setBase(_ row: Int64, _ related: Int64, isPresent: Bool) throws -> Bool {
        guard looksForBase, let pair else { return false }
        let (source, target) =
            pair.near == pair.table.sourceColumn ? (row, related) : (related, row)
        let statement = try database.cachedStatement(
            sql: "UPDATE _odata_base_link SET is_present = ?"
                + " WHERE link_table = ? AND source = ? AND target = ?")
        try statement.execute(arguments: [isPresent, pair.table.name, source, target])
        return database.changesCount > 0
    }

    private func execute(_ sql: String, _ first: Int64, _ second: Int64) throws {
        try database.cachedStatement(sql: sql).execute(arguments: [first, second])
    }
}
