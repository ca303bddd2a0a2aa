import Foundation
import SAPOData

// Section 5: values.

enum ValueNames {
    static func values(_ value: DataValue, _ other: DataValue) {
        _ = (value.dataType, value.typeCode, value.equals(other), value.copyMutable())
        _ = (DataValue.cloneMutable(value), DataValue.undefined, value.toString())
        _ = (value == other, value < other, Set([value]).count, "\(value)")
    }

    static func wrappers(_ object: AnyObject?) {
        let strings: (StringValue, StringValue?) = (.of("a"), .of(optional: nil))
        _ = (strings.0.value, StringValue.optional(object), StringValue.unwrap(object))
        _ = (StringValue.castOptional(object), StringValue.castRequired(object), StringValue.empty)
        _ = (BooleanValue.of(true), BooleanValue.of(optional: nil), BooleanValue.optional(object))
        _ = (BinaryValue.of(Data()), BinaryValue.of(optional: nil), BinaryValue.empty)
        _ = (CharValue.of("a"), CharValue.of(UInt16(65)), CharValue.of(optional: nil))
        _ = (ByteValue.of(1), ByteValue.unwrap(object), ByteValue.validate(1))
        _ = (UnsignedByte.of(1), UnsignedByte.optional(object), UnsignedByte.toInt(-1))
        _ = (ShortValue.of(1), ShortValue.of(optional: nil), ShortValue.validate(1))
        _ = (UnsignedShort.of(1), UnsignedShort.validate(1), UnsignedInt.of(1))
        _ = (IntValue.of(1), IntValue.of(optional: nil), IntValue.zero, IntValue.unwrap(object))
        _ = (LongValue.of(Int64(1)), LongValue.optional(object), LongValue.zero)
        _ = (IntegerValue.of(BigInteger(1)), IntegerValue.unwrap(object))
        _ = (DecimalValue.of(BigDecimal(1)), DecimalValue.of(optional: nil))
        _ = (FloatValue.of(1), FloatValue.optional(object), DoubleValue.of(1), DoubleValue.zero)
        _ = IntValue.equal(left: nil, right: .of(1))
        _ = IntValue.compare(left: .of(1), right: .of(2))
        let number: Int? = IntValue.optional(object)
        let wide: Int64? = LongValue.optional(object)
        _ = (number, wide, UnsignedLong.of(BigInteger(1)))
    }

    static func bigNumbers() {
        let price = BigDecimal("1.5")
        _ = (BigDecimal(1), BigDecimal(Decimal(1)), BigDecimal.parse("1"), price.decimalValue())
        _ = (price.doubleValue(), price.floatValue(), price.intValue(), price.longValue())
        _ = (price.shortValue(), price.byteValue(), price.integerValue(), price.toInteger())
        _ = (BigDecimal.fromInt(1), BigDecimal.fromDouble(1), BigDecimal.fromFloat(1))
        _ = (BigDecimal.fromLong(1), price.add(price), price.subtract(price))
        _ = (price.multiply(price), price.divide(price), price.remainder(price))
        _ = (price.modulo(price), price.negate(), price.abs(), price.sign())
        _ = (price.compareTo(price), price.round(1), price.scale)
        _ = (BigDecimal.roundNone, BigDecimal.roundDown, BigDecimal.roundEven, BigDecimal.roundUp)
        _ = (price + price, price - price, price * price, price / price, price % price)
        _ = (price == price, price < price, price.hashValue, "\(price)")
        let count = BigInteger("15")
        _ = (BigInteger(1), BigInteger(Decimal(1)), BigInteger.parse("1"), BigInteger.fromInt(1))
        _ = (count.intValue(), count.doubleValue(), count + count, count == count, count < count)
        _ = (count.add(count), count.multiply(count), "\(count)", count.toDecimal())
    }

    static func guids(_ object: AnyObject?) {
        let guid = GuidValue.random()
        _ = (GuidValue.parse(""), GuidValue.literal(guid.toString()), guid.toString32())
        _ = (guid.toBinary(), guid.value, GuidValue.of(UUID()), GuidValue.ofOptional(nil))
        _ = (GuidValue.castOptional(object), GuidValue.castRequired(object))
        _ = (GuidValue.equal(x: guid, y: nil), GuidValue.compare(x: guid, y: guid))
    }

