import CODataScan

/// Objects that ``JSONWriter`` has written: to read one and to write it again would give the same bytes.
package enum CompactJSON {
    // Hot: ServerFigures
    /// True for an object of plain values, without white space, each name once, every string escaped as the writer does. False
    /// for everything else, though it may be written so, too: for what is nested or long.
    package static func isObject(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= maximumBytes else { return false }
        return bytes.withUnsafeBufferPointer { text in
            var scan = Scan(text)
            return scan.object() && (scan.isASCII || String(validating: text, as: UTF8.self) != nil)
        }
    }

    private static let maximumBytes = 1 << 20
}

/// Goes through the bytes of an object once; its functions say whether what they expect is there, and pass it.
private struct Scan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var names: [Range<Int>] = []
    private(set) var isASCII = true

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        names.reserveCapacity(16)
    }

    mutating func object() -> Bool {
        guard pass("{") else { return false }
        if pass("}") { return position == bytes.count }
        repeat {
            guard name(), pass(":"), value() else { return false }
        } while pass(",")
        return pass("}") && position == bytes.count
    }

    private mutating func pass(_ letter: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    private mutating func name() -> Bool {
        let start = position + 1
        guard string(takesEscapes: false), names.count < Self.maximumMembers else { return false }
        let name = start..<(position - 1)
        let isKnown = names.contains { known in
            known.count == name.count && bytes[known].elementsEqual(bytes[name])
        }
        names.append(name)
        return !isKnown
    }

    /// The writer escapes these two as they are here; of the others there is more than one form.
    private mutating func string(takesEscapes: Bool) -> Bool {
        guard pass("\""), let base = bytes.baseAddress else { return false }
        var high: UInt32 = 0
        while position < bytes.count {
            position += odata_scan_string(base + position, bytes.count - position, &high)
            if high != 0 { isASCII = false }
            if pass("\"") { return true }
            guard takesEscapes, pass("\\"), pass("\"") || pass("\\") else { return false }
        }
        return false
    }

    private mutating func value() -> Bool {
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string(takesEscapes: true)
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func word(_ text: StaticString) -> Bool {
        let rest = bytes[position...].prefix(text.utf8CodeUnitCount)
        position += rest.count
        return rest.elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A number of RFC 8259.
    private mutating func number() -> Bool {
        _ = pass("-")
        if !pass("0"), digits() == 0 { return false }
        if pass("."), digits() == 0 { return false }
        if pass("e") || pass("E") {
            if !pass("-") { _ = pass("+") }
            if digits() == 0 { return false }
        }
        return true
    }

    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
        return position - start
    }

    private static let maximumMembers = 64
}
