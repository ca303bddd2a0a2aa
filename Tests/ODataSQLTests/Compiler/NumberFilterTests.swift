import ODataSQL
import Testing

/// Numbers compare and are calculated exactly, whatever form their columns have.
@Suite struct NumberFilterTests {
    private static let comparisons: [Translation] = [
        .init(
            "Id eq 2147483648",
            #""t0"."Id" = {2147483648}"#),
        .init(
            "Id eq 99999999999999999999",
            #"CASE WHEN "t0"."Id" IS NOT NULL THEN 0 END"#,
            #"CASE WHEN "t0"."Id" IS NOT NULL THEN FALSE END"#),
        .init(
            "Id eq 1.5",
            #"CASE WHEN "t0"."Id" IS NOT NULL THEN 0 END"#,
            #"CASE WHEN "t0"."Id" IS NOT NULL THEN FALSE END"#),
        .init(
            "Id lt 1.5",
            #""t0"."Id" <= {1}"#),
        .init(
            "Id ge -0.5",
            #""t0"."Id" > {-1}"#),
        .init(
            "Id in (1,2.5)",
            #"("t0"."Id" IN ({1}) OR (CASE WHEN "t0"."Id" IS NOT NULL THEN 0 END))"#,
            #"("t0"."Id" IN ({1}) OR (CASE WHEN "t0"."Id" IS NOT NULL THEN FALSE END))"#),
        .init(
            "Id in ()",
            "0",
            "FALSE"),
        .init(
            "Balance in (1,2.5,null)",
            #""t0"."Balance" IN ({100}, {250}, NULL)"#),
        .init(
            "Balance eq Exact",
            #"_odata_order(_odata_scaled("t0"."Balance", 2)) = "t0"."Exact#order""#,
            #"CAST((CAST("t0"."Balance" AS numeric) * 0.01) AS numeric) = "t0"."Exact""#),
        .init(
            "Balance eq Score",
            #"_odata_compare((CAST("t0"."Balance" AS REAL) / 100), "t0"."Score") = 0"#,
            #"_odata_compare((CAST("t0"."Balance" AS double precision) / 100), "t0"."Score") = 0"#),
        .init(
            "Address/Place/Latitude lt Score",
            #"_odata_compare("t0"."Address/Place/Latitude", "t0"."Score") = -1"#),
        .init(
            "Orders/any(o:o/Id eq 9223372036854775807)",
            #"EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id" AND ("t1"."Id" = {9223372036854775807}))"#
        ),
        .init(
            "Orders/any(o:o/Id lt -9223372036854775808)",
            #"EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id" AND ("t1"."Id" < {-9223372036854775808}))"#
        ),
    ]

    private static let specialDoubles: [Translation] = [
        .init(
            "Score eq NaN",
            #"CASE WHEN "t0"."Score" IS NOT NULL THEN 0 END"#,
            #"CASE WHEN "t0"."Score" IS NOT NULL THEN FALSE END"#),
        .init(
            "Score ne NaN",
            #"CASE WHEN "t0"."Score" IS NOT NULL THEN 1 END"#,
            #"CASE WHEN "t0"."Score" IS NOT NULL THEN TRUE END"#),
        .init(
            "Score gt -INF",
            #""t0"."Score" NOT IN ('NaN', '-INF')"#),
        .init(
            "Score add Balance gt 0",
            #"(_odata_real('add', "t0"."Score", (CAST("t0"."Balance" AS REAL) / 100)) > {0.0} AND _odata_real('add', "t0"."Score", (CAST("t0"."Balance" AS REAL) / 100)) NOT IN ('NaN', '-INF'))"#,
            #"(_odata_real('add', "t0"."Score", (CAST("t0"."Balance" AS double precision) / 100)) > {0.0} AND _odata_real('add', "t0"."Score", (CAST("t0"."Balance" AS double precision) / 100)) NOT IN ('NaN', '-INF'))"#
        ),
    ]

    private static let arithmetic: [Translation] = [
        .init(
            "Id add 1 eq 3",
            #"("t0"."Id" + {1}) = {3}"#),
        .init(
            "Id sub 1.5 eq 3",
            #"(("t0"."Id" * 10) - {15}) = {30}"#),
        .init(
            "Id mul 2.5 gt 1",
            #"("t0"."Id" * {25}) > {10}"#),
        .init(
            "Id add 9223372036854775807 gt 1",
            #"_odata_order(_odata_decimal('iadd', "t0"."Id", {9223372036854775807})) > {2 bytes}"#,
            #"CAST((CAST("t0"."Id" AS numeric) + CAST({9223372036854775807} AS numeric)) AS numeric) > CAST({1} AS numeric)"#
        ),
        .init(
            "Balance mul 3 eq 7.5",
            #"("t0"."Balance" * {3}) = {750}"#),
        .init(
            "Balance mul Balance gt 1",
            #"_odata_order(_odata_decimal('mul', _odata_scaled("t0"."Balance", 2), _odata_scaled("t0"."Balance", 2))) > {2 bytes}"#,
            #"CAST((CAST((CAST("t0"."Balance" AS numeric) * 0.01) AS numeric) * CAST((CAST("t0"."Balance" AS numeric) * 0.01) AS numeric)) AS numeric) > CAST({1} AS numeric)"#
        ),
        .init(
            "Balance div 2 gt 1",
            #"_odata_order(_odata_decimal('div', _odata_scaled("t0"."Balance", 2), {2})) > {2 bytes}"#,
            #"CAST(_odata_divided(CAST((CAST("t0"."Balance" AS numeric) * 0.01) AS numeric), CAST({2} AS numeric), 20) AS numeric) > CAST({1} AS numeric)"#
        ),
        .init(
            "Balance mod 2 eq 1",
            #"("t0"."Balance" % ({2} * 100)) = {100}"#,
            #"("t0"."Balance" % nullif(({2} * 100), 0)) = {100}"#),
        .init(
            "Id mod 0 eq 1",
            #"("t0"."Id" % {0}) = {1}"#,
            #"("t0"."Id" % nullif({0}, 0)) = {1}"#),
        .init(
            "Id div 0 eq 1",
            #"("t0"."Id" / {0}) = {1}"#,
            #"("t0"."Id" / nullif({0}, 0)) = {1}"#),
        .init(
            "Id divby 2 eq 1.5",
            #"_odata_order(_odata_decimal('divby', "t0"."Id", {2})) = {2 bytes}"#,
            #"CAST(_odata_divided(CAST("t0"."Id" AS numeric), CAST({2} AS numeric), 20) AS numeric) = CAST({1.5} AS numeric)"#
        ),
        .init(
            "Score add 1 eq 3",
            #"_odata_real('add', "t0"."Score", CAST({1} AS REAL)) = {3.0}"#,
            #"_odata_real('add', "t0"."Score", CAST({1} AS double precision)) = {3.0}"#),
        .init(
            "Exact add 1 gt 2",
            #"_odata_order(_odata_decimal('add', "t0"."Exact", {1})) > {2 bytes}"#,
            #"CAST((CAST("t0"."Exact" AS numeric) + CAST({1} AS numeric)) AS numeric) > CAST({2} AS numeric)"#
        ),
    ]

    private static let negation: [Translation] = [
        .init(
            "-Id eq -1",
            #"-("t0"."Id") = {-1}"#),
        .init(
            "-Balance gt 1",
            #"-("t0"."Balance") > {100}"#),
        .init(
            "-Score lt 0",
            #"(_odata_real('sub', -0.0, "t0"."Score") < {0.0} OR _odata_real('sub', -0.0, "t0"."Score") = '-INF')"#,
            #"((-("t0"."Score")) < {0.0} OR (-("t0"."Score")) = '-INF')"#),
        .init(
            "-Exact lt 0",
            #"_odata_order(_odata_decimal('sub', 0, "t0"."Exact")) < {1 bytes}"#,
            #"CAST((CAST(0 AS numeric) - CAST("t0"."Exact" AS numeric)) AS numeric) < CAST({0} AS numeric)"#
        ),
    ]

    private static let rounding: [Translation] = [
        .init(
            "round(Balance) eq 3",
            #"(("t0"."Balance" + CASE WHEN "t0"."Balance" < 0 THEN -50 ELSE 50 END) / 100) = {3}"#),
        .init(
            "floor(Balance) eq -1",
            #"(("t0"."Balance" / 100) - ("t0"."Balance" % 100 < 0)) = {-1}"#,
            #"(("t0"."Balance" / 100) - CAST(("t0"."Balance" % 100 < 0) AS integer)) = {-1}"#),
        .init(
            "ceiling(Balance) eq 1",
            #"(("t0"."Balance" / 100) + ("t0"."Balance" % 100 > 0)) = {1}"#,
            #"(("t0"."Balance" / 100) + CAST(("t0"."Balance" % 100 > 0) AS integer)) = {1}"#),
        .init(
            "floor(Score) eq 3",
            #"_odata_round('floor', "t0"."Score", 1) = {3.0}"#,
            #"floor("t0"."Score") = {3.0}"#),
        .init(
            "ceiling(Exact) eq 3",
            #"_odata_order(_odata_round('ceiling', "t0"."Exact", 0)) = {2 bytes}"#,
            #"CAST(ceil(CAST("t0"."Exact" AS numeric)) AS numeric) = CAST({3} AS numeric)"#),
    ]

    @Test(arguments: comparisons)
    func comparisonsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: specialDoubles)
    func specialDoublesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: arithmetic)
    func arithmeticAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: negation)
    func negationAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: rounding)
    func roundingAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }
}
