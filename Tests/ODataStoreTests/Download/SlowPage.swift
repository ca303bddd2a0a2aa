import ODataStore
import ODataText

/// A page over a slow network: beyond what was waited for, reading blocks.
final class SlowPage: PacedSource {
    private let bytes: [UInt8]
    private var offset = 0
    private var arrived = 0
    private let window = 64 << 10
    private let pause: () throws -> Void
    private(set) var waits = 0
    private(set) var blockedReads = 0
    private(set) var failures: [String] = []

    /// - Parameter pause: what others do while it is waited for.
    init(_ bytes: [UInt8], _ pause: @escaping () throws -> Void) {
        (self.bytes, self.pause) = (bytes, pause)
    }

    func waitUntilBuffered() {
        waits += 1
        arrived = min(bytes.count, offset + window)
        do { try pause() } catch { failures.append("\(error)") }
    }

    var isRunningDry: Bool { arrived < bytes.count && arrived - offset < window / 2 }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if offset == arrived, arrived < bytes.count {
            blockedReads += 1
            arrived = min(bytes.count, offset + window)
        }
        let count = min(buffer.count, arrived - offset, 4_096)
        buffer.copyBytes(from: bytes[offset..<offset + count])
        offset += count
        return count
    }
}
