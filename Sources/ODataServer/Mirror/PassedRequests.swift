import Foundation
import GRDB
import ODataQuery
import ODataText
import ODataWire

/// The requests that are on their way to the service that is mirrored under an identity, noted before they are sent.
///
/// One that is found here when its client sends it again has no answer yet: the proxy was ended, or the connection was,
/// before there was one. What has an answer is in the table of ``RepeatabilityStore``.
struct PassedRequests {
    let database: Database
    let identity: RepeatabilityHeaders
    let fingerprint: String

    static let schema = """
        CREATE TABLE IF NOT EXISTS _odata_passed (
            client_id TEXT NOT NULL, request_id TEXT NOT NULL, first_sent INTEGER NOT NULL,
            fingerprint TEXT NOT NULL, sent BLOB NOT NULL,
            PRIMARY KEY (client_id, request_id)) WITHOUT ROWID;
        """

    /// What was sent, or was about to be.
    struct Sent {
        var requests: [RequestMessage]
        /// What the rows were like before, as ``MirrorRows/digest(_:in:)`` tells; nil where nobody looked.
        var before: [String?]
    }

    private var name: StatementArguments {
        [identity.clientID ?? "", identity.requestID.lowercased()]
    }

    /// What was sent under the identity without an answer so far; nil where nothing was.
    ///
    /// - Throws: 400 where it was another request.
    func sent() throws -> Sent? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT fingerprint, sent FROM _odata_passed"
                + " WHERE client_id = ? AND request_id = ?",
            arguments: name)
        guard let row else { return nil }
        guard row.text("fingerprint") == fingerprint else {
            throw ODataError(
                ServiceCode.rejected, "Expected a new request identity for another request.",
                status: 400)
        }
        return try Self.decode(Array(Data.fromDatabaseValue(row["sent"]) ?? Data()))
    }

    /// Notes what is about to be sent. What is older than `oldest` is forgotten.
    ///
    /// - Throws: 503 where more is remembered than there is room for: what is remembered is not given up for it.
    func begin(_ sent: Sent, oldest: Int64, limit: Int) throws {
        try database.execute(
            sql: "DELETE FROM _odata_passed WHERE first_sent < ?", arguments: [oldest])
        let count =
            try database.integer(
                "SELECT (SELECT count(*) FROM _odata_passed)"
                    + " + (SELECT count(first_sent) FROM _odata_repeatability)") ?? 0
        guard count < limit else {
            throw ODataError(
                ServiceCode.overloaded,
                "Expected fewer requests that are to be remembered; nothing was done about this one.",
                status: 503)
        }
        try database.execute(
            sql: """
                INSERT INTO _odata_passed (client_id, request_id, first_sent, fingerprint, sent)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: name + [
                identity.firstSentSeconds, fingerprint, Data(Self.encode(sent)),
            ])
    }

    /// Nothing was done: the request may come again as a new one.
    func forget() throws {
        try database.execute(
            sql: "DELETE FROM _odata_passed WHERE client_id = ? AND request_id = ?",
            arguments: name)
    }

    /// Remembers the answers from now on.
    func answer(_ answers: [ResponseMessage]) throws {
        try forget()
        try RepeatabilityStore(
            database: database, identity: identity, fingerprint: fingerprint
        ).store(answers)
    }

    // MARK: As bytes

    /// A JSON array with method, URL, header fields, body and digest of each request.
    private static func encode(_ sent: Sent) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for (request, before) in zip(sent.requests, sent.before) {
            writer.beginArray()
            writer.string(request.method)
            writer.string(request.url)
            writer.beginArray()
            for field in request.headers.fields {
                writer.string(field.name)
                writer.string(field.value)
            }
            writer.endArray()
            writer.string(Base64.text(request.body, isPadded: false))
            writer.string(before ?? "")
            writer.endArray()
        }
        writer.endArray()
        return writer.bytes
    }

    private static func decode(_ bytes: [UInt8]) throws -> Sent {
        let damaged = ODataError(.storage, "Expected stored requests.", at: .path("_odata_passed"))
        guard let list = try JSONValue(parsing: bytes).array else { throw damaged }
        var sent = Sent(requests: [], before: [])
        for item in list {
            guard let parts = item.array, parts.count == 5, let method = parts[0].string,
                let url = parts[1].string, let fields = parts[2].array,
                fields.count.isMultiple(of: 2),
                let body = parts[3].string.flatMap({ Base64.bytes($0) })
            else { throw damaged }
            var headers = HeaderFields()
            for position in stride(from: 0, to: fields.count, by: 2) {
                headers.append(
                    name: fields[position].string ?? "", value: fields[position + 1].string ?? "")
            }
            sent.requests.append(
                RequestMessage(method: method, url: url, headers: headers, body: body))
            sent.before.append(parts[4].string.flatMap { $0.isEmpty ? nil : $0 })
        }
        return sent
    }
}
