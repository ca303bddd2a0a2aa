import Foundation
import GRDB
import ODataSQLite
import ODataText

/// What a store remembers, read from its file without opening it as a store (`docs/store-format.md`).
package struct StoreMemory: Sendable {
    package let serviceRoot: String
    package let serviceName: String

    /// - Throws: bad input unless the file is a store that was synchronised with a service.
    package init(path: String, key: String? = nil) throws {
        try DatabaseFile.check(path, mayBeSealed: true)
        let values: [String: String]
        let file = try Self.file(path, key)
        do {
            try file.checkLength()
            let queue = try file.queue(readonly: true)
            values = try queue.read { database in
                guard try database.tableExists("_odata_meta") else { return [:] }
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT name, value FROM _odata_meta"
                        + " WHERE name IN ('serviceRoot', 'serviceName')")
                return Dictionary(
                    rows.map { ($0["name"] as String, $0["value"] as String? ?? "") },
                    uniquingKeysWith: { first, _ in first })
            }
            try queue.close()
        } catch let error as DatabaseError {
            if let failure = file.takeFailure() { throw CommandError.badInput(failure.description) }
            if [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
                let damage = file.damage(isDatabase: error.resultCode == .SQLITE_CORRUPT)
                throw CommandError.badInput(damage.description)
            }
            throw CommandError.badInput(
                "\(path): expected a store, SQLite says: \(error.message ?? "error").")
        } catch let error as ODataError {
            throw CommandError.badInput(error.description)
        }
        guard let root = values["serviceRoot"], !root.isEmpty else {
            throw CommandError.badInput("\(path): expected a store, found another database.")
        }
        serviceRoot = root
        serviceName = values["serviceName"] ?? "service"
    }

    /// True for what a process leaves that was killed while it made a store: an empty file, or one that knows of no service.
    package static func isUnfinished(path: String, key: String? = nil) throws -> Bool {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        let store = try file(path, key)
        do {
            try store.checkLength()
        } catch {
            throw CommandError.badInput(CommandError(error).description)
        }
        if size == 0 { return true }
        try DatabaseFile.check(path, mayBeSealed: true)
        do {
            let queue = try store.queue(readonly: true)
            defer { try? queue.close() }
            return try queue.read { database in
                let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
                guard tables != 0, try database.tableExists("_odata_meta") else {
                    return tables == 0
                }
                return try Int.fetchOne(
                    database, sql: "SELECT 1 FROM _odata_meta WHERE name = 'serviceRoot'") == nil
            }
        } catch is DatabaseError {
            return false
        }
    }

    /// Rows that the store shows, by table of an entity set.
    package static func rowCounts(
        path: String, tables: [String], key: String? = nil
    ) throws -> [String: Int] {
        let queue = try file(path, key).queue(readonly: true)
        defer { try? queue.close() }
        return try queue.read { database in
            var counts: [String: Int] = [:]
            for table in tables {
                let view = "_odata_view_\(table)"
                guard try database.viewExists(view) else { continue }
                let name = view.replacing("\"", with: "\"\"")
                counts[table] = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM \"\(name)\"")
            }
            return counts
        }
    }

    private static func file(_ path: String, _ key: String?) throws -> StoreFile {
        do {
            return try StoreFile(path: path, key: try key.map { try StoreKey($0) })
        } catch {
            throw CommandError.badInput(CommandError(error).description)
        }
    }
}
