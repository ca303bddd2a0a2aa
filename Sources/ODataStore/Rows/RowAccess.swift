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
    let texts: TableTexts

    var table: TableMapping { texts.table }
    private var graph: MetadataGraph { texts.graph }

    // Two references: a write makes many of these.
    init(database: Database, texts: TableTexts) {
        self.database = database
        self.texts = texts
    }

    private var idColumn: String { SQLName.quoted(table.system.id ?? "_odata_id") }

    // MARK: Reading

    func row(id: Int64) throws -> StoredRow? {
        let statement = try database.statement(
            SQLStatement(text: texts.select), [.integer(id)], nil)
        guard try statement.step() else { return nil }
        var columns = RawRow(statement)
        let row = try decode(&columns)
        // The columns are there as long as the statement is.
        withExtendedLifetime(statement) {}
        return row
    }

    /// The base image of the row, and its kind as it is stored; of a table of base images.
    func image(id: Int64) throws -> (row: StoredRow, kind: Int64?)? {
        let statement = try database.statement(
            SQLStatement(text: texts.select), [.integer(id)], nil)
        guard try statement.step() else { return nil }
        var columns = RawRow(statement)
        let row = try decode(&columns)
        let kind = columns.integer("_odata_base_kind")
        withExtendedLifetime(statement) {}
        return (row, kind)
    }

    /// The row with this key, hidden ones included.
    func row(key: [Scalar], parent: Int64? = nil) throws -> StoredRow? {
        guard let id = try id(key: key, parent: parent) else { return nil }
        return try row(id: id)
    }

    func id(key: [Scalar], parent: Int64? = nil) throws -> Int64? {
        guard !texts.table.keyColumns.isEmpty, !key.contains(.null) else { return nil }
        var arguments = try texts.encoder.keyArguments(key)
        if texts.table.system.parent != nil {
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
        let statement = try database.statement(
            SQLStatement(text: texts.ids(where: columns)), arguments, nil)
        var ids: [Int64] = []
        while try statement.step() { ids.append(sqlite3_column_int64(statement.handle, 0)) }
        withExtendedLifetime(statement) {}
        return ids
    }

    /// The values of the key properties; nil when one is null or missing.
    func key(of value: StructureValue) -> [Scalar]? { texts.table.key(of: value) }

    /// The columns in the order of ``TableTexts``.
    private func decode(_ columns: inout RawRow) throws -> StoredRow {
        let table = texts.table
        let graph = texts.graph
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
        for (position, column) in texts.columns.enumerated() {
            let isOfType = column.owner == type || graph.isA(type, column.owner)
            if isOfType, values.slots.indices.contains(column.slot),
                let scalar = columns.plain(column.encoding)
            {
                values.slots[column.slot] = .scalar(scalar)
                continue
            }
            let stored = columns.next()
            if column.hasOrder { columns.skip() }
            let offset = column.hasOffset ? columns.next() : .null
            guard isOfType else { continue }
            let value = try value(of: table.columns[position], stored, offset)
            if values.slots.indices.contains(column.slot) {
                values.slots[column.slot] = value
            } else {
                values.set(value, at: table.columns[position].slots, in: graph)
            }
        }
        if let text = columns.text(system.dynamic) {
            values.dynamicValues = try texts.json.dynamicValues(text)
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
            return try texts.json.value(text, type: column.type)
        default:
            return .scalar(try column.encoding.scalar(from: stored, offset: offset))
        }
    }

    // MARK: Writing

    /// Writes the whole row: properties that are not set become NULL.
    func write(_ row: StoredRow) throws {
        try database.run(texts.write, arguments(row))
    }

    /// Keeps the row as it stands as its base image, which it must not have.
    ///
    /// - Parameter request: the cause, when it is a request for another row.
    func keepImage(id: Int64, request: Int64?) throws {
        try database.run(texts.keepImage, [SQLArgument(request), .integer(id)])
    }

    /// Writes what is different from the row as it stands, so that indexes of other columns are left alone.
    func update(_ row: StoredRow, from old: StoredRow) throws {
        var changed: [Int] = []
        var values: [SQLArgument] = []
        var position = 0
        func compare(_ new: [SQLArgument], _ present: [SQLArgument]) {
            for (new, present) in zip(new, present) {
                if !new.isSame(as: present) {
                    changed.append(position)
                    values.append(new)
                }
                position += 1
            }
        }
        compare(ownArguments(row), ownArguments(old))
        for (index, column) in texts.columns.enumerated() {
            // Few properties change, and the others need no stored form to tell.
            if row.values.type == old.values.type,
                column.surelyHolds(row.values, as: old.values)
            {
                position += column.storedCount
                continue
            }
            var (new, present): ([SQLArgument], [SQLArgument]) = ([], [])
            try append(index, column, of: row.values, to: &new)
            try append(index, column, of: old.values, to: &present)
            compare(new, present)
        }
        compare(try dynamicArguments(row), try dynamicArguments(old))
        guard !changed.isEmpty else { return }
        let (text, isKept) = texts.update(changed)
        try database.run(text, values + [.integer(row.id)], isKept: isKept)
    }

    /// The values of every column, in the order of ``TableTexts``.
    private func arguments(_ row: StoredRow) throws -> [SQLArgument] {
        var arguments = ownArguments(row)
        arguments.reserveCapacity(texts.columnCount)
        for (index, column) in texts.columns.enumerated() {
            try append(index, column, of: row.values, to: &arguments)
        }
        return arguments + (try dynamicArguments(row))
    }

    /// Those of our own columns.
    private func ownArguments(_ row: StoredRow) -> [SQLArgument] {
        let system = texts.table.system
        var arguments: [SQLArgument] = []
        func add(_ name: String?, _ value: @autoclosure () -> SQLArgument) {
            if name != nil { arguments.append(value()) }
        }
        add(system.id, .integer(row.id))
        add(system.etag, SQLArgument(row.values.control.etag))
        add(system.sources, .integer(row.sources))
        add(system.state, .integer(row.state.rawValue))
        let type = row.values.type
        add(
            system.type,
            type != texts.table.structure ? .text(texts.graph[type].qualifiedName) : .null)
        add(system.parent, SQLArgument(row.parent))
        add(system.control, SQLArgument(row.control))
        return arguments
    }

    /// Those of a property's column and its companions.
    private func append(
        _ index: Int, _ column: TableTexts.Column, of value: StructureValue,
        to arguments: inout [SQLArgument]
    ) throws {
        if value.slots.indices.contains(column.slot), column.storedCount == 1,
            case .scalar(let scalar)? = value.slots[column.slot],
            column.owner == value.type || texts.graph.isA(value.type, column.owner),
            let argument = column.encoding.plainArgument(for: scalar)
        {
            arguments.append(argument)
        } else if let values = try texts.encoder.arguments(
            for: texts.table.columns[index], in: value)
        {
            arguments += values
        } else {
            for _ in 0..<column.storedCount { arguments.append(.null) }
        }
    }

    private func dynamicArguments(_ row: StoredRow) throws -> [SQLArgument] {
        guard texts.table.system.dynamic != nil else { return [] }
        let dynamic = row.values.dynamicValues
        return [dynamic.isEmpty ? .null : .text(try texts.json.dynamicText(dynamic))]
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
