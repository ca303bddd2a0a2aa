import Foundation
import GRDB
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Answers to repeatable requests, stored in the transaction of their effect (Repeatable Requests 1.0).
struct RepeatabilityStore {
    let database: Database
    let identity: RepeatabilityHeaders
    /// Tells whether a repeated request is the same: method, URL and body of each member.
    let fingerprint: String

    /// What a group of requests (or one) was answered the first time; nil when it was not seen yet.
    ///
    /// - Throws: 400 when the same identity stands for another request, 412 when it is older than what is remembered.
    func storedAnswers(now: Int64, remembered: Int64) throws -> [ResponseMessage]? {
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT fingerprint, answer FROM _odata_repeatability
                    WHERE client_id = ? AND request_id = ?
                    """),
            arguments: [identity.clientID ?? "", identity.requestID.lowercased()])
        let known = row.map { row in
            RememberedAnswer(
                fingerprint: row.text("fingerprint") ?? "",
                answer: Array(Data.fromDatabaseValue(row["answer"]) ?? Data()))
        }
        return try RememberedAnswer.answers(
            known, to: fingerprint, oldest: now - remembered, identity)
    }

    func store(_ answers: [ResponseMessage]) throws {
        try database.execute(
            sql: """
                INSERT INTO _odata_repeatability
                    (client_id, request_id, first_sent, fingerprint, answer) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                identity.clientID ?? "", identity.requestID.lowercased(),
                identity.firstSentSeconds, fingerprint, Data(StoredAnswers.encode(answers)),
            ])
    }

    /// Forgets what is older than `instant`, so many answers at once.
    ///
    /// - Returns: False where more of them are left.
    static func purge(_ database: Database, before instant: Int64, atMost count: Int) throws
        -> Bool
    {
        try database.execute(
            sql: """
                DELETE FROM _odata_repeatability WHERE (client_id, request_id) IN (
                    SELECT client_id, request_id FROM _odata_repeatability
                    WHERE first_sent < ? LIMIT ?)
                """, arguments: [instant, count])
        return database.changesCount < count
    }

    /// Method, URL and body of each request, one after the other. The URL is that below the root: a request that was sent in a
    /// batch, where it is relative, may come again by itself.
    static func fingerprint(of members: [GroupMember]) -> String {
        members.map { member in
            let request = member.request
            return "\(request.method) \(member.address.relativeURL) \(request.body.count) "
                + Fingerprint.text(of: request.body)
        }.joined(separator: "\n")
    }
}

/// What a database has of a request that was carried out.
package struct RememberedAnswer: Sendable, Hashable {
    package var fingerprint: String
    package var answer: [UInt8]

    package init(fingerprint: String, answer: [UInt8]) {
        self.fingerprint = fingerprint
        self.answer = answer
    }

    /// What a request is answered again; nil where it was not seen yet.
    ///
    /// - Parameter oldest: what was sent before that, in seconds, is not remembered any more.
    /// - Throws: 400 when the same identity stands for another request, 412 when it is older than what is remembered.
    static func answers(
        _ known: RememberedAnswer?, to fingerprint: String, oldest: Int64,
        _ identity: RepeatabilityHeaders
    ) throws -> [ResponseMessage]? {
        guard let known else {
            guard identity.firstSentSeconds >= oldest else {
                throw ODataError(
                    ServiceCode.forgotten,
                    "Expected a request that is not older than what the service remembers.",
                    status: 412)
            }
            return nil
        }
        guard known.fingerprint == fingerprint else {
            throw ODataError(
                ServiceCode.rejected,
                "Expected a new request identity for another request.", status: 400)
        }
        return try StoredAnswers.decode(known.answer)
    }
}

/// Answers as bytes: a JSON array of status, headers and base64 body.
enum StoredAnswers {
    static func encode(_ answers: [ResponseMessage]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for answer in answers {
            writer.beginArray()
            writer.integer(Int64(answer.status))
            writer.beginArray()
            for field in answer.headers.fields {
                writer.string(field.name)
                writer.string(field.value)
            }
            writer.endArray()
            writer.string(Base64.text(answer.body, isPadded: false))
            writer.endArray()
        }
        writer.endArray()
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> [ResponseMessage] {
        let damaged = ODataError(
            .storage, "Expected stored answers.", at: .path("_odata_repeatability"))
        guard let list = try JSONValue(parsing: bytes).array else { throw damaged }
        return try list.map { item in
            guard let parts = item.array, parts.count == 3, let fields = parts[1].array,
                fields.count.isMultiple(of: 2), let status = parts[0].number.flatMap({ Int($0) }),
                let body = parts[2].string.flatMap({ Base64.bytes($0) })
            else { throw damaged }
            var headers = HeaderFields()
            for position in stride(from: 0, to: fields.count, by: 2) {
                headers.append(
                    name: fields[position].string ?? "", value: fields[position + 1].string ?? "")
            }
            return ResponseMessage(status: status, headers: headers, body: body)
        }
    }
}
