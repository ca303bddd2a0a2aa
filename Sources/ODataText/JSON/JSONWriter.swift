import CODataScan

/// Writes JSON as bytes, one token after the other; commas and colons come by themselves.
///
/// The caller keeps the order right (a name before each member's value, every container ended).
package struct JSONWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reservingBytes count: Int = 256) { bytes.reserveCapacity(count) }

    /// What was written so far, as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// A member's name; its value comes next.
    package mutating func name(_ name: String) {
        separate()
        appendString(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ value: String) {
        separate()
        appendString(value)
        needsComma = true
    }

    package mutating func string(_ value: some StringProtocol) { string(String(value)) }

    /// A string of these bytes; what of them is no UTF-8 is replaced, as in a `String` of them.
    package mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
        guard let start = value.baseAddress, odata_is_utf8(start, value.count) else {
            string(String(decoding: value, as: UTF8.self))
            return
        }
        separate()
        appendString(value)
        needsComma = true
    }

    /// The comma that is due, then these bytes; what they are, and what stands behind them, is the caller's to know.
    package mutating func fragment(_ text: [UInt8], expectsValue: Bool) {
        separate()
        bytes.append(contentsOf: text)
        needsComma = !expectsValue
    }

    /// A number's text, which must be one of RFC 8259.
    package mutating func number(_ text: String) { plain(text) }

    package mutating func integer(_ value: Int64) {
        separate()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestInteger) { digits in
            var start = digits.count
            var rest = value.magnitude
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
        needsComma = true
    }

    /// A sign and the digits of 2^63.
    private static let longestInteger = 20

    package mutating func boolean(_ value: Bool) { plain(value ? "true" : "false") }
    package mutating func null() { plain("null") }

    /// A value that is JSON text already.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// A value with everything below it.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .number(let text): number(text)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                name(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    private mutating func plain(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func appendString(_ text: String) {
        var text = text
        text.withUTF8 { appendString($0) }
    }

    // Hot: ServerFigures, LocalWrites
    /// Bytes between those that are escaped are appended as runs.
    private mutating func appendString(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        if var at = text.baseAddress {
            let end = at + text.count
            var high: UInt32 = 0
            while at < end {
                let count = odata_scan_string(at, end - at, &high)
                bytes.append(contentsOf: UnsafeBufferPointer(start: at, count: count))
                at += count
                guard at < end else { break }
                appendEscaped(at.pointee)
                at += 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0a: escape("n")
        case 0x0d: escape("r")
        case 0x09: escape("t")
        case 0x08: escape("b")
        case 0x0c: escape("f")
        default:
            escape("u00")
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 15)])
        }
    }

    private mutating func escape(_ rest: StaticString) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: rest.utf8Start, count: rest.utf8CodeUnitCount))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
