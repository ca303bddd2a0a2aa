import ODataModel

/// An exact decimal number (`Edm.Decimal`).
open class DecimalValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: BigDecimal

    /// Wraps a value.
    public required init(_ value: BigDecimal) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.decimal }

    package final var scalar: Scalar { .decimal(value.number) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The digits with those of the scale, without exponent.
    open override func toString() -> String { value.toString() }

    /// The value of this or another numeric class; the shortest decimal for binary fractions.
    public static func plain(from value: DataValue) -> BigDecimal? {
        NumericConversion.decimal(value).map { BigDecimal($0) }
    }

    /// The number 0.
    public static var zero: DecimalValue { DecimalValue(BigDecimal(DecimalNumber.zero)) }
}
