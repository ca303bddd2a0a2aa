import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText

/// Gives rows that were brought before it was noted by whom to those who may have brought them: a part in each transaction, in
/// the order of their ids, and only rows that need it. How far it has come is kept with each part in `_odata_meta`, and
/// nothing is decided about such rows before it is through.
struct RowAdoption {
    /// Which rows of a table.
    enum Rows: String {
        /// Those that nobody is noted for, but for what was made here.
        case unheld
        /// Those that the default download brought before a download query did.
        case shared
    }

    let database: Database
    /// Nil for a store without metadata, which has no rows.
    let mapping: SchemaMapping?

    private static let prefix = "adopting:"

    /// The names under which tables wait.
    static func waiting(in database: Database) throws -> [String] {
        try StoreSettings(database: database).names(from: prefix)
    }

    /// Rows of a table are to be given to the source of a place.
    static func add(_ table: String, _ rows: Rows, _ place: Int, in database: Database) throws {
        try StoreSettings(database: database).set(
            .adopting, of: "\(rows.rawValue):\(place):\(table)", Int64.min)
    }

    /// Does one part of what waits; what is done waits no more.
    func adoptPart() throws {
        let names = try Self.waiting(in: database)
        guard let first = names.first else { return }
        let parts = first.dropFirst(Self.prefix.count).split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let rows = Rows(rawValue: String(parts[0])),
            let mapping, let table = mapping.table(path: String(parts[2]))
        else { return try forget([first]) }
        // Whoever waits for the same rows gets them in the same transaction.
        let same = names.filter {
            $0.hasPrefix(Self.prefix + rows.rawValue + ":")
                && $0.split(separator: ":", maxSplits: 3).last == parts.last
        }
        let places = same.compactMap {
            Int($0.split(separator: ":", maxSplits: 3).dropFirst(2).first ?? "")
        }
        let settings = StoreSettings(database: database)
        let key = String(first.dropFirst(Self.prefix.count))
        let last = try settings.integer(.adopting, of: key) ?? Int64.min
        let ids = try rowsToAdopt(rows, table, behind: last)
        let held = HeldRows(
            table: table, mapping: mapping, database: database, hold: nil)
        for place in places {
            try held.note(ids, heldBy: RowHold(place: place))
        }
        guard ids.count == RowRemovals.batch, let end = ids.last else {
            return try forget(same)
        }
        for name in same {
            try settings.set(.adopting, of: String(name.dropFirst(Self.prefix.count)), end)
        }
    }

    private func rowsToAdopt(
        _ rows: Rows, _ table: TableMapping, behind last: Int64
    ) throws -> [Int64] {
        guard let sources = table.system.sources.map(SQLName.quoted),
            let state = table.system.state.map(SQLName.quoted),
            let id = table.system.id.map(SQLName.quoted), try database.tableExists(table.name)
        else { return [] }
        let condition =
            switch rows {
            case .unheld:
                "\(sources) = 0 AND (\(state) & \(EntityState.created.rawValue)) = 0"
            case .shared: "\(sources) <> 0 AND (\(sources) & 1) = 0"
            }
        return try Int64.fetchAll(
            database,
            sql: "SELECT \(id) FROM \(SQLName.quoted(table.name)) WHERE \(condition)"
                + " AND \(id) > ? ORDER BY \(id) LIMIT \(RowRemovals.batch)", arguments: [last])
    }

    private func forget(_ names: [String]) throws {
        for name in names {
            try database.execute(
                sql: "DELETE FROM _odata_meta WHERE name = ?", arguments: [name])
        }
    }
}
