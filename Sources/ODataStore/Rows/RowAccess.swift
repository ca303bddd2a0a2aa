import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

/// Reads and writes whole rows of one table by internal id or key: the slow path beside queries and ingest.
struct RowAccess {
    let database: Database
    let graph: MetadataGraph
    let table: TableMapping
    let texts: TableTexts
    private let encoder: RowEncoder
    private let json: StoredJSON

    init(database: Database, graph: MetadataGraph, table: TableMapping, texts: RowTexts) {
        self.database = database
        self.graph = graph
        self.table = table
        self.texts = texts.texts(of: table)
        encoder = RowEncoder(table: table, graph: graph)
        json = StoredJSON(graph: graph)
    }

    private var idColumn: String { SQLName.quoted(table.system.id ?? "_odata_id") }

    // MARK: Reading

    func row(id: Int64) throws -> StoredRow? {
        let statement = try database.statement(
            SQLStatement(text: texts.select), [.integer(id)], nil)
        guard try statement.step() else { return nil }
        let row = try decode(RawRow(statement))
        // The columns are there as long as the statement is.
        withExtendedLifetime(statement) {}
        return row
    }

    /// The row with this key, hidden ones included.
    func row(key: [Scalar], parent: Int64? = nil) throws -> StoredRow? {
        guard let id = try id(key: key, parent: parent) else { return nil }
        return try row(id: id)
    }

    func id(key: [Scalar], parent: Int64? = nil) throws -> Int64? {
        guard !table.keyColumns.isEmpty, !key.contains(.null) else { return nil }
        var arguments = try encoder.keyArguments(key)
        if table.system.parent != nil {
            arguments.insert(parent.map { .integer($0) } ?? .null, at: 0)
        }
        let statement = try database.statement(
            SQLStatement(text: texts.idOfKey), arguments, nil)
        guard try statement.step() else { return nil }
        let id = sqlite3_column_int64(statement.handle, 0)
        withExtendedLifetime(statement) {}
        return id
    }

    /// Ids of the rows whose columns have these stored values, hidden ones left out.
    func ids(where columns: [String], equal arguments: [SQLArgument]) throws -> [Int64] {
        guard !columns.isEmpty, !arguments.contains(.null) else { return [] }
        var condition = columns.map { SQLName.quoted($0) + " = ?" }.joined(separator: " AND ")
        if let state = table.system.state {
            condition +=
                " AND (\(SQLName.quoted(state)) & \(EntityState.deleted.rawValue)) = 0"
        }
        let statement = try database.statement(
            SQLStatement(
                text: "SELECT \(idColumn) FROM \(SQLName.quoted(table.name)) WHERE \(condition)"),
            arguments, nil)
        var ids: [Int64] = []
        while try statement.step() { ids.append(sqlite3_column_int64(statement.handle, 0)) }
        withExtendedLifetime(statement) {}
        return ids
    }

    /// The values of the key properties; nil when one is null or missing.
    func key(of value: StructureValue) -> [Scalar]? { table.key(of: value) }

    /// The columns in the order of ``TableTexts``.
    private func decode(_ columns: RawRow) throws -> StoredRow {
        var columns = columns
        let system = table.system
        let id = columns.integer(system.id) ?? 0
        let etag = columns.text(system.etag)
        let sources = columns.integer(system.sources) ?? 0
        let state = EntityState(rawValue: columns.integer(system.state) ?? 0)
        var type = table.structure
        if let name = columns.text(system.type), let derived = graph.structure(named: name),
            graph.isA(derived, table.structure)
        {
            type = derived
        }
        let parent = columns.integer(system.parent)
        let control = columns.text(system.control)
        var values = StructureValue(type: type, in: graph)
        values.control.etag = etag
        for column in table.columns {
            let stored = columns.next(column.name)
            columns.skip(column.orderColumn)
            let offset = columns.next(column.offsetColumn)
            guard graph.isA(type, column.owner) else { continue }
            let value = try value(of: column, stored, offset)
            if column.slots.count == 1, let slot = column.slots.first,
                values.slots.indices.contains(slot)
            {
                values.slots[slot] = value
            } else {
                values.set(value, at: column.slots, in: graph)
            }
        }
        if let text = columns.text(system.dynamic) {
            values.dynamicValues = try json.dynamicValues(text)
        }
        return StoredRow(
            id: id, values: values, state: state, sources: sources, parent: parent,
            control: control)
    }

