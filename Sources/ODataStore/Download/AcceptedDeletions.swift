import GRDB
import ODataSQL

/// The keys of rows whose deletion the service has accepted, in `_odata_deletion`: nothing else is left of such a row, and a page
/// that was asked for before brings it once more.
struct AcceptedDeletions {
    let database: Database

    static let table = """
        CREATE TABLE _odata_deletion (
            "table" TEXT NOT NULL,
            "row" INTEGER NOT NULL,
            part INTEGER NOT NULL,
            value,
            answer INTEGER NOT NULL,
            PRIMARY KEY ("table", "row", part)
        ) WITHOUT ROWID
        """

    /// Keeps the key of a row that is about to go, as the acceptance that is counted next. What the service last said of the row
    /// counts more: a row that was created and deleted here has its key there alone.
    func keep(_ row: Int64, of table: TableMapping) throws {
        guard let id = table.system.id, !table.keyColumns.isEmpty else { return }
        let answer = try AcceptedAnswers(database: database).count() + 1
        let (name, base, key) = (
            SQLName.quoted(table.name), SQLName.quoted(table.baseName), SQLName.quoted(id)
        )
        for (part, column) in table.uniqueColumns.map(SQLName.quoted).enumerated() {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO _odata_deletion SELECT ?, t.\(key), ?,"
                    + " coalesce(b.\(column), t.\(column)), ? FROM \(name) t"
                    + " LEFT JOIN \(base) b ON b.\(key) = t.\(key) WHERE t.\(key) = ?"
            ).execute(arguments: [table.path, part, answer, row])
        }
    }

    func isEmpty() throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM _odata_deletion LIMIT 1")) == nil
    }

    /// Forgets the key of a row that was made anew.
    func forget(_ row: Int64, of table: TableMapping) throws {
        guard let id = table.system.id, !table.keyColumns.isEmpty else { return }
        try database.cachedStatement(
            sql:
                "DELETE FROM _odata_deletion WHERE \"table\" = ?1 AND \"row\" IN (SELECT d0.\"row\""
                + matches(table) + " AND t.\(SQLName.quoted(id)) = ?2)"
        ).execute(arguments: [table.path, row])
    }

    /// The rows of a table that are there with a key that was deleted after so many acceptances, and of which nothing was
    /// recorded here since.
    func returned(to table: TableMapping, since beginning: Int64) throws -> [Int64] {
        guard let id = table.system.id, let state = table.system.state,
            !table.keyColumns.isEmpty
        else { return [] }
        let own = IngestSQL.shadowed.union([.created, .updated]).rawValue
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT t.\(SQLName.quoted(id))" + matches(table)
                    + " AND d0.answer > ?2 AND t.\(SQLName.quoted(state)) & \(own) = 0"),
            arguments: [table.path, beginning])
    }

    /// Kept keys (`d0`) with the rows of the table (`t`, its path being ?1) that have them.
    private func matches(_ table: TableMapping) -> String {
        let columns = table.uniqueColumns.enumerated()
        let joins = columns.dropFirst().map { part, _ in
            " JOIN _odata_deletion d\(part) ON d\(part).\"table\" = d0.\"table\""
                + " AND d\(part).\"row\" = d0.\"row\" AND d\(part).part = \(part)"
        }
        let key = columns.map { "t.\(SQLName.quoted($1)) = d\($0).value" }
        return " FROM _odata_deletion d0" + joins.joined()
            + " CROSS JOIN \(SQLName.quoted(table.name)) t WHERE d0.\"table\" = ?1 AND d0.part = 0"
            + " AND " + key.joined(separator: " AND ")
    }

    /// Forgets what no read can bring back: all that are under way began after so many acceptances, and later ones begin later.
    func forget(upTo beginning: Int64) throws {
        try database.execute(
            sql: "DELETE" + Self.unneeded, arguments: [beginning])
    }

    func hasUnneeded(upTo beginning: Int64) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1" + Self.unneeded + ")"),
            arguments: [beginning]) ?? false
    }

    /// A read that was interrupted goes on where it was.
    private static let unneeded = """
         FROM _odata_deletion WHERE answer <= ?
        AND NOT EXISTS (SELECT 1 FROM _odata_resume
            WHERE mode <> 'begun' AND answers < _odata_deletion.answer)
        """
}

extension LocalStore {
    /// Forgets the keys of rows whose deletion was accepted before any of these reads began: they are at their ends, and none
    /// that runs beside them is left out. One that is not at its end may hold a page from before.
    package func forgetDeletions(before reads: [SourceIngest]) throws {
        guard let beginning = reads.compactMap(\.beginning).min(),
            try read({ try AcceptedDeletions(database: $0).hasUnneeded(upTo: beginning) })
        else { return }
        try write(.normal) { try AcceptedDeletions(database: $0).forget(upTo: beginning) }
    }
}
