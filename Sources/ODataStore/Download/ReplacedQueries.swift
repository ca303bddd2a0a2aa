import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText

/// Download queries whose place another one has taken under their name: their rows stay until those of the other are
/// complete. Kept in `_odata_meta`, so that they outlive the process.
struct ReplacedQueries {
    let database: Database

    func all() throws -> [DownloadSource] {
        guard let text = try StoreSettings(database: database).text(.replacedQueries) else {
            return []
        }
        return try (JSONValue(parsing: text).array ?? []).compactMap { json in
            guard let name = json["name"]?.string, let table = json["table"]?.string,
                let url = json["url"]?.string, let bit = json["bit"]?.number.flatMap({ Int($0) })
            else { return nil }
            return DownloadSource(name: name, entitySet: table, url: url, bit: bit)
        }
    }

    func keep(_ queries: [DownloadSource]) throws {
        var writer = JSONWriter()
        writer.beginArray()
        for query in queries {
            writer.beginObject()
            writer.name("name")
            writer.string(query.name ?? "")
            writer.name("table")
            writer.string(query.entitySet)
            writer.name("url")
            writer.string(query.url)
            writer.name("bit")
            writer.integer(Int64(query.bit))
            writer.endObject()
        }
        writer.endArray()
        try StoreSettings(database: database).set(
            .replacedQueries, queries.isEmpty ? nil : writer.text)
    }
}

extension LocalStore {
    /// Puts a query in the place of the one of its name: rows of the old one stay until those of the new one are complete.
    ///
    /// - Throws: `notFound` without a query of this name; `limitExceeded` where the set has too many.
    package func replaceDownloadQuery(
        _ name: String, table: String, url: String, streams: Bool
    ) throws {
        try writing { transaction in
            let database = transaction.database
            _ = try transaction.table(table)
            guard
                let old = try Self.downloadQueries(of: nil, in: database)
                    .first(where: { $0.name == name })
            else {
                throw ODataError(
                    .notFound, "Expected the name of a download query, found another.",
                    at: .path(name))
            }
            let bit =
                old.entitySet == table ? old.bit : try Self.freeBit(of: table, in: database)
            try database.execute(
                sql: "UPDATE _odata_download_query SET \"table\" = ?, url = ?, streams = ?,"
                    + " source_bit = ? WHERE name = ?",
                arguments: [table, url, streams, bit, name])
            try transaction.settings.set(.pendingDownload, Int64(1))
            guard old.entitySet != table || old.url != url else { return }
            let replaced = ReplacedQueries(database: database)
            try replaced.keep(try replaced.all() + [old])
            try DownloadBookkeeping(database).readAnew(old, compared: old.entitySet == table)
        }
    }

    /// Takes away what only the queries brought that this source has taken the place of, in the transaction that ends its
    /// read. Rows with unsent changes stay over a base image that the service has removed.
    ///
    /// - Parameter sources: every default download and download query there is.
    package func dropReplaced(
        by source: DownloadSource, among sources: [DownloadSource], _ database: Database
    ) throws {
        let replaced = ReplacedQueries(database: database)
        let all = try replaced.all()
        let gone = all.filter { $0.name == source.name }
        guard !gone.isEmpty else { return }
        let mapping = try transaction(in: database).mapping
        for old in gone {
            if let table = mapping.table(path: old.entitySet) {
                if old.entitySet == source.entitySet {
                    try clear(table, of: source, among: sources, mapping, database)
                } else {
                    try release(table, of: old, mapping, database)
                }
            }
            let expanded = try ExpandedTables(
                sources, deleting: old, loaded: DownloadBookkeeping(database).loadedSets(),
                mapping: mapping)
            _ = try ExpandedRemovals(
                tables: expanded, mapping: mapping, database: database, handler: QueueShadow(self)
            ).sweep()
        }
        try replaced.keep(all.filter { $0.name != source.name })
    }

    /// Values that the query selects no more, of rows that only it brings: nobody would keep them up to date.
    private func clear(
        _ table: TableMapping, of source: DownloadSource, among sources: [DownloadSource],
        _ mapping: SchemaMapping, _ database: Database
    ) throws {
        // An expansion of another query may have brought them.
        guard let column = table.system.sources, let id = table.system.id,
            let selected = Self.selection(source, mapping),
            !sources.contains(where: { $0 != source && $0.url.contains("expand") })
        else { return }
        let unselected = table.columns.indices.filter { position in
            let path = table.columns[position].path
            return !table.keyColumns.contains(position)
                && !selected.contains { path == $0 || path.hasPrefix($0 + "/") }
        }.flatMap { table.columns[$0].storedColumns }
        guard !unselected.isEmpty else { return }
        let only = "\(SQLName.quoted(column)) = \(Int64(1) << Int64(source.bit))"
        let shadowed = try Int64.fetchAll(
            database,
            sql: "SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(table.baseName)) WHERE \(only)"
        )
        let empty = unselected.map { SQLName.quoted($0) + " = NULL" }.joined(separator: ", ")
        for target in [table.name, table.baseName] {
            try database.execute(sql: "UPDATE \(SQLName.quoted(target)) SET \(empty) WHERE \(only)")
        }
        try QueueShadow(self).baseImagesChanged(shadowed, in: table, database: database)
    }

    /// The paths that a query selects; nil for all, and where nobody can tell.
    private static func selection(
        _ source: DownloadSource, _ mapping: SchemaMapping
    ) -> Set<String>? {
        let query = try? URLParser.parse(
            source.url, graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        guard let query, !query.select.isEmpty, !query.selectsAll else { return nil }
        return Set(query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
    }

    /// Rows of another set that the query brought before, and nobody else does.
    private func release(
        _ table: TableMapping, of old: DownloadSource, _ mapping: SchemaMapping,
        _ database: Database
    ) throws {
        guard let sources = table.system.sources.map({ SQLName.quoted($0) }),
            let id = table.system.id.map({ SQLName.quoted($0) })
        else { return }
        let bit = Int64(1) << Int64(old.bit)
        let name = SQLName.quoted(table.name)
        let removals = RowRemovals(table: table, mapping: mapping, database: database)
        var shadowed: [Int64] = []
        for row in try Int64.fetchAll(
            database, sql: "SELECT \(id) FROM \(name) WHERE \(sources) = \(bit)")
        {
            if try removals.state(id: row).isDisjoint(with: IngestSQL.shadowed) {
                try removals.delete(id: row)
            } else {
                try removals.buryBase(id: row)
                shadowed.append(row)
            }
        }
        for target in [table.name, table.baseName] {
            try database.execute(
                sql: "UPDATE \(SQLName.quoted(target)) SET \(sources) = \(sources) & ~\(bit)"
                    + " WHERE (\(sources) & \(bit)) <> 0")
        }
        try QueueShadow(self).baseImagesChanged(shadowed, in: table, database: database)
    }
}
