import ODataSQL

/// Which columns a row brings: rows of one page nearly always bring the same, so their statements are kept.
struct RowPattern: Hashable {
    /// One bit for each slot.
    var slots: [UInt64]
    var hasETag: Bool
    var hasControl: Bool
}

/// The statements of ingest as text; parameters are numbered in the order of ``parameters(_:)``.
struct IngestSQL {
    let plan: IngestPlan
    private var table: TableMapping { plan.table }
    private var system: SystemColumns { plan.table.system }
    private var hold: HoldSQL? { plan.hold.map { HoldSQL(hold: $0, table: plan.table) } }

    init(plan: IngestPlan) { self.plan = plan }

    /// Our own columns that a row may bring, in the order of their parameters.
    enum Own: CaseIterable { case etag, control, type, parent, dynamic }

    func ownColumns(_ pattern: RowPattern) -> [(own: Own, name: String)] {
        Own.allCases.compactMap { own in
            let name: String? =
                switch own {
                case .etag: pattern.hasETag ? system.etag : nil
                case .control: pattern.hasControl ? system.control : nil
                case .type: system.type
                case .parent: system.parent
                case .dynamic: system.dynamic
                }
            return name.map { (own, $0) }
        }
    }

    /// Columns and companions of the slots that the pattern names.
    func dataColumns(_ pattern: RowPattern) -> [String] {
        plan.columns.indices.filter { pattern.slots[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 }
            .flatMap { table.columns[plan.columns[$0]].storedColumns }
    }

    private func names(_ pattern: RowPattern) -> [String] {
        (ownColumns(pattern).map(\.name) + dataColumns(pattern)).map { SQLName.quoted($0) }
    }

    /// Inserts a row, or updates the row with its key if it differs.
    func upsert(_ pattern: RowPattern, state: EntityState) -> String {
        let target = quotedTable
        var text = insert(pattern, state: state)
        let conflict = table.keyColumns.isEmpty ? [idName] : table.uniqueColumns
        text += " ON CONFLICT (\(conflict.map { SQLName.quoted($0) }.joined(separator: ", ")))"
        text += " DO UPDATE SET " + assignments(pattern, state: state) { "excluded.\($0)" }
        return text + " WHERE "
            + guardCondition(pattern) {
                "\(target).\($0)"
            } _: {
                "excluded.\($0)"
            }
    }

    /// Inserts a row; singletons have internal id 1.
    ///
    /// - Parameter isNumbered: the row's id is bound last; null lets SQLite give it.
    func insert(_ pattern: RowPattern, state: EntityState, isNumbered: Bool = false) -> String {
        var (columns, values) = insertion(pattern, first: 1, state: state)
        if isNumbered {
            columns.append(SQLName.quoted(idName))
            values.append("?\(names(pattern).count + 1)")
        }
        return "INSERT INTO \(quotedTable) (\(columns.joined(separator: ", ")))"
            + " VALUES (\(values.joined(separator: ", ")))"
    }

    /// Inserts several rows, one behind the other.
    func insert(_ pattern: RowPattern, count: Int, state: EntityState) -> String {
        let width = names(pattern).count
        let columns = insertion(pattern, first: 1, state: state).columns
        let rows = (0..<max(count, 1)).map { row in
            let values = insertion(pattern, first: 1 + row * width, state: state).values
            return "(\(values.joined(separator: ", ")))"
        }
        return "INSERT INTO \(quotedTable) (\(columns.joined(separator: ", "))) VALUES "
            + rows.joined(separator: ", ")
    }

    /// Columns and values of one row, whose parameters begin at `first`.
    private func insertion(
        _ pattern: RowPattern, first: Int, state: EntityState
    ) -> (columns: [String], values: [String]) {
        var columns = names(pattern)
        var values = columns.indices.map { "?\($0 + first)" }
        if table.keyColumns.isEmpty, let id = system.id {
            columns.append(SQLName.quoted(id))
            values.append("1")
        }
        let state = plan.isReference(pattern) ? state.union(.keyOnly) : state
        if let column = system.state, !state.isEmpty {
            columns.append(SQLName.quoted(column))
            values.append("\(state.rawValue)")
        }
        if let column = hold?.column, let first = hold?.first, first != 0 {
            columns.append(column)
            values.append("\(first)")
        }
        return (columns, values)
    }

    /// Updates the row with the id bound last, if it differs.
    func update(_ pattern: RowPattern, state: EntityState) -> String {
        let numbers = parameters(pattern)
        let value = { (name: String) in numbers[name] ?? "NULL" }
        return "UPDATE \(quotedTable) SET " + assignments(pattern, state: state, value)
            + " WHERE \(SQLName.quoted(idName)) = ?\(numbers.count + 1) AND ("
            + guardCondition(pattern, { $0 }, value) + ")"
    }

    /// Updates the columns of the row with the id bound last that no index has; nil where there are none.
    func narrowUpdate(
        _ pattern: RowPattern, state: EntityState, indexed: Set<String>
    ) -> String? {
        let numbers = parameters(pattern)
        let set = assignments(pattern, state: state, without: indexed) { numbers[$0] ?? "NULL" }
        guard !set.isEmpty else { return nil }
        return "UPDATE \(quotedTable) SET \(set)"
            + " WHERE \(SQLName.quoted(idName)) = ?\(numbers.count + 1)"
    }

    /// Id, state and sources of the row with the key of one that comes, whether that differs in anything that it brings, and
    /// whether in a column of `indexed`; nil where the key is not among what it brings.
    func comparison(_ pattern: RowPattern, indexed: Set<String>) -> String? {
        let numbers = parameters(pattern)
        let keys = table.uniqueColumns.map { ($0, numbers[SQLName.quoted($0)]) }
        guard !table.keyColumns.isEmpty, keys.allSatisfy({ $0.1 != nil }) else { return nil }
        let value = { (name: String) in numbers[name] ?? "NULL" }
        let compared = dataColumns(pattern).filter(indexed.contains).map { SQLName.quoted($0) }
        let index = differences(compared, { $0 }, value)
        let condition = keys.map { "\(SQLName.quoted($0)) = \($1 ?? "NULL")" }
        return lookup(
            in: quotedTable, where: condition.joined(separator: " AND "),
            more: [
                guardCondition(pattern, { $0 }, value),
                index.isEmpty ? "0" : index.joined(separator: " OR "),
            ])
    }

    /// Parameters by quoted name of the column.
    private func parameters(_ pattern: RowPattern) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: names(pattern).enumerated().map { ($1, "?\($0 + 1)") })
    }

    /// Writes a base image: the row's id is bound last.
    func writeBase(_ pattern: RowPattern) -> String {
        let names = names(pattern)
        var columns = names + [SQLName.quoted(idName)]
        var values = columns.indices.map { "?\($0 + 1)" }
        var updates = names.map { "\($0) = excluded.\($0)" } + ["_odata_base_kind = 0"]
        if let hold, let column = hold.column {
            columns.append(column)
            values.append("\(hold.first)")
            updates.append("\(column) = \(hold.taken(column))")
        }
        return "INSERT INTO \(quotedBase) (\(columns.joined(separator: ", ")))"
            + " VALUES (\(values.joined(separator: ", ")))"
            + " ON CONFLICT (\(SQLName.quoted(idName))) DO UPDATE SET "
            + updates.joined(separator: ", ")
    }

    /// What a base image says of its row as far as the source brings it, by the row's id.
    var baseContent: String {
        let words = plan.columns.count / 64 + 1
        let everything = RowPattern(
            slots: Array(repeating: .max, count: words), hasETag: true, hasControl: true)
        let columns = ["_odata_base_kind"] + names(everything)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(quotedBase)"
            + " WHERE \(SQLName.quoted(idName)) = ?"
    }

    /// What has become of a base image here, by the row's id.
    var baseState: String {
        let state = system.state.map { SQLName.quoted($0) } ?? "0"
        return "SELECT \(state) FROM \(quotedBase) WHERE \(SQLName.quoted(idName)) = ?"
    }

    /// Notes at a row what its base image says of its sources; nil where nobody asks.
    var holdRow: String? {
        guard let hold, let column = hold.column else { return nil }
        return "UPDATE \(quotedTable) SET \(column) = \(hold.taken(column))"
            + " WHERE \(SQLName.quoted(idName)) = ?"
    }

    /// Id, state and sources of the row with a key.
    var lookup: String { lookup(in: quotedTable) }
    var lookupBase: String { lookup(in: quotedBase) }

    private func lookup(in table: String) -> String {
        let keys = self.table.keyColumns.isEmpty ? [idName] : self.table.uniqueColumns
        let condition = keys.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }
        return lookup(in: table, where: condition.joined(separator: " AND "))
    }

    private func lookup(
        in table: String, where condition: String, more: [String] = []
    ) -> String {
        let state = system.state.map { SQLName.quoted($0) } ?? "0"
        let sources = system.sources.map { SQLName.quoted($0) } ?? "0"
        let all = [SQLName.quoted(idName), state, sources] + more
        return "SELECT \(all.joined(separator: ", "))"
            + " FROM \(table) WHERE \(condition)"
    }

    /// The same of the row that came with an id (bound first) that does not follow conventions.
    var lookupByID: String? {
        system.control.map {
            lookup(in: quotedTable, where: "json_extract(\(SQLName.quoted($0)), '$.id') = ?1")
        }
    }

    /// The ids that rows came with.
    var rememberedIDs: String? {
        system.control.map { SQLName.quoted($0) }.map { control in
            "SELECT id FROM (SELECT json_extract(\(control), '$.id') AS id FROM \(quotedTable)"
                + " WHERE \(control) IS NOT NULL) WHERE id IS NOT NULL"
        }
    }

    var idName: String { system.id ?? "_odata_id" }
    var quotedTable: String { SQLName.quoted(table.name) }
    var quotedBase: String { SQLName.quoted("_odata_base_" + table.name) }

    private func assignments(
        _ pattern: RowPattern, state: EntityState, without left: Set<String> = [],
        _ value: (String) -> String
    ) -> String {
        var list: [String] = []
        for (own, name) in ownColumns(pattern) {
            let name = SQLName.quoted(name)
            let new = value(name)
            list.append(
                own == .dynamic
                    ? "\(name) = CASE WHEN \(new) IS NULL THEN \(name) ELSE"
                        + " json_patch(coalesce(\(name), '{}'), \(new)) END"
                    : "\(name) = \(new)")
        }
        for column in dataColumns(pattern) where !left.contains(column) {
            let name = SQLName.quoted(column)
            list.append("\(name) = \(value(name))")
        }
        if let column = system.state.map({ SQLName.quoted($0) }), !plan.isReference(pattern) {
            list.append("\(column) = (\(column) & ~\(ended.rawValue)) | \(state.rawValue)")
        }
        if let hold, let column = hold.column {
            list.append("\(column) = \(hold.taken(column))")
        }
        return list.joined(separator: ", ")
    }

    /// True for rows that differ in any column that the row brings: tags cover what the service chose.
    private func guardCondition(
        _ pattern: RowPattern, _ old: (String) -> String, _ new: (String) -> String
    ) -> String {
        let compared = ownColumns(pattern).map(\.name) + dataColumns(pattern)
        var conditions = differences(compared.map { SQLName.quoted($0) }, old, new)
        if let state = system.state, !plan.isReference(pattern) {
            conditions.append(
                "(\(old(SQLName.quoted(state))) & \(ended.rawValue)) <> 0")
        }
        if let hold, let column = hold.column.map(old) {
            conditions.append("(\(hold.taken(column))) <> \(column)")
        }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " OR ")
    }

    /// True for rows that differ in one of the columns.
    private func differences(
        _ names: [String], _ old: (String) -> String, _ new: (String) -> String
    ) -> [String] {
        // Chunks, because a row value has no more members than a statement may have columns.
        stride(from: 0, to: names.count, by: 100).map { start in
            let part = names[start..<min(start + 100, names.count)]
            return "(\(part.map(old).joined(separator: ", "))) IS NOT "
                + "(\(part.map(new).joined(separator: ", ")))"
        }
    }

    /// Those of ``received`` that end with what the source brings: what comes without its tag tells none.
    private var ended: EntityState {
        plan.keepsETags ? Self.received : Self.received.subtracting(.untagged)
    }

    /// Flags that end when the row is received: of local changes that the service accepted, and of rows that were named only.
    static let received: EntityState = [
        .created, .updated, .linked, .keyOnly, .unseen, .untagged,
    ]
    /// Flags of rows that the queue may have requests for.
    static let shadowed: EntityState = [.pending, .error, .deleteError, .deleted]
}
