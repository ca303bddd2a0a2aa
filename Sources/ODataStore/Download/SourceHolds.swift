import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Who may hold rows of which table. Download queries have a place in their own set (`_odata_download_query`), the default
/// download has the first; expansions, and sources that lose their rows, have theirs in `_odata_source`.
struct SourceHolds {
    let database: Database

    static let table = """
        CREATE TABLE _odata_source (
            id INTEGER PRIMARY KEY,
            "table" TEXT NOT NULL,
            place INTEGER NOT NULL,
            query TEXT NOT NULL,
            kind TEXT NOT NULL,
            awaits TEXT,
            is_noted INTEGER NOT NULL DEFAULT 1,
            UNIQUE ("table", place)
        )
        """
    static let rows = """
        CREATE TABLE _odata_row_source (
            "table" TEXT NOT NULL,
            "row" INTEGER NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY ("table", "row", place)
        ) WITHOUT ROWID
        """

    /// What a source has a place in a table for.
    enum Kind: String {
        /// Its expansions lead there.
        case expansion
        /// It has no right to its rows any more.
        case leaving
        /// Nor to those that its expansions brought.
        case leavingExpansion
    }

    struct Entry {
        var id: Int64
        var table: String
        var place: Int
        /// The key of the source.
        var query: String
        var kind: Kind
        /// Of a source that leaves: ``download``, or the key of who comes in its place; nil for nothing.
        var awaits: String?
        /// Every row that it holds is known to be its own.
        var isNoted: Bool

        var isLeaving: Bool { kind != .expansion }
    }

    /// A source leaves with the end of a download.
    static let download = "download"

