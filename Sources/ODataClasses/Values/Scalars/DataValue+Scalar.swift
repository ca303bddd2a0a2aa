import Foundation
import ODataModel

extension DataValue {
    /// The value object of a scalar of this type; nil for null and for a scalar that no value of the type has.
    package static func of(_ scalar: Scalar, _ type: PrimitiveType) -> DataValue? {
        switch scalar {
        case .null: nil
        case .boolean(let value): BooleanValue(value)
        case .integer(let value): integer(value, type)
        case .double(let value): type == .single ? FloatValue(Float(value)) : DoubleValue(value)
        case .decimal(let value): DecimalValue(BigDecimal(value))
        case .string(let value): StringValue(value)
        case .binary(let value): BinaryValue(Data(value))
        case .guid(let value): GuidValue(guid: value)
        case .date(let value): LocalDate(value)
        case .timeOfDay(let value): LocalTime(value)
        case .dateTimeOffset(let value): GlobalDateTime(value)
        case .dateTime(let value): LocalDateTime(value)
        case .duration(let value): DayTimeDuration(value)
        case .geo(let value): GeospatialValue.of(value, type)
        }
    }

    private static func integer(_ value: Int64, _ type: PrimitiveType) -> DataValue {
        switch type {
        case .byte: UnsignedByte(Int(value))
        case .sbyte: ByteValue(Int(value))
        case .int16: ShortValue(Int(value))
        case .int32: IntValue(Int(value))
        case .decimal: DecimalValue(BigDecimal(DecimalNumber(value)))
        case .double: DoubleValue(Double(value))
        case .single: FloatValue(Float(value))
        default: LongValue(value)
        }
    }

    /// The scalar that a property of this type holds for a value: numbers become the type's own kind where that is
    /// exact. Nil when the value does not belong to the type.
    package final func scalar(as type: PrimitiveType) -> Scalar? {
        guard let scalar = scalarValue() else { return nil }
        return scalar.converted(to: type)
    }
}

extension Scalar {
    /// The scalar as a value of this type; nil when it is none. Ranges and facets are not checked here.
    package func converted(to type: PrimitiveType) -> Scalar? {
        switch (self, type) {
        case (.null, _), (_, .untyped): return self
        case (.boolean, .boolean), (.string, .string), (.binary, .binary), (.guid, .guid),
            (.date, .date), (.timeOfDay, .timeOfDay), (.timeOfDay, .time),
            (.dateTimeOffset, .dateTimeOffset), (.dateTime, .dateTime), (.duration, .duration),
            (.double, .double), (.double, .single), (.decimal, .decimal):
            return self
        case (.integer(let value), .double), (.integer(let value), .single):
            return .double(Double(value))
        case (.integer(let value), .decimal): return .decimal(DecimalNumber(value))
        case (.decimal(let value), .double), (.decimal(let value), .single):
            return .double(value.doubleValue)
        case (.double(let value), .decimal):
            return DecimalNumber(shortest: value).map { .decimal($0) } ?? self
        case (.geo(let value), _): return value.fits(type) ? self : nil
        case (.decimal(let value), _) where type.isInteger:
            return value.int64Value.map { .integer($0) }
        case (.double(let value), _) where type.isInteger:
            return Int64(exactly: value).map { .integer($0) }
        case (.integer, _): return type.isInteger ? self : nil
        default: return nil
        }
    }
}
