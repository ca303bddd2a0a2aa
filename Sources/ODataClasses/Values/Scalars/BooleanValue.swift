import ODataModel

/// A truth value (`Edm.Boolean`).
open class BooleanValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Bool

    /// Wraps a value.
    public required init(_ value: Bool) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.boolean }

    package final var scalar: Scalar { .boolean(value) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// `true` or `false`.
    open override func toString() -> String { value ? "true" : "false" }

    /// The truth value of a Boolean.
    public static func plain(from value: DataValue) -> Bool? {
        if case .boolean(let plain) = value.scalarValue() { plain } else { nil }
    }
}
