import ODataText

/// A body of which as much as possible is in memory before anybody reads it, so that a transaction around the reading
/// does not wait for the network. Used by one thread.
final class BufferedBody: ByteSource {
    private let rest: any ByteSource
    private let parts: ByteParts
    private var isDrained = false

    /// Reads up to `limit` bytes of `source` at once; what is beyond is read when its turn comes.
    init(_ source: any ByteSource, limit: Int) throws {
        rest = source
        var parts: [[UInt8]] = []
        var size = 0
        while size < limit {
            let part = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if part.isEmpty { break }
            parts.append(part)
            size += part.count
        }
        self.parts = ByteParts(parts)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if !isDrained {
            let count = parts.read(into: buffer)
            if count > 0 { return count }
            isDrained = true
        }
        return try rest.read(into: buffer)
    }
}
