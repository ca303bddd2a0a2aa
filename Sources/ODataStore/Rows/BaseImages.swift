import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

extension TableMapping {
    /// The shadow table of the base images: the columns of the table, `_odata_base_kind` and
    /// `_odata_base_request`.
    package var baseName: String { "_odata_base_" + name }

    /// The mapping to read and write base images with.
    package var baseTable: TableMapping {
        var base = self
        base.name = baseName
        return base
    }

    /// `CREATE TABLE` and key index of the shadow table.
    package var createBaseTable: [String] {
        var statement = baseTable.createTable
        statement.removeLast(2)
        statement += ",\n    \"_odata_base_kind\" INTEGER NOT NULL DEFAULT 0"
        statement += ",\n    \"_odata_base_request\" INTEGER\n)"
        guard !keyColumns.isEmpty else { return [statement] }
        let columns = uniqueColumns.map { SQLName.quoted($0) }.joined(separator: ", ")
        let index =
            "CREATE INDEX \(SQLName.quoted("_odata_base_key_" + name)) ON"
            + " \(SQLName.quoted(baseName)) (\(columns))"
        return [statement, index]
    }
}

/// What the service last said about the rows that are changed here.
///
/// A row has an image exactly while the queue has a request that writes it; rows created here have none, because
/// the service never had them.
struct BaseImages {
    typealias Kind = StoredImage.Kind

    let rows: RowAccess
    let base: RowAccess
    private var database: Database { rows.database }
    private var baseName: String { SQLName.quoted(rows.table.baseName) }
    private var idColumn: String { SQLName.quoted(rows.table.system.id ?? "_odata_id") }

    init(database: Database, graph: MetadataGraph, table: TableMapping, texts: RowTexts) {
        rows = RowAccess(database: database, graph: graph, table: table, texts: texts)
        base = RowAccess(
            database: database, graph: graph, table: table.baseTable, texts: texts)
    }

    /// The image of the row; nil when it has none.
    func image(id: Int64) throws -> (row: StoredRow, kind: Kind)? {
        guard let row = try base.row(id: id) else { return nil }
        let kind = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT _odata_base_kind FROM \(baseName) WHERE \(idColumn) = ?"),
            arguments: [id])
        return (row, Kind(rawValue: kind ?? 0) ?? .present)
    }

    /// True when any row of the table has an image.
    func isEmpty() throws -> Bool {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM \(baseName) LIMIT 1"))
            == nil
    }

    /// Keeps the present state of a downloaded row, unless an image is already kept; `request` names the cause
    /// when it is a request for another row.
    func keep(_ row: StoredRow, request: Int64? = nil) throws {
        guard try base.row(id: row.id) == nil else { return }
        try write(row, kind: .present, request: request)
    }

    func write(_ row: StoredRow, kind: Kind, request: Int64? = nil) throws {
        var row = row
        // What was accepted and not yet downloaded stays known; the rest follows from the queue.
        row.state = row.state.intersection(.ofService)
        try base.write(row)
        try database.run(
            "UPDATE \(baseName) SET _odata_base_kind = ?,"
                + " _odata_base_request = coalesce(?, _odata_base_request) WHERE \(idColumn) = ?",
            [.integer(kind.rawValue), SQLArgument(request), .integer(row.id)])
    }

    /// The row stays, so its id is not free.
    func drop(id: Int64) throws {
        try database.run(base.texts.delete, [.integer(id)])
    }
}
