/// Percent-encoded characters in identifiers (OData ABNF 4.01, the comments at `identifierLeadingCharacter` and
/// `identifierCharacter`).
enum EncodedLetter {
    /// Where the character ends that begins at `start`; nil when it is not one that may stand there.
    static func end(in bytes: [UInt8], at start: Int, isLeading: Bool) -> Int? {
        guard let lead = byte(in: bytes, at: start), lead >= 0xC2, lead < 0xF5 else { return nil }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var encoded: [UInt8] = []
        for index in 0..<length {
            guard let byte = byte(in: bytes, at: start + 3 * index) else { return nil }
            encoded.append(byte)
        }
        guard let text = String(validating: encoded, as: UTF8.self),
            let scalar = text.unicodeScalars.first, isAllowed(scalar, isLeading)
        else { return nil }
        return start + 3 * length
    }

    private static func byte(in bytes: [UInt8], at start: Int) -> UInt8? {
        guard start + 2 < bytes.count, bytes[start] == UInt8(ascii: "%") else { return nil }
        return UInt8(String(decoding: bytes[(start + 1)...(start + 2)], as: UTF8.self), radix: 16)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar, _ isLeading: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .letterNumber:
            true
        case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation, .format:
            !isLeading
        default: false
        }
    }
}
