import ODataStore
import ODataText
import ODataWorld

/// Bytes on their way from one worker to another, at most ``limit`` of them at a time.
///
/// The writing side blocks while the pipe is full, the reading side while it is empty; everything mutable is
/// guarded by `monitor`.
package final class BytePipe: PacedSource, @unchecked Sendable {
    private let monitor: any Monitor
    private let limit: Int
    private var parts: [[UInt8]] = []
    private var offset = 0
    private var size = 0
    private var isFinished = false
    private var failure: ODataError?
    private var isClosed = false

    package init(limit: Int, world: any World) {
        self.limit = max(limit, 1)
        monitor = world.makeMonitor()
    }

    /// Hands bytes over; false when nobody will read them any more.
    package func write(_ bytes: [UInt8]) -> Bool {
        monitor.withLock {
            while size >= limit, !isClosed { _ = monitor.wait(timeout: nil) }
            guard !isClosed else { return false }
            guard !bytes.isEmpty else { return true }
            parts.append(bytes)
            size += bytes.count
            monitor.signal()
            return true
        }
    }

    /// Ends the bytes, with the failure that cut them short where there was one.
    package func finish(_ failure: ODataError? = nil) {
        monitor.withLock {
            guard !isFinished else { return }
            isFinished = true
            self.failure = failure
            monitor.signal()
        }
    }

    /// Lets the writing side go; what is not read is dropped.
    package func close() {
        monitor.withLock {
            isClosed = true
            parts = []
            size = 0
            monitor.signal()
        }
    }

    /// Blocks until reading would not have to wait for the network for a good while: the pipe is full, or everything
    /// has come. Callers that are about to hold a transaction ask for it.
    package func waitUntilBuffered() {
        monitor.withLock {
            while size < limit, !isFinished, !isClosed { _ = monitor.wait(timeout: nil) }
        }
    }

    package var isRunningDry: Bool {
        monitor.withLock { !isFinished && !isClosed && size < min(limit / 2, Self.margin) }
    }

    /// More than the rows between two questions take.
    private static let margin = 512 << 10

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try monitor.withLock {
            while parts.isEmpty, !isFinished, !isClosed { _ = monitor.wait(timeout: nil) }
            guard !isClosed else {
                throw ODataError(.usage, "The page was closed before it was read.")
            }
            guard !parts.isEmpty else {
                if let failure { throw failure }
                return 0
            }
            return take(into: buffer)
        }
    }

    private func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        var used = 0
        while used < parts.count, filled < buffer.count {
            let count = min(buffer.count - filled, parts[used].count - offset)
            parts[used].withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            }
            filled += count
            offset += count
            if offset == parts[used].count {
                used += 1
                offset = 0
            }
        }
        parts.removeFirst(used)
        let wasFull = size >= limit
        size -= filled
        if wasFull { monitor.signal() }
        return filled
    }
}
