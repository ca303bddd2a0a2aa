import ODataSQL
import Testing

/// `aggregate` with each method, over columns of each form.
@Suite struct AggregateTests {
    private static let methods: [Translation] = [
        .init(
            "Orders?$apply=aggregate($count as N)",
            #"SELECT "r1"."N#1" FROM (SELECT count(*) AS "N#1" FROM "Orders" AS "t0") AS "r1""#),
        .init(
            "Orders?$apply=aggregate(Amount with sum as T)",
            #"SELECT "r1"."T#1" FROM (SELECT sum("t0"."Amount") AS "T#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT CAST(sum("t0"."Amount") AS bigint) AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Amount with min as T)",
            #"SELECT "r1"."T#1" FROM (SELECT min("t0"."Amount") AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Amount with average as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('average', 'N', _odata_scaled("t0"."Amount", 3)) AS "T#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT _odata_divided(sum(CAST((CAST("t0"."Amount" AS numeric) * 0.001) AS numeric)), count(CAST((CAST("t0"."Amount" AS numeric) * 0.001) AS numeric)), 20) AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(CustomerId with countdistinct as T)",
            #"SELECT "r1"."T#1" FROM (SELECT count(DISTINCT "t0"."CustomerId") AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Id with sum as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('sum', 'N', "t0"."Id") AS "T#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT sum(CAST("t0"."Id" AS numeric)) AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Id with average as T)",
            #"SELECT "r1"."T#1" FROM (SELECT avg("t0"."Id") AS "T#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT CAST(avg("t0"."Id") AS double precision) AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Placed with max as T)",
            #"SELECT "r1"."T#1" FROM (SELECT max("t0"."Placed") AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Amount mul 2 with sum as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('sum', 'N', _odata_scaled(("t0"."Amount" * {2}), 3)) AS "T#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT sum(CAST((CAST(("t0"."Amount" * {2}) AS numeric) * 0.001) AS numeric)) AS "T#1" FROM "Orders" AS "t0") AS "r1""#
        ),
    ]

    private static let forms: [Translation] = [
        .init(
            "Customers?$apply=aggregate(Score with sum as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('sum', 'R', "t0"."Score") AS "T#1" FROM "Customers" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT _odata_sum(CAST("t0"."Score" AS double precision)) AS "T#1" FROM "Customers" AS "t0") AS "r1""#
        ),
        .init(
            "Customers?$apply=aggregate(Score with average as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('average', 'R', "t0"."Score") AS "T#1" FROM "Customers" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT (_odata_sum(CAST("t0"."Score" AS double precision)) / nullif(count(CAST("t0"."Score" AS double precision)), 0)) AS "T#1" FROM "Customers" AS "t0") AS "r1""#
        ),
        .init(
            "Customers?$apply=aggregate(Exact with sum as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('sum', 'N', "t0"."Exact") AS "T#1" FROM "Customers" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT sum(CAST("t0"."Exact" AS numeric)) AS "T#1" FROM "Customers" AS "t0") AS "r1""#
        ),
        .init(
            "Customers?$apply=aggregate(Wait with sum as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('sum', 'P', "t0"."Wait") AS "T#1" FROM "Customers" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT _odata_period(sum(CAST("t0"."Wait" AS numeric))) AS "T#1" FROM "Customers" AS "t0") AS "r1""#
        ),
        .init(
            "Customers?$apply=aggregate(Wait with max as T)",
            #"SELECT "r1"."T#1" FROM (SELECT _odata_aggregate('max', 'P', "t0"."Wait") AS "T#1" FROM "Customers" AS "t0") AS "r1""#,
            #"SELECT "r1"."T#1" FROM (SELECT max(CAST("t0"."Wait" AS numeric)) AS "T#1" FROM "Customers" AS "t0") AS "r1""#
        ),
        .init(
            "Customers?$apply=aggregate(Name with min as T)",
            #"SELECT "r1"."T#1" FROM (SELECT min("t0"."Name") AS "T#1" FROM "Customers" AS "t0") AS "r1""#
        ),
    ]

    private static let customAggregatesAndSeveralLevels: [Translation] = [
        .init(
            "Orders?$apply=aggregate(Turnover)",
            #"SELECT "r1"."Turnover#1" FROM (SELECT sum("t0"."Amount") AS "Turnover#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."Turnover#1" FROM (SELECT CAST(sum("t0"."Amount") AS bigint) AS "Turnover#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=aggregate(Mean)",
            #"SELECT "r1"."Mean#1" FROM (SELECT _odata_decimal('divby', _odata_scaled(sum("t0"."Amount"), 3), count(*)) AS "Mean#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."Mean#1" FROM (SELECT _odata_divided(CAST((CAST(CAST(sum("t0"."Amount") AS bigint) AS numeric) * 0.001) AS numeric), CAST(count(*) AS numeric), 20) AS "Mean#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Customers?$apply=aggregate(Orders/Amount with sum as T)",
            #"SELECT "r2"."T#1" FROM (SELECT "g1"."T#1" AS "T#1" FROM (SELECT sum("t1"."Amount") AS "T#1" FROM "Customers" AS "t0" LEFT JOIN "Orders" AS "t1" ON "t1"."CustomerId" = "t0"."Id") AS "g1") AS "r2""#,
            #"SELECT "r2"."T#1" FROM (SELECT "g1"."T#1" AS "T#1" FROM (SELECT CAST(sum("t1"."Amount") AS bigint) AS "T#1" FROM "Customers" AS "t0" LEFT JOIN "Orders" AS "t1" ON "t1"."CustomerId" = "t0"."Id") AS "g1") AS "r2""#
        ),
        .init(
            "Customers?$apply=aggregate(Orders/$count as T)",
            #"SELECT "r2"."T#1" FROM (SELECT "g1"."T#1" AS "T#1" FROM (SELECT count("t1"."_odata_id") AS "T#1" FROM "Customers" AS "t0" LEFT JOIN "Orders" AS "t1" ON "t1"."CustomerId" = "t0"."Id") AS "g1") AS "r2""#
        ),
        .init(
            "Orders?$apply=aggregate(Amount with sum from CustomerId with average as T)",
            #"SELECT "r2"."T#1" FROM (SELECT "g1"."T#1" AS "T#1" FROM (SELECT _odata_aggregate('average', 'N', _odata_scaled("r1"."T#1", 3)) AS "T#1" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", sum("t0"."Amount") AS "T#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1") AS "g1") AS "r2""#,
            #"SELECT "r2"."T#1" FROM (SELECT "g1"."T#1" AS "T#1" FROM (SELECT _odata_divided(sum(CAST((CAST("r1"."T#1" AS numeric) * 0.001) AS numeric)), count(CAST((CAST("r1"."T#1" AS numeric) * 0.001) AS numeric)), 20) AS "T#1" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", CAST(sum("t0"."Amount") AS bigint) AS "T#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1") AS "g1") AS "r2""#
        ),
    ]

    @Test(arguments: methods)
    func methodsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.sql($0, $1) }
    }

    @Test(arguments: forms)
    func formsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.sql($0, $1) }
    }

    @Test(arguments: customAggregatesAndSeveralLevels)
    func customAggregatesAndSeveralLevelsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.sql($0, $1) }
    }
}
