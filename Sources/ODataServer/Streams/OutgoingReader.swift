import GRDB
import ODataSQLite
import ODataText
import Synchronization

/// Reads a content chunk by chunk, each in a read of its own, so that no snapshot of the database is kept open while
/// the client takes its time.
final class OutgoingReader: Sendable {
    private let pool: DatabasePool
    private let stream: OutgoingStream
    private let offset: Mutex<Int64>

    init(_ pool: DatabasePool, _ stream: OutgoingStream) {
        self.pool = pool
        self.stream = stream
        offset = Mutex(stream.range.lowerBound)
    }

    var length: Int { stream.range.count }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: `notFound` when the content was given up in between: the answer breaks off.
    func next() throws -> [UInt8]? {
        let start = offset.withLock { $0 }
        guard start < stream.range.upperBound else { return nil }
        let part = try pool.read { database in
            try StreamTable(database).chunks.piece(
                start..<stream.range.upperBound, of: stream.facts.id)
        }
        guard let part else {
            throw ODataError(.notFound, "Expected the rest of a stream that was replaced.")
        }
        offset.withLock { $0 = start + Int64(part.count) }
        return part.isEmpty ? nil : Array(part)
    }
}
