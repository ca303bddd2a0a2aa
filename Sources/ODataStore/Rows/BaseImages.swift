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
    private var baseName: String { SQLName.quoted(rows.texts.table.baseName) }
    private var idColumn: String { SQLName.quoted(rows.texts.table.system.id ?? "_odata_id") }

    init(database: Database, texts: TableTexts) {
        rows = RowAccess(database: database, texts: texts)
        base = RowAccess(database: database, texts: texts.base ?? texts)
    }

    /// The image of the row; nil when it has none.
    func image(id: Int64) throws -> (row: StoredRow, kind: Kind)? {
        guard let (row, kind) = try base.image(id: id) else { return nil }
        return (row, Kind(rawValue: kind ?? 0) ?? .present)
    }

    /// True when any row of the table has an image.
    func isEmpty() throws -> Bool {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM \(baseName) LIMIT 1"))
            == nil
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
