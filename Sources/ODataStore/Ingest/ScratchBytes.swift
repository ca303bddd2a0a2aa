import ODataText
import ODataWire

/// Room for the bytes of one row that cannot be bound where they are: unescaped texts and lower-cased Guids.
struct ScratchBytes: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0
    /// Rooms of before, full: statements still read what is in them.
    private var full: [UnsafeMutablePointer<UInt8>] = []

    init(capacity: Int = 16 << 10) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
        for room in full { room.deallocate() }
    }

    /// Forgets what was written and makes room for `count` bytes.
    mutating func reset(_ count: Int) {
        used = 0
        if !full.isEmpty {
            for room in full { room.deallocate() }
            full = []
        }
        guard count > capacity else { return }
        base.deallocate()
        capacity = count * 2
        base = .allocate(capacity: capacity)
    }

    /// Where as many bytes can be written before they are taken. A row that is looked for and then written is bound twice, and
    /// takes more than the room that was made for it.
    @inline(__always)
    mutating func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - used < count { grow(for: count) }
        return base + used
    }

    private mutating func grow(for count: Int) {
        full.append(base)
        capacity = max(capacity, count) * 2
        base = .allocate(capacity: capacity)
        used = 0
    }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { used += count }
        return UnsafeRawBufferPointer(start: base + used, count: count)
    }

    /// A string's bytes, unescaped here if they hold escapes.
    @inline(__always)
    mutating func text(_ span: JSONSpan, of row: IncomingRow) -> UnsafeRawBufferPointer {
        let bytes = row.bytes(span)
        guard span.isEscaped else { return bytes }
        return take(JSONText.unescape(bytes, into: room(bytes.count)))
    }
}
