import GRDB
import ODataModel
import ODataSQL
import ODataText

/// Brings what a local store holds into the tables of a mirror, writing only what differs, so that the change log says
/// what changed and nothing else.
///
/// Used inside one transaction, the store being attached as `origin`.
package struct MirrorUpdate {
    /// What an update found.
    package struct Counts: Sendable, Hashable {
        package var inserted = 0
        package var updated = 0
        package var removed = 0
        /// Rows that are as they were, and whose links or contained rows are not.
        package var touched = 0
    }

    private let database: Database
    private let mapping: SchemaMapping
    private let originColumns: [TableID: Set<String>]
    private var counts = Counts()
    /// Tables whose ids here are known for their ids there.
    private var identified: Set<TableID> = []
    /// Tables some of whose rows stay as clients have written them.
    private let written: Set<TableID>

    init(_ database: Database, mapping: SchemaMapping) throws {
        self.database = database
        self.mapping = mapping
        var columns: [TableID: Set<String>] = [:]
        for table in mapping.tables {
            columns[table.id] = Set(
                try String.fetchAll(
                    database, sql: "SELECT name FROM pragma_table_xinfo(?, 'origin')",
                    arguments: [table.name]))
        }
        originColumns = columns
        let names = try WrittenThrough(database: database).tables()
        var written = Set(mapping.tables.filter { names.contains($0.name) }.map(\.id))
        // A table comes behind the one that its rows are part of.
        for table in mapping.tables {
            if let parent = table.parent, written.contains(parent) { written.insert(table.id) }
        }
        self.written = written
    }

    /// Brings these entity sets up to date, with what is in their rows and with their links.
    static func apply(
        _ sets: Set<String>, of mapping: SchemaMapping, at now: Int64, in database: Database
    ) throws -> Counts {
        var update = try MirrorUpdate(database, mapping: mapping)
        try update.apply(sets)
        for set in sets.sorted() where mapping.graph.entitySet(named: set) != nil {
            try database.execute(
                sql: "INSERT OR REPLACE INTO _odata_mirrored (entity_set, at) VALUES (?, ?)",
                arguments: [set, now])
        }
        return update.counts
    }

    private mutating func apply(_ sets: Set<String>) throws {
        let start = try ChangeLog(database).currentSequence()
        let tables = mapping.tables.filter {
            sets.contains(mapping.graph[$0.entitySet].name)
                && originColumns[$0.id]?.isEmpty == false
        }
        let links = mapping.linkTables.filter { link in
            tables.contains { $0.id == link.source }
        }
        defer { try? dropScratch() }
        for table in mapping.tables { try makeScratch(table) }
        for table in tables {
            let isLinked = links.contains { $0.source == table.id || $0.target == table.id }
            try update(table, notesUpdates: isLinked)
        }
        for link in links { try update(link) }
        for table in tables.reversed() where table.parent != nil { try passOn(table) }
        for table in mapping.tables where MirroredModel.isTracked(table) {
            try note(table, since: start)
        }
    }

    // MARK: Scratch tables

    private func scratch(_ kind: String, _ table: TableID) -> String {
        "temp.\"_odata_\(kind)_\(table.index)\""
    }

    private func makeScratch(_ table: TableMapping) throws {
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS \(scratch("ids", table.id));
                DROP TABLE IF EXISTS \(scratch("touched", table.id));
                DROP TABLE IF EXISTS \(scratch("updated", table.id));
                CREATE TABLE \(scratch("ids", table.id)) (origin INTEGER PRIMARY KEY, own INTEGER NOT NULL);
                CREATE TABLE \(scratch("touched", table.id)) (id INTEGER PRIMARY KEY);
                CREATE TABLE \(scratch("updated", table.id)) (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS \(scratch("written", table.id));
                CREATE TABLE \(scratch("written", table.id)) (id INTEGER PRIMARY KEY)
                """)
        guard written.contains(table.id) else { return }
        let name = "main.\(SQLName.quoted(table.name))"
        var condition = isWritten("t", table)
        if let parent = table.parent, let column = table.system.parent {
            condition =
                "t.\(SQLName.quoted(column)) IN (SELECT id FROM \(scratch("written", parent)))"
        }
        try database.execute(
            sql: "INSERT INTO \(scratch("written", table.id)) "
                + "SELECT t.\(id(table)) FROM \(name) AS t WHERE \(condition)")
    }

    private func isWritten(_ row: String, _ table: TableMapping) -> String {
        "\(WrittenThrough.key(of: row, in: table)) IN (SELECT key FROM main._odata_written "
            + "WHERE table_name = \(SQLName.constant(table.name)))"
    }

    /// Leaves out rows here that clients have written.
    private func unwritten(_ row: String, _ table: TableMapping) -> String {
        written.contains(table.id)
            ? " AND \(row).\(id(table)) NOT IN (SELECT id FROM \(scratch("written", table.id)))"
            : ""
    }

    /// Leaves out rows of the store that clients have written, or that are part of such.
    private func unwrittenThere(_ table: TableMapping) -> String {
        guard written.contains(table.id) else { return "" }
        guard let parent = table.parent else { return " AND NOT \(isWritten("o", table))" }
        return " AND p.own NOT IN (SELECT id FROM \(scratch("written", parent)))"
    }

    private func dropScratch() throws {
        for table in mapping.tables {
            for kind in ["ids", "touched", "updated", "written"] {
                try database.execute(sql: "DROP TABLE IF EXISTS \(scratch(kind, table.id))")
            }
        }
    }

    // MARK: Rows

    /// The rows of the store as `o`, those of a table inside another one joined with their parents here as `p`.
    private func source(_ table: TableMapping) -> String {
        let rows = "origin.\(SQLName.quoted(table.name)) AS o"
        guard let parent = table.parent, let column = table.system.parent else { return rows }
        return rows
            + " JOIN \(scratch("ids", parent)) AS p ON p.origin = o.\(SQLName.quoted(column))"
    }

    /// When `t` here and `o` there are one entity.
    private func match(_ table: TableMapping) -> String {
        var conditions: [String] = []
        if table.parent != nil, let column = table.system.parent {
            conditions.append("t.\(SQLName.quoted(column)) = p.own")
        }
        for key in table.keys {
            let name = SQLName.quoted(key.comparedColumn)
            conditions.append("t.\(name) IS o.\(name)")
        }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    }

    /// A column as the store has it; one that only this side has is null.
    private func there(_ column: String, _ table: TableMapping) -> String {
        originColumns[table.id]?.contains(column) == true ? "o.\(SQLName.quoted(column))" : "NULL"
    }

    private mutating func update(_ table: TableMapping, notesUpdates: Bool) throws {
        let name = "main.\(SQLName.quoted(table.name))"
        let columns = table.contentColumns
        if table.parent != nil { try touchParents(table) }
        try database.execute(
            sql: "DELETE FROM \(name) AS t WHERE NOT EXISTS "
                + "(SELECT 1 FROM \(source(table)) WHERE \(match(table)))" + unwritten("t", table))
        counts.removed += database.changesCount
        // Rows without a key of their own are the same only when all of them is.
        let isKeyless = table.keyColumns.isEmpty && table.parent != nil
        if isKeyless {
            try database.execute(sql: "DELETE FROM \(name) AS t WHERE 1" + unwritten("t", table))
        }
        let here = columns.map { "t.\(SQLName.quoted($0))" }.joined(separator: ", ")
        let wanted = columns.map { there($0, table) }.joined(separator: ", ")
        let differs = "(\(here)) IS NOT (\(wanted))" + unwritten("t", table)
        if notesUpdates {
            try database.execute(
                sql: "INSERT OR IGNORE INTO \(scratch("updated", table.id)) "
                    + "SELECT t.\(id(table)) FROM \(source(table)) "
                    + "JOIN \(name) AS t ON \(match(table)) WHERE \(differs)")
        }
        let assignments = columns.map { "\(SQLName.quoted($0)) = \(there($0, table))" }
        try database.execute(
            sql: "UPDATE \(name) AS t SET \(assignments.joined(separator: ", ")) "
                + "FROM \(source(table)) WHERE \(match(table)) AND \(differs)")
        counts.updated += database.changesCount
        let parent = table.parent == nil ? nil : table.system.parent
        let list = ([parent].compactMap { $0 } + columns).map { SQLName.quoted($0) }
        let absent =
            isKeyless
            ? "1" : "NOT EXISTS (SELECT 1 FROM \(name) AS t WHERE \(match(table)))"
        try database.execute(
            sql: "INSERT INTO \(name) (\(list.joined(separator: ", "))) SELECT "
                + (parent == nil ? "" : "p.own, ")
                + "\(wanted) FROM \(source(table)) WHERE \(absent)" + unwrittenThere(table))
        counts.inserted += database.changesCount
        if needsIDs(table) { try identify(table) }
    }

    private func id(_ table: TableMapping) -> String { SQLName.quoted(table.system.id ?? "rowid") }

    private func needsIDs(_ table: TableMapping) -> Bool {
        mapping.tables.contains { $0.parent == table.id }
            || mapping.linkTables.contains { $0.source == table.id || $0.target == table.id }
    }

    /// Finds which row here each row of the store is.
    private mutating func identify(_ table: TableMapping) throws {
        guard originColumns[table.id]?.isEmpty == false, !table.keyColumns.isEmpty,
            identified.insert(table.id).inserted
        else { return }
        try database.execute(
            sql: "INSERT OR IGNORE INTO \(scratch("ids", table.id)) "
                + "SELECT o.\(id(table)), t.\(id(table))"
                + " FROM \(source(table)) JOIN main.\(SQLName.quoted(table.name)) AS t "
                + "ON \(match(table))")
    }
}

extension MirrorUpdate {
    // MARK: What changes of a row without its own columns

    /// Notes the parents of rows that differ, before these are changed.
    private func touchParents(_ table: TableMapping) throws {
        guard let parent = table.parent, let column = table.system.parent else { return }
        let own = SQLName.quoted(column)
        let columns = table.contentColumns
        let here = ([own] + columns.map { SQLName.quoted($0) }).joined(separator: ", ")
        let wanted = (["p.own"] + columns.map { there($0, table) }).joined(separator: ", ")
        let (now, next) = (
            "SELECT \(here) FROM main.\(SQLName.quoted(table.name))",
            "SELECT \(wanted) FROM \(source(table))"
        )
        for (left, right) in [(now, next), (next, now)] {
            var touched = Self.parents(of: left, lackedBy: right, columns.count)
            if written.contains(parent) {
                touched += " WHERE parent NOT IN (SELECT id FROM \(scratch("written", parent)))"
            }
            try touch(parent, touched)
        }
    }

    /// The first column of the rows of `left` that `right` lacks.
    private static func parents(
        of left: String, lackedBy right: String, _ count: Int
    ) -> String {
        let names = ["parent"] + (0..<count).map { "c\($0)" }
        return "WITH differing(\(names.joined(separator: ", "))) AS "
            + "(\(left) EXCEPT \(right)) SELECT parent FROM differing"
    }

    private func touch(_ table: TableID, _ ids: String) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO \(scratch("touched", table)) "
                + "SELECT * FROM (\(ids)) WHERE 1")
    }

    /// What is inside a contained row is inside its parent.
    private func passOn(_ table: TableMapping) throws {
        guard let parent = table.parent, let column = table.system.parent else { return }
        try touch(
            parent,
            "SELECT \(SQLName.quoted(column)) FROM main.\(SQLName.quoted(table.name)) "
                + "WHERE \(id(table)) IN (SELECT id FROM \(scratch("touched", table.id)))")
    }

    private mutating func update(_ link: LinkTableMapping) throws {
        try identify(mapping[link.source])
        try identify(mapping[link.target])
        let name = SQLName.quoted(link.name)
        let there = """
            SELECT s.own AS source, g.own AS target FROM origin.\(name) AS l
            JOIN \(scratch("ids", link.source)) AS s ON s.origin = l.source
            JOIN \(scratch("ids", link.target)) AS g ON g.origin = l.target
            """
        var kept = ""
        for (end, column) in [(link.source, "source"), (link.target, "target")]
        where written.contains(end) {
            kept += " AND \(column) NOT IN (SELECT id FROM \(scratch("written", end)))"
        }
        let wanted = "SELECT source, target FROM (\(there)) WHERE 1" + kept
        let now = "SELECT source, target FROM main.\(name) WHERE 1" + kept
        for (left, right) in [(now, wanted), (wanted, now)] {
            let differing = "WITH differing(source, target) AS (\(left) EXCEPT \(right))"
            try touch(link.source, "\(differing) SELECT source FROM differing")
            try touch(link.target, "\(differing) SELECT target FROM differing")
        }
        try database.execute(
            sql: "DELETE FROM main.\(name) WHERE (source, target) NOT IN (\(wanted))" + kept)
        try database.execute(
            sql: "INSERT OR IGNORE INTO main.\(name) (source, target) \(wanted)")
        // Whoever reads a row with its related ones reads it anew when one of these changed.
        try touch(
            link.source,
            "SELECT source FROM main.\(name) WHERE target IN "
                + "(SELECT id FROM \(scratch("updated", link.target)))")
        try touch(
            link.target,
            "SELECT target FROM main.\(name) WHERE source IN "
                + "(SELECT id FROM \(scratch("updated", link.source)))")
    }

    /// Notes touched rows that the triggers of this update have not noted.
    private mutating func note(_ table: TableMapping, since start: Int64) throws {
        counts.touched += try ChangeLog(database).touch(
            table, where: "\(id(table)) IN (SELECT id FROM \(scratch("touched", table.id)))",
            since: start)
    }
}
