/// Percent-decoded bytes that remember where each of them stood in the source, so that errors point there and an
/// encoded delimiter can be told from a bare one.
package struct DecodedText: Sendable {
    package let bytes: [UInt8]
    /// Source offset of each byte and of the end; nil when nothing was encoded.
    private let offsets: [Int]?
    private let base: Int

    /// Text that is not percent-encoded.
    package init(plain text: String) {
        bytes = Array(text.utf8)
        offsets = nil
        base = 0
    }

    /// Decodes `source` once.
    ///
    /// - Parameters:
    ///   - base: Offset of the first byte in the whole URL.
    ///   - plusIsSpace: Read `+` as a space, as form encoders write it (in query parts only).
    /// - Throws: `malformedText` for a `%` without two hexadecimal digits and for bytes that are not UTF-8.
    package init(decoding source: ArraySlice<UInt8>, base: Int, plusIsSpace: Bool) throws {
        self.base = base
        let percent = UInt8(ascii: "%")
        var output: [UInt8] = []
        output.reserveCapacity(source.count)
        var positions: [Int]? = source.contains(percent) ? [] : nil
        positions?.reserveCapacity(source.count + 1)
        var index = source.startIndex
        while index < source.endIndex {
            positions?.append(base + index - source.startIndex)
            let byte = source[index]
            if byte == percent {
                guard index + 2 < source.endIndex,
                    let high = Self.hexadecimal(source[index + 1]),
                    let low = Self.hexadecimal(source[index + 2])
                else {
                    throw ODataError(
                        .malformedText, "Expected two hexadecimal digits after %.",
                        at: .offset(base + index - source.startIndex))
                }
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(plusIsSpace && byte == UInt8(ascii: "+") ? 32 : byte)
                index += 1
            }
        }
        positions?.append(base + source.count)
        guard String(validating: output, as: UTF8.self) != nil else {
            throw ODataError(.malformedText, "Expected UTF-8 after decoding.", at: .offset(base))
        }
        bytes = output
        offsets = positions
    }

    /// Where the byte at `index` (or the end) stood in the source.
    package func sourceOffset(_ index: Int) -> Int {
        offsets?[min(index, bytes.count)] ?? base + index
    }

    /// True when the byte at `index` was written as `%XX`.
    package func wasEncoded(_ index: Int) -> Bool {
        guard let offsets, index < bytes.count else { return false }
        return offsets[index + 1] - offsets[index] > 1
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
