import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataTransport

/// A stream of the app as the body of a request. Not shared: the thread that makes the call reads it.
final class StreamContent: RequestContent, @unchecked Sendable {
    private let stream: ByteStream

    /// - Throws: `usage` for a stream that is neither of bytes nor of characters.
    init(_ content: StreamBase) throws {
        if let bytes = content as? ByteStream {
            stream = bytes
        } else if let characters = content as? CharStream {
            stream = ByteStream.fromBytes(Array(try characters.readAndClose().utf8))
        } else {
            throw ODataError(.usage, "Expected a stream of bytes or characters.")
        }
    }

    var length: Int64? { stream.knownLength }
    var canRewind: Bool { stream.canRewind }

    func rewind() throws -> Bool { try stream.rewind() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let part = try stream.read(buffer.count) else { return 0 }
        buffer.copyBytes(from: part)
        return part.count
    }
}
