import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// Brings Decimal columns of fixed scale to metadata that gives them another scale: their digits would mean another
/// number, so the columns become ones that hold any Decimal, and no value changes.
struct DecimalMigration {
    let database: Database

    /// The mapping for new metadata, after the columns of the old one were converted where they have to be.
    func mapping(for graph: MetadataGraph) throws -> SchemaMapping {
        var record = try StoreSchema(database: database).loadRecord()
        guard let text = try StoreSettings(database: database).text(.metadata) else {
            return SchemaMapping.local(for: graph, record: record)
        }
        let old = SchemaMapping.local(
            for: try CSDLReader.read(Array(text.utf8)), record: record)
        var wanted = SchemaMapping.local(for: graph, record: record)
        var changed: [(table: String, path: String, isStored: Bool)] = []
        for table in old.tables {
            guard let new = wanted.table(path: table.path) else { continue }
            for column in table.columns {
                guard let other = new.column(path: column.path),
                    other.encoding != column.encoding
                else { continue }
                switch (column.encoding, other.encoding) {
                case (.scaledDecimal, .scaledDecimal), (.scaledDecimal, .orderedDecimal):
                    changed.append((table.path, column.path, true))
                case (.orderedDecimal, .scaledDecimal):
                    changed.append((table.path, column.path, false))
                default: continue
                }
            }
        }
        guard !changed.isEmpty else { return wanted }
        record = wanted.record
        for change in changed { record.widened.insert("\(change.table)|\(change.path)") }
        wanted = SchemaMapping.local(for: graph, record: record)
        for change in changed where change.isStored {
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
