import ODataPostgres
import ODataSQL
import ODataServer
import ODataWire

/// Answers to repeatable requests, in the transaction of their effect: the first to insert an identity works, others wait at
/// its unique index and, run again, find the answer.
struct AnswerMemory {
    let connection: PostgresConnection

    private static let name = "\(OwnSchema.quotedName).repeatability"

    /// For its owner alone, as answers hold rows: who lets another user serve grants it to that one.
    static let table = """
        CREATE TABLE IF NOT EXISTS \(name) (
            client_id text NOT NULL,
            request_id text NOT NULL,
            first_sent bigint NOT NULL,
            fingerprint text NOT NULL,
            answer bytea,
            PRIMARY KEY (client_id, request_id)
        );
        CREATE INDEX IF NOT EXISTS repeatability_by_age ON \(name) (first_sent)
        """

    /// Whether the user may do everything that is done here.
    func isOpen() throws -> Bool {
        let rights = ["SELECT", "INSERT", "UPDATE", "DELETE"].map {
            "has_table_privilege(to_regclass('\(Self.name)'), '\($0)')"
        }
        let rows = try connection.rows(
            SQLStatement(text: "SELECT \(rights.joined(separator: " AND "))"))
        return rows.first?.first == .integer(1)
    }

    func recall(
        _ identity: RepeatabilityHeaders, fingerprint: String
    ) throws -> RememberedAnswer? {
        let key = Self.key(identity)
        let rows = try connection.rows(
            SQLStatement(
                text: "SELECT fingerprint, answer FROM \(Self.name)"
                    + " WHERE client_id = $1 AND request_id = $2", arguments: key))
        if let row = rows.first, case .text(let known) = row[0], case .blob(let answer) = row[1] {
            return RememberedAnswer(fingerprint: known, answer: answer)
        }
        // One that came meanwhile is SQLSTATE 40001.
        _ = try connection.answer(
            SQLStatement(
                text: "INSERT INTO \(Self.name) (client_id, request_id, first_sent, fingerprint)"
                    + " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                arguments: key + [.integer(identity.firstSentSeconds), .text(fingerprint)]))
        return nil
    }

    func remember(_ answer: [UInt8], to identity: RepeatabilityHeaders) throws {
        _ = try connection.answer(
            SQLStatement(
                text: "UPDATE \(Self.name) SET answer = $3"
                    + " WHERE client_id = $1 AND request_id = $2",
                arguments: Self.key(identity) + [.blob(answer)]))
    }

    /// What others forget just now is left to them.
    func forget(sentBefore instant: Int64) throws {
        _ = try connection.answer(
            SQLStatement(
                text: "DELETE FROM \(Self.name) WHERE ctid = ANY (ARRAY(SELECT ctid"
                    + " FROM \(Self.name) WHERE first_sent < $1 LIMIT 1000"
                    + " FOR UPDATE SKIP LOCKED))", arguments: [.integer(instant)]))
    }

    private static func key(_ identity: RepeatabilityHeaders) -> [SQLArgument] {
        [.text(identity.clientID ?? ""), .text(identity.requestID.lowercased())]
    }
}
