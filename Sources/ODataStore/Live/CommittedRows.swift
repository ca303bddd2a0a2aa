import GRDB
import GRDBSQLite
import Synchronization

/// The rows that committed writes of this connection touched, by table.
package struct CommittedRows: Sendable, Hashable {
    package enum Extent: Sendable, Hashable {
        case rows(Set<Int64>)
        /// More than are worth naming.
        case many
    }

    package private(set) var tables: [String: Extent] = [:]

    package init() {}

    /// Tables of which nobody knows what was touched.
    init(all names: [String]) {
        tables = Dictionary(names.map { ($0, .many) }) { first, _ in first }
    }

    package var isEmpty: Bool { tables.isEmpty }

    mutating func add(_ row: Int64, of table: String) {
        guard case .rows(var rows) = tables.removeValue(forKey: table) ?? .rows([]) else {
            tables[table] = .many
            return
        }
        rows.insert(row)
        tables[table] = rows.count > Self.maximumCount ? .many : .rows(rows)
    }

    mutating func formUnion(_ other: CommittedRows) {
        for (table, extent) in other.tables {
            switch (tables[table], extent) {
            case (nil, _): tables[table] = extent
            case (.rows(let mine)?, .rows(let theirs)):
                let rows = mine.union(theirs)
                tables[table] = rows.count > Self.maximumCount ? .many : .rows(rows)
            default: tables[table] = .many
            }
        }
    }

    /// Only the rows of some tables.
    func filtered(_ names: Set<String>) -> CommittedRows {
        var result = self
        result.tables = tables.filter { names.contains($0.key) }
        return result
    }

    /// Above this the whole query runs again.
    static let maximumCount = 2_000
}

/// Notes the rows that the writer's connection touches, from SQLite's own update hook.
///
/// Called on the writer's thread only, between ``begin()`` and ``take()``; the lock makes it safe wherever SQLite calls.
final class TouchCollector: Sendable {
    private let touched = Mutex(CommittedRows())

    func note(_ table: String, _ row: Int64) { touched.withLock { $0.add(row, of: table) } }

    /// What was touched since the last call.
    func take() -> CommittedRows {
        touched.withLock { touched in
            defer { touched = CommittedRows() }
            return touched
        }
    }

    /// Starts to listen on a connection, which must not outlive the collector.
    func install(on database: Database) {
        guard let connection = database.sqliteConnection else { return }
        sqlite3_update_hook(
            connection,
            { context, _, _, table, row in
                guard let context, let table else { return }
                Unmanaged<TouchCollector>.fromOpaque(context).takeUnretainedValue()
                    .note(String(cString: table), row)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func uninstall(from database: Database) {
        guard let connection = database.sqliteConnection else { return }
        sqlite3_update_hook(connection, nil, nil)
    }
}
