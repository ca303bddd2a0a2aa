import Foundation
import GRDB
import ODataText

/// The contents of streams as one database keeps them: their bytes in parts of one size, numbered by content and position,
/// so that neither memory nor a transaction ever holds a whole one.
///
/// The table of contents has the columns `id`, `length` and `state` beside what its owner notes; that of parts has `id` and
/// `bytes`. A content that is `arriving` takes parts; one that is `doomed` is deleted in slices. Lives as long as the access
/// to the database.
package struct ContentChunks {
    /// The names of the two tables.
    package struct Tables: Sendable {
        package let contents: String
        package let parts: String

        package init(contents: String, parts: String) {
            self.contents = contents
            self.parts = parts
        }
    }

    /// Bytes of each part but the last.
    package static let partSize = 256 << 10
    /// Positions of one content: 4 TiB.
    private static let positionBits: Int64 = 24

    package let database: Database
    private let tables: Tables

    package init(_ database: Database, _ tables: Tables) {
        self.database = database
        self.tables = tables
    }

    // MARK: Writing

    /// - Returns: False when the content was given up in the meantime.
    /// - Throws: `limitExceeded` behind the last position.
    package func append(
        _ bytes: ArraySlice<UInt8>, to content: Int64, position: Int64
    ) throws -> Bool {
        guard position < 1 << Self.positionBits else {
            throw ODataError(
                .limitExceeded, "Expected a stream of at most 4 TiB.", status: 413)
        }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO \(tables.parts) (id, bytes) SELECT ?, ? WHERE EXISTS"
                + " (SELECT 1 FROM \(tables.contents) WHERE id = ? AND state = 'arriving')")
        try statement.execute(arguments: [Self.id(content, position), Data(bytes), content])
        return database.changesCount > 0
    }

    package func setLength(_ length: Int64, of content: Int64) throws {
        try database.execute(
            sql: "UPDATE \(tables.contents) SET length = ? WHERE id = ?",
            arguments: [length, content])
    }

    // MARK: Reading

    /// The length that was set; 0 for a content that is not there.
    package func length(of content: Int64) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT length FROM \(tables.contents) WHERE id = ?",
            arguments: [content]) ?? 0
    }

    /// What has come of a content so far.
    package func extent(of content: Int64) throws -> (parts: Int64, bytes: Int64) {
        let first = Self.id(content, 0)
        let found = try Row.fetchOne(
            database,
            sql: "SELECT count(*), coalesce(sum(length(bytes)), 0) FROM \(tables.parts)"
                + " WHERE id >= ? AND id < ?",
            arguments: [first, first + (1 << Self.positionBits)])
        return found.map { ($0[0], $0[1]) } ?? (0, 0)
    }

    /// The bytes of one part; nil when the content was given up.
    package func part(_ position: Int64, of content: Int64) throws -> [UInt8]? {
        let statement = try database.cachedStatement(
            sql: "SELECT bytes FROM \(tables.parts) WHERE id = ?")
        return try Data.fetchOne(statement, arguments: [Self.id(content, position)])
            .map { Array($0) }
    }

    /// The first bytes of a range, as far as one part has them; nil when the content was given up.
    package func piece(_ range: Range<Int64>, of content: Int64) throws -> ArraySlice<UInt8>? {
        let size = Int64(Self.partSize)
        return try part(range.lowerBound / size, of: content).map {
            $0.dropFirst(Int(range.lowerBound % size)).prefix(
                Int(min(size, Int64(range.count))))
        }
    }

    // MARK: Deleting

    package func giveUp(_ content: Int64) throws {
        try database.execute(
            sql: "UPDATE \(tables.contents) SET state = 'doomed' WHERE id = ?",
            arguments: [content])
    }

    package func hasDoomed() throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(tables.contents) WHERE state = 'doomed')")
        return try Bool.fetchOne(statement) ?? false
    }

    /// Deletes at most `limit` parts of what was given up; false when nothing is left.
    package func sweep(limit: Int) throws -> Bool {
        let doomed = try Int64.fetchOne(
            database, sql: "SELECT id FROM \(tables.contents) WHERE state = 'doomed' LIMIT 1")
        guard let doomed else { return false }
        let first = Self.id(doomed, 0)
        try database.execute(
            sql: """
                DELETE FROM \(tables.parts) WHERE id IN (
                    SELECT id FROM \(tables.parts) WHERE id >= ? AND id < ? LIMIT ?)
                """, arguments: [first, first + (1 << Self.positionBits), limit])
        if database.changesCount < limit {
            try database.execute(
                sql: "DELETE FROM \(tables.contents) WHERE id = ?", arguments: [doomed])
        }
        return true
    }

    private static func id(_ content: Int64, _ position: Int64) -> Int64 {
        content << positionBits | position
    }
}
