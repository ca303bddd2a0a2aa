import ODataStore
import ODataText

/// A body of which as much as possible is in memory before anybody reads it, so that a transaction around the reading
/// does not wait for the network. Used by one thread.
///
/// A failure of the body is thrown to the reader when its turn comes.
final class BufferedBody: PacedSource {
    private let rest: any ByteSource
    private let limit: Int
    private var parts: [[UInt8]] = []
    private var next = 0
    private var offset = 0
    private var size = 0
    private var isComplete = false
    private var failure: (any Error)?

    /// Reads up to `limit` bytes of `source` at once; what is beyond is read when there is room.
    init(_ source: any ByteSource, limit: Int) {
        rest = source
        self.limit = max(1, limit)
        waitUntilBuffered()
    }

    /// A body of which the first bytes have been read already.
    init(_ source: any ByteSource, after start: [UInt8], limit: Int) {
        rest = source
        self.limit = max(1, limit)
        if !start.isEmpty { parts = [start] }
        size = start.count
        waitUntilBuffered()
    }

    func waitUntilBuffered() {
        while size < limit, !isComplete { fill() }
    }

    /// Everything is in memory, and nothing failed on the way.
    var isWhole: Bool { isComplete && failure == nil }

    var isRunningDry: Bool { !isComplete && size < min(limit / 2, 512 << 10) }

    private func fill() {
        do {
            let part = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = try rest.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !part.isEmpty else {
                isComplete = true
                return
            }
            parts.append(part)
            size += part.count
        } catch {
            failure = error
            isComplete = true
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if next == parts.count, !isComplete { fill() }
        guard next < parts.count else {
            if let failure { throw failure }
            return 0
        }
        let count = min(buffer.count, parts[next].count - offset)
        parts[next].withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        size -= count
        if offset == parts[next].count {
            parts[next] = []
            next += 1
            offset = 0
        }
        if next == parts.count {
            parts = []
            next = 0
        }
        return count
    }
}
