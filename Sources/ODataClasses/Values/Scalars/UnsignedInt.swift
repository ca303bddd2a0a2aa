import ODataModel

/// A 32-bit unsigned integer.
open class UnsignedInt: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Int64

    /// Wraps a value.
    public required init(_ value: Int64) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.unsignedInt }

    package final var scalar: Scalar { .integer(Int64(value)) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The canonical digits.
    open override func toString() -> String { "\(value)" }

    /// The value of this or another numeric class when it is whole and fits.
    public static func plain(from value: DataValue) -> Int64? {
        NumericConversion.integer(value).flatMap { Int64(exactly: $0) }
    }

    /// The number 0.
    public static var zero: UnsignedInt { UnsignedInt(0) }
}
