import ODataModel

/// A whole number of any size (`Edm.Decimal` with scale 0).
open class IntegerValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: BigInteger

    /// Wraps a value.
    public required init(_ value: BigInteger) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.integer }

    package final var scalar: Scalar { .decimal(value.number) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The canonical digits.
    open override func toString() -> String { value.toString() }

    /// The value of this or another numeric class when it is whole.
    public static func plain(from value: DataValue) -> BigInteger? {
        NumericConversion.decimal(value).flatMap { BigInteger(exactly: $0) }
    }

    /// The number 0.
    public static var zero: IntegerValue { IntegerValue(BigInteger(0)) }
}
