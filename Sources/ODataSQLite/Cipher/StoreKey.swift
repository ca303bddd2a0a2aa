import ODataText

/// What opens an encrypted store: 32 bytes of a key, or a passphrase of any other form.
///
/// A text of 64 hexadecimal digits is a key, because that is how apps keep one in a key chain; it costs one HKDF. Any other
/// text is a passphrase, of which the UTF-8 bytes count as they are, and costs a scrypt (`docs/encryption.md`).
package struct StoreKey: Sendable, Equatable {
    package static let byteCount = 32
    private static let maximumBytes = 1024

    /// As it was given; a raw key is its 32 bytes.
    let bytes: [UInt8]
    let isRaw: Bool
    /// The base-two logarithm of scrypt's rounds for stores that are sealed with this key from now on.
    package var passphraseCost = KeyDerivation.standardCost

    /// - Throws: `storage` for an empty text and one of more than 1,024 bytes.
    package init(_ text: String) throws {
        if let raw = Self.hexadecimal(text) {
            bytes = raw
            isRaw = true
        } else {
            let utf8 = Array(text.utf8)
            guard !utf8.isEmpty, utf8.count <= Self.maximumBytes else {
                throw StoreKeyError.unusableKey.error(at: "encryptionKey")
            }
            bytes = utf8
            isRaw = false
        }
    }

    /// 32 bytes are a key, any other number is a passphrase.
    package init(bytes: [UInt8]) throws {
        guard !bytes.isEmpty, bytes.count <= Self.maximumBytes else {
            throw StoreKeyError.unusableKey.error(at: "encryptionKey")
        }
        self.bytes = bytes
        isRaw = bytes.count == Self.byteCount
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the key.
    package var description: String { isRaw ? "a key" : "a passphrase" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
