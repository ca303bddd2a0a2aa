import GRDB
import ODataSQLite
import ODataText

/// The body of a request that becomes a stream: stored while it arrives, each chunk in a commit of its own, so that
/// neither memory nor one transaction holds all of it. Used by one thread at a time.
final class StreamIntake: BodyIntake, @unchecked Sendable {
    // Confined: the edge and the exchange that claims the content follow one another.
    private let pool: DatabasePool
    private let limit: Int64
    private let mediaType: String
    private var stream: Int64?
    private var length: Int64 = 0
    private var cutter = ContentCutter()
    private(set) var isClaimed = false

    init(_ pool: DatabasePool, mediaType: String, limit: Int64) {
        self.pool = pool
        self.mediaType = mediaType
        self.limit = limit
    }

    func write(_ bytes: [UInt8]) throws {
        length += Int64(bytes.count)
        guard length <= limit else {
            throw ODataError(
                .limitExceeded, "Expected a stream of at most \(limit) bytes.", status: 413)
        }
        cutter.append(bytes)
        _ = try cutter.cut(isAtEnd: false) { part, position in
            try store(part, position)
            return true
        }
    }

    /// The number of the whole content, as part of the transaction that uses it.
    func claim(in database: Database) throws -> Int64 {
        let table = StreamTable(database)
        let number = try stream ?? table.begin(mediaType: mediaType)
        if !cutter.rest.isEmpty {
            try table.append(cutter.rest[...], to: number, position: cutter.position)
        }
        try table.finish(number, length: length)
        isClaimed = true
        return number
    }

    /// The content as bytes, for requests whose target turned out to be no stream.
    func bytes(in database: Database, limit: Int) throws -> [UInt8] {
        guard length <= limit else {
            throw ODataError(
                .limitExceeded, "Expected a body of at most \(limit) bytes.", status: 413)
        }
        var result: [UInt8] = []
        for part in 0..<cutter.position {
            result +=
                try stream.flatMap { try StreamTable(database).chunks.part(part, of: $0) } ?? []
        }
        return result + cutter.rest
    }

    /// Deletes what arrived and was not claimed, or was claimed by a transaction that failed.
    func abandon() throws {
        guard let stream else { return }
        try pool.write { try StreamTable($0).chunks.giveUp(stream) }
        try StreamTable.sweep(pool)
    }

    private func store(_ bytes: ArraySlice<UInt8>, _ position: Int64) throws {
        try pool.write { database in
            let table = StreamTable(database)
            let number = try stream ?? table.begin(mediaType: mediaType)
            try table.append(bytes, to: number, position: position)
            stream = number
        }
    }
}

/// What an exchange moves beside its messages: a body that arrived before, and a content that is sent after.
final class StreamTransfer: @unchecked Sendable {
    // Confined to the thread that answers the request.
    let intake: StreamIntake?
    /// What follows the head of the answer.
    var outgoing: OutgoingStream?

    init(_ intake: StreamIntake? = nil) {
        self.intake = intake
    }
}

/// Part of a content that follows the head of an answer.
struct OutgoingStream: Sendable {
    var facts: StreamTable.Facts
    var range: Range<Int64>
}
