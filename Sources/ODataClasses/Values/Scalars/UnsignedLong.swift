import ODataModel

/// A 64-bit unsigned integer.
open class UnsignedLong: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: BigInteger

    /// Wraps a value.
    public required init(_ value: BigInteger) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.unsignedLong }

    package final var scalar: Scalar { .decimal(value.number) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The canonical digits.
    open override func toString() -> String { value.toString() }

    /// The value of this or another numeric class when it is whole.
    public static func plain(from value: DataValue) -> BigInteger? {
        NumericConversion.decimal(value).flatMap { BigInteger(exactly: $0) }
    }

    /// The number 0.
    public static var zero: UnsignedLong { UnsignedLong(BigInteger(0)) }
}
