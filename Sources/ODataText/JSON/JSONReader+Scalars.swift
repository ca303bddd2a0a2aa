import CODataScan

extension JSONReader {
    /// The next value, a string: its bytes between the quotation marks, escapes checked but not resolved.
    @inlinable @inline(__always)
    package mutating func stringSpan() throws -> JSONSpan {
        guard try nextByte() == UInt8(ascii: "\"") else { throw expected("a string") }
        let start = position &+ 1
        var high: UInt32 = 0
        let count = odata_scan_string(base + start, end &- start, &high)
        let stop = start &+ count
        guard stop < end, base[stop] == UInt8(ascii: "\""),
            high == 0 || odata_is_utf8(base + start, count)
        else { return try longStringSpan(scanned: count, high) }
        position = stop &+ 1
        return JSONSpan(offset: discarded &+ start, count: count)
    }

    /// As ``stringSpan()`` for strings with escapes, errors, or an end that is not in the buffer yet; `scanned` bytes of it end the string or want to be looked at.
    @usableFromInline
    package mutating func longStringSpan(scanned: Int, _ highs: UInt32) throws -> JSONSpan {
        let start = offset + 1
        tokenMark = start - 1
        defer { tokenMark = Int.max }
        var isEscaped = false
        var high = highs
        var at = position + 1 + scanned
        while true {
            guard at < end else {
                at = try require(1, at: at, "the end of a string")
                at += odata_scan_string(base + at, end - at, &high)
                continue
            }
            if base[at] == UInt8(ascii: "\"") { break }
            guard base[at] == UInt8(ascii: "\\") else {
                position = at
                throw malformed("Expected the end of a string, found a control character.")
            }
            isEscaped = true
            at = try checkEscape(at: at)
            at += odata_scan_string(base + at, end - at, &high)
        }
        let first = start - discarded
        guard high == 0 || odata_is_utf8(base + first, at - first) else {
            position = first
            throw malformed("Expected UTF-8 in a string, found other bytes.")
        }
        position = at + 1
        return JSONSpan(offset: start, count: at - first, isEscaped: isEscaped)
    }

    /// Makes sure that `count` bytes stand at index `at`; returns that index as it is after refilling.
    private mutating func require(_ count: Int, at: Int, _ what: StaticString) throws -> Int {
        let absolute = discarded + at
        while end - (absolute - discarded) < count {
            guard try refill() else {
                position = end
                throw malformed("Expected \(what), found the end.")
            }
        }
        return absolute - discarded
    }

    /// Checks the escape that begins at index `at`; returns the index behind it.
    @inline(__always)
    private mutating func checkEscape(at begin: Int) throws -> Int {
        var at = end - begin >= 12 ? begin : try require(2, at: begin, "an escape")
        switch base[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 2
        case UInt8(ascii: "u"):
            at = try require(6, at: at, "four hexadecimal digits")
            guard let unit = JSONText.hexUnit(base + at + 2) else { throw badEscape(at) }
            if unit & 0xf800 != 0xd800 { return at + 6 }
            guard unit < 0xdc00 else { throw badEscape(at) }
            at = try require(12, at: at, "the second half of a surrogate pair")
            guard base[at + 6] == UInt8(ascii: "\\"), base[at + 7] == UInt8(ascii: "u"),
                let low = JSONText.hexUnit(base + at + 8), low & 0xfc00 == 0xdc00
            else { throw badEscape(at) }
            return at + 12
        default: throw badEscape(at)
        }
    }

    private mutating func badEscape(_ at: Int) -> ODataError {
        position = at
        return malformed("Expected an escape of RFC 8259, found another or half a surrogate pair.")
    }

    /// The next value, a number: its text as written.
    @inlinable @inline(__always)
    package mutating func numberSpan() throws -> JSONSpan {
        _ = try nextByte()
        let start = position
        let count = odata_number_length(base + start, end &- start)
        guard count > 0, start &+ count < end else { return try longNumberSpan() }
        position = start &+ count
        return JSONSpan(offset: discarded &+ start, count: count)
    }