    private func value(
        of column: ODataSQL.ColumnMapping, _ stored: SQLArgument, _ offset: SQLArgument
    ) throws -> ODataValue? {
        switch column.encoding {
        case .presence:
            return stored == .null ? .null : nil
        case .json:
            guard case .text(let text) = stored else { return .null }
            return try json.value(text, type: column.type)
        default:
            return .scalar(try column.encoding.scalar(from: stored, offset: offset))
        }
    }

    // MARK: Writing

    /// Writes the whole row: properties that are not set become NULL.
    func write(_ row: StoredRow) throws {
        try database.run(texts.write, arguments(row))
    }

    /// Writes what is different from the row as it stands, so that indexes of other columns are left alone.
    func update(_ row: StoredRow, from old: StoredRow) throws {
        let (new, present) = (try arguments(row), try arguments(old))
        let changed = new.indices.filter { new[$0] != present[$0] }
        guard !changed.isEmpty else { return }
        let (text, isKept) = texts.update(changed)
        try database.run(text, changed.map { new[$0] } + [.integer(row.id)], isKept: isKept)
    }

    /// The values of every column, in the order of ``TableTexts``.
    private func arguments(_ row: StoredRow) throws -> [SQLArgument] {
        var arguments: [SQLArgument] = []
        arguments.reserveCapacity(texts.columnCount)
        func add(_ name: String?, _ value: SQLArgument) {
            if name != nil { arguments.append(value) }
        }
        let system = table.system
        add(system.id, .integer(row.id))
        add(system.etag, SQLArgument(row.values.control.etag))
        add(system.sources, .integer(row.sources))
        add(system.state, .integer(row.state.rawValue))
        let isDerived = row.values.type != table.structure
        add(system.type, isDerived ? .text(graph[row.values.type].qualifiedName) : .null)
        add(system.parent, SQLArgument(row.parent))
        add(system.control, SQLArgument(row.control))
        for column in table.columns {
            if let values = try encoder.arguments(for: column, in: row.values) {
                arguments += values
            } else {
                for _ in 0..<column.storedCount { arguments.append(.null) }
            }
        }
        let dynamic = row.values.dynamicValues
        add(system.dynamic, dynamic.isEmpty ? .null : .text(try json.dynamicText(dynamic)))
        return arguments
    }

    func setState(_ state: EntityState, id: Int64) throws {
        guard table.system.state != nil else { return }
        try database.run(texts.setState, [.integer(state.rawValue), .integer(id)])
    }

    /// Empties the key columns of a hidden row, so that a new row may have its key.
    func releaseKey(id: Int64) throws {
        let columns = table.keys.flatMap(\.storedColumns)
        guard !columns.isEmpty else { return }
        let assignments = columns.map { SQLName.quoted($0) + " = NULL" }.joined(separator: ", ")
        try database.execute(
            sql: "UPDATE \(SQLName.quoted(table.name)) SET \(assignments) WHERE \(idColumn) = ?",
            arguments: [id])
    }

    /// Takes the key out of values; only a row that is out of view may go without.
    func clearKey(of values: inout StructureValue) {
        for column in table.keys {
            values.set(.scalar(.null), at: column.slots, in: graph)
        }
    }

    /// Rows out of view whose keys others have taken.
    func hiddenWithoutKey(parent: Int64?) throws -> [Int64] {
        guard let key = table.keys.first?.name, let state = table.system.state else { return [] }
        var condition =
            "\(SQLName.quoted(key)) IS NULL"
            + " AND (\(SQLName.quoted(state)) & \(EntityState.deleted.rawValue)) <> 0"
        if let column = table.system.parent { condition += " AND \(SQLName.quoted(column)) IS ?" }
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(idColumn) FROM \(SQLName.quoted(table.name)) WHERE \(condition)"
                    + " LIMIT 256"),
            arguments: table.system.parent == nil ? [] : [parent])
    }

    func delete(id: Int64) throws {
        try RowNumbers(table: table, database: database).leaves(id)
        try database.run(texts.delete, [.integer(id)])
    }
}
