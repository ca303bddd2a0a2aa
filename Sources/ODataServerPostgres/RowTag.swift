import ODataPostgres
import ODataSQL

/// The entity tag of a row: the number of the transaction that wrote it last, whoever that was.
///
/// No two states of a row that anybody sees have the same one, until the numbers of PostgreSQL begin anew (after four
/// thousand million transactions). Beside it stands which cluster counts: rows of a dump that was restored into another one are other
/// states, though numbers may be the same.
enum RowTag {
    /// The SQL of the tag, for statements that read a table.
    static func sql(_ connection: PostgresConnection) throws -> String {
        let cluster = try identifier(connection).map { String($0, radix: 36) + "-" } ?? ""
        return "('W/\"\(cluster)' || CAST(xmin AS text) || '\"')"
    }

    /// What `initdb` has drawn; nil where the user may not know it.
    private static func identifier(_ connection: PostgresConnection) throws -> UInt64? {
        let mayKnow = try connection.rows(
            SQLStatement(text: "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"))
        guard mayKnow.first?.first == .integer(1) else { return nil }
        let rows = try connection.rows(
            SQLStatement(text: "SELECT system_identifier FROM pg_control_system()"))
        guard case .integer(let number)? = rows.first?.first else { return nil }
        return UInt64(bitPattern: number)
    }
}
