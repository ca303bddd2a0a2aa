import ODataClasses
import Foundation
import ODataModel
import Testing

@Suite struct ScalarWrapperTests {
    @Test func wrappersPrintTheirLexicalForm() {
        #expect("\(IntValue.of(-5))" == "-5")
        #expect("\(StringValue.of("It's"))" == "It's")
        #expect("\(BooleanValue.of(true))" == "true")
        #expect("\(FloatValue.of(0.1))" == "0.1")
        #expect("\(DecimalValue.of(BigDecimal("2.50")))" == "2.50")
        #expect("\(BinaryValue.of(Data([0xFF, 0xEF])))" == "_-8=")
    }

    @Test func narrowerNumbersUnwrapAsWiderOnes() {
        #expect(IntValue.optional(ShortValue.of(5)) == 5)
        #expect(LongValue.unwrap(IntValue.of(5)) == 5)
        #expect(DoubleValue.unwrap(IntValue.of(5)) == 5)
        #expect(DecimalValue.unwrap(DoubleValue.of(0.1)).toString() == "0.1")
        #expect(IntegerValue.castRequired(LongValue.of(5)).toString() == "5")
        #expect(IntValue.optional(nil) == nil)
        #expect(IntValue.plain(from: DoubleValue.of(0.5)) == nil)
        #expect(StringValue.plain(from: IntValue.of(1)) == nil)
    }

    @Test func equalityFollowsTheValueSpace() {
        #expect(IntValue.of(3) as DataValue == LongValue.of(3))
        #expect(
            (IntValue.of(3) as DataValue).hashValue == (DoubleValue.of(3) as DataValue).hashValue)
        #expect(DecimalValue.of(BigDecimal("1.0")) as DataValue == IntValue.of(1))
        #expect(StringValue.of("3") as DataValue != IntValue.of(3))
        let two: DataValue = IntValue.of(2)
        #expect(two < DoubleValue.of(2.5))
        #expect(IntValue.compare(left: IntValue.of(1), right: IntValue.of(2)) == -1)
        #expect(DataValue.undefined == DataValue.undefined)
    }

    @Test func everyScalarSurvivesItsValueObject() throws {
        let cases: [(PrimitiveType, String)] = [
            (.byte, "255"), (.sbyte, "-128"), (.int16, "-5"), (.int32, "5"),
            (.int64, "9223372036854775807"),
            (.single, "0.1"), (.double, "1e300"), (.decimal, "2.50"), (.string, "x"),
            (.binary, "AP8="),
            (.boolean, "true"), (.guid, "01234567-89ab-cdef-0123-456789abcdef"),
            (.date, "2031-05-01"),
            (.timeOfDay, "08:30:00.123456789012"), (.time, "PT8H30M"),
            (.dateTime, "2031-05-01T08:30:00.1234567"),
            (.dateTimeOffset, "2031-05-01T08:30:00+02:00"), (.duration, "-P1DT0.000000000001S"),
            (.geographyPoint, "Point(1 2)"), (.geometryPolygon, "Polygon((1 1,2 2,1 1))"),
        ]
        for (type, text) in cases {
            let scalar = try Lexical.parse(text, as: type)
            let object = try #require(DataValue.of(scalar, type))
            #expect(object.scalar(as: type) == scalar, "\(type)")
            #expect(object.dataType.code == BasicType.of(type).code, "\(type)")
        }
        #expect(DataValue.of(.null, .string) == nil)
        #expect(StringValue.of("5").scalar(as: .int32) == nil)
        #expect(IntValue.of(5).scalar(as: .decimal) == .decimal(DecimalNumber(5)))
    }

    @Test func bigNumbersParseAndCompute() {
        #expect(BigDecimal.parse("x") == nil)
        #expect(BigInteger.parse("1.5") == nil)
        #expect(BigDecimal.fromDouble(0.1).toString() == "0.1")
        #expect((BigDecimal("1.10") + BigDecimal("2.2")).toString() == "3.30")
        #expect((BigDecimal(1) / BigDecimal(8)).toString() == "0.125")
        #expect((BigInteger(-7) / BigInteger(2)).intValue() == -3)
        #expect(BigInteger(-7).modulo(BigInteger(3)).intValue() == 2)
        #expect((BigInteger(-7) % BigInteger(3)).intValue() == -1)
        #expect(BigDecimal("2.345").round(2, BigDecimal.roundEven).toString() == "2.34")
        #expect(BigDecimal("2.345").round(2, BigDecimal.roundUp).toString() == "2.35")
        #expect(BigDecimal("1e30").longValue() == Int64.max)
        #expect(
            BigDecimal(Decimal(string: "12.34") ?? 0).decimalValue() == Decimal(string: "12.34"))
        #expect(Set([BigDecimal("1.0"), BigDecimal(1)]).count == 1)
    }

    @Test func flagsAreNamedByTheirMembers() throws {
        let type = try ShopModel.document()[EnumerationID(0)]
        #expect(EnumValue(type, 1).name == "Red")
        #expect(EnumValue(type, 5).name == "Red,Blue")
        #expect(EnumValue(type, 7).name == "White")
        #expect(EnumValue(type, 8).name == "8")
        #expect(EnumValue(type, 0).name == "0")
        #expect(type.definition.value(of: "Red,Blue") == 5)
        #expect(type.definition.value(of: "Red, 4") == 5)
        #expect(type.definition.value(of: "Pink") == nil)
        #expect(type.definition.value(of: "") == nil)
    }
}
