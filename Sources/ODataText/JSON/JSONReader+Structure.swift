import CODataScan

extension JSONReader {
    /// The kind of the next value, which is not consumed.
    @inlinable @inline(__always)
    package mutating func peek() throws -> JSONKind {
        switch try nextByte() {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        default: throw expected("a JSON value")
        }
    }

    @inlinable
    package mutating func beginObject() throws {
        try expect(UInt8(ascii: "{"), "an object")
        try enter()
    }

    @inlinable
    package mutating func beginArray() throws {
        try expect(UInt8(ascii: "["), "an array")
        try enter()
    }

    @inlinable
    package mutating func enter() throws {
        guard depth < limits.depth else { throw tooDeep() }
        depth += 1
        isFirst = true
    }

    @usableFromInline
    func tooDeep() -> ODataError {
        ODataError(
            .limitExceeded, "Expected at most \(limits.depth) nested objects and arrays.",
            at: .offset(offset))
    }

    /// Moves to the next element; false when the array ended, which closes it.
    @inlinable @inline(__always)
    package mutating func nextElement() throws -> Bool {
        guard try advance(closing: UInt8(ascii: "]"), "a comma or the end of the array") else {
            return false
        }
        if try nextByte() == UInt8(ascii: "]") { throw expected("an array element") }
        return true
    }

    /// Moves to the next member and behind its colon; nil when the object ended, which closes it.
    ///
    /// The name's span is readable until the next call.
    @inlinable @inline(__always)
    package mutating func nextMember() throws -> JSONSpan? {
        let start = position
        let comma = isFirst ? 0 : 1
        let count = odata_plain_name(base + start, end &- start, comma)
        guard count >= 0 else { return try memberOrEnd() }
        isFirst = false
        position = start &+ comma &+ count &+ 3
        return JSONSpan(offset: discarded &+ start &+ comma &+ 1, count: count)
    }

    /// As ``nextMember()`` whatever comes.
    @usableFromInline
    mutating func memberOrEnd() throws -> JSONSpan? {
        guard try advance(closing: UInt8(ascii: "}"), "a comma or the end of the object") else {
            return nil
        }
        return try memberName()
    }

    /// As ``nextMember()``, the name unescaped.
    package mutating func nextName() throws -> String? {
        guard let span = try nextMember() else { return nil }
        return text(span)
    }

    /// Consumes the comma that is due, or the closing byte, in which case it returns false.
    @inlinable @inline(__always)
    package mutating func advance(closing: UInt8, _ what: StaticString) throws -> Bool {
        let byte = try nextByte()
        if byte == UInt8(ascii: ","), !isFirst {
            position &+= 1
            return true
        }
        if byte == closing {
            position += 1
            depth -= 1
            isFirst = false
            return false
        }
        guard isFirst else { throw expected(what) }
        isFirst = false
        return true
    }

    /// Reads a member's name and the colon behind it.
    @inlinable
    package mutating func memberName() throws -> JSONSpan {
        let span = try stringSpan()
        if position < end, base[position] == UInt8(ascii: ":") {
            position += 1
        } else {
            try colon(behind: span)
        }
        return span
    }

    /// The colon behind a name where white space or the end of the buffer comes first.
    @usableFromInline
    mutating func colon(behind name: JSONSpan) throws {
        tokenMark = name.offset
        defer { tokenMark = Int.max }
        try expect(UInt8(ascii: ":"), "a colon")
    }

    /// Consumes `key`, a member's name as written with quotation marks and colon, if it comes next byte for byte.
    ///
    /// White space before the name is skipped either way.
    @inlinable
    package mutating func matchKey(_ key: UnsafePointer<UInt8>, count: Int) throws -> Bool {
        _ = try nextByte()
        while end - position < count {
            guard try refill() else { return false }
        }
        guard odata_same_bytes(base + position, key, count) else { return false }
        position += count
        return true
    }

    /// Reads over one value of any kind, checking its grammar.
    package mutating func skipValue() throws {
        switch try peek() {
        case .object:
            try beginObject()
            while try nextMember() != nil { try skipValue() }
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .string: _ = try stringSpan()
        case .number: _ = try numberSpan()
        case .boolean: _ = try readBoolean()
        case .null: try readNull()
        }
    }

    /// The bytes of the next value as written, its grammar checked.
    ///
    /// Their span is readable until the next call; a hold of the caller stays.
    package mutating func rawSpan() throws -> JSONSpan {
        _ = try nextByte()
        let start = offset
        let outer = holdMark
        holdMark = min(holdMark, start)
        defer { holdMark = outer }
        try skipValue()
        return JSONSpan(offset: start, count: offset - start)
    }

    /// The bytes of the next value as written.
    package mutating func rawValue() throws -> [UInt8] {
        let span = try rawSpan()
        return withBytes(span) { Array($0) }
    }

    /// Makes sure that nothing but white space follows.
    package mutating func finish() throws {
        while true {
            while position < end {
                switch base[position] {
                case 0x20, 0x0a, 0x0d, 0x09: position += 1
                default: throw expected("the end of the JSON text")
                }
            }
            guard try refill() else { return }
        }
    }
}
