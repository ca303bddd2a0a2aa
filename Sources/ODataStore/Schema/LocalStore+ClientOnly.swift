import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Client-only data as a whole.
extension LocalStore {
    /// Deletes every row that only this device has; everything else stays.
    package func purgeClientOnlyData() throws {
        try writing { transaction in
            let graph = transaction.graph
            for table in transaction.mapping.tables where graph.isClientOnly(table.entitySet) {
                let id = SQLName.quoted(table.system.id ?? "_odata_id")
                let rows = try Int64.fetchAll(
                    transaction.database,
                    sql: "SELECT \(id) FROM \(SQLName.quoted(table.name))")
                for row in rows { try transaction.forget(transaction.reference(table, row)) }
            }
        }
    }

    /// Stores metadata whose client-only part has changed.
    ///
    /// - Parameters:
    ///   - service: the service's part; nil when `text` is just that.
    ///   - client: the client's part as its file has it; nil when there is none.
    ///   - dropsClientData: deletes client-only data with its tables first, so that any change is possible.
    @discardableResult
    package func adopt(
        metadata text: String, graph: MetadataGraph, service: String?, client: String?,
        dropsClientData: Bool, origin: StoreOrigin? = nil,
        incompatible told: ([String]) -> Void = { _ in }
    ) throws -> [String] {
        let old = dropsClientData && hasMetadata ? try mapping() : nil
        if old != nil { try purgeClientOnlyData() }
        return try adopt(metadata: text, graph: graph, origin: origin) { database in
            for table in old?.tables ?? [] where old?.graph.isClientOnly(table.entitySet) == true {
                try database.execute(
                    sql: "DROP VIEW IF EXISTS \(SQLName.quoted("_odata_view_" + table.name))")
                for name in [table.name, table.baseName] {
                    try database.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quoted(name))")
                }
            }
            let settings = StoreSettings(database: database)
            try settings.set(.serviceMetadata, service)
            try settings.set(.clientMetadata, client)
        } incompatible: {
            told($0)
        }
    }

    /// The client's part of the metadata; nil when there is none.
    package func clientMetadataText() throws -> String? {
        try read { try StoreSettings(database: $0).text(.clientMetadata) }
    }

    /// The service's part of the metadata as it came; nil before the first open.
    package func serviceMetadataText() throws -> String? {
        try read { database in
            let settings = StoreSettings(database: database)
            return try settings.text(.serviceMetadata) ?? settings.text(.metadata)
        }
    }
}
