import ODataText

/// Why a key and a store do not go together. The store is as it was.
package enum StoreKeyError: Error, Sendable, Hashable {
    case wrongKey
    case missingKey
    /// A key was given for a store that is not encrypted.
    case notEncrypted
    case unusableKey

    /// As the error that package code throws.
    package func error(at path: String) -> ODataError {
        let message =
            switch self {
            case .wrongKey:
                "Expected the encryption key that the store was sealed with, found another."
            case .missingKey: "Expected an encryption key, because the store is encrypted."
            case .notEncrypted:
                "Expected an encrypted store, found one in clear: open it without a key."
            case .unusableKey: "Expected an encryption key of 1 to 1,024 bytes."
            }
        return ODataError(.storage, message, at: .path(path), underlying: self)
    }
}

/// What of a store's file is not what was written. Nothing was changed.
package enum StoreDamage: Error, Sendable, Hashable {
    /// The file ends before its pages do; lengths in bytes.
    case cutOff(expected: Int64, found: Int64)
    /// Pages of a store in clear that SQLite cannot read.
    case malformed
    /// Neither header slot is whole.
    case header
    /// A header of a later format, or with parameters beyond the limits.
    case unknownFormat
    /// A page failed authentication, or is missing where the store says that it has one.
    case page(UInt32)
    /// A frame of the write-ahead log failed authentication; the offset is the frame's.
    case log(offset: Int64)
    /// A journal or temporary file.
    case temporary
    /// Neither an encrypted store nor a SQLite file.
    case foreign

    package func error(at path: String) -> ODataError {
        let message =
            switch self {
            case .cutOff(let expected, let found):
                "Expected a store of at least \(expected) bytes, found one that was cut off after"
                    + " \(found)."
            case .malformed:
                "Expected the pages of a store as they were written, found damaged ones: check and"
                    + " repair it."
            case .header: "Expected the header of an encrypted store, found a damaged one."
            case .unknownFormat: "Expected an encrypted store of format 1, found another."
            case .page(let page):
                "Expected page \(page) of the encrypted store as it was written, found it damaged."
            case .log(let offset):
                "Expected the encrypted log as it was written, found the frame at \(offset)"
                    + " damaged."
            case .temporary: "Expected a temporary file as it was written, found it damaged."
            case .foreign: "Expected a store, found another file."
            }
        return ODataError(.storage, message, at: .path(path), underlying: self)
    }
}
