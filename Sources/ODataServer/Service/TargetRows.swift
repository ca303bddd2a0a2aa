import Foundation
import GRDB
import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText

/// Reads and writes single rows by their columns, inside one database access.
struct TargetRows {
    /// Which rows there are for it.
    enum Sight {
        /// Those that the client finds by their keys.
        case view
        /// All of them: for what the service itself looks up.
        case all
        /// Those that an operation reaches.
        case those(AccessOperation)
    }

    let exchange: Exchange
    private let sight: Sight

    init(_ exchange: Exchange, sees sight: Sight = .view) {
        self.exchange = exchange
        self.sight = sight
    }

    private var database: Database { get throws { try exchange.database } }

    /// The values of `columns` in the first row of the target; nil when there is no row.
    func values(_ columns: [String], of target: RowTarget) throws -> [Scalar]? {
        guard !target.isEmpty else { return nil }
        let mapped = try columns.map { name in
            guard let column = target.table.columns.first(where: { $0.name == name }) else {
                throw ODataError(.storage, "Expected the linked column to be exposed.")
            }
            return column
        }
        if case .served = exchange.source { return try read(mapped, of: target) }
        let list = mapped.flatMap(\.storedColumns).map { SQLName.quoted($0) }.joined(
            separator: ", ")
        let (condition, arguments) = try condition(target)
        return try database.firstRow(
            "SELECT \(list.isEmpty ? "1" : list) FROM \(SQLName.quoted(target.table.name))"
                + " WHERE \(condition) LIMIT 1", arguments
        ) { try scalars($0, of: mapped) }
    }

    /// The key of the target's first row; nil when there is no row.
    func key(of target: RowTarget) throws -> [Scalar]? {
        try values(target.table.keys.map(\.name), of: target)
    }

    func exists(_ target: RowTarget) throws -> Bool { try key(of: target) != nil }

    /// Changes columns of the target's rows; returns how many rows there were.
    ///
    /// - Parameter defaults: columns that get what they have in new rows; of other databases than SQLite only.
    @discardableResult
    func update(
        _ target: RowTarget, _ assignments: [(column: ODataSQL.ColumnMapping, value: Scalar)],
        defaults: [ODataSQL.ColumnMapping] = []
    ) throws -> Int {
        guard !target.isEmpty else { return 0 }
        let writable = assignments.filter(\.column.isWritable)
        guard !writable.isEmpty || !defaults.isEmpty else { return try exists(target) ? 1 : 0 }
        for (column, value) in writable where Self.exceedsScale(value, of: column) {
            // What a row holds from elsewhere may be sent back.
            var same = target
            same.conditions.append((column, value))
            guard try exists(same) else { throw Self.beyondScale(column) }
        }
        if case .served(let rows) = exchange.source {
            return try update(target, writable, defaults, in: rows)
        }
        let list = writable.flatMap(\.column.storedColumns).map { "\(SQLName.quoted($0)) = ?" }
            .joined(separator: ", ")
        let (condition, arguments) = try condition(target)
        let values = try writable.flatMap { try Self.arguments($0.value, for: $0.column) }
        try reach(target, .update)
        return try change(
            "UPDATE \(SQLName.quoted(target.table.name)) SET \(list) WHERE \(condition)",
            values + arguments)
    }

    /// - Throws: 403 where the client may not do that with the rows; nothing where everybody may.
    private func reach(_ target: RowTarget, _ operation: AccessOperation) throws {
        guard let access = exchange.access else { return }
        let table = target.table
        try access.require(operation, table)
        guard access.restricts(table, operation) else { return }
        let all = TargetRows(exchange, sees: .all)
        guard let key = try all.key(of: target) else { return }
        guard try TargetRows(exchange, sees: .those(operation)).exists(target) else {
            throw AccessView.notAmongThem
        }
        guard operation == .update else { return }
        let row =
            try all.rowID(of: target).map { RowTarget.row($0, of: table) }
            ?? RowTarget(
                table: table, conditions: zip(table.keys, key).map { ($0, $1) }, isSingle: true)
        exchange.noteWritten(row, operation)
    }

    /// Deletes the target's rows; returns how many there were.
    @discardableResult
    func delete(_ target: RowTarget) throws -> Int {
        guard !target.isEmpty else { return 0 }
        if case .served(let rows) = exchange.source { return try delete(target, in: rows) }
        try reach(target, .delete)
        let (condition, arguments) = try condition(target)
        return try change(
            "DELETE FROM \(SQLName.quoted(target.table.name)) WHERE \(condition)", arguments)
    }

