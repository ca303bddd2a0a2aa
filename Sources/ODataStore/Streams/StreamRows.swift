import GRDB
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

/// What the store knows of one content of a stream.
package struct StoredStream: Sendable, Hashable {
    /// Rises with each content and is never reused; a content never changes.
    package var id: Int64
    /// The request that brings the content to the service; nil for what the service has.
    package var request: Int64?
    package var mediaType: String?
    package var fileName: String?
    /// The tag of the content at the service; nil for content that it does not have yet.
    package var etag: String?
    package var length: Int64
    /// The content is removed here, and its removal waits.
    package var isGone: Bool
}

/// Content that comes from the service.
package struct ArrivingStream: Sendable, Hashable {
    package var row: RowReference
    /// Nil for the media stream.
    package var property: String?
    package var mediaType: String?
    /// What tells later whether the rest belongs to the beginning; nil where nothing does.
    package var etag: String?

    package init(row: RowReference, property: String?, mediaType: String?, etag: String?) {
        self.row = row
        self.property = property
        self.mediaType = mediaType
        self.etag = etag
    }
}

/// The beginning of a content whose download broke off.
package struct PartialStream: Sendable, Hashable {
    package var id: Int64
    package var etag: String
    package var partCount: Int64
    package var length: Int64
}

/// The contents of streams in `_odata_stream`, their bytes in `_odata_stream_part`; see `docs/store-format.md`.
///
/// A row's stream has at most one content that the service has, and one per waiting request; the last one counts.
struct StreamRows {
    let database: Database

    /// The bytes of the contents.
    var chunks: ContentChunks {
        ContentChunks(
            database, ContentChunks.Tables(contents: "_odata_stream", parts: "_odata_stream_part"))
    }

    // MARK: Schema

    static let tables = [
        """
        CREATE TABLE _odata_stream (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            "table" TEXT NOT NULL DEFAULT '',
            "row" INTEGER NOT NULL DEFAULT 0,
            property TEXT NOT NULL DEFAULT '',
            request INTEGER,
            media_type TEXT,
            file_name TEXT,
            etag TEXT,
            length INTEGER NOT NULL DEFAULT 0,
            state TEXT NOT NULL
        )
        """,
        """
        CREATE INDEX _odata_stream_of_row
            ON _odata_stream ("table", "row", property)
        """,
        """
        CREATE INDEX _odata_stream_of_request
            ON _odata_stream (request) WHERE request IS NOT NULL
        """,
        """
        CREATE INDEX _odata_stream_to_delete
            ON _odata_stream (state) WHERE state = 'doomed'
        """,
        """
        CREATE TABLE _odata_stream_part (
            id INTEGER PRIMARY KEY,
            bytes BLOB NOT NULL
        )
        """,
    ]

    /// Whether there is anything for ``giveUpUnfinished()`` to do.
    var hasUnfinished: Bool {
        get throws {
            try Int64.fetchOne(
                database,
                sql: "SELECT 1 FROM _odata_stream WHERE state = 'arriving' AND etag IS NULL LIMIT 1"
            ) != nil
        }
    }

    /// Gives up what was on its way from the app when the store was last closed; what came from the service can be gone
    /// on with, as its tag tells whether it is still the same.
    func giveUpUnfinished() throws {
        try database.execute(
            sql: "UPDATE _odata_stream SET state = 'doomed'"
                + " WHERE state = 'arriving' AND etag IS NULL")
    }

    /// Lets contents go with their row.
    private func watch(_ table: TableMapping) throws {
        guard let id = table.system.id else { return }
        try database.execute(
            sql: """
                CREATE TRIGGER IF NOT EXISTS \(SQLName.quoted("_odata_stream_of_" + table.name))
                AFTER DELETE ON \(SQLName.quoted(table.name)) BEGIN
                    UPDATE _odata_stream SET state = 'doomed', request = NULL
                        WHERE "table" = \(SQLName.constant(table.path))
                            AND "row" = OLD.\(SQLName.quoted(id));
                END
                """)
    }

    // MARK: Contents