    func entries(of table: String? = nil) throws -> [Entry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM _odata_source WHERE ?1 IS NULL OR \"table\" = ?1 ORDER BY id"),
            arguments: [table]
        ).compactMap { row in
            guard let kind = Kind(rawValue: row["kind"]) else { return nil }
            return Entry(
                id: row["id"], table: row["table"], place: row["place"], query: row["query"],
                kind: kind, awaits: row["awaits"], isNoted: row["is_noted"])
        }
    }

    /// The tables that a source brings rows of.
    func tables(of key: String) throws -> Set<String> {
        var tables = try String.fetchSet(
            database,
            sql: """
                SELECT "table" FROM _odata_download_query WHERE 'query:' || name = ?1
                UNION SELECT "table" FROM _odata_source WHERE query = ?1 AND kind = ?2
                """, arguments: [key, Kind.expansion.rawValue])
        if key.hasPrefix("set:") { tables.insert(String(key.dropFirst(4))) }
        return tables
    }

    // MARK: Places

    /// Who holds rows without a bit: 1 where the default download has brought rows, and may have more to give up.
    func implicit(in table: String) throws -> Int64 {
        let key = "set:" + table
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 WHERE EXISTS (SELECT 1 FROM _odata_delta WHERE query = ?1)
                        OR EXISTS (SELECT 1 FROM _odata_resume WHERE query = ?1)
                        OR EXISTS (SELECT 1 FROM _odata_source WHERE "table" = ?2 AND place = 0)
                    """), arguments: [key, table]) ?? 0
    }

    /// How a source holds rows of its own set; nil for the default download of one that no other source brings rows of.
    func hold(of source: DownloadSource) throws -> RowHold? {
        guard source.isDefault else {
            return RowHold(place: source.bit, implicit: try implicit(in: source.entitySet))
        }
        let hasOthers =
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT 1 WHERE EXISTS
                            (SELECT 1 FROM _odata_download_query WHERE "table" = ?1)
                            OR EXISTS (SELECT 1 FROM _odata_source WHERE "table" = ?1)
                            OR EXISTS (SELECT 1 FROM _odata_meta WHERE name = 'waiting:' || ?1)
                        """), arguments: [source.entitySet]) != nil
        // Reads that begin together do not see each other's rows: the first one says what is its own.
        return hasOthers
            ? RowHold(place: 0, implicit: try implicit(in: source.entitySet)) : nil
    }

    /// How the expansions of a source hold rows of the tables that they lead to.
    func holds(ofExpansionsOf key: String, _ mapping: SchemaMapping) throws -> [TableID: RowHold] {
        var holds: [TableID: RowHold] = [:]
        for entry in try entries() where entry.kind == .expansion && entry.query == key {
            guard let table = mapping.table(path: entry.table) else { continue }
            holds[table.id] = RowHold(
                place: entry.place, implicit: try implicit(in: entry.table))
        }
        return holds
    }

    func hold(of entry: Entry) throws -> RowHold {
        RowHold(place: entry.place, implicit: try implicit(in: entry.table))
    }

    /// The sources that read a set and stay.
    func readers(of table: String) throws -> [RowHold] {
        let implicit = try implicit(in: table)
        var holds = try LocalStore.downloadQueries(of: table, in: database).map {
            RowHold(place: $0.bit, implicit: implicit)
        }
        let isLeaving = try entries(of: table).contains { $0.place == 0 }
        if implicit != 0, !isLeaving { holds.append(RowHold(place: 0, implicit: 1)) }
        return holds
    }

    /// The lowest place that nobody has, nor had whose rows are still there. The first is that of the default download.
    ///
    /// - Throws: `limitExceeded` where the table has too many sources.
    func freePlace(in table: String) throws -> Int {
        let used = Set(
            try Int.fetchAll(
                database,
                sql: """
                    SELECT source_bit FROM _odata_download_query WHERE "table" = ?1
                    UNION SELECT place FROM _odata_source WHERE "table" = ?1
                    """, arguments: [table]))
        guard let place = (1..<RowHolds.maximum).first(where: { !used.contains($0) }) else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(RowHolds.maximum - 1) sources of the rows of one set.",
                at: .path(table))
        }
        return place
    }

    // MARK: Changes

    func add(
        _ query: String, _ kind: Kind, in table: String, place: Int, awaits: String? = nil,
        isNoted: Bool = true
    ) throws {
        try database.execute(
            sql: "INSERT INTO _odata_source (\"table\", place, query, kind, awaits, is_noted)"
                + " VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [table, place, query, kind.rawValue, awaits, isNoted])
    }

    func remove(_ entry: Entry) throws {
        try database.execute(
            sql: "DELETE FROM _odata_source WHERE id = ?", arguments: [entry.id])
        guard entry.place >= RowHolds.places else { return }
        try database.execute(
            sql: "DELETE FROM _odata_row_source WHERE \"table\" = ? AND place = ?",
            arguments: [entry.table, entry.place])
    }

    /// What the expansions of a source brought is on its way out.
    func leave(_ entry: Entry, awaiting awaits: String?) throws {
        try database.execute(
            sql: "UPDATE _odata_source SET kind = ?, awaits = ? WHERE id = ?",
            arguments: [Kind.leavingExpansion.rawValue, awaits, entry.id])
    }

    func leaveExpansions(of key: String, awaiting awaits: String?) throws {
        for entry in try entries() where entry.kind == .expansion && entry.query == key {
            try leave(entry, awaiting: awaits)
        }
    }

    /// Nobody comes any more in the place of those that waited for this source.
    func giveUpWaiting(for key: String) throws {
        try database.execute(
            sql: "UPDATE _odata_source SET awaits = NULL WHERE awaits = ?", arguments: [key])
    }

    /// Whether rows wait for the first whole read of the query that has taken the place of theirs.
    func isAwaited() throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM _odata_source WHERE awaits = query AND awaits NOT IN
                        (SELECT query FROM _odata_delta WHERE \(DownloadBookkeeping.isComplete))
                    LIMIT 1
                    """)) != nil
    }

    /// A whole read of a source has ended: its rows are known.
    func note(wholeReadOf key: String) throws {
        try database.cachedStatement(
            sql: "UPDATE _odata_source SET is_noted = 1 WHERE query = ? AND kind = ?"
        ).execute(arguments: [key, Kind.expansion.rawValue])
    }

    /// Whether it is known of every source of a table which rows it holds.
    func areNoted(in table: String) throws -> Bool {
        try !entries(of: table).contains { $0.kind == .expansion && !$0.isNoted }
    }
}
