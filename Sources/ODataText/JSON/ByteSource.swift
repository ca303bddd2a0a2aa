/// Bytes that are pulled a part at a time; used by one thread at a time.
@usableFromInline
package protocol ByteSource: AnyObject {
    /// Copies the next bytes into `buffer`, which is not empty, and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A byte source over parts that are in memory, handed over in the order and sizes given.
package final class ByteParts: ByteSource {
    private var parts: [[UInt8]]
    private var part = 0
    private var offset = 0

    package init(_ parts: [[UInt8]]) { self.parts = parts }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while part < parts.count {
            let count = min(buffer.count, parts[part].count - offset)
            if count > 0 {
                parts[part].withUnsafeBytes { bytes in
                    buffer.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
                }
                offset += count
                return count
            }
            parts[part] = []
            part += 1
            offset = 0
        }
        return 0
    }
}
