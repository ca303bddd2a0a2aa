import CODataScan

/// Bounds of what a ``JSONReader`` accepts.
@usableFromInline
package struct JSONLimits: Sendable, Hashable {
    /// Nested objects and arrays.
    @usableFromInline package var depth: Int
    /// Bytes that have to be in memory at once: a string, a raw value, or what is held.
    package var tokenBytes: Int
    /// Bytes of one number.
    package var numberBytes: Int

    package init(depth: Int = 128, tokenBytes: Int = 64 << 20, numberBytes: Int = 4096) {
        self.depth = depth
        self.tokenBytes = tokenBytes
        self.numberBytes = numberBytes
    }
}

/// What kind of value comes next.
@usableFromInline
package enum JSONKind: Sendable, Hashable {
    case object, array, string, number, boolean, null
}

/// A place in the input: absolute offsets, so it stays right when the reader's buffer moves.
///
/// Its bytes can be looked at until the next call that advances the reader, or while they are held.
@usableFromInline
package struct JSONSpan: Sendable, Hashable {
    /// Bytes from the start of the input.
    @usableFromInline package var offset: Int
    @usableFromInline package var count: Int
    /// The bytes hold at least one backslash escape (strings only; the quotation marks are not part of the span).
    @usableFromInline package var isEscaped: Bool

    @inlinable
    package init(offset: Int, count: Int, isEscaped: Bool = false) {
        self.offset = offset
        self.count = count
        self.isEscaped = isEscaped
    }
}

/// Reads JSON (RFC 8259) by pulling one token after the other, strictly, without building values.
///
/// The input is a whole document or a ``ByteSource`` whose parts may end anywhere. Memory is one buffer that grows
/// only for a token (or a held stretch) longer than it. A byte order mark is skipped. Not well-formed input, invalid
/// UTF-8 and lone surrogates throw `malformedText` with the byte offset; nothing traps on data.
///
/// Types whose members are to be inlined in other modules say `@usableFromInline`: without it `@inlinable` members of a
/// package type are called, not inlined.
///
/// A container is read with ``beginObject()`` and ``nextMember()`` (or ``nextName()``) until nil, or ``beginArray()``
/// and ``nextElement()`` until false; after each member or element its value must be read or skipped.
@usableFromInline
package struct JSONReader: ~Copyable {
    @usableFromInline package var base: UnsafeMutablePointer<UInt8>
    @usableFromInline package var capacity: Int
    /// Index in the buffer of the next byte to read.
    @usableFromInline package var position = 0
    /// Index in the buffer behind the last byte there.
    @usableFromInline package var end = 0
    /// Bytes of the input that are no longer in the buffer.
    @usableFromInline package var discarded = 0
    /// Open containers.
    @usableFromInline package var depth = 0
    /// The container was just begun, so that no comma is due.
    @usableFromInline package var isFirst = true
    /// Absolute offset from which bytes are kept for the token in progress; `Int.max` for none.
    @usableFromInline package var tokenMark = Int.max
    /// Absolute offset from which bytes are kept for the caller; `Int.max` for none.
    @usableFromInline package var holdMark = Int.max
    @usableFromInline package var source: (any ByteSource)?
    @usableFromInline package let limits: JSONLimits

    /// Reads a whole document.
    package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        self.init(copying: bytes.count, limits: limits) { target in
            bytes.withUnsafeBytes { target.copyMemory(from: $0) }
        }
    }

    /// Reads a whole document, which is copied.
    package init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) {
        self.init(copying: bytes.count, limits: limits) { $0.copyMemory(from: bytes) }
    }

    /// Reads the UTF-8 of `text`.
    package init(text: String, limits: JSONLimits = JSONLimits()) {
        self.init(Array(text.utf8), limits: limits)
    }

    /// Reads what `source` gives; its parts may end anywhere.
    package init(
        source: any ByteSource, bufferSize: Int = 256 << 10, limits: JSONLimits = JSONLimits()
    ) {
        capacity = max(bufferSize, 16)
        base = .allocate(capacity: capacity)
        self.source = source
        self.limits = limits
    }

    private init(
        copying count: Int, limits: JSONLimits, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        capacity = max(count, 1)
        base = .allocate(capacity: capacity)
        fill(UnsafeMutableRawBufferPointer(start: base, count: count))
        end = count
        self.limits = limits
        if count >= 3, base[0] == 0xef, base[1] == 0xbb, base[2] == 0xbf { position = 3 }
    }

    deinit { base.deallocate() }

    /// Bytes from the start of the input to the next one to read.
    @inlinable
    package var offset: Int { discarded + position }
}

extension JSONReader {
    /// Gets more bytes behind `end`, keeping what the token in progress and the caller hold; false at the end of
    /// the input. Indexes into the buffer are void afterwards, absolute offsets stay right.
    @usableFromInline
    package mutating func refill() throws -> Bool {
        guard let source else { return false }
        let keep = min(position, tokenMark - discarded, holdMark - discarded)
        if keep > 0 {
            base.update(from: base + keep, count: end - keep)
            position -= keep
            end -= keep
            discarded += keep
        }
        if end == capacity { try grow() }
        let count = try source.read(
            into: UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end))
        guard count > 0 else {
            self.source = nil
            return false
        }
        guard count <= capacity - end else {
            throw ODataError(.usage, "A byte source reported more bytes than it was asked for.")
        }
        end += count
        if discarded == 0, position == 0 { try skipByteOrderMark() }
        return true
    }

    private mutating func grow() throws {
        guard capacity < limits.tokenBytes else {
            throw ODataError(
                .limitExceeded, "Expected a value of at most \(limits.tokenBytes) bytes.",
                at: .offset(offset))
        }
        let larger = min(capacity * 2, limits.tokenBytes)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: end)
        base.deallocate()
        base = moved
        capacity = larger
    }

    private mutating func skipByteOrderMark() throws {
        guard base[0] == 0xef else { return }
        while end < 3 {
            guard try refill() else { return }
        }
        if base[1] == 0xbb, base[2] == 0xbf { position = 3 }
    }

    /// Skips white space and returns the next byte without consuming it.
    @inlinable @inline(__always)
    package mutating func nextByte() throws -> UInt8 {
        if position < end, base[position] > 0x20 { return base[position] }
        return try byteBehindSpace()
    }

    /// As ``nextByte()`` where white space or the end of the buffer comes next.
    @usableFromInline
    package mutating func byteBehindSpace() throws -> UInt8 {
        while true {
            while position < end {
                let byte = base[position]
                if byte > 0x20 { return byte }
                guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else {
                    throw malformed(
                        "Expected a JSON value or white space, found a control character.")
                }
                position += 1
            }
            guard try refill() else { throw malformed("Expected more JSON, found the end.") }
        }
    }

    /// Skips white space and consumes `byte`, which must come next.
    @inlinable
    package mutating func expect(_ byte: UInt8, _ what: StaticString) throws {
        guard try nextByte() == byte else { throw expected(what) }
        position += 1
    }

    /// Keeps the bytes from the next token on until ``release()``, so that spans into them stay readable.
    @inlinable
    package mutating func hold() throws {
        _ = try nextByte()
        holdMark = discarded + position
    }

    @inlinable
    package mutating func release() { holdMark = Int.max }

    @usableFromInline
    package func malformed(_ message: String) -> ODataError {
        ODataError(.malformedText, message, at: .offset(offset))
    }

    @usableFromInline
    package func expected(_ what: StaticString) -> ODataError {
        malformed("Expected \(what), found something else.")
    }
}
