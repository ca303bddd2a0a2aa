import ErrorFixture
import ODataModel
import ODataSQL
import ODataText
import Testing

/// Values in columns: bound as the encoding says, and the same when they are read back.
@Suite struct ScalarEncodingTests {
    /// A value by its text, as literals of the type spell it.
    private static func scalar(_ text: String, _ type: PrimitiveType) throws -> Scalar {
        try #require(Lexical.scalar(text, as: type))
    }

    @Test(arguments: [
        (
            ColumnEncoding.integer, "-9223372036854775808", PrimitiveType.int64,
            SQLArgument.integer(.min)
        ),
        (.integer, "9223372036854775807", .int64, .integer(.max)),
        (.boolean, "true", .boolean, .integer(1)), (.boolean, "false", .boolean, .integer(0)),
        (.looseBoolean, "true", .boolean, .integer(1)), (.real, "0.1", .double, .real(0.1)),
        (.real, "INF", .double, .text("INF")), (.real, "-INF", .double, .text("-INF")),
        (.scaledDecimal(scale: 2), "12.5", .decimal, .integer(1_250)),
        (.scaledDecimal(scale: 2), "-0.01", .decimal, .integer(-1)),
        (
            .scaledDecimal(scale: 0), "999999999999999999", .decimal,
            .integer(999_999_999_999_999_999)
        ),
        (.realDecimal, "3", .decimal, .integer(3)), (.realDecimal, "2.5", .decimal, .real(2.5)),
        (.textDecimal, "12.50", .decimal, .text("12.50")),
        (.string, "O'Neil", .string, .text("O'Neil")),
        (
            .guid, "01234567-89AB-CDEF-0123-456789ABCDEF", .guid,
            .text("01234567-89ab-cdef-0123-456789abcdef")
        ),
        (
            .guidBytes, "00000000-0000-0000-0000-0000000000FF", .guid,
            .blob(Array(repeating: 0, count: 15) + [255])
        ), (.binary, "AQI=", .binary, .blob([1, 2])), (.binary, "", .binary, .blob([])),
        (.date, "0001-01-01", .date, .text("0001-01-01")),
        (.date, "9999-12-31", .date, .text("9999-12-31")),
        (.timeOfDay, "08:30:00.500", .timeOfDay, .text("08:30:00.5")),
        (.wallDateTime, "2031-05-01T10:30:00", .dateTime, .text("2031-05-01T10:30:00")),
        (.unixSeconds, "1970-01-01T00:00:01Z", .dateTimeOffset, .integer(1)),
        (.unixSeconds, "1969-12-31T23:59:59.5Z", .dateTimeOffset, .real(-0.5)),
        (.unixMilliseconds, "1969-12-31T23:59:59.999Z", .dateTimeOffset, .integer(-1)),
    ])
    func valuesOfOneColumnComeBack(
        _ encoding: ColumnEncoding, _ text: String, _ type: PrimitiveType, _ argument: SQLArgument
    ) throws {
        let value = try Self.scalar(text, type)
        #expect(try encoding.arguments(for: value) == [argument])
        #expect(try encoding.scalar(from: argument) == value)
    }

    @Test(arguments: [
        ("2031-05-01T10:30:00+02:00", "2031-05-01T08:30:00", SQLArgument.integer(120)),
        ("2031-05-01T00:30:00.25Z", "2031-05-01T00:30:00.25", .null),
        ("2031-01-01T00:00:00-14:00", "2031-01-01T14:00:00", .integer(-840)),
    ])
    func instantsKeepTheirOffsetBesideThem(_ text: String, _ utc: String, _ offset: SQLArgument)
        throws
    {
        let value = try Self.scalar(text, .dateTimeOffset)
        let arguments = try ColumnEncoding.utcDateTime.arguments(for: value)
        #expect(arguments == [.text(utc), offset])
        let read = try ColumnEncoding.utcDateTime.scalar(from: .text(utc), offset: offset)
        #expect(read == value)
        guard case .dateTimeOffset(let one) = read, case .dateTimeOffset(let other) = value else {
            Issue.record("Expected two instants.")
            return
        }
        #expect(one.offsetMinutes == other.offsetMinutes)
    }

    /// The bytes beside a value order it as numbers do.
    @Test(arguments: [
        (
            ColumnEncoding.orderedDecimal, PrimitiveType.decimal,
            ["-1e30", "-2", "-1.5", "-0.001", "0", "1e-20", "1.5", "1.50001", "10", "1e30"]
        ),
        (
            .duration, .duration,
            [
                "-P1D", "-PT0.5S", "PT0S", "PT0.000000000001S", "PT59S", "PT1M", "PT1H", "P1D",
                "P400D",
            ]
        ),
    ])
    func orderedValuesSortByTheBytesBesideThem(
        _ encoding: ColumnEncoding, _ type: PrimitiveType, _ ascending: [String]
    ) throws {
        var keys: [[UInt8]] = []
        for text in ascending {
            let value = try Self.scalar(text, type)
            let arguments = try encoding.arguments(for: value)
            guard arguments.count == 2, case .blob(let key) = arguments[1] else {
                Issue.record("Expected a text and its order, found \(arguments).")
                return
            }
            keys.append(key)
            #expect(try encoding.scalar(from: arguments[0]) == value)
        }
        for (low, high) in zip(keys, keys.dropFirst()) {
            #expect(low.lexicographicallyPrecedes(high))
        }
    }

