import ODataSQL
import Testing

/// `cast` gives null where a value does not fit, `isof` is true or false.
@Suite struct CastTests {
    private static let textsOfValues: [Translation] = [
        .init(
            "cast(Id,Edm.String) eq '1'",
            #"CAST("t0"."Id" AS TEXT) = {1}"#,
            #"(CAST("t0"."Id" AS text) COLLATE "C") = {1}"#),
        .init(
            "cast(Wait,Edm.String) eq 'PT1H'",
            #""t0"."Wait" = {PT1H}"#,
            #"(_odata_duration("t0"."Wait") COLLATE "C") = {PT1H}"#),
        .init(
            "cast(Active,Edm.String) eq 'true'",
            #"CASE "t0"."Active" WHEN 1 THEN 'true' WHEN 0 THEN 'false' END = {true}"#,
            #"CASE "t0"."Active" WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END = {true}"#),
        .init(
            "cast(Token,Edm.String) eq 'x'",
            #""t0"."Token" = {x}"#),
        .init(
            "cast(Score,Edm.String) eq 'NaN'",
            #"_odata_real_text("t0"."Score") = {NaN}"#,
            #"(_odata_real_text("t0"."Score") COLLATE "C") = {NaN}"#),
        .init(
            "cast(Changed,Edm.String) eq 'x'",
            #"_odata_instant("t0"."Changed", "t0"."Changed#offset") = {x}"#,
            #"(_odata_instant("t0"."Changed", coalesce("t0"."Changed#offset", 0)) COLLATE "C") = {x}"#
        ),
    ]

    private static let valuesOfTexts: [Translation] = [
        .init(
            "cast(Name,Edm.Int32) eq 1",
            #"_odata_cast('Int32', _odata_parse('Int32', "t0"."Name")) = {1}"#,
            #"CAST(_odata_cast('Int32', CAST(CAST(_odata_parse('Int32', "t0"."Name") AS bigint) AS text)) AS bigint) = {1}"#
        ),
        .init(
            "cast(Name,Edm.Boolean)",
            #"_odata_parse('Boolean', "t0"."Name")"#,
            #"CAST(_odata_parse('Boolean', "t0"."Name") AS boolean)"#),
        .init(
            "cast(Name,Edm.Guid) eq Token",
            #"_odata_parse('Guid', "t0"."Name") = "t0"."Token""#,
            #"CAST(_odata_parse('Guid', "t0"."Name") AS text) = "t0"."Token""#),
        .init(
            "cast(Name,Edm.Date) eq 2031-01-01",
            #"substr(_odata_parse('Date', "t0"."Name"), 1, 10) = {2031-01-01}"#,
            #"substr(CAST(_odata_parse('Date', "t0"."Name") AS text), 1, 10) = {2031-01-01}"#),
        .init(
            "cast(Name,Edm.Duration) gt duration'PT1S'",
            #"_odata_duration_order(_odata_parse('Duration', "t0"."Name")) > {2 bytes}"#,
            #"CAST(_odata_parse('Duration', "t0"."Name") AS numeric) > CAST({1} AS numeric)"#),
        .init(
            "cast(Name,Edm.DateTimeOffset) gt 2031-01-01T00:00:00Z",
            #"_odata_parse('DateTimeOffset', "t0"."Name") > {2031-01-01T00:00:00}"#,
            #"CAST(_odata_parse('DateTimeOffset', "t0"."Name") AS text) > {2031-01-01T00:00:00}"#),
        .init(
            "cast(Name,Edm.Double) gt 1",
            #"(_odata_parse('Double', "t0"."Name") > {1.0} AND _odata_parse('Double', "t0"."Name") NOT IN ('NaN', '-INF'))"#,
            #"(CAST(_odata_parse('Double', "t0"."Name") AS double precision) > {1.0} AND CAST(_odata_parse('Double', "t0"."Name") AS double precision) NOT IN ('NaN', '-INF'))"#
        ),
    ]

    private static let numbersOfNumbers: [Translation] = [
        .init(
            "cast(Id,Edm.Byte) eq 1",
            #"_odata_cast('Byte', "t0"."Id") = {1}"#,
            #"CAST(_odata_cast('Byte', CAST("t0"."Id" AS text)) AS bigint) = {1}"#),
        .init(
            "cast(Balance,Edm.Int32) eq 1",
            #"_odata_cast('Int32', _odata_scaled("t0"."Balance", 2)) = {1}"#,
            #"CAST(_odata_cast('Int32', CAST((CAST("t0"."Balance" AS numeric) * 0.01) AS text)) AS bigint) = {1}"#
        ),
        .init(
            "cast(Score,Edm.Int32) eq 1",
            #"_odata_cast('Int32', "t0"."Score") = {1}"#,
            #"CAST(_odata_cast('Int32', CAST("t0"."Score" AS text)) AS bigint) = {1}"#),
        .init(
            "cast(Score,Edm.Decimal) eq 1",
            #"_odata_order(_odata_cast('Decimal', "t0"."Score")) = {2 bytes}"#,
            #"CAST(_odata_cast('Decimal', CAST("t0"."Score" AS text)) AS numeric) = CAST({1} AS numeric)"#
        ),
        .init(
            "cast(Score,Edm.Single) eq 1",
            #"_odata_single("t0"."Score") = {1.0}"#),
    ]

    private static let types: [Translation] = [
        .init(
            "isof(Name,Edm.String)",
            #"("t0"."Name" IS NOT NULL)"#),
        .init(
            "isof(Name,Edm.Int32)",
            "0",
            "FALSE"),
        .init(
            "isof(Id,Edm.Byte)",
            #"(_odata_cast('Byte', "t0"."Id") IS NOT NULL)"#,
            #"(CAST(_odata_cast('Byte', CAST("t0"."Id" AS text)) AS bigint) IS NOT NULL)"#),
        .init(
            "isof(Address,Shop.Address)",
            #"("t0"."Address" IS NOT NULL)"#),
        .init(
            "isof(Shop.Order)",
            #"("t0"."_odata_type" IS NOT NULL AND 0)"#,
            #"("t0"."_odata_type" IS NOT NULL AND FALSE)"#),
        .init(
            "isof(Grade,Shop.Grade)",
            #"("t0"."Grade" IS NOT NULL)"#),
        .init(
            "isof(Tags,Collection(Edm.String))",
            #"("t0"."Tags" IS NOT NULL)"#),
        .init(
            "Shop.Vip/Level gt 1 and isof(Shop.Customer)",
            #"(CASE WHEN "t0"."_odata_type" IN ({Shop.Vip}) THEN "t0"."Level" END > {1}) AND ("t0"."_odata_id" IS NOT NULL)"#
        ),
    ]

    @Test(arguments: textsOfValues)
    func textsOfValuesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: valuesOfTexts)
    func valuesOfTextsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: numbersOfNumbers)
    func numbersOfNumbersAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: types)
    func typesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: [SQLDialect.sqlite, .postgreSQL])
    func enumerationsAreCastToTheNamesOfTheirMembers(_ dialect: SQLDialect) throws {
        let sql = try Compiled.condition("cast(Grade,Edm.String) eq 'Bronze,Gold'", dialect)
        let grade = #""t0"."Grade""#
        #expect(
            sql.hasPrefix("CASE WHEN \(grade) = 1 THEN {Bronze} WHEN \(grade) = 2 THEN {Silver}"))
        #expect(sql.contains("CASE WHEN (\(grade) & 4) = 4 THEN {,Gold} ELSE '' END), 2)"))
        #expect(sql.contains("- CASE WHEN (\(grade) & 1) = 1 THEN 1 ELSE 0 END"))
        #expect(sql.hasSuffix("= {Bronze,Gold}"))
    }
}
