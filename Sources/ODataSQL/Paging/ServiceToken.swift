import ODataText

/// An opaque `$skiptoken` or `$deltatoken`: a few texts, packed so that no client is tempted to read or edit them.
///
/// The last part is a check sum: a token that was cut or edited is refused instead of misread.
package struct ServiceToken: Sendable, Hashable {
    package var kind: Kind
    package var fields: [String]

    package enum Kind: String, Sendable {
        /// A following page of a read.
        case page = "p"
        /// Changes since a sequence.
        case delta = "d"
        /// A following page of a read of a local store, or of a cross join.
        case rows = "r"
        /// A following page of all entities of a service.
        case all = "a"

        /// Tokens of a service are parts of URLs; those of a store hold whatever orders its rows.
        fileprivate var maximumLength: Int { self == .rows ? 64 << 20 : 64 << 10 }
    }

    package init(_ kind: Kind, _ fields: [String]) {
        self.kind = kind
        self.fields = fields
    }

    /// The text to put into a URL: letters, digits, `-` and `_`.
    package var text: String {
        var bytes = Array(kind.rawValue.utf8)
        for field in fields {
            bytes.append(Self.separator)
            for byte in field.utf8 {
                let isOurs = byte == Self.separator || byte == Self.escape
                if isOurs { bytes.append(Self.escape) }
                bytes.append(isOurs ? byte ^ Self.mask : byte)
            }
        }
        bytes.append(Self.separator)
        let sum = Fingerprint.checkSum(bytes)
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift)))
        }
        return Base64.text(bytes, isPadded: false)
    }

    /// - Throws: `invalidQuery` (400) for a text that ``text`` did not make.
    package init(parsing text: String, expecting kind: Kind) throws {
        let refused = ODataError(
            .invalidQuery, "Expected a token that this service gave out, found another text.",
            status: 400)
        guard text.utf8.count <= kind.maximumLength, let bytes = Base64.bytes(text),
            bytes.count > 6
        else { throw refused }
        let content = Array(bytes.dropLast(4))
        var sum: UInt32 = 0
        for (position, byte) in bytes.suffix(4).enumerated() {
            sum |= UInt32(byte) << UInt32(8 * position)
        }
        guard Fingerprint.checkSum(content) == sum, content.last == Self.separator else {
            throw refused
        }
        var parts = content.dropLast().split(
            separator: Self.separator, omittingEmptySubsequences: false
        ).map { String(decoding: Self.unescaped($0), as: UTF8.self) }
        guard parts.removeFirst() == kind.rawValue else { throw refused }
        self.kind = kind
        fields = parts
    }

    private static let separator: UInt8 = 0x1F
    /// Stands before a separator or an escape of a field itself, which is changed by the mask.
    private static let escape: UInt8 = 0x1E
    private static let mask: UInt8 = 0x40

    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        guard field.contains(escape) else { return Array(field) }
        var (bytes, isMasked) = ([UInt8](), false)
        for byte in field {
            if byte == escape, !isMasked {
                isMasked = true
            } else {
                bytes.append(isMasked ? byte ^ mask : byte)
                isMasked = false
            }
        }
        return bytes
    }
}
