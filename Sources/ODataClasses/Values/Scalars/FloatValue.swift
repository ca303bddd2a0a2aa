import ODataModel

/// A 32-bit binary floating-point number (`Edm.Single`).
open class FloatValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Float

    /// Wraps a value.
    public required init(_ value: Float) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.float }

    package final var scalar: Scalar { .double(Double(value)) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The shortest text that reads back as the same value; `INF`, `-INF` and `NaN` for the special ones.
    open override func toString() -> String { Lexical.text(scalar, as: .single) }

    /// The value of this or another numeric class, rounded to the nearest.
    public static func plain(from value: DataValue) -> Float? {
        NumericConversion.double(value).map { Float($0) }
    }

    /// The number 0.
    public static var zero: FloatValue { FloatValue(0) }
}