    static func calendar(_ object: AnyObject?) {
        let date = LocalDate.of(year: 2031, month: 1, day: 2)
        let time = LocalTime.of(hour: 1, minute: 2, second: 3, nano: 4)
        let local = LocalDateTime.of(year: 2031, month: 1, day: 2, hour: 3)
        let global = GlobalDateTime.of(year: 2031, month: 1, day: 2)
        _ = (LocalDate.parse(""), LocalTime.parse(""), LocalDateTime.parse(""))
        _ = (GlobalDateTime.parse(""), LocalDate.now(), LocalTime.now(), LocalDateTime.now())
        _ = (GlobalDateTime.now(), LocalDate.from(utc: Date()), LocalTime.from(utc: Date()))
        _ = LocalDateTime.from(utc: Date(), in: .current)
        _ = (GlobalDateTime.from(utc: Date()), global.utc())
        let instants: [Date?] = [date.utc(), time.utc(), local.utc(from: .current), global.utc()]
        _ = (instants, date.year, date.month, date.day, date.dayOfWeek, date.dayOfYear)
        _ = (time.hour, time.minute, time.second, time.nano, local.date, local.time)
        _ = (global.year, global.hour, global.date, global.time, local.nano)
        _ = (LocalDate.castOptional(object), LocalTime.castOptional(object))
        _ = (LocalDateTime.castOptional(object), GlobalDateTime.castRequired(object))
        let duration = DayTimeDuration.of(
            sign: 1, days: 1, hours: 1, minutes: 1, seconds: 1, nanos: 1)
        _ = (DayTimeDuration.ofDecimal(BigDecimal(1)), duration.toDecimal(), duration.normalize())
        _ = (DayTimeDuration.parse(""), duration.sign, duration.days, duration.hours)
        _ = (duration.minutes, duration.seconds, duration.nanos, duration < duration)
        let months = YearMonthDuration.of(sign: 1, years: 1, months: 1)
        _ = (YearMonthDuration.parse(""), months.sign, months.years, months.months)
        _ = (DayOfWeek.monday, DayOfWeek.sunday, MonthOfYear.january, MonthOfYear.december)
    }

    static func enumerations(_ value: EnumValue, _ object: AnyObject?) {
        _ = (value.name, value.value, value.intValue(), value.longValue(), value.shortValue())
        _ = (value.byteValue(), value.enumType, value.annotations, value.isRemoved)
        _ = (value.canBeRemoved, value.isExtension, EnumValue.castOptional(object))
        _ = EnumValue.castRequired(object)
    }

    static func geography() {
        let point = GeographyPoint.withLatitudeLongitude(1, 2)
        _ = (point.coordinates.latitude, point.coordinates.longitude, point.srsCode, point.srsName)
        _ = (GeographyPoint.withXY(1, 2), GeographyPoint.withXYZ(1, 2, 3), point.toString())
        _ = (GeographyPoint.parse(""), GeographyPoint.parseWKT("", sridRequired: false))
        _ = point.formatWKT(sridRequired: true)
        _ = (GeometryPoint.withXY(1, 2), GeometryPoint.parse(""))
        let types: [GeospatialValue.Type] = [
            GeographyMultiPoint.self, GeographyLineString.self, GeographyMultiLineString.self,
            GeographyPolygon.self, GeographyMultiPolygon.self, GeographyCollection.self,
            GeometryMultiPoint.self, GeometryLineString.self, GeometryMultiLineString.self,
            GeometryPolygon.self, GeometryMultiPolygon.self, GeometryCollection.self,
        ]
        _ = types
    }

    static func links(_ link: StreamLink) {
        _ = (link.readLink, link.editLink, link.entityTag, link.mediaType, link.isOffline)
        _ = (link.isDeleted, link.inlineData, link.inlineText, link.valuePath, link.entitySet)
        _ = (link.owningType, link.streamProperty, link.copyLink())
    }
}
