import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// Brings columns to metadata that gives their properties another type: a wider one value by value (integers become Decimals,
/// Doubles or text, dates become date-times, anything but binary and geo values becomes text), any other by an empty column,
/// which the next download fills. A Decimal whose scale changes gets a column that holds any Decimal, because its digits would
/// mean another number.
struct ColumnMigration {
    let database: Database

    /// The tables for new metadata, and what could not be carried over.
    struct Result {
        var mapping: SchemaMapping
        /// Of the metadata so far; nil for the first.
        var old: SchemaMapping?
        /// Columns to be emptied, by table.
        var emptied: [TableID: Set<String>] = [:]
    }

    private struct Change {
        var table: String
        var path: String
    }

    /// The mapping for new metadata, after the columns of the old one were converted where they can be.
    ///
    /// - Throws: `conflict` for a property of a client-only set whose new type does not hold what is stored: no download
    ///   would bring that again.
    func run(for graph: MetadataGraph) throws -> Result {
        var record = try StoreSchema(database: database).loadRecord()
        guard let text = try StoreSettings(database: database).text(.metadata) else {
            return Result(mapping: SchemaMapping.local(for: graph, record: record))
        }
        let old = SchemaMapping.local(
            for: try CSDLReader.read(Array(text.utf8), options: .runningService), record: record)
        var wanted = SchemaMapping.local(for: graph, record: record)
        var changes: [Change] = []
        record = wanted.record
        for table in old.tables {
            // A table that was given up with its data is made anew.
            guard let new = wanted.table(path: table.path), try database.tableExists(table.name)
            else { continue }
            for column in table.columns {
                guard let other = new.column(path: column.path) else { continue }
                guard other.encoding != column.encoding else {
                    if column.encoding == .json, name(column, old) != name(other, wanted) {
                        changes.append(Change(table: table.path, path: column.path))
                    }
                    continue
                }
                let key = "\(table.path)|\(column.path)"
                switch (column.encoding, other.encoding) {
                case (.orderedDecimal, .scaledDecimal):
                    record.widened.insert(key)
                    continue
                case (.scaledDecimal, .scaledDecimal), (.scaledDecimal, .orderedDecimal),
                    (.integer, .scaledDecimal):
                    record.widened.insert(key)
                default: break
                }
                changes.append(Change(table: table.path, path: column.path))
            }
        }
        wanted = SchemaMapping.local(for: graph, record: record)
        var result = Result(mapping: wanted, old: old)
        for change in changes {
            guard let before = old.table(path: change.table),
                let after = wanted.table(path: change.table)
            else { continue }
            guard try !widen(before, after, change.path) else { continue }
            result.emptied[after.id, default: []].insert(change.path)
        }
        try findForeignColumns(&result)
        return result
    }

    /// The type of a column of JSON, which its encoding does not tell.
    private func name(_ column: ODataSQL.ColumnMapping, _ mapping: SchemaMapping) -> String {
        let name =
            switch column.type.kind {
            case .primitive(let type): type.name
            case .enumeration(let id): mapping.graph[id].qualifiedName
            case .structure(let id): mapping.graph[id].qualifiedName
            }
        return column.type.isCollection ? "Collection(\(name))" : name
    }

    /// - Returns: whether the new type holds what is stored.
    private func widen(
        _ before: TableMapping, _ after: TableMapping, _ path: String
    ) throws -> Bool {
        let encodings = [before, after].map { $0.column(path: path)?.encoding }
        guard encodings[0] != encodings[1] else { return false }
        var isWide = true
        try database.inSavepoint {
            do {
                try ColumnWidening(database: database, old: before, new: after, path: path).run()
                return .commit
            } catch let error as ODataError where error.underlying is IncompatibleMetadata {
                isWide = false
                return .rollback
            }
        }
        return isWide
    }

    /// Whether the table of a set that was gone and comes back holds what the metadata says now.
    private func isReadable(_ table: TableMapping, _ graph: MetadataGraph) throws -> Bool {
        let index = try String.fetchOne(
            database, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND name = ?",
            arguments: ["_odata_key_" + table.name])
        guard index == table.createKeyIndex else { return false }
        do {
            _ = try StoreSchema(database: database).extend(table)
            let access = RowAccess(database: database, texts: TableTexts(table, graph))
            let ids = try Int64.fetchCursor(
                database,
                sql: "SELECT \(SQLName.quoted(table.system.id ?? "_odata_id"))"
                    + " FROM \(SQLName.quoted(table.name))")
            while let id = try ids.next() { _ = try access.row(id: id) }
            return true
        } catch is ODataError {
            return false
        }
    }

    /// Columns of properties that were gone and come back: what they hold is of a time and a type that nobody knows.
    private func findForeignColumns(_ result: inout Result) throws {
        for table in result.mapping.tables {
            guard let old = result.old?.table(path: table.path) else {
                if result.old != nil, try database.tableExists(table.name),
                    try !isReadable(table, result.mapping.graph)
                {
                    result.emptied[table.id] = Set(table.columns.map(\.path))
                }
                continue
            }
            let added = table.columns.filter { old.column(path: $0.path) == nil }
            guard !added.isEmpty, try database.tableExists(table.name) else { continue }
            let present = try Set(
                database.columns(in: table.name).map { $0.name.lowercased() })
            for column in added
            where column.storedColumns.contains(where: { present.contains($0.lowercased()) }) {
                result.emptied[table.id, default: []].insert(column.path)
            }
        }
    }
}
