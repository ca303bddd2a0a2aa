import ODataPostgres
import ODataSQL
import ODataServer

/// Has the changes of tables noted, each table in a transaction of its own: what the database refuses for one keeps no other.
struct ChangeLogStart {
    let pool: PostgresPool
    /// False where nothing is to be made.
    let begins: Bool

    /// Whether the user may read the log.
    static func isReadable(_ connection: PostgresConnection) throws -> Bool {
        let tables = [LogTables.changes, LogTables.meta, LogTables.expired].map {
            "has_table_privilege(to_regclass('\($0)'), 'SELECT')"
        }
        let rows = try connection.rows(
            SQLStatement(text: "SELECT \(tables.joined(separator: " AND "))"))
        return rows.first?.first == .integer(1)
    }

    /// Where the log is another database's, which was restored as this one, it begins anew.
    ///
    /// - Throws: ``PostgresError``.
    func claim(knowsSystem: Bool) throws {
        guard begins else { return }
        let known = "(SELECT value FROM \(LogTables.meta) WHERE name = 'place')"
        let system =
            knowsSystem
            ? " AND (SELECT value FROM \(LogTables.meta) WHERE name = 'system') = \(LogIdentity.system)"
            : ""
        try pool.transaction(.latest) { connection in
            try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
            let rows = try connection.rows(
                SQLStatement(text: "SELECT \(known) = \(LogIdentity.place)\(system)"))
            guard rows.first?.first != .integer(1) else { return }
            try connection.run("TRUNCATE \(LogTables.changes), \(LogTables.meta)")
            try connection.run("SELECT setval('\(LogTables.expired)', 0)")
            try connection.run(
                "INSERT INTO \(LogTables.meta) VALUES ('place', \(LogIdentity.place))")
            guard knowsSystem else { return }
            try connection.run(
                "INSERT INTO \(LogTables.meta) VALUES ('system', \(LogIdentity.system))")
        }
    }

    /// Nil where changes of the table are noted; else why not.
    ///
    /// - Throws: ``PostgresError`` where that is not for the table alone.
    func problem(of table: LoggedTable) throws -> String? {
        do {
            return try pool.transaction(.latest) { connection in
                if begins { try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))") }
                let state = try state(of: table, connection)
                guard state.hindrance == nil, !state.isNoted else { return state.hindrance }
                guard begins else { return "no service that takes changes has begun to note them" }
                guard state.mayBegin else { return "the service may make no triggers of it" }
                try begin(table, state, connection)
                return nil
            }
        } catch let error as PostgresError {
            switch error.sqlState {
            case "55P03": return "others kept it locked; the next start tries again"
            case "42501": return "the service may not change its triggers"
            default: throw error
            }
        }
    }

    private struct State {
        var hindrance: String?
        var isNoted: Bool
        var mayBegin: Bool
        var isOwned: Bool
        var number: String
        /// The table and its parts, quoted, with their schemas.
        var tables: [String]
    }

    private func state(of table: LoggedTable, _ connection: PostgresConnection) throws -> State {
        let rows = try connection.rows(
            SQLStatement(
                text: """
                    SELECT coalesce(\(LogIdentity.hindrance), CASE WHEN \(LogIdentity.hasLateKey)
                            THEN 'its key is checked at the end of transactions only' END),
                        \(LogIdentity.hasTriggers), has_table_privilege(c.oid, 'TRIGGER'),
                        pg_has_role(c.relowner, 'USAGE'), CAST(c.oid AS text)
                    FROM pg_class c WHERE c.oid = to_regclass($1)
                    """,
                arguments: [
                    .text(table.qualifiedName), .text(LoggedTable.array(table.key)),
                    .text(LoggedTable.array(table.leftOut)),
                ]))
        guard let row = rows.first, case .text(let number) = row[4] else {
            return State(
                hindrance: "it is gone", isNoted: false, mayBegin: false, isOwned: false,
                number: "0", tables: [])
        }
        let parts = try connection.rows(
            SQLStatement(
                text: """
                    SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c
                        JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE c.oid IN (SELECT CAST(to_regclass($1) AS oid)
                        UNION SELECT CAST(p.relid AS oid) FROM pg_partition_tree(to_regclass($1)) p)
                    """, arguments: [.text(table.qualifiedName)]))
        var hindrance: String?
        if case .text(let text) = row[0] { hindrance = text }
        return State(
            hindrance: hindrance, isNoted: row[1] == .integer(1), mayBegin: row[2] == .integer(1),
            isOwned: row[3] == .integer(1), number: number,
            tables: parts.compactMap {
                guard case .text(let name)? = $0.first else { return nil }
                return name
            })
    }

    private func begin(
        _ table: LoggedTable, _ state: State, _ connection: PostgresConnection
    ) throws {
        try connection.run("SET LOCAL lock_timeout = '\(Self.patience)'")
        let (rows, all) = (
            SQLName.quoted(LogTables.rowTrigger), SQLName.quoted(LogTables.truncationTrigger)
        )
        let arguments = [
            state.number, LoggedTable.array(table.key), LoggedTable.array(table.leftOut),
        ].map { SQLName.constant($0) }.joined(separator: ", ")
        let name = table.qualifiedName
        try connection.run("DROP TRIGGER IF EXISTS \(rows) ON \(name)")
        try connection.run(
            "CREATE TRIGGER \(rows) AFTER INSERT OR UPDATE OR DELETE ON \(name) FOR EACH ROW"
                + " EXECUTE FUNCTION \(LogTables.function("note_change"))(\(arguments))")
        for part in state.tables {
            try connection.run("DROP TRIGGER IF EXISTS \(all) ON \(part)")
            try connection.run(
                "CREATE TRIGGER \(all) BEFORE TRUNCATE ON \(part) FOR EACH STATEMENT EXECUTE"
                    + " FUNCTION \(LogTables.function("note_truncation"))('\(state.number)')")
        }
        // What replication brings is a change, too; that takes the owner.
        guard state.isOwned else { return }
        try connection.run("ALTER TABLE \(name) ENABLE ALWAYS TRIGGER \(rows)")
        for part in state.tables {
            try connection.run("ALTER TABLE \(part) ENABLE ALWAYS TRIGGER \(all)")
        }
    }

    /// How long the owner's transactions are waited for, while others wait behind.
    private static let patience = "5s"
    private static let lock = 7_236_837_450_082
}
