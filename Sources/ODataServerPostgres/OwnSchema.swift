import ODataPostgres
import ODataSQL
import ODataText

/// The schema that has everything of ours in a database; `DROP SCHEMA _odata CASCADE` takes it away again.
enum OwnSchema {
    static let name = "_odata"
    static let quotedName = SQLName.quoted(name)

    private static let tables = [AnswerMemory.table] + LogTables.definitions

    /// Makes the functions of our SQL and our tables, unless they are there as they are now.
    static func prepare(_ connection: PostgresConnection) throws {
        let version = Fingerprint.text(
            of: Array((PostgreSQLFunctions.definitions + tables).joined().utf8))
        guard try known(connection) != version else { return }
        // Processes that start together would stand in each other's way.
        try connection.run("SELECT pg_advisory_xact_lock(7236837450081)")
        guard try known(connection) != version else { return }
        try connection.run("CREATE SCHEMA IF NOT EXISTS \(quotedName)")
        try connection.run("GRANT USAGE ON SCHEMA \(quotedName) TO PUBLIC")
        for definition in PostgreSQLFunctions.definitions { try connection.run(definition) }
        for definition in tables { try connection.run(definition) }
        try connection.run("COMMENT ON SCHEMA \(quotedName) IS '\(version)'")
    }

    /// What the functions are that are there; nil where there are none.
    private static func known(_ connection: PostgresConnection) throws -> String? {
        let rows = try connection.rows(
            SQLStatement(
                text: "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace"
                    + " WHERE nspname = $1", arguments: [.text(name)]))
        guard case .text(let text)? = rows.first?.first else { return nil }
        return text
    }
}
