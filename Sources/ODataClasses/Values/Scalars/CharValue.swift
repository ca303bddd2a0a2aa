import ODataModel

/// A single character.
open class CharValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Character

    /// Wraps a value.
    public required init(_ value: Character) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.char }

    package final var scalar: Scalar { .string(String(value)) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The character as a text.
    open override func toString() -> String { String(value) }

    /// The character of a character value or of a text of one character.
    public static func plain(from value: DataValue) -> Character? {
        guard case .string(let text) = value.scalarValue(), text.count == 1 else { return nil }
        return text.first
    }

    /// Wraps the character of a UTF-16 code unit; a half of a pair becomes U+FFFD, since it is no character.
    public static func of(_ code: UInt16) -> CharValue {
        CharValue(Character(Unicode.Scalar(code) ?? "\u{FFFD}"))
    }
}
