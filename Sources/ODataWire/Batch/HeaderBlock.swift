import ODataQuery
import ODataText

/// Header fields that are gathered line by line.
struct HeaderBlock {
    private(set) var fields: [HeaderFields.Field] = []
    private let isOfPart: Bool
    private var lines = 0
    /// True where the last field was kept, so that lines that continue it are, too.
    private var keepsLast = false

    /// - Parameter isOfPart: only what is asked of the part around a message is kept: its type and its name.
    init(isOfPart: Bool) {
        self.isOfPart = isOfPart
        fields.reserveCapacity(isOfPart ? 2 : 4)
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
            if keepsLast {
                fields[fields.count - 1].value +=
                    " " + String(decoding: Self.trimmed(line), as: UTF8.self)
            }
            return false
        }
        guard let colon = ByteSearch.distance(to: UInt8(ascii: ":"), in: line) else {
            throw ODataError(
                .malformedText, "Expected a header field in a batch part, found another line.")
        }
        let name = Self.trimmed(UnsafeBufferPointer(rebasing: line[..<colon]))
        keepsLast = !isOfPart || Self.isAskedOfPart(name)
        if keepsLast {
            let value = Self.trimmed(UnsafeBufferPointer(rebasing: line[(colon + 1)...]))
            fields.append(
                HeaderFields.Field(name: texts.text(name), value: texts.text(value)))
        }
        return false
    }

    /// `Content-Type` and `Content-ID`.
    private static func isAskedOfPart(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count == 12 || name.count == 10 else { return false }
        let wanted: StaticString = name.count == 12 ? "content-type" : "content-id"
        return name.indices.allSatisfy { index in
            let byte = name[index]
            return (byte >= 65 && byte <= 90 ? byte | 32 : byte) == wanted.utf8Start[index]
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    private static func trimmed(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, bytes.count)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }
}
