import ODataModel

/// A text (`Edm.String`).
open class StringValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: String

    /// Wraps a value.
    public required init(_ value: String) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.string }

    package final var scalar: Scalar { .string(value) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The text itself.
    open override func toString() -> String { value }

    /// The text of a string or character value.
    public static func plain(from value: DataValue) -> String? {
        if case .string(let text) = value.scalarValue() { text } else { nil }
    }

    /// The empty text.
    public static let empty = StringValue("")
}
