import ODataText
import ODataWire

/// Room for the bytes of one row that cannot be bound where they are: unescaped texts and lower-cased Guids.
struct ScratchBytes: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0

    init(capacity: Int = 16 << 10) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// Forgets what was written and makes room for `count` bytes.
    mutating func reset(_ count: Int) {
        used = 0
        guard count > capacity else { return }
        base.deallocate()
        capacity = count * 2
        base = .allocate(capacity: capacity)
    }

    var next: UnsafeMutablePointer<UInt8> { base + used }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { used += count }
        return UnsafeRawBufferPointer(start: base + used, count: count)
    }

    /// A string's bytes, unescaped here if they hold escapes.
    @inline(__always)
    mutating func text(_ span: JSONSpan, of row: IncomingRow) -> UnsafeRawBufferPointer {
        let bytes = row.bytes(span)
        guard span.isEscaped else { return bytes }
        return take(JSONText.unescape(bytes, into: next))
    }
}
