import ODataStore
import ODataTransport

/// A stored content as the body of a request. Used by one thread at a time.
final class StoredRequestContent: RequestContent, @unchecked Sendable {
    // Confined: the upload's thread has it for itself.
    private let reader: ContentReader
    private var part: [UInt8] = []
    private var offset = 0

    init(_ reader: ContentReader) {
        self.reader = reader
    }

    var length: Int64? { reader.stream.length }
    var canRewind: Bool { true }

    func rewind() throws -> Bool {
        reader.rewind()
        (part, offset) = ([], 0)
        return true
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if offset == part.count {
            guard let next = try reader.next() else { return 0 }
            (part, offset) = (next, 0)
        }
        let count = min(buffer.count, part.count - offset)
        part.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }
}
