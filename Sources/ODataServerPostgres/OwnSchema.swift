import ODataPostgres
import ODataSQL
import ODataText

/// The schema that has everything of ours in a database; `DROP SCHEMA _odata CASCADE` takes it away again.
enum OwnSchema {
    static let name = "_odata"
    static let quotedName = SQLName.quoted(name)

    /// Makes the functions of our SQL, unless they are there as they are now.
    static func prepare(_ connection: PostgresConnection) throws {
        let version = Fingerprint.text(
            of: Array(PostgreSQLFunctions.definitions.joined().utf8))
        guard try known(connection) != version else { return }
        // Processes that start together would stand in each other's way.
        try connection.run("SELECT pg_advisory_xact_lock(7236837450081)")
        guard try known(connection) != version else { return }
        try connection.run("CREATE SCHEMA IF NOT EXISTS \(quotedName)")
        try connection.run("GRANT USAGE ON SCHEMA \(quotedName) TO PUBLIC")
        for definition in PostgreSQLFunctions.definitions { try connection.run(definition) }
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

/// What failures of the database mean to who asked the service.
enum Failure {
    static func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgresError {
            throw translated(error)
        }
    }

    private static func translated(_ error: PostgresError) -> ODataError {
        func answer(_ code: String, _ text: String, _ status: Int) -> ODataError {
            ODataError(ODataError.Code(code), text, status: status, underlying: error)
        }
        switch error.kind {
        case .tooSlow, .cancelled:
            return answer(
                "deadlineExceeded",
                "Expected a request that is answered sooner; it was ended, and nothing of it stays.",
                503)
        case .exhausted:
            return answer(
                "serviceOverloaded", "Expected fewer requests at a time, no connection was free.",
                503)
        case .unreachable, .lost:
            return answer(
                "databaseUnreachable", "Expected the database to be there; try again later.", 503)
        case .address: return ODataError(.usage, error.message, underlying: error)
        case .unreadable: return ODataError(.storage, error.message, underlying: error)
        case .refused: break
        }
        if error.isShutdown {
            return answer(
                "databaseUnreachable", "Expected the database to be there; try again later.", 503)
        }
        switch error.sqlState?.prefix(2) {
        // Divisions by zero, numbers beyond their type, texts with U+0000.
        case "22": return ODataError(.invalidValue, error.message, status: 400, underlying: error)
        case "54":
            return ODataError(
                .limitExceeded, "Expected a query within the database's limits.", status: 400,
                underlying: error)
        default: return ODataError(.storage, error.message, underlying: error)
        }
    }
}
