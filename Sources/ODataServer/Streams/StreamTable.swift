import GRDB
import ODataSQLite
import ODataText

/// Contents in chunks, inside one database access.
struct StreamTable {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The bytes of the contents.
    var chunks: ContentChunks { ContentChunks(database, StreamSchema.names) }

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

    /// - Throws: `storage` when the content was given up in the meantime.
    func append(_ bytes: ArraySlice<UInt8>, to stream: Int64, position: Int64) throws {
        guard try chunks.append(bytes, to: stream, position: position) else {
            throw ODataError(
                .storage, "Expected the content as it was stored, found it given up.")
        }
    }

    func finish(_ stream: Int64, length: Int64) throws {
        try database.execute(
            sql: "UPDATE _odata_streams SET length = ?, state = 'whole' WHERE id = ?",
            arguments: [length, stream])
    }

    /// A whole content of bytes that are in memory.
    func insert(_ bytes: [UInt8], mediaType: String) throws -> Int64 {
        let stream = try begin(mediaType: mediaType)
        var cutter = ContentCutter()
        cutter.append(bytes)
        _ = try cutter.cut(isAtEnd: true) { part, position in
            try append(part, to: stream, position: position)
            return true
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

    /// Everything that was on its way when the service ended.
    func giveUpArriving() throws {
        try database.execute(
            sql: "UPDATE _odata_streams SET state = 'doomed' WHERE state = 'arriving'")
    }

    /// Deletes content that nothing holds any more, in slices that keep other writers waiting for a moment only.
    static func sweep(_ pool: DatabasePool) throws {
        guard try pool.read({ try StreamTable($0).chunks.hasDoomed() }) else { return }
        while try pool.write({ try StreamTable($0).chunks.sweep(limit: 32) }) {}
    }
}
