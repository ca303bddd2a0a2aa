import ODataModel

/// A 16-bit unsigned integer.
open class UnsignedShort: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Int

    /// Wraps a value.
    public required init(_ value: Int) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.unsignedShort }

    package final var scalar: Scalar { .integer(Int64(value)) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The canonical digits.
    open override func toString() -> String { "\(value)" }

    /// The value of this or another numeric class when it is whole and fits.
    public static func plain(from value: DataValue) -> Int? {
        NumericConversion.integer(value).flatMap { Int(exactly: $0) }
    }

    /// The number 0.
    public static var zero: UnsignedShort { UnsignedShort(0) }

    /// The value itself. A value outside the range of the type is a programming error and traps.
    public static func validate(_ value: Int) -> Int {
        precondition(
            UInt16(exactly: value) != nil, "Expected a value in the range of UnsignedShort.")
        return value
    }
}
