import ODataPostgres
import ODataSQL

/// What tells the log of a table from all others, and from what it was before something was not noted.
enum LogIdentity {
    /// The database, and the log in it: neither survives a dump.
    static let place = """
        concat_ws('-', (SELECT oid FROM pg_database WHERE datname = current_database()),
            CAST(CAST('\(LogTables.changes)' AS regclass) AS oid))
        """

    /// What `initdb` has drawn, which nobody but who may know it compares.
    static let system = "(SELECT CAST(system_identifier AS text) FROM pg_control_system())"

    /// A cluster that was taken back to an earlier time, and one that went on where another one failed, count on
    /// along a new line, on which numbers may stand for other transactions.
    private static func timeline(knowsSystem: Bool) -> String {
        let replica =
            knowsSystem
            ? "(SELECT upper(lpad(to_hex(timeline_id), 8, '0')) FROM pg_control_checkpoint())"
            : "'replica'"
        return "CASE WHEN pg_is_in_recovery() THEN \(replica)"
            + " ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END"
    }

    /// The tables that `c` has for parts, and itself.
    private static let parts =
        "SELECT c.oid UNION SELECT CAST(p.relid AS oid) FROM pg_partition_tree(c.oid) p"

    /// Whether the user may know what ``system`` says.
    static func knowsSystem(_ connection: PostgresConnection) throws -> Bool {
        let rows = try connection.rows(
            SQLStatement(text: "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"))
        return rows.first?.first == .integer(1)
    }

    /// The statement that gives the name of a table's log and the transaction's snapshot; no row where changes of the table are
    /// not noted now. `$1` is the table.
    static func statement(knowsSystem: Bool) -> String {
        """
        SELECT left(encode(sha256(convert_to(concat_ws('/', m.system, m.place, c.oid,
                \(timeline(knowsSystem: knowsSystem)), t.list, \(partList)), 'UTF8')), 'hex'), 16),
            CAST(pg_current_snapshot() AS text)
        FROM pg_class c
            CROSS JOIN (SELECT max(value) FILTER (WHERE name = 'place') AS place,
                max(value) FILTER (WHERE name = 'system') AS system FROM \(LogTables.meta)) m
            CROSS JOIN LATERAL (
                SELECT string_agg(concat_ws(':', g.tgrelid, g.oid, g.xmin, g.tgenabled), ','
                        ORDER BY g.tgrelid, g.oid) AS list,
                    bool_and(g.tgenabled IN ('O', 'A')) AS is_on,
                    count(*) FILTER (WHERE g.tgrelid = c.oid) AS count
                FROM pg_trigger g WHERE g.tgrelid IN (\(parts)) AND g.tgname IN
                    ('\(LogTables.rowTrigger)', '\(LogTables.truncationTrigger)')) t
        WHERE c.oid = to_regclass($1) AND t.is_on AND t.count = 2 AND m.place = \(place)
            AND (\(knowsSystem ? "m.system = \(system)" : "TRUE")) AND (\(hindrance)) IS NULL
        """
    }

    /// Parts that came and went took rows along of which nothing is noted; one that came later has no trigger for `TRUNCATE`, but
    /// a file, which that exchanges.
    private static let partList = """
        (SELECT string_agg(concat_ws(':', CAST(p.relid AS oid), CASE WHEN p.isleaf AND NOT EXISTS (
                SELECT FROM pg_trigger g WHERE g.tgrelid = p.relid
                    AND g.tgname = '\(LogTables.truncationTrigger)')
                THEN pg_relation_filenode(p.relid) END), ',' ORDER BY CAST(p.relid AS oid))
            FROM pg_partition_tree(c.oid) p WHERE c.relkind = 'p')
        """

    /// Why changes of the table `c` cannot be told, as the end of a sentence; null where they can.
    static let hindrance = """
        CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'it has no rows of its own'
            WHEN c.relpersistence <> 'p' THEN 'it is not logged, and empty after a crash'
            WHEN row_security_active(c.oid) THEN 'policies decide which of its rows are seen'
            WHEN c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid)
                THEN 'other tables inherit from it'
            WHEN EXISTS (SELECT FROM pg_partition_tree(c.oid) p JOIN pg_class f ON f.oid = p.relid
                WHERE f.relkind = 'f') THEN 'parts of it are foreign tables'
        END
        """

    /// Whether the triggers of the table `c` are there as they are to be; `$2` are the columns that name rows, `$3` those that are left
    /// out, as texts of arrays.
    static let hasTriggers = """
        EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = '\(LogTables.rowTrigger)'
            AND g.tgenabled IN ('O', 'A') AND g.tgfoid = CAST('\(LogTables.function("note_change"))()'
                AS regprocedure)
            AND g.tgargs = convert_to(CAST(c.oid AS text), 'UTF8') || '\\x00'
                || convert_to($2, getdatabaseencoding()) || '\\x00'
                || convert_to($3, getdatabaseencoding()) || '\\x00')
            AND NOT EXISTS (SELECT FROM (\(parts)) p WHERE NOT EXISTS (SELECT FROM pg_trigger g
                WHERE g.tgrelid = p.oid AND g.tgname = '\(LogTables.truncationTrigger)'
                AND g.tgenabled IN ('O', 'A') AND g.tgargs = convert_to(CAST(c.oid AS text), 'UTF8')
                    || '\\x00'))
        """

    /// Whether what names the rows of `c` is checked at the end of transactions only, which so may note their changes in another order.
    static let hasLateKey = """
        EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u')
            AND k.condeferrable AND ARRAY(SELECT CAST(a.attname AS text) FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey)) <@ CAST($2 AS text[]))
        """
}