    @Test(arguments: [
        (ColumnEncoding.integer, 1), (.orderedDecimal, 2), (.utcDateTime, 2), (.duration, 2),
        (.string, 1), (.json, 1),
    ])
    func nullFillsEveryStoredColumn(_ encoding: ColumnEncoding, _ count: Int) throws {
        #expect(try encoding.arguments(for: .null) == Array(repeating: .null, count: count))
        #expect(try encoding.scalar(from: .null) == .null)
    }

    @Test func notANumberIsText() throws {
        #expect(try ColumnEncoding.real.arguments(for: .double(.nan)) == [.text("NaN")])
        guard case .double(let value) = try ColumnEncoding.real.scalar(from: .text("NaN")) else {
            Issue.record("Expected a double.")
            return
        }
        #expect(value.isNaN)
    }

    /// Forms that databases of others hold.
    @Test(arguments: [
        (ColumnEncoding.looseBoolean, SQLArgument.text("Yes"), "true", PrimitiveType.boolean),
        (.looseBoolean, .text("f"), "false", .boolean),
        (.looseBoolean, .integer(7), "true", .boolean),
        (.isoDateTime, .text("2031-05-01 10:30:00"), "2031-05-01T10:30:00Z", .dateTimeOffset),
        (.isoDateTime, .text("2031-05-01"), "2031-05-01T00:00:00Z", .dateTimeOffset),
        (
            .isoDateTime, .text("2031-05-01T10:30:00+02:00"), "2031-05-01T10:30:00+02:00",
            .dateTimeOffset
        ),
        (.unixSeconds, .real(1.25), "1970-01-01T00:00:01.25Z", .dateTimeOffset),
        (.unixMilliseconds, .integer(1_500), "1970-01-01T00:00:01.5Z", .dateTimeOffset),
        (.date, .text("2031-05-01 00:00:00"), "2031-05-01", .date),
        (.string, .integer(5), "5", .string),
        (.textDecimal, .real(0.1), "0.1", .decimal), (.integer, .real(3), "3", .int64),
        (.integer, .text("12"), "12", .int64), (.duration, .text("90"), "PT1M30S", .duration),
        (.binary, .text("ab"), "YWI=", .binary),
    ])
    func otherFormsAreRead(
        _ encoding: ColumnEncoding, _ argument: SQLArgument, _ text: String, _ type: PrimitiveType
    ) throws {
        #expect(try encoding.scalar(from: argument) == Self.scalar(text, type))
    }

    @Test(arguments: [
        (ColumnEncoding.integer, SQLArgument.text("x")), (.integer, .real(1.5)),
        (.guid, .text("x")),
        (.guidBytes, .blob([1])), (.date, .text("2031-02-30")), (.timeOfDay, .text("25:00:00")),
        (.boolean, .text("maybe")), (.real, .text("x")), (.string, .blob([1])),
        (.date, .integer(1)),
        (.unixSeconds, .real(.infinity)), (.orderedDecimal, .text("1,5")),
        (.utcDateTime, .text("now")),
    ])
    func aFormThatTheEncodingDoesNotWriteIsAnErrorOfTheStore(
        _ encoding: ColumnEncoding, _ argument: SQLArgument
    ) {
        #expect(
            failure { try encoding.scalar(from: argument) }
                == Failure(
                    .storage,
                    "Expected a column value of the declared encoding, found another form."))
    }

    @Test func aDecimalWithMoreDigitsAsksForAWiderColumn() throws {
        let value = try Self.scalar("1.234", .decimal)
        #expect(
            failure { try ColumnEncoding.scaledDecimal(scale: 2).arguments(for: value) }
                == Failure(
                    .valueBeyondColumn,
                    "Expected a Decimal with at most 2 decimal places, found more digits."))
        #expect(
            try ColumnEncoding.scaledDecimal(scale: 3).arguments(for: value) == [.integer(1_234)])
    }

    @Test(arguments: [
        (ColumnEncoding.integer, Scalar.string("1"), "INTEGER"), (.string, .integer(1), "TEXT"),
        (.boolean, .integer(1), "INTEGER"), (.binary, .string("a"), "BLOB"),
        (.real, .boolean(true), "REAL"),
        (.date, .string("2031-05-01"), "TEXT"), (.duration, .integer(1), "TEXT"),
    ])
    func aValueOfAnotherKindIsRefused(_ encoding: ColumnEncoding, _ value: Scalar, _ type: String) {
        #expect(
            failure { try encoding.arguments(for: value) }
                == Failure(.invalidValue, "Expected a value that fits a column of type \(type)."))
    }
}
