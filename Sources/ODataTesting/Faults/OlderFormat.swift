import GRDB
import ODataStore

/// What takes a store of the present format back to an older one: what later formats have added goes.
package enum OlderFormat {
    package static let current = Int(StoreFormat.current.version)

    private static let steps: [Int: [String]] = [
        10: ["ALTER TABLE _odata_request DROP COLUMN user"],
        9: ["DROP TABLE _odata_request_principal"],
        8: ["DROP TABLE _odata_rewritten"],
        7: ["DROP TABLE _odata_source", "DROP TABLE _odata_row_source"],
        6: ["DROP TABLE _odata_deletion"],
        5: ["DROP TABLE _odata_row_mark"],
        4: ["DROP TABLE _odata_sending"],
        3: ["ALTER TABLE _odata_resume DROP COLUMN delta_link"],
        2: ["DROP TABLE _odata_stream", "DROP TABLE _odata_stream_part"],
        1: [
            "DROP TABLE _odata_stage", "DROP TABLE _odata_upserted",
            "ALTER TABLE _odata_resume DROP COLUMN staged",
            "ALTER TABLE _odata_resume DROP COLUMN answers",
        ],
    ]

    /// Tables that an older format lacks, or has filled otherwise: what an upgrade makes of them is not what was there.
    package static let differing: Set<String> = [
        "_odata_stream", "_odata_stream_part", "_odata_stage", "_odata_resume", "_odata_upserted",
        "_odata_sending", "_odata_row_mark", "_odata_deletion", "_odata_source",
        "_odata_row_source", "_odata_rewritten", "_odata_delta", "_odata_meta",
    ]

    /// - Parameter tables: Entity sets of whose rows a query may hold some.
    package static func lower(
        _ database: Database, to format: Int, queried tables: [String] = []
    ) throws {
        if format < 6 {
            // They lower the marks that an older format does not have, and are made again when they are needed.
            let triggers = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'"
                    + " AND name GLOB '_odata_row_mark_*'")
            for trigger in triggers { try database.execute(sql: "DROP TRIGGER \"\(trigger)\"") }
        }
        for step in (format..<current).reversed() {
            for statement in steps[step] ?? [] { try database.execute(sql: statement) }
            guard step == 7 else { continue }
            // A row that the default download had brought before a query did was noted for the query alone.
            for table in tables {
                try database.execute(
                    sql: "UPDATE \"\(table)\" SET _odata_sources = 2 WHERE _odata_sources = 3")
            }
        }
        try database.execute(sql: "PRAGMA user_version = \(format)")
    }
}
