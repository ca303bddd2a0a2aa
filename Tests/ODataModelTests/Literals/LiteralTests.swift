import ODataModel
import Testing

@Suite struct LiteralTests {
    @Test(arguments: [
        (PrimitiveType.boolean, "true", "true"), (.int32, "-5", "-5"), (.int64, "64L", "64"),
        (.decimal, "2.50M", "2.50"), (.double, "1.5d", "1.5"), (.single, "1.5f", "1.5"),
        (.string, "'It''s'", "'It''s'"),
        (
            .guid, "guid'01234567-89ab-cdef-0123-456789abcdef'",
            "01234567-89ab-cdef-0123-456789abcdef"
        ),
        (.binary, "X'4AFF'", "binary'Sv8='"),
        (.dateTimeOffset, "datetimeoffset'2031-05-01T08:30:00Z'", "2031-05-01T08:30:00Z"),
    ])
    func bothDialectsWriteAndReadTheirForm(type: PrimitiveType, v2: String, v4: String) throws {
        let scalar = try Literal.parse(v2, as: type, dialect: .v2)
        #expect(try Literal.parse(v4, as: type, dialect: .v4) == scalar)
        #expect(Literal.text(scalar, as: type, dialect: .v2) == v2)
        #expect(Literal.text(scalar, as: type, dialect: .v4) == v4)
    }

    @Test(arguments: [
        (PrimitiveType.dateTime, "datetime'2031-05-01T08:30:00'"), (.time, "time'PT8H30M'"),
    ])
    func typesOfV2OnlyReadAndWrite(type: PrimitiveType, text: String) throws {
        let scalar = try Literal.parse(text, as: type, dialect: .v2)
        #expect(Literal.text(scalar, as: type, dialect: .v2) == text)
    }

    @Test(arguments: [
        (PrimitiveType.date, "2031-05-01"), (.timeOfDay, "08:30:00.25"),
        (.duration, "duration'P1DT2H'"),
        (.geographyPoint, "geography'SRID=4326;Point(8.6 49.3)'"),
        (.geometryPolygon, "geometry'SRID=0;Polygon((1 1,1 1),(1 1,2 2,3 3,1 1))'"),
    ])
    func typesOfV4OnlyReadAndWrite(type: PrimitiveType, text: String) throws {
        let scalar = try Literal.parse(text, as: type, dialect: .v4)
        #expect(Literal.text(scalar, as: type, dialect: .v4) == text)
    }

    @Test func otherSpellingsRead() throws {
        #expect(
            Literal.scalar("'P1D'", as: .duration, dialect: .v401)
                == Literal.scalar("P1D", as: .duration, dialect: .v4))
        #expect(Literal.scalar("binary'4aff'", as: .binary, dialect: .v2) == .binary([0x4A, 0xFF]))
        #expect(Literal.scalar("1", as: .boolean, dialect: .v2) == .boolean(true))
        #expect(
            Literal.scalar("2.5m", as: .decimal, dialect: .v2)
                == .decimal(DecimalNumber(coefficient: 25, scale: 1)))
        #expect(Literal.scalar("null", as: .int32, dialect: .v4) == .null)
        #expect(Literal.scalar("INF", as: .single, dialect: .v2) == .double(.infinity))
        #expect(Literal.scalar("-1.5F", as: .single, dialect: .v2) == .double(-1.5))
    }

    @Test(arguments: [
        (PrimitiveType.string, "'O'Neil'"), (.string, "O"), (.string, "'"), (.binary, "Zm9v"),
        (.binary, "binary'4'"),
        (.guid, "guid'01234567-89ab-cdef-0123-456789abcdef'"), (.geographyPoint, "Point(1 2)"),
        (.duration, "duration'P1Y'"), (.int32, "64L"),
    ])
    func literalsOfV4ThatAreMalformedAreRefused(type: PrimitiveType, text: String) {
        #expect(Literal.scalar(text, as: type, dialect: .v4) == nil)
    }

    @Test(arguments: [
        ("5", PrimitiveType.int32), ("5000000000", .int64), ("5.5", .decimal), ("1e3", .double),
        ("92233720368547758070", .decimal), ("'x'", .string), ("true", .boolean),
        ("2031-05-01", .date),
        ("2031-05-01T08:30:00Z", .dateTimeOffset), ("08:30", .timeOfDay),
        ("duration'P1D'", .duration),
        ("01234567-89ab-cdef-0123-456789abcdef", .guid), ("binary'Zg=='", .binary),
        ("INF", .double),
        ("geography'SRID=0;Point(1 2)'", .geography),
    ])
    func literalsOfV4TellTheirType(text: String, type: PrimitiveType) throws {
        #expect(try #require(Literal.inferred(text, dialect: .v4)).type == type)
    }

    @Test(arguments: [
        ("5", PrimitiveType.int32), ("5L", .int64), ("5M", .decimal), ("5.5d", .double),
        ("5.5", .double), ("5f", .single),
        ("datetime'2031-05-01T08:30:00'", .dateTime), ("time'PT1H'", .time), ("X'00'", .binary),
        ("guid'01234567-89ab-cdef-0123-456789abcdef'", .guid), ("true", .boolean),
    ])
    func literalsOfV2TellTheirType(text: String, type: PrimitiveType) throws {
        #expect(try #require(Literal.inferred(text, dialect: .v2)).type == type)
    }
}
