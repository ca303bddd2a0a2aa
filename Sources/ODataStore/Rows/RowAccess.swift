import GRDB
import ODataModel
import ODataSQL
import ODataText

/// Reads and writes whole rows of one table by internal id or key: the slow path beside queries and ingest.
struct RowAccess {
    let database: Database
    let graph: MetadataGraph
    let table: TableMapping
    private let encoder: RowEncoder
    private let json: StoredJSON

    init(database: Database, graph: MetadataGraph, table: TableMapping) {
        self.database = database
        self.graph = graph
        self.table = table
        encoder = RowEncoder(table: table, graph: graph)
        json = StoredJSON(graph: graph)
    }

    private var idColumn: String { SQLName.quoted(table.system.id ?? "_odata_id") }

    // MARK: Reading

    func row(id: Int64) throws -> StoredRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM \(SQLName.quoted(table.name)) WHERE \(idColumn) = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(decode)
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
        let condition = table.uniqueColumns.map { SQLName.quoted($0) + " = ?" }
            .joined(separator: " AND ")
        let statement = try database.cachedStatement(
            sql: "SELECT \(idColumn) FROM \(SQLName.quoted(table.name)) WHERE \(condition)")
        return try Int64.fetchOne(statement, arguments: StatementArguments(arguments))
    }

    /// Ids of the rows whose columns have these stored values, hidden ones left out.
    func ids(where columns: [String], equal arguments: [SQLArgument]) throws -> [Int64] {
        guard !columns.isEmpty, !arguments.contains(.null) else { return [] }
        var condition = columns.map { SQLName.quoted($0) + " = ?" }.joined(separator: " AND ")
        if let state = table.system.state {
            condition +=
                " AND (\(SQLName.quoted(state)) & \(EntityState.deleted.rawValue)) = 0"
        }
        let statement = try database.cachedStatement(
            sql: "SELECT \(idColumn) FROM \(SQLName.quoted(table.name)) WHERE \(condition)")
        return try Int64.fetchAll(statement, arguments: StatementArguments(arguments))
    }

    /// The values of the key properties; nil when one is null or missing.
    func key(of value: StructureValue) -> [Scalar]? {
        var key: [Scalar] = []
        for column in table.keys {
            guard let scalar = value.value(at: column.slots)?.scalar, scalar != .null else {
                return nil
            }
            key.append(scalar)
        }
        return key.isEmpty ? nil : key
    }

    private func decode(_ row: Row) throws -> StoredRow {
        var type = table.structure
        if let column = table.system.type, let name: String = row[column],
            let derived = graph.structure(named: name), graph.isA(derived, table.structure)
        {
            type = derived
        }
        var values = StructureValue(type: type, in: graph)
        for column in table.columns where graph.isA(type, column.owner) {
            values.set(try value(of: column, in: row), at: column.slots, in: graph)
        }
        if let column = table.system.dynamic, let text: String = row[column] {
            values.dynamicValues = try json.dynamicValues(text)
        }
        if let column = table.system.etag { values.control.etag = row[column] }
        return StoredRow(
            id: row[table.system.id ?? "_odata_id"], values: values,
            state: EntityState(rawValue: table.system.state.flatMap { row[$0] } ?? 0),
            sources: table.system.sources.flatMap { row[$0] } ?? 0,
            parent: table.system.parent.flatMap { row[$0] },
            control: table.system.control.flatMap { row[$0] })
    }

    private func value(of column: ODataSQL.ColumnMapping, in row: Row) throws -> ODataValue? {
        let stored = SQLArgument(row[column.name] as DatabaseValue)
        switch column.encoding {
        case .presence:
            return stored == .null ? .null : nil
        case .json:
            guard case .text(let text) = stored else { return .null }
            return try json.value(text, type: column.type)
        default:
            let offset = column.offsetColumn.map { SQLArgument(row[$0] as DatabaseValue) } ?? .null
            return .scalar(try column.encoding.scalar(from: stored, offset: offset))
        }
    }

    // MARK: Writing

    /// Writes the whole row: properties that are not set become NULL.
    func write(_ row: StoredRow) throws {
        var names: [String] = []
        var arguments: [SQLArgument] = []
        func add(_ name: String?, _ value: SQLArgument) {
            guard let name else { return }
            names.append(SQLName.quoted(name))
            arguments.append(value)
        }
        add(table.system.id, .integer(row.id))
        add(table.system.etag, row.values.control.etag.map { .text($0) } ?? .null)
        add(table.system.sources, .integer(row.sources))
        add(table.system.state, .integer(row.state.rawValue))
        let isDerived = row.values.type != table.structure
        add(
            table.system.type,
            isDerived ? .text(graph[row.values.type].qualifiedName) : .null)
        add(table.system.parent, row.parent.map { .integer($0) } ?? .null)
        add(table.system.control, row.control.map { .text($0) } ?? .null)
        for column in table.columns {
            let values = try encoder.arguments(for: column, in: row.values)
            for (position, name) in column.storedColumns.enumerated() {
                add(name, values.map { $0[position] } ?? .null)
            }
        }
        let dynamic = row.values.dynamicValues
        add(table.system.dynamic, dynamic.isEmpty ? .null : .text(try json.dynamicText(dynamic)))
        let statement = try database.cachedStatement(sql: writeSQL(names))
        try statement.execute(arguments: StatementArguments(arguments))
    }

    private func writeSQL(_ names: [String]) -> String {
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let updates = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "INSERT INTO \(SQLName.quoted(table.name)) (\(names.joined(separator: ", ")))"
            + " VALUES (\(marks)) ON CONFLICT (\(idColumn)) DO UPDATE SET \(updates)"
    }

    func setState(_ state: EntityState, id: Int64) throws {
        guard let column = table.system.state else { return }
        try database.execute(
            sql: "UPDATE \(SQLName.quoted(table.name)) SET \(SQLName.quoted(column)) = ?"
                + " WHERE \(idColumn) = ?", arguments: [state.rawValue, id])
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

    func delete(id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM \(SQLName.quoted(table.name)) WHERE \(idColumn) = ?")
        try statement.execute(arguments: [id])
    }

    /// The stored form of one column's value, as it compares.
    func comparedArgument(_ column: ODataSQL.ColumnMapping, _ value: StructureValue) throws
        -> SQLArgument
    {
        guard let arguments = try encoder.arguments(for: column, in: value) else { return .null }
        return column.orderColumn == nil ? arguments[0] : arguments[1]
    }

    /// The next id that no row, base image included, has or had: for rows that the service adds while others have
    /// base images.
    func nextDownloadedID() throws -> Int64 {
        let sql =
            "SELECT max(coalesce((SELECT max(\(idColumn)) FROM \(SQLName.quoted(table.name))), 0),"
            + " coalesce((SELECT max(\(idColumn)) FROM \(SQLName.quoted(table.baseName))), 0), 0)"
            + " + 1"
        return try Int64.fetchOne(database.cachedStatement(sql: sql)) ?? 1
    }
}
