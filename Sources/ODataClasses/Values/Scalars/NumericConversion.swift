import ODataModel

/// Numbers of one value class read as another: services return narrower numbers than the model declares.
enum NumericConversion {
    /// Whole numbers that fit 64 bits.
    static func integer(_ value: DataValue) -> Int64? {
        switch value.scalarValue() {
        case .integer(let number): number
        case .decimal(let number): number.int64Value
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// Any number, rounded to the nearest.
    static func double(_ value: DataValue) -> Double? {
        switch value.scalarValue() {
        case .integer(let number): Double(number)
        case .decimal(let number): number.doubleValue
        case .double(let number): number
        default: nil
        }
    }

    /// Any finite number.
    static func decimal(_ value: DataValue) -> DecimalNumber? {
        switch value.scalarValue() {
        case .integer(let number): DecimalNumber(number)
        case .decimal(let number): number
        case .double(let number): DecimalNumber(shortest: number)
        default: nil
        }
    }
}

extension DecimalNumber {
    /// The whole part; the nearest Int64 when it does not fit.
    func saturated() -> Int64 {
        rounded(toScale: 0, .down).int64Value ?? (signum < 0 ? .min : .max)
    }
}