    /// As ``numberSpan()`` for errors and numbers that may continue behind the bytes in the buffer.
    @usableFromInline
    mutating func longNumberSpan() throws -> JSONSpan {
        while true {
            if let span = try numberAtEnd() { return span }
            let count = odata_number_length(base + position, end - position)
            guard count > 0, position + count < end else { continue }
            let span = JSONSpan(offset: offset, count: count)
            position += count
            return span
        }
    }

    /// Goes on with a number that may continue behind the bytes in the buffer; nil when there are more now.
    private mutating func numberAtEnd() throws -> JSONSpan? {
        guard base[position] == UInt8(ascii: "-") || JSONText.isDigit(base[position]) else {
            throw expected("a number")
        }
        let complete = JSONText.numberLength(base + position, end - position)
        let tail = JSONText.numberPrefix(base + position, end - position)
        guard position + tail == end else { throw expected("a number of RFC 8259") }
        guard tail <= limits.numberBytes else {
            throw ODataError(
                .limitExceeded, "Expected a number of at most \(limits.numberBytes) bytes.",
                at: .offset(offset))
        }
        if try refill() { return nil }
        guard complete == tail else { throw expected("a number of RFC 8259") }
        let span = JSONSpan(offset: offset, count: complete)
        position += complete
        return span
    }

    @inlinable
    package mutating func readBoolean() throws -> Bool {
        if try nextByte() == UInt8(ascii: "t") {
            if !takeLetters(0x6575_7274) { try literal("true") }
            return true
        }
        try literal("false")
        return false
    }

    @inlinable
    package mutating func readNull() throws {
        if !takeLetters(0x6c6c_756e) { try literal("null") }
    }

    /// Consumes four letters, the last in the highest byte, if they come next and are in the buffer.
    @inlinable @inline(__always)
    mutating func takeLetters(_ letters: UInt32) -> Bool {
        guard end - position >= 4,
            UInt32(
                littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt32.self))
                == letters
        else { return false }
        position += 4
        return true
    }

    /// Consumes a literal name, which must end there.
    @usableFromInline
    package mutating func literal(_ name: StaticString) throws {
        _ = try nextByte()
        let count = name.utf8CodeUnitCount
        while end - position < count {
            guard try refill() else { throw expected("true, false or null") }
        }
        guard odata_same_bytes(base + position, name.utf8Start, count) else {
            throw expected("true, false or null")
        }
        position += count
    }

    /// Consumes a null if one comes next.
    package mutating func readNullIfPresent() throws -> Bool {
        guard try peek() == .null else { return false }
        try readNull()
        return true
    }

    /// The next value, a string, unescaped.
    package mutating func readString() throws -> String {
        let span = try stringSpan()
        return text(span)
    }

    /// The next value, a number, as written.
    package mutating func readNumber() throws -> String {
        let span = try numberSpan()
        return text(span)
    }
}

extension JSONReader {
    /// The bytes of a span as written.
    @inlinable
    package func withBytes<Result, Failure: Error>(
        _ span: JSONSpan, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: pointer(span), count: span.count))
    }

    /// Where a span's bytes are; valid until the next call that advances the reader.
    @inlinable
    package func pointer(_ span: JSONSpan) -> UnsafePointer<UInt8> {
        UnsafePointer(base + (span.offset - discarded))
    }

    /// A string's text unescaped, or any other span's text.
    package func text(_ span: JSONSpan) -> String {
        withBytes(span) { bytes in
            guard span.isEscaped else { return String(decoding: bytes, as: UTF8.self) }
            return JSONText.unescaped(bytes)
        }
    }

    /// Whether a span's text (unescaped) is `name`.
    package func matches(_ span: JSONSpan, _ name: StaticString) -> Bool {
        if span.isEscaped { return text(span) == "\(name)" }
        return span.count == name.utf8CodeUnitCount
            && odata_same_bytes(pointer(span), name.utf8Start, span.count)
    }
}
