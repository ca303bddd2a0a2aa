import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// Brings columns to metadata that gives their properties a wider type, value by value: integers become Decimals, Doubles or
/// text, dates become date-times, anything but binary and geo values becomes text. A Decimal whose scale changes gets a
/// column that holds any Decimal, because its digits would mean another number.
struct ColumnMigration {
    let database: Database

    private struct Change {
        var table: String
        var path: String
    }

    /// The mapping for new metadata, after the columns of the old one were converted where they have to be.
    ///
    /// - Throws: `conflict` for a property whose new type does not hold what is stored.
    func mapping(for graph: MetadataGraph) throws -> SchemaMapping {
        var record = try StoreSchema(database: database).loadRecord()
        guard let text = try StoreSettings(database: database).text(.metadata) else {
            return SchemaMapping.local(for: graph, record: record)
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
                guard let other = new.column(path: column.path),
                    other.encoding != column.encoding
                else { continue }
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
        for change in changes {
            guard let before = old.table(path: change.table),
                let after = wanted.table(path: change.table)
            else { continue }
            try ColumnWidening(
                database: database, old: before, new: after, path: change.path
            ).run()
        }
        return wanted
    }
}
