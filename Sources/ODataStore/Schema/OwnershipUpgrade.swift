import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Brings what a store of format 7 knows of the sources of its rows to what the next one does.
///
/// There, a row that the default download of its set had brought before a download query did was noted for the query alone,
/// and queries that others had taken the place of were kept as a setting. What has to be written at rows is begun here, in the
/// transaction of the upgrade, and done behind it part by part (``RowAdoption``).
struct OwnershipUpgrade {
    /// The format that it leads on from.
    static let format: Int64 = 7

    let database: Database

    func begin() throws {
        let bookkeeping = DownloadBookkeeping(database)
        let sets = try String.fetchAll(
            database, sql: "SELECT DISTINCT \"table\" FROM _odata_download_query ORDER BY 1")
        for set in sets where try bookkeeping.hasTraces(of: "set:" + set) {
            try RowAdoption.add(set, .shared, 0, in: database)
            // Rows may have been lost, or be there that the service has no more: all of them tell.
            try bookkeeping.readWhole("set:" + set)
        }
        let mapping = try LocalStore.storedMapping(database)
        for table in mapping?.tables ?? [] { try takeSourcesOfImages(table) }
        try takeReplacedQueries(mapping)
    }

    /// Of a row with changes, its base image alone told who had brought it.
    private func takeSourcesOfImages(_ table: TableMapping) throws {
        guard let column = table.system.sources.map(SQLName.quoted),
            let id = table.system.id.map(SQLName.quoted), try database.tableExists(table.name),
            try database.tableExists(table.baseName)
        else { return }
        let (name, base) = (SQLName.quoted(table.name), SQLName.quoted(table.baseName))
        try database.execute(
            sql: "UPDATE \(name) SET \(column) = (SELECT b.\(column) FROM \(base) b"
                + " WHERE b.\(id) = \(name).\(id)) WHERE \(id) IN"
                + " (SELECT \(id) FROM \(base) WHERE \(column) <> 0)")
    }

    private func takeReplacedQueries(_ mapping: SchemaMapping?) throws {
        let settings = StoreSettings(database: database)
        guard let text = try settings.text(.replacedQueries) else { return }
        try settings.set(.replacedQueries, nil)
        let holds = SourceHolds(database: database)
        for json in (try? JSONValue(parsing: text))?.array ?? [] {
            guard let name = json["name"]?.string, let set = json["table"]?.string,
                let place = json["bit"]?.number.flatMap({ Int($0) })
            else { continue }
            let old = DownloadSource(
                name: name, entitySet: set, url: json["url"]?.string ?? "", bit: place)
            // In the same set the new query has the bit of the old one, and its first read compares the rows.
            let isTaken = try Int64.fetchOne(
                database,
                sql: """
                    SELECT 1 WHERE EXISTS (SELECT 1 FROM _odata_download_query
                            WHERE "table" = ?1 AND source_bit = ?2)
                        OR EXISTS (SELECT 1 FROM _odata_source WHERE "table" = ?1 AND place = ?2)
                    """, arguments: [set, place])
            if isTaken == nil {
                try holds.add(old.key, .leaving, in: set, place: place, awaits: old.key)
            }
            guard let mapping else { continue }
            for table in SourceExpansions(old, mapping).targets {
                let path = mapping[table].path
                guard try holds.implicit(in: path) == 0 else { continue }
                let place = try holds.freePlace(in: path)
                try holds.add(old.key, .leavingExpansion, in: path, place: place, awaits: old.key)
                try RowAdoption.add(path, .unheld, place, in: database)
            }
        }
    }
}
