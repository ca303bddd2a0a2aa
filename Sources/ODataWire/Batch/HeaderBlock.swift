import ODataQuery
import ODataText

/// Header fields that are gathered line by line.
struct HeaderBlock {
    /// What is asked of the part around a message; the first field of each name.
    struct Part {
        var type: String?
        var contentID: String?
    }

    /// The fields of a message.
    private(set) var fields: [HeaderFields.Field] = []
    private(set) var part = Part()
    private let isOfPart: Bool
    private var lines = 0
    /// What lines that continue the last field go on with.
    private var last = Last.nothing

    private enum Last {
        case nothing, field, type, contentID
    }

    /// - Parameter isOfPart: only what is asked of the part around a message is kept, in `part`.
    init(isOfPart: Bool) {
        self.isOfPart = isOfPart
        // A list for each part would be made and thrown away again.
        if !isOfPart { fields.reserveCapacity(4) }
    }

    /// Takes a line that is not empty; returns false: there are more.
    ///
    /// - Throws: `limitExceeded` for too many lines, `malformedText` for one without a colon.
    mutating func take(
        _ line: UnsafeBufferPointer<UInt8>, _ limits: BatchLimits, _ texts: inout RepeatedTexts
    ) throws -> Bool {
        // Lines that continue a field count, too.
        lines += 1
        guard lines <= limits.headerLines else {
            throw ODataError(
                .limitExceeded, "Expected at most \(limits.headerLines) header lines, found more.")
        }
        if Self.isBlank(line[0]), lines > 1 {
            goOn(with: line)
            return false
        }
        guard let colon = ByteSearch.distance(to: UInt8(ascii: ":"), in: line) else {
            throw ODataError(
                .malformedText, "Expected a header field in a batch part, found another line.")
        }
        let name = Self.trimmed(UnsafeBufferPointer(rebasing: line[..<colon]))
        let value = Self.trimmed(UnsafeBufferPointer(rebasing: line[(colon + 1)...]))
        if !isOfPart {
            last = .field
            fields.append(HeaderFields.Field(name: texts.text(name), value: texts.text(value)))
        } else if part.type == nil, Self.isSame(name, "content-type") {
            last = .type
            part.type = texts.text(value)
        } else if part.contentID == nil, Self.isSame(name, "content-id") {
            last = .contentID
            part.contentID = texts.text(value)
        } else {
            last = .nothing
        }
        return false
    }

    private mutating func goOn(with line: UnsafeBufferPointer<UInt8>) {
        if case .nothing = last { return }
        let more = " " + String(decoding: Self.trimmed(line), as: UTF8.self)
        switch last {
        case .nothing: break
        case .field: fields[fields.count - 1].value += more
        case .type: part.type? += more
        case .contentID: part.contentID? += more
        }
    }

    /// Letters of either case; `wanted` has none but lower-case letters and hyphens.
    private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ wanted: StaticString) -> Bool {
        guard name.count == wanted.utf8CodeUnitCount else { return false }
        for index in 0..<name.count {
            let byte = name[index]
            let lowered = byte >= 65 && byte <= 90 ? byte | 32 : byte
            if lowered != wanted.utf8Start[index] { return false }
        }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    /// The bytes without blanks and tabs at their ends.
    static func trimmed(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, bytes.count)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }
}
