/// A primitive or enumeration value: the only value that passes between wire, SQL and store.
///
/// Each case is exact for its Edm types; which Edm type a value has is known from the property it belongs to
/// (``PrimitiveType``). Absence is `nil` around a scalar, an OData null is ``null``.
package enum Scalar: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// Byte, SByte, Int16, Int32, Int64 and enumeration values.
    case integer(Int64)
    /// Double and Single (a Single is stored widened).
    case double(Double)
    case decimal(DecimalNumber)
    case string(String)
    case binary([UInt8])
    case guid(Guid)
    case date(CalendarDate)
    /// TimeOfDay and V2 Time.
    case timeOfDay(ClockTime)
    /// An instant with the offset it was written in.
    case dateTimeOffset(OffsetDateTime)
    /// V2 DateTime: wall clock, no offset.
    case dateTime(WallDateTime)
    case duration(EdmDuration)
    case geo(GeoValue)
}
