import ODataModel

/// A 64-bit binary floating-point number (`Edm.Double`).
open class DoubleValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Double

    /// Wraps a value.
    public required init(_ value: Double) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.double }

    package final var scalar: Scalar { .double(value) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The shortest text that reads back as the same value; `INF`, `-INF` and `NaN` for the special ones.
    open override func toString() -> String { Lexical.text(scalar, as: .double) }

    /// The value of this or another numeric class, rounded to the nearest.
    public static func plain(from value: DataValue) -> Double? {
        NumericConversion.double(value)
    }

    /// The number 0.
    public static var zero: DoubleValue { DoubleValue(0) }
}