    func begin(mediaType: String?, fileName: String?) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO _odata_stream (media_type, file_name, state)"
                + " VALUES (?, ?, 'arriving')", arguments: [mediaType, fileName])
        return database.lastInsertedRowID
    }

    /// Begins content that comes from the service; what came of an earlier one is given up.
    func begin(_ arrival: ArrivingStream, in table: TableMapping) throws -> Int64 {
        try watch(table)
        try giveUpArriving(arrival.row, arrival.property)
        let content = try begin(mediaType: arrival.mediaType, fileName: nil)
        try database.execute(
            sql: """
                UPDATE _odata_stream SET "table" = ?, "row" = ?, property = ?, etag = ? WHERE id = ?
                """,
            arguments: [
                arrival.row.table, arrival.row.id, arrival.property ?? "", arrival.etag, content,
            ])
        return content
    }

    /// What came of a content before its download broke off; nil where there is nothing to go on with.
    func partial(_ row: RowReference, _ property: String?) throws -> PartialStream? {
        let found = try Row.fetchOne(
            database,
            sql: """
                SELECT id, etag FROM _odata_stream WHERE "table" = ? AND "row" = ?
                    AND property = ? AND state = 'arriving' AND etag IS NOT NULL
                """, arguments: [row.table, row.id, property ?? ""])
        guard let found else { return nil }
        let (count, length) = try chunks.extent(of: found["id"])
        guard count > 0, length == count * Int64(ContentChunks.partSize) else { return nil }
        return PartialStream(
            id: found["id"], etag: found["etag"], partCount: count, length: length)
    }

    // MARK: Whose content it is

    /// The content that a request brings to the service.
    func assign(
        _ content: Int64, to row: RowReference, _ property: String?, request: Int64,
        in table: TableMapping
    ) throws {
        try watch(table)
        try database.execute(
            sql: """
                UPDATE _odata_stream SET "table" = ?, "row" = ?, property = ?, request = ?,
                    state = 'whole' WHERE id = ? AND state = 'arriving'
                """,
            arguments: [row.table, row.id, property ?? "", request, content])
        guard database.changesCount == 1 else {
            throw ODataError(.storage, "Expected the content as it was stored, found it given up.")
        }
    }

    /// A request takes the content away.
    func remove(
        _ row: RowReference, _ property: String?, request: Int64, in table: TableMapping
    ) throws {
        let content = try begin(mediaType: nil, fileName: nil)
        try assign(content, to: row, property, request: request, in: table)
        try database.execute(
            sql: "UPDATE _odata_stream SET state = 'gone' WHERE id = ?", arguments: [content])
    }

    /// The service has this content now; what it had before is given up.
    func adopt(
        _ content: Int64, as row: RowReference, _ property: String?, etag: String?,
        in table: TableMapping
    ) throws {
        try watch(table)
        try giveUpBase(of: row, property)
        try database.execute(
            sql: """
                UPDATE _odata_stream SET "table" = ?, "row" = ?, property = ?, request = NULL,
                    etag = ?, state = 'whole' WHERE id = ? AND state = 'arriving'
                """,
            arguments: [row.table, row.id, property ?? "", etag, content])
    }

    /// The service accepted what the request brought.
    func settle(request: Int64, etag: String?) throws {
        guard
            let found = try Row.fetchOne(
                database, sql: "SELECT * FROM _odata_stream WHERE request = ?",
                arguments: [request])
        else { return }
        let property: String = found["property"]
        try giveUpBase(of: RowReference(table: found["table"], id: found["row"]), property)
        let isGone = found["state"] as String == "gone"
        try database.execute(
            sql: "UPDATE _odata_stream SET request = NULL, etag = ?, state = ? WHERE id = ?",
            arguments: [etag, isGone ? "doomed" : "whole", found["id"] as Int64])
    }

    /// What the service had is no longer there.
    func giveUpBase(of row: RowReference, _ property: String?) throws {
        try database.execute(
            sql: """
                UPDATE _odata_stream SET state = 'doomed' WHERE "table" = ? AND "row" = ?
                    AND property = ? AND request IS NULL AND state = 'whole'
                """, arguments: [row.table, row.id, property ?? ""])
    }

    /// The contents of `row` belong to another row of its table, which keeps its own where the service has both.
    func move(_ row: RowReference, to id: Int64) throws {
        try giveUpDoubles(of: row, where: id)
        try database.execute(
            sql: """
                UPDATE _odata_stream SET "row" = ? WHERE "table" = ? AND "row" = ?
                    AND state <> 'doomed'
                """, arguments: [id, row.table, row.id])
    }

    private func giveUpDoubles(of row: RowReference, where id: Int64) throws {
        try database.execute(
            sql: """
                UPDATE _odata_stream AS other SET state = 'doomed'
                    WHERE "table" = ? AND "row" = ? AND request IS NULL AND EXISTS (
                        SELECT 1 FROM _odata_stream AS own WHERE own."table" = other."table"
                            AND own."row" = ? AND own.property = other.property
                            AND own.request IS NULL AND own.state = 'whole')
                """, arguments: [row.table, row.id, id])
    }

    /// What has come of a content so far is of no use any more.
    func giveUpArriving(_ row: RowReference, _ property: String?) throws {
        try database.execute(
            sql: """
                UPDATE _odata_stream SET state = 'doomed' WHERE "table" = ? AND "row" = ?
                    AND property = ? AND state = 'arriving'
                """, arguments: [row.table, row.id, property ?? ""])
    }

    /// The request left the queue without its content having been accepted.
    func giveUp(request: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE _odata_stream SET state = 'doomed', request = NULL WHERE request = ?")
        try statement.execute(arguments: [request])
    }

    // MARK: Reading

    /// The content as reads see it: that of the last waiting request, or what the service has.
    func visible(_ row: RowReference, _ property: String?) throws -> StoredStream? {
        try fetch(
            """
            "table" = ? AND "row" = ? AND property = ? AND state IN ('whole', 'gone')
            ORDER BY request IS NULL, request DESC LIMIT 1
            """, [row.table, row.id, property ?? ""])
    }

    /// The content that the service has.
    func base(_ row: RowReference, _ property: String?) throws -> StoredStream? {
        try fetch(
            """
            "table" = ? AND "row" = ? AND property = ? AND request IS NULL AND state = 'whole'
            """, [row.table, row.id, property ?? ""])
    }

    func content(ofRequest request: Int64) throws -> StoredStream? {
        try fetch("request = ?", [request])
    }

    private func fetch(
        _ condition: String, _ arguments: StatementArguments
    ) throws -> StoredStream? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM _odata_stream WHERE " + condition)
        return try Row.fetchOne(statement, arguments: arguments).map { row in
            StoredStream(
                id: row["id"], request: row["request"], mediaType: row["media_type"],
                fileName: row["file_name"], etag: row["etag"], length: row["length"],
                isGone: row["state"] as String == "gone")
        }
    }
}
