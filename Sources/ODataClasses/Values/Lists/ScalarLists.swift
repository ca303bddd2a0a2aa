import ODataModel

/// A list whose items are value objects.
open class ValueList<Item: DataValue>: TypedList<Item>, @unchecked Sendable {
    // Confined as its base class says.
    override package func dataValues() -> [DataValue?] { items }

    override package func assign(_ values: [DataValue?]) {
        items = values.map { value in
            guard let item = value as? Item else {
                preconditionFailure("Expected \(Item.self), found \(Self.className(value)).")
            }
            return item
        }
    }
}

/// A list of plain values that are wrapped when they are looked at as value objects.
open class PlainList<Wrapper: ScalarWrapper>: TypedList<Wrapper.Plain>, @unchecked Sendable {
    // Confined as its base class says.
    override package func dataValues() -> [DataValue?] { items.map { Wrapper($0) } }
    override package func object(of item: Wrapper.Plain) -> AnyObject? { Wrapper(item) }

    override package func assign(_ values: [DataValue?]) {
        items = values.map { Wrapper.unwrap($0) }
    }
}

/// A list of texts.
open class StringList: PlainList<StringValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.string) }
}

/// A list of truth values.
open class BooleanList: PlainList<BooleanValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.boolean) }
}

/// A list of 8-bit integers.
open class ByteList: PlainList<ByteValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.byte) }
}

/// A list of 16-bit integers.
open class ShortList: PlainList<ShortValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.short) }
}

/// A list of 32-bit integers.
open class IntList: PlainList<IntValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.int) }
}

/// A list of 64-bit integers.
open class LongList: PlainList<LongValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.long) }
}

/// A list of whole numbers of any size.
open class IntegerList: PlainList<IntegerValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.integer) }
}

/// A list of decimal numbers.
open class DecimalList: PlainList<DecimalValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.decimal) }
}

/// A list of floats.
open class FloatList: PlainList<FloatValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.float) }
}

/// A list of doubles.
open class DoubleList: PlainList<DoubleValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.double) }
}

/// A list of byte sequences.
open class BinaryList: PlainList<BinaryValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.binary) }
}

/// A list of characters.
open class CharList: PlainList<CharValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.char) }
}

/// A list of unsigned 8-bit integers.
open class UnsignedByteList: PlainList<UnsignedByte>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.unsignedByte) }
}

/// A list of unsigned 16-bit integers.
open class UnsignedShortList: PlainList<UnsignedShort>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.unsignedShort) }
}

/// A list of unsigned 32-bit integers.
open class UnsignedIntList: PlainList<UnsignedInt>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.unsignedInt) }
}

/// A list of unsigned 64-bit integers.
open class UnsignedLongList: PlainList<UnsignedLong>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.unsignedLong) }
}

/// A list of links to streams.
open class StreamLinkList: ValueList<StreamLink>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.streamLink) }
}

/// A list of identifiers.
open class GuidValueList: ValueList<GuidValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.guidValue) }
}

/// A list of dates.
open class LocalDateList: ValueList<LocalDate>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.localDate) }
}

/// A list of times of day.
open class LocalTimeList: ValueList<LocalTime>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.localTime) }
}

/// A list of dates with times.
open class LocalDateTimeList: ValueList<LocalDateTime>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.localDateTime) }
}

/// A list of instants.
open class GlobalDateTimeList: ValueList<GlobalDateTime>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.globalDateTime) }
}

/// A list of durations.
open class DayTimeDurationList: ValueList<DayTimeDuration>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.dayTimeDuration) }
}

/// A list of shapes on the earth.
open class GeographyValueList: ValueList<GeographyValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.geographyValue) }
}

/// A list of shapes in a plane.
open class GeometryValueList: ValueList<GeometryValue>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.geometryValue) }
}

/// A list of enumeration values.
open class EnumValueList: ValueList<EnumValue>, @unchecked Sendable {
    /// The list type; of unknown items while the list is empty.
    open override var dataType: DataType {
        DataType.listOf(items.first?.enumType ?? DataType.unknown)
    }
}

/// A list of values of any class.
open class DataValueList: ValueList<DataValue>, @unchecked Sendable {
    /// The list type; the item type is that of the first item.
    open override var dataType: DataType {
        DataType.listOf(items.first?.dataType ?? BasicType.dataValue)
    }
}
