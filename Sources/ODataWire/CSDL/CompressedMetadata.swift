import ODataText

/// Expands the compressed metadata text that generated proxy classes carry.
///
/// After an optional XML declaration stand the instructions `xmlc` and `xmlc-define`; attributes of the latter named
/// `_0`, `_1`, … (base 36) stand for element and attribute names, those named `$0`, `$1`, … for attribute values. In
/// the body a name that is `_n`, or a value that is exactly `$n`, is replaced; everything else is literal.
package enum CompressedMetadata {
    /// The ordinary text; nil when the text is not compressed.
    ///
    /// - Throws: `malformedText` when the definitions cannot be read; `limitExceeded` when the text grows too much.
    package static func expanded(_ bytes: [UInt8], maximumBytes: Int = 64 << 20) throws -> [UInt8]?
    {
        var scanner = Scanner(bytes: bytes)
        guard let start = scanner.find("xmlc-define", before: 4096) else { return nil }
        scanner.index = start
        try scanner.readDefinitions()
        return try scanner.expandBody(maximumBytes: maximumBytes)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0
        var definitions: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]

        func find(_ text: StaticString, before limit: Int) -> Int? {
            let count = text.utf8CodeUnitCount
            let end = min(bytes.count, limit)
            guard end > count else { return nil }
            for start in 0..<end - count
            where (0..<count).allSatisfy({ bytes[start + $0] == text.utf8Start[$0] }) {
                return start + count
            }
            return nil
        }

        func error(_ message: String) -> ODataError {
            ODataError(.malformedText, message, at: lineAndColumn(of: index, in: bytes))
        }

        static func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        }

        static func isNameByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
                true
            default: "_$:-.".utf8.contains(byte)
            }
        }

        mutating func readName() -> ArraySlice<UInt8> {
            let start = index
            while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
            return bytes[start..<index]
        }

        mutating func readDefinitions() throws {
            while true {
                while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
                guard index < bytes.count else {
                    throw error("Expected definitions, found the end.")
                }
                if let close = bytes[index...].prefix(2).firstIndex(of: UInt8(ascii: ">")) {
                    index = close + 1
                    return
                }
                let name = readName()
                guard !name.isEmpty, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "="),
                    bytes[index + 1] == UInt8(ascii: "\"") || bytes[index + 1] == UInt8(ascii: "'"),
                    let end = bytes[(index + 2)...].firstIndex(of: bytes[index + 1])
                else { throw error("Expected a definition of a name or value.") }
                definitions[name] = bytes[(index + 2)..<end]
                index = end + 1
            }
        }

        mutating func expandBody(maximumBytes: Int) throws -> [UInt8] {
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count * 2)
            while index < bytes.count {
                try check(output, maximumBytes)
                if starts(with: "<!--") {
                    copy(through: "-->", to: &output)
                } else if starts(with: "<![CDATA[") {
                    copy(through: "]]>", to: &output)
                } else if starts(with: "<?") {
                    copy(through: "?>", to: &output)
                } else if bytes[index] == UInt8(ascii: "<") {
                    try expandTag(&output, maximumBytes)
                } else {
                    output.append(bytes[index])
                    index += 1
                }
            }
            return output
        }

        private func check(_ output: [UInt8], _ maximumBytes: Int) throws {
            guard output.count <= maximumBytes else {
                throw ODataError(
                    .limitExceeded, "Expected at most \(maximumBytes) bytes of metadata.")
            }
        }

        private func starts(with text: StaticString) -> Bool {
            let count = text.utf8CodeUnitCount
            return index + count <= bytes.count
                && (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
        }

        private mutating func copy(through end: StaticString, to output: inout [UInt8]) {
            while index < bytes.count, !starts(with: end) {
                output.append(bytes[index])
                index += 1
            }
            let stop = min(bytes.count, index + end.utf8CodeUnitCount)
            output.append(contentsOf: bytes[index..<stop])
            index = stop
        }

        private mutating func expandTag(_ output: inout [UInt8], _ maximumBytes: Int) throws {
            output.append(bytes[index])
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
                try check(output, maximumBytes)
                let byte = bytes[index]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    let end = bytes[(index + 1)...].firstIndex(of: byte) ?? bytes.count
                    output.append(byte)
                    let value = bytes[(index + 1)..<end]
                    let isReference = value.first == UInt8(ascii: "$")
                    output.append(contentsOf: isReference ? definitions[value] ?? value : value)
                    if end < bytes.count { output.append(byte) }
                    index = min(bytes.count, end + 1)
                } else if Self.isNameByte(byte) {
                    let name = readName()
                    let isReference = name.first == UInt8(ascii: "_")
                    output.append(contentsOf: isReference ? definitions[name] ?? name : name)
                } else {
                    output.append(byte)
                    index += 1
                }
            }
        }
    }
}
