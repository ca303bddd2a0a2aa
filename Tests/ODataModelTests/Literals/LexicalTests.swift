import ErrorFixture
import ODataModel
import ODataText
import Testing

@Suite struct LexicalTests {
    @Test(arguments: [
        (PrimitiveType.byte, "0", "255", "-1", "256"), (.sbyte, "-128", "127", "-129", "128"),
        (.int16, "-32768", "32767", "-32769", "32768"),
        (.int32, "-2147483648", "2147483647", "-2147483649", "2147483648"),
        (
            .int64, "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
            "9223372036854775808"
        ),
    ])
    func integersAreCheckedAgainstTheirRange(
        type: PrimitiveType, least: String, greatest: String, below: String, above: String
    ) throws {
        #expect(try Lexical.text(Lexical.parse(least, as: type)) == least)
        #expect(try Lexical.text(Lexical.parse(greatest, as: type)) == greatest)
        #expect(Lexical.scalar(below, as: type) == nil)
        #expect(Lexical.scalar(above, as: type) == nil)
    }

    @Test(arguments: [
        (PrimitiveType.boolean, "true", "true"), (.double, "1.5", "1.5"),
        (.double, "-0.314e1", "-3.14"),
        (.double, "1e16", "1e16"), (.double, "INF", "INF"), (.double, "-INF", "-INF"),
        (.double, "NaN", "NaN"),
        (.single, "0.1", "0.1"), (.single, "3.4028235e38", "3.4028235e38"),
        (.decimal, "2.50", "2.50"),
        (.decimal, "INF", "INF"), (.string, "It's", "It's"), (.string, "", ""),
        (.binary, "Zm9vYg==", "Zm9vYg=="),
        (.binary, "Zm9vYg", "Zm9vYg=="), (.binary, "_-8", "_-8="), (.binary, "/+8=", "_-8="),
        (.binary, "", ""),
        (.guid, "01234567-89AB-cdef-0123-456789abcdef", "01234567-89ab-cdef-0123-456789abcdef"),
        (.date, "2012-09-03", "2012-09-03"), (.timeOfDay, "11:22", "11:22:00"),
        (.time, "PT8H30M", "PT8H30M"),
        (.time, "08:30:00", "PT8H30M"),
        (.dateTime, "2031-05-01T08:30:00.1234567", "2031-05-01T08:30:00.1234567"),
        (.dateTimeOffset, "2031-05-01T08:30:00Z", "2031-05-01T08:30:00Z"),
        (.duration, "P1DT2H", "P1DT2H"),
        (.geographyPoint, "Point(1 2)", "Point(1 2)"),
        (.geographyPoint, #"{"type":"Point","coordinates":[1,2]}"#, "Point(1 2)"),
    ])
    func textReadsAndWrites(type: PrimitiveType, text: String, canonical: String) throws {
        let scalar = try Lexical.parse(text, as: type)
        #expect(Lexical.text(scalar, as: type) == canonical)
    }

    @Test(arguments: [
        (PrimitiveType.boolean, "True"), (.boolean, "1"), (.int32, ""), (.int32, "1.0"),
        (.int32, " 1"),
        (.double, "1."), (.double, "Infinity"), (.double, "0x1p3"), (.double, "1e400"),
        (.double, "nan"),
        (.single, "1e39"), (.double, "-0.314e1e2"), (.decimal, "42."), (.binary, "Z"),
        (.binary, "Zm9vYg="),
        (.binary, "Zm9 vYg=="), (.binary, "Zh=="), (.guid, "0123456789abcdef0123456789abcdef"),
        (.time, "PT24H"), (.time, "-PT1H"), (.dateTime, "2031-05-01T08:30:00Z"),
        (.date, "2012-9-3"),
        (.geographyPoint, "LineString(1 2,3 4)"), (.int64, "12345678901234567890"),
    ])
    func textOutsideTheTypeIsRefused(type: PrimitiveType, text: String) {
        #expect(
            failure { try Lexical.parse(text, as: type) }
                == Failure(.invalidValue, "Expected a value of Edm.\(type.name)."))
    }

    @Test func refusalsNameTheTypeAndNotTheValue() {
        do {
            _ = try Lexical.parse("secret", as: .int32)
            Issue.record("Expected an error")
        } catch {
            #expect("\(error)" == "invalidValue: Expected a value of Edm.Int32.")
        }
    }

    @Test func binaryFollowsTheDialect() {
        #expect(Lexical.text(.binary([0xFF, 0xEF]), dialect: .v4) == "_-8=")
        #expect(Lexical.text(.binary([0xFF, 0xEF]), dialect: .v2) == "/+8=")
    }

    @Test func everyLengthOfBytesSurvivesBase64() throws {
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
            #expect(Base64.bytes(Base64.text(bytes, urlSafe: false)) == bytes)
            #expect(Base64.bytes(hex: Base64.hex(bytes)) == bytes)
        }
    }
}