    /// Runs a statement that changes rows; returns how many it changed.
    private func change(_ sql: String, _ values: [SQLArgument]) throws -> Int {
        // With its triggers, to prepare it takes longer than to run it.
        try database.run(sql, values, isKept: exchange.model.changeTexts.admits(sql))
        return try database.changesCount
    }

    /// A statement that stays would keep the values.
    private static func release(_ statement: Statement) {
        // Of one that has failed this tells the failure again, which GRDB does not expect.
        sqlite3_reset(statement.sqliteStatement)
        statement.setUncheckedArguments(StatementArguments())
    }

    /// A statement that changes rows and gives some.
    private func statement(_ sql: String) throws -> Statement {
        exchange.model.changeTexts.admits(sql)
            ? try database.cachedStatement(sql: sql) : try database.makeStatement(sql: sql)
    }

    /// Inserts a row and returns its key.
    func insert(
        into table: TableMapping, _ assignments: [(column: ODataSQL.ColumnMapping, value: Scalar)]
    ) throws -> [Scalar] {
        for (column, value) in assignments
        where column.isWritable && Self.exceedsScale(value, of: column) {
            throw Self.beyondScale(column)
        }
        if case .served(let rows) = exchange.source {
            return try insert(into: table, assignments, in: rows)
        }
        try exchange.access?.require(.create, table)
        var names: [String] = []
        var values: [SQLArgument] = []
        var given = [Scalar?](repeating: nil, count: table.keyColumns.count)
        // Taken apart once: an element of such a list is copied with all that is known of its column.
        for (column, value) in assignments where column.isWritable {
            names += column.storedColumns
            values += try Self.arguments(value, for: column)
            for (part, key) in table.keyColumns.enumerated()
            where value != .null && given[part] == nil && table.columns[key].name == column.name {
                given[part] = value
            }
        }
        let sql = exchange.model.insertTexts.text(into: table, names)
        var key = given.compactMap { $0 }
        if key.count == given.count {
            guard try change(sql, values) > 0 else { throw Self.ignored() }
        } else {
            let names = Self.list(table.keys)
            let statement = try statement("\(sql) RETURNING \(names)")
            defer { Self.release(statement) }
            let made = try Row.fetchAll(
                statement, arguments: StatementArguments(values.map(\.databaseValue)))
            guard let first = made.first else { throw Self.ignored() }
            key = try scalars(first, of: table.keys)
        }
        key = try keyAfterTriggers(key, in: table)
        if let missing = key.firstIndex(of: .null) {
            throw ODataError(
                .invalidPayload,
                "Expected a value for every part of the key, the database makes none of its own.",
                at: .path(table.keys[missing].path), status: 400)
        }
        return key
    }

    /// The key of the row that was just inserted with `key`, as the triggers that run behind an insert leave it.
    ///
    /// - Throws: 400 where they leave no row that could be found.
    private func keyAfterTriggers(_ key: [Scalar], in table: TableMapping) throws -> [Scalar] {
        if let rowID = table.rowID {
            let text = exchange.model.insertTexts.keyText(of: table, rowID: rowID)
            let found = try database.firstRow(
                text, [.integer(database.lastInsertedRowID)], { try scalars($0, of: table.keys) })
            if let found { return found }
        }
        if key.contains(.null) { return key }
        let conditions = zip(table.keys, key).map { (column: $0, value: $1) }
        let all = TargetRows(exchange, sees: .all)
        guard try all.exists(RowTarget(table: table, conditions: conditions)) else {
            throw Self.moved()
        }
        return key
    }

    static func moved() -> ODataError {
        ODataError(
            .invalidValue,
            "Expected the new row to stay where it was made, a rule of the database moved or"
                + " deleted it.", status: 400)
    }

    private static func list(_ columns: [ODataSQL.ColumnMapping]) -> String {
        columns.flatMap(\.storedColumns).map { SQLName.quoted($0) }.joined(separator: ", ")
    }

    static func ignored() -> ODataError {
        ODataError(
            .invalidValue, "Expected values that the database accepts, a rule ignored them.",
            status: 400)
    }

