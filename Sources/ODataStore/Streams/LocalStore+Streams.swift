import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText
import ODataWorld

/// Contents of media entities and stream properties.
extension LocalStore {
    /// Stores a content of the app part by part, each in a commit of its own; nobody sees it before it is given to a row.
    ///
    /// - Parameter next: the next bytes; nil at the end.
    /// - Throws: what `next` throws; nothing stays then.
    package func storeContent(
        mediaType: String?, fileName: String? = nil, _ next: () throws -> [UInt8]?
    ) throws -> Int64 {
        let content = try write(.normal) {
            try StreamRows(database: $0).begin(mediaType: mediaType, fileName: fileName)
        }
        do {
            guard try append(to: content, after: 0, next) else {
                throw ODataError(.storage, "Expected to store a content, found it given up.")
            }
            return content
        } catch {
            try? giveUp(content: content)
            throw error
        }
    }

    /// Stores a content of the service part by part, and gives it to its row when it is whole.
    ///
    /// - Parameters:
    ///   - partial: What is there already and goes on with the first byte of `next`.
    ///   - next: the next bytes; nil at the end.
    /// - Returns: false when the row is no longer there.
    /// - Throws: what `next` throws; what came stays and can be gone on with where the content has a tag.
    package func storeContent(
        _ arrival: ArrivingStream, after partial: PartialStream? = nil,
        _ next: () throws -> [UInt8]?
    ) throws -> Bool {
        let content =
            try partial?.id
            ?? writing(.normal) { transaction in
                try StreamRows(database: transaction.database)
                    .begin(arrival, in: try transaction.table(arrival.row.table))
            }
        do {
            guard try append(to: content, after: partial?.partCount ?? 0, next) else {
                return false
            }
            return try adopt(content, arrival)
        } catch {
            if arrival.etag == nil { try? giveUp(content: content) }
            throw error
        }
    }

    /// - Returns: false when the content was given up in the meantime.
    private func append(
        to content: Int64, after count: Int64, _ next: () throws -> [UInt8]?
    ) throws -> Bool {
        var cutter = ContentCutter(position: count)
        var length = count * Int64(ContentChunks.partSize)
        var isAtEnd = false
        while !isAtEnd {
            if let bytes = try next() { cutter.append(bytes) } else { isAtEnd = true }
            let isWanted = try cutter.cut(isAtEnd: isAtEnd) { part, position in
                let isWanted = try write(.normal) {
                    try StreamRows(database: $0).chunks.append(
                        part, to: content, position: position)
                }
                guard isWanted else { return false }
                length += Int64(part.count)
                world.checkpoint("stream.part")
                return true
            }
            guard isWanted else { return false }
        }
        try write(.normal) { try StreamRows(database: $0).chunks.setLength(length, of: content) }
        return true
    }

    /// What came of a content before its download broke off.
    package func partialStream(_ row: RowReference, _ property: String?) throws -> PartialStream? {
        try read { try StreamRows(database: $0).partial(row, property) }
    }

    /// Gives a content up that no row has.
    package func giveUp(content: Int64) throws {
        try write(.normal) { try StreamRows(database: $0).chunks.giveUp(content) }
        try sweepStreams()
    }

    /// The content that reads see; nil when none was downloaded or put here.
    package func stream(_ row: RowReference, _ property: String?) throws -> StoredStream? {
        try read { try StreamRows(database: $0).visible(row, property) }
    }

    /// The content that a request brings to the service; nil for requests without one.
    package func stream(ofRequest request: Int64) throws -> StoredStream? {
        try read { try StreamRows(database: $0).content(ofRequest: request) }
    }

    private func adopt(_ content: Int64, _ arrival: ArrivingStream) throws -> Bool {
        let isThere = try writing(.normal) { transaction in
            let streams = StreamRows(database: transaction.database)
            let row = arrival.row
            // The row may have gone while its content was on the way.
            guard try transaction.access(row.table).row(id: row.id) != nil else {
                try streams.chunks.giveUp(content)
                return false
            }
            try streams.adopt(
                content, as: row, arrival.property, etag: arrival.etag,
                in: try transaction.table(row.table))
            return true
        }
        world.checkpoint("stream.adopted")
        return isThere
    }

    /// The service has no content (any more).
    package func noteNoContent(_ row: RowReference, _ property: String?) throws {
        try write(.normal) {
            let streams = StreamRows(database: $0)
            try streams.giveUpBase(of: row, property)
            try streams.giveUpArriving(row, property)
        }
    }

    /// Deletes what nobody holds any more, in slices that keep other writers waiting for a moment only.
    package func sweepStreams() throws {
        guard try read({ try StreamRows(database: $0).chunks.hasDoomed() }) else { return }
        while try write(.normal, { try StreamRows(database: $0).chunks.sweep(limit: 16) }) {}
    }

    /// A stream of a row that a download wants to have.
    package struct WantedStream: Sendable, Hashable {
        package var row: RowReference
        /// Nil for the media stream.
        package var property: String?
        /// Where the row says that its content is; nil where key and metadata tell.
        package var link: String?
        /// The tag of the content that is stored.
        package var storedETag: String?
        /// The type that the row says its content is of.
        package var mediaType: String?
    }

    /// The streams of rows behind `id` whose content is missing or may be out of date, with the last row looked at;
    /// nil when there are no rows any more.
    ///
    /// - Parameter hold: only rows that are held so; nil for all rows.
    package func wantedStreams(
        of path: String, after id: Int64, hold: RowHold?, limit: Int = 500
    ) throws -> (streams: [WantedStream], last: Int64)? {
        try reading { transaction in
            let table = try transaction.table(path)
            guard let idColumn = table.system.id, let state = table.system.state,
                let control = table.system.control
            else { return nil }
            let graph = transaction.graph
            let properties = graph[table.structure].properties.filter {
                $0.type.primitive == .stream
            }.map(\.name)
            var condition = ""
            if let hold {
                condition = " AND " + HoldSQL(hold: hold, table: table).isHeld("t")
            }
            let rows = try Row.fetchAll(
                transaction.database,
                sql: "SELECT \(SQLName.quoted(idColumn)), \(SQLName.quoted(state)),"
                    + " \(SQLName.quoted(control)) FROM \(SQLName.quoted(table.name)) t"
                    + " WHERE \(SQLName.quoted(idColumn)) > ?\(condition)"
                    + " ORDER BY \(SQLName.quoted(idColumn)) LIMIT \(limit)", arguments: [id])
            guard let last = rows.last else { return nil }
            let streams = StreamRows(database: transaction.database)
            var wanted: [WantedStream] = []
            for row in rows {
                let state = EntityState(rawValue: row[1] as Int64? ?? 0)
                // What was made here is asked for once a read has brought it.
                guard state.isDisjoint(with: [.created, .deleted]) else { continue }
                let reference = RowReference(table: path, id: row[0])
                if table.hasStream {
                    let facts = (row[2] as String?).flatMap {
                        try? JSONValue(parsing: Array($0.utf8))
                    }
                    let base = try streams.base(reference, nil)
                    let tag = facts?["mediaEtag"]?.string
                    if base == nil || tag == nil || tag != base?.etag {
                        wanted.append(
                            WantedStream(
                                row: reference, property: nil,
                                link: facts?["mediaReadLink"]?.string, storedETag: base?.etag,
                                mediaType: facts?["mediaContentType"]?.string))
                    }
                }
                for property in properties {
                    wanted.append(
                        WantedStream(
                            row: reference, property: property, link: nil,
                            storedETag: try streams.base(reference, property)?.etag))
                }
            }
            return (wanted, last[0])
        }
    }
}
