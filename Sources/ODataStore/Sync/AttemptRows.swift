import Foundation
import GRDB
import ODataQuery
import ODataSyncPlan
import ODataText

/// Frozen attempts in `_odata_attempt`.
struct AttemptRows {
    let database: Database

    func all() throws -> [Attempt] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM _odata_attempt ORDER BY id")
        ).map(attempt)
    }

    /// The attempt without its body, which nothing needs that is not sent.
    func outline(_ id: Int64) throws -> Attempt? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id, method, url, headers, x'' AS body, members, frozen_at, send_count"
                    + " FROM _odata_attempt WHERE id = ?"), arguments: [id]
        ).map(attempt)
    }

    /// Takes a place; the attempt is written with ``fill(_:)``.
    func reserve(at time: Int64) throws -> Int64 {
        try execute(
            "INSERT INTO _odata_attempt (method, url, body, members, frozen_at)"
                + " VALUES ('', '', x'', '[]', ?)", [time])
        return database.lastInsertedRowID
    }

    func fill(_ attempt: Attempt) throws {
        try execute(
            "UPDATE _odata_attempt SET method = ?, url = ?, headers = ?, body = ?,"
                + " members = ? WHERE id = ?",
            [
                attempt.message.method, attempt.message.url,
                RequestJSON.text(attempt.message.headers), Data(attempt.message.body),
                Self.text(attempt.members), attempt.id,
            ])
    }

    func noteSending(_ id: Int64) throws {
        try execute("UPDATE _odata_attempt SET send_count = send_count + 1 WHERE id = ?", [id])
    }

    /// The requests in an attempt.
    func members(of id: Int64) throws -> [Int64] {
        let text = try String.fetchOne(
            database, sql: "SELECT members FROM _odata_attempt WHERE id = ?", arguments: [id])
        return try text.map { try Self.members($0).map(\.request) } ?? []
    }

    /// Whether the attempt is there, and may be sent as it was frozen.
    func isWhole(_ id: Int64) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT url <> '' FROM _odata_attempt WHERE id = ?", arguments: [id])
            ?? false
    }

    /// How many sendings of it have no answer; none where there is no such attempt.
    func sendCount(of id: Int64) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT send_count FROM _odata_attempt WHERE id = ?", arguments: [id])
            ?? 0
    }

    func setSendCount(_ count: Int, of id: Int64) throws {
        try execute("UPDATE _odata_attempt SET send_count = ? WHERE id = ?", [count, id])
    }

    func remove(_ id: Int64) throws {
        try execute("DELETE FROM _odata_attempt WHERE id = ?", [id])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private func attempt(_ row: Row) throws -> Attempt {
        let body: Data = row["body"]
        return Attempt(
            id: row["id"],
            message: RequestMessage(
                method: row["method"], url: row["url"],
                headers: try RequestJSON.headers(row["headers"]), body: Array(body)),
            members: try Self.members(row["members"]), frozenAt: row["frozen_at"],
            sendCount: row["send_count"])
    }

    private static func text(_ members: [Attempt.Member]) -> String {
        var writer = JSONWriter()
        writer.beginArray()
        for member in members {
            writer.beginObject()
            writer.name("request")
            writer.integer(member.request)
            if let id = member.contentID {
                writer.name("contentID")
                writer.string(id)
            }
            if let changeSet = member.changeSet {
                writer.name("changeSet")
                writer.integer(Int64(changeSet))
            }
            writer.name("part")
            writer.integer(Int64(member.part))
            if !member.isIdentified {
                writer.name("identified")
                writer.boolean(false)
            }
            writer.endObject()
        }
        writer.endArray()
        return writer.text
    }

    private static func members(_ text: String) throws -> [Attempt.Member] {
        try (try JSONValue(parsing: text).array ?? []).map { json in
            guard let request = json["request"]?.number.flatMap({ Int64($0) }) else {
                throw ValueJSON.damaged()
            }
            return Attempt.Member(
                request: request, contentID: json["contentID"]?.string,
                changeSet: json["changeSet"]?.number.flatMap { Int($0) },
                part: json["part"]?.number.flatMap { Int($0) } ?? 0,
                isIdentified: json["identified"]?.boolean ?? true)
        }
    }
}