    private func scalars(_ row: Row, of columns: [ODataSQL.ColumnMapping]) throws -> [Scalar] {
        var position = 0
        return try columns.map { column in
            defer { position += column.storedCount }
            return try column.encoding.scalar(from: SQLArgument(row[position] as DatabaseValue))
        }
    }

    /// What stands in columns of the row that a statement stands on.
    private func scalars(
        _ handle: OpaquePointer, of columns: [ODataSQL.ColumnMapping]
    ) throws -> [Scalar] {
        var position: Int32 = 0
        return try columns.map { column in
            defer { position += Int32(column.storedCount) }
            return try column.encoding.scalar(from: SQLArgument(handle, column: position))
        }
    }

    /// `column = ?` for each condition, with the values.
    private func condition(_ target: RowTarget) throws -> (sql: String, [SQLArgument]) {
        let view = viewCondition(target.table)
        guard !target.conditions.isEmpty || !target.memberships.isEmpty else {
            return view ?? ("1", [])
        }
        var sql =
            target.conditions.map { "\(SQLName.quoted($0.column.name)) = ?" }
            + target.memberships.map(\.sql)
        var values =
            try target.conditions.map { try Self.arguments($0.value, for: $0.column)[0] }
            + target.memberships.compactMap { $0.value.map { .integer($0) } }
        if let view {
            sql.append(view.sql)
            values += view.values
        }
        return (sql.joined(separator: " AND "), values)
    }

    /// What rows of a table meet that there are for the client; nil where there are all.
    private func viewCondition(_ table: TableMapping) -> (sql: String, values: [SQLArgument])? {
        guard let access = exchange.access else { return nil }
        switch sight {
        case .all: return nil
        case .view: return access.condition(on: table, access.lookup(table))
        case .those(let operation): return access.condition(on: table, operation)
        }
    }

    /// One value for the column and each of its companions. A text is what a column of JSON holds.
    static func arguments(_ scalar: Scalar, for column: ODataSQL.ColumnMapping) throws
        -> [SQLArgument]
    {
        if column.encoding == .json, case .string(let text) = scalar { return [.text(text)] }
        let all = try column.encoding.arguments(for: scalar)
        return all.count > column.storedCount ? Array(all.prefix(column.storedCount)) : all
    }

    /// The internal number of the target's first row; nil where there is no row, or tables have none.
    func rowID(of target: RowTarget) throws -> Int64? {
        guard let name = target.table.system.id, !target.isEmpty else { return nil }
        let (condition, arguments) = try condition(target)
        return try database.integer(
            "SELECT \(SQLName.quoted(name)) FROM \(SQLName.quoted(target.table.name))"
                + " WHERE \(condition) LIMIT 1", arguments)
    }

    /// The text in a column of the target's first row.
    func text(_ column: String, of target: RowTarget) throws -> String? {
        let (condition, arguments) = try condition(target)
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: "SELECT \(SQLName.quoted(column)) FROM \(SQLName.quoted(target.table.name))"
                    + " WHERE \(condition) LIMIT 1"),
            arguments: StatementArguments(arguments.map(\.databaseValue)))
        return row.flatMap { String.fromDatabaseValue($0[0]) }
    }

    /// The type of the target's first row.
    func type(of target: RowTarget) throws -> StructureID {
        guard let column = target.table.system.type,
            let name = try text(column, of: target),
            let type = exchange.graph.structure(named: name)
        else { return target.table.structure }
        return type
    }

    /// True for more decimal places than the metadata says that the property has.
    private static func exceedsScale(_ value: Scalar, of column: ODataSQL.ColumnMapping) -> Bool {
        guard case .decimal(let number) = value, case .fixed(let scale) = column.type.facets.scale
        else { return false }
        return number.withoutTrailingZeros.scale > scale
    }

    private static func beyondScale(_ column: ODataSQL.ColumnMapping) -> ODataError {
        ODataError(
            .invalidValue, "Expected no more decimal places than the Scale of the property.",
            at: .path(column.path), status: 400)
    }

    /// The name of a row in the change log.
    static func rowKey(_ key: [Scalar], of table: TableMapping) throws -> RowKey {
        RowKey(try zip(table.keys, key).map { try arguments($1, for: $0)[0].databaseValue })
    }
}

extension SQLArgument {
    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob(Array(data))
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null, .parentRows: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
