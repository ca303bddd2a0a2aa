import GRDB
import ODataSQLite
import ODataText

/// Reads a stored content part by part, each in a read of its own, so that no snapshot of the store is kept open. Used by
/// one thread at a time.
package final class ContentReader: @unchecked Sendable {
    // Confined: whoever reads the content has the reader for itself.
    private let store: LocalStore
    package let stream: StoredStream
    private var position: Int64 = 0

    package init(_ store: LocalStore, _ stream: StoredStream) {
        self.store = store
        self.stream = stream
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: `storage` when the content was replaced or deleted in between.
    package func next() throws -> [UInt8]? {
        guard position * Int64(ContentChunks.partSize) < stream.length else { return nil }
        let part = try store.read {
            try StreamRows(database: $0).chunks.part(position, of: stream.id)
        }
        guard let part else {
            throw ODataError(
                .storage, "Expected the rest of a content, which was replaced in the meantime.")
        }
        position += 1
        return part
    }

    /// Goes back to the first byte.
    package func rewind() { position = 0 }

    /// Whether the rest of the content is what `read` gives, to the byte and to the end.
    package func holds(_ read: () throws -> [UInt8]?) throws -> Bool {
        var expected: ArraySlice<UInt8> = []
        while let bytes = try read() {
            var found = bytes[...]
            while !found.isEmpty {
                if expected.isEmpty {
                    guard let part = try next() else { return false }
                    expected = part[...]
                }
                let count = min(expected.count, found.count)
                guard expected.prefix(count).elementsEqual(found.prefix(count)) else {
                    return false
                }
                expected = expected.dropFirst(count)
                found = found.dropFirst(count)
            }
        }
        return try expected.isEmpty && next() == nil
    }

    /// Everything in memory, for what is small.
    package func readAll() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try next() { bytes += part }
        return bytes
    }
}
