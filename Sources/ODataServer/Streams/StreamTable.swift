import Foundation
import GRDB
import ODataText

/// Contents in chunks, inside one database access.
struct StreamTable {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// What is known about a content.
    struct Facts: Sendable, Hashable {
        var id: Int64
        var mediaType: String
        var length: Int64
    }

    /// A new content without bytes, which is given up at the next start unless it becomes whole.
    func begin(mediaType: String) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO _odata_streams (media_type, state) VALUES (?, 'arriving')",
            arguments: [mediaType])
        return database.lastInsertedRowID
    }

    func append(_ bytes: some Collection<UInt8>, to stream: Int64, position: Int64) throws {
        guard position < 1 << StreamSchema.positionBits else {
            throw ODataError(.limitExceeded, "Expected a smaller stream.", status: 413)
        }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO _odata_stream_parts (id, bytes) VALUES (?, ?)")
        try statement.execute(
            arguments: [stream << StreamSchema.positionBits | position, Data(bytes)])
    }

    func finish(_ stream: Int64, length: Int64) throws {
        try database.execute(
            sql: "UPDATE _odata_streams SET length = ?, state = 'whole' WHERE id = ?",
            arguments: [length, stream])
    }

    /// A whole content of bytes that are in memory.
    func insert(_ bytes: [UInt8], mediaType: String) throws -> Int64 {
        let stream = try begin(mediaType: mediaType)
        var position: Int64 = 0
        for start in stride(from: 0, to: bytes.count, by: StreamSchema.partSize) {
            try append(
                bytes[start..<min(start + StreamSchema.partSize, bytes.count)], to: stream,
                position: position)
            position += 1
        }
        try finish(stream, length: Int64(bytes.count))
        return stream
    }

    func facts(_ stream: Int64) throws -> Facts? {
        let statement = try database.cachedStatement(
            sql: "SELECT media_type, length FROM _odata_streams WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [stream]) else { return nil }
        return Facts(id: stream, mediaType: row[0], length: row[1])
    }

    /// The bytes of one part; nil when the content was given up.
    func part(_ position: Int64, of stream: Int64) throws -> [UInt8]? {
        let statement = try database.cachedStatement(
            sql: "SELECT bytes FROM _odata_stream_parts WHERE id = ?")
        return try Data.fetchOne(
            statement, arguments: [stream << StreamSchema.positionBits | position]
        ).map { Array($0) }
    }

    func giveUp(_ stream: Int64) throws {
        try database.execute(
            sql: "UPDATE _odata_streams SET state = 'doomed' WHERE id = ?", arguments: [stream])
    }

    /// Everything that was on its way when the service ended.
    func giveUpArriving() throws {
        try database.execute(
            sql: "UPDATE _odata_streams SET state = 'doomed' WHERE state = 'arriving'")
    }

    var hasDoomed: Bool {
        get throws {
            try Bool.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM _odata_streams WHERE state = 'doomed')"))
                ?? false
        }
    }

    /// Deletes at most `limit` parts of what was given up; false when nothing is left.
    func sweep(limit: Int = 32) throws -> Bool {
        let doomed = try Int64.fetchOne(
            database, sql: "SELECT id FROM _odata_streams WHERE state = 'doomed' LIMIT 1")
        guard let doomed else { return false }
        let first = doomed << StreamSchema.positionBits
        try database.execute(
            sql: """
                DELETE FROM _odata_stream_parts WHERE id IN (
                    SELECT id FROM _odata_stream_parts WHERE id >= ? AND id < ? LIMIT ?)
                """,
            arguments: [first, first + (1 << StreamSchema.positionBits), limit])
        if database.changesCount < limit {
            try database.execute(
                sql: "DELETE FROM _odata_streams WHERE id = ?", arguments: [doomed])
        }
        return true
    }
}
