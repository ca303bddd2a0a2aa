import ODataSQL
import Testing

/// The steps of `$apply` that keep, choose, group and join rows.
@Suite struct TransformationTests {
    private static let groups: [Translation] = [
        .init(
            "Orders?$apply=groupby((CustomerId))",
            #"SELECT "r1"."CustomerId#101" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1""#
        ),
        .init(
            "Orders?$apply=groupby((Customer/Name),aggregate(Amount with sum as T))",
            #"SELECT "r2"."Customer/Name#102", "r2"."T#1" FROM (SELECT "t1"."Name" AS "Customer/Name#102", sum("t0"."Amount") AS "T#1" FROM "Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" GROUP BY "t1"."Name") AS "r2""#,
            #"SELECT "r2"."Customer/Name#102", "r2"."T#1" FROM (SELECT "t1"."Name" AS "Customer/Name#102", CAST(sum("t0"."Amount") AS bigint) AS "T#1" FROM "Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" GROUP BY "t1"."Name") AS "r2""#
        ),
        .init(
            "Orders?$apply=groupby((CustomerId),aggregate($count as N))&$filter=N gt 1&$orderby=N desc&$top=2",
            #"SELECT "r1"."CustomerId#101", "r1"."N#1" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", count(*) AS "N#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1" WHERE ("r1"."N#1" > {1}) ORDER BY "r1"."N#1" DESC LIMIT {2}"#,
            #"SELECT "r1"."CustomerId#101", "r1"."N#1" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", count(*) AS "N#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1" WHERE ("r1"."N#1" > {1}) ORDER BY "r1"."N#1" DESC NULLS LAST LIMIT {2}"#
        ),
        .init(
            "Orders?$apply=groupby((rollup($all,CustomerId)),aggregate($count as N))",
            #"SELECT "r1"."CustomerId#101", "r1"."N#1" FROM (SELECT "r1"."CustomerId#101" AS "CustomerId#101", "r1"."N#1" AS "N#1", 1 AS "_odata_has:CustomerId#00808" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", count(*) AS "N#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1" UNION ALL SELECT NULL AS "CustomerId#101", "r1"."N#1" AS "N#1", 0 AS "_odata_has:CustomerId#00808" FROM (SELECT count(*) AS "N#1" FROM "Orders" AS "t0") AS "r1") AS "r1""#,
            #"SELECT "r1"."CustomerId#101", "r1"."N#1" FROM (SELECT "r1"."CustomerId#101" AS "CustomerId#101", "r1"."N#1" AS "N#1", TRUE AS "_odata_has:CustomerId#00808" FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", count(*) AS "N#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1" UNION ALL SELECT CAST(NULL AS bigint) AS "CustomerId#101", "r1"."N#1" AS "N#1", FALSE AS "_odata_has:CustomerId#00808" FROM (SELECT count(*) AS "N#1" FROM "Orders" AS "t0") AS "r1") AS "r1""#
        ),
        .init(
            "Orders?$apply=filter(Amount gt 1)/aggregate($count as N)",
            #"SELECT "r1"."N#1" FROM (SELECT count(*) AS "N#1" FROM "Orders" AS "t0" WHERE ("t0"."Amount" > {1000})) AS "r1""#
        ),
        .init(
            "Orders?$apply=compute(Amount mul 2 as D)/aggregate(D with sum as S)",
            #"SELECT "r1"."S#1" FROM (SELECT _odata_aggregate('sum', 'N', _odata_scaled(("t0"."Amount" * {2}), 3)) AS "S#1" FROM "Orders" AS "t0") AS "r1""#,
            #"SELECT "r1"."S#1" FROM (SELECT sum(CAST((CAST(("t0"."Amount" * {2}) AS numeric) * 0.001) AS numeric)) AS "S#1" FROM "Orders" AS "t0") AS "r1""#
        ),
        .init(
            "Orders?$apply=concat(aggregate($count as N),aggregate(Amount with sum as T))",
            #"SELECT "r1"."N#1", "r1"."T#1" FROM (SELECT "r1"."N#1" AS "N#1", NULL AS "T#1", 1 AS "_odata_has:N#008", 0 AS "_odata_has:T#008" FROM (SELECT count(*) AS "N#1" FROM "Orders" AS "t0") AS "r1" UNION ALL SELECT NULL AS "N#1", "r1"."T#1" AS "T#1", 0 AS "_odata_has:N#008", 1 AS "_odata_has:T#008" FROM (SELECT sum("t0"."Amount") AS "T#1" FROM "Orders" AS "t0") AS "r1") AS "r1""#,
            #"SELECT "r1"."N#1", "r1"."T#1" FROM (SELECT "r1"."N#1" AS "N#1", CAST(NULL AS bigint) AS "T#1", TRUE AS "_odata_has:N#008", FALSE AS "_odata_has:T#008" FROM (SELECT count(*) AS "N#1" FROM "Orders" AS "t0") AS "r1" UNION ALL SELECT CAST(NULL AS bigint) AS "N#1", "r1"."T#1" AS "T#1", FALSE AS "_odata_has:N#008", TRUE AS "_odata_has:T#008" FROM (SELECT CAST(sum("t0"."Amount") AS bigint) AS "T#1" FROM "Orders" AS "t0") AS "r1") AS "r1""#
        ),
        .init(
            "Orders?$apply=nest(groupby((CustomerId)) as Groups)",
            #"SELECT "r2"."_odata_nest1:Groups#0002" FROM (SELECT 0 AS "_odata_nest1:Groups#0002") AS "r2""#,
            #"SELECT "r2"."_odata_nest1:Groups#0002" FROM (SELECT (CAST(0 AS text) COLLATE "C") AS "_odata_nest1:Groups#0002") AS "r2""#
        ),
    ]

    private static let rowsThatStayEntities: [Translation] = [
        .init(
            "Orders?$apply=filter(Amount gt 1)",
            #""Orders" AS "t0" WHERE ("t0"."Amount" > {1000})"#),
        .init(
            "Orders?$apply=identity",
            #""Orders" AS "t0""#),
        .init(
            "Orders?$apply=topcount(2,Amount)",
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" ORDER BY "t0"."Amount" DESC, "t0"."Id" LIMIT {2})"#,
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" ORDER BY "t0"."Amount" DESC NULLS LAST, "t0"."Id" LIMIT {2})"#
        ),
        .init(
            "Orders?$apply=bottomcount(2,Amount)",
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" ORDER BY "t0"."Amount", "t0"."Id" LIMIT {2})"#,
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" ORDER BY "t0"."Amount" NULLS FIRST, "t0"."Id" LIMIT {2})"#
        ),
        .init(
            "Orders?$apply=topsum(20,Amount)",
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "_odata_row0" FROM (SELECT *, max("_odata_before") OVER (ORDER BY "_odata_value" DESC, "_odata_row0" ROWS UNBOUNDED PRECEDING) AS "_odata_most" FROM (SELECT *, sum("_odata_value") OVER (ORDER BY "_odata_value" DESC, "_odata_row0" ROWS UNBOUNDED PRECEDING) - "_odata_value" AS "_odata_before", sum("_odata_value") OVER () AS "_odata_total" FROM (SELECT "t0"."_odata_id" AS "_odata_row0", "t0"."Amount" AS "_odata_value" FROM "Orders" AS "t0") AS "n" WHERE "_odata_value" IS NOT NULL) AS "s") AS "m" WHERE "_odata_most" < CAST({20} AS REAL) * 1000)"#,
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "_odata_row0" FROM (SELECT *, max("_odata_before") OVER (ORDER BY "_odata_value" DESC, "_odata_row0" ROWS UNBOUNDED PRECEDING) AS "_odata_most" FROM (SELECT *, sum("_odata_value") OVER (ORDER BY "_odata_value" DESC, "_odata_row0" ROWS UNBOUNDED PRECEDING) - "_odata_value" AS "_odata_before", sum("_odata_value") OVER () AS "_odata_total" FROM (SELECT "t0"."_odata_id" AS "_odata_row0", "t0"."Amount" AS "_odata_value" FROM "Orders" AS "t0") AS "n" WHERE "_odata_value" IS NOT NULL) AS "s") AS "m" WHERE "_odata_most" < CAST({20} AS double precision) * 1000)"#
        ),
        .init(
            "Orders?$apply=bottompercent(20,Amount)",
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "_odata_row0" FROM (SELECT *, max("_odata_before") OVER (ORDER BY "_odata_value", "_odata_row0" ROWS UNBOUNDED PRECEDING) AS "_odata_most" FROM (SELECT *, sum("_odata_value") OVER (ORDER BY "_odata_value", "_odata_row0" ROWS UNBOUNDED PRECEDING) - "_odata_value" AS "_odata_before", sum("_odata_value") OVER () AS "_odata_total" FROM (SELECT "t0"."_odata_id" AS "_odata_row0", "t0"."Amount" AS "_odata_value" FROM "Orders" AS "t0") AS "n" WHERE "_odata_value" IS NOT NULL) AS "s") AS "m" WHERE "_odata_most" * 100 < "_odata_total" * CAST({20} AS REAL))"#,
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "_odata_row0" FROM (SELECT *, max("_odata_before") OVER (ORDER BY "_odata_value", "_odata_row0" ROWS UNBOUNDED PRECEDING) AS "_odata_most" FROM (SELECT *, sum("_odata_value") OVER (ORDER BY "_odata_value", "_odata_row0" ROWS UNBOUNDED PRECEDING) - "_odata_value" AS "_odata_before", sum("_odata_value") OVER () AS "_odata_total" FROM (SELECT "t0"."_odata_id" AS "_odata_row0", "t0"."Amount" AS "_odata_value" FROM "Orders" AS "t0") AS "n" WHERE "_odata_value" IS NOT NULL) AS "s") AS "m" WHERE "_odata_most" * 100 < "_odata_total" * CAST({20} AS double precision))"#
        ),
        .init(
            "Orders?$apply=orderby(Amount desc)/top(2)/skip(1)",
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" ORDER BY "t0"."Amount" DESC, "t0"."Id" LIMIT {2}) ORDER BY "t0"."Amount" DESC, "t0"."Id" LIMIT -1 OFFSET {1}) ORDER BY "t0"."Amount" DESC, "t0"."Id""#,
            #""Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" WHERE "t0"."_odata_id" IN (SELECT "t0"."_odata_id" FROM "Orders" AS "t0" ORDER BY "t0"."Amount" DESC NULLS LAST, "t0"."Id" LIMIT {2}) ORDER BY "t0"."Amount" DESC NULLS LAST, "t0"."Id" LIMIT ALL OFFSET {1}) ORDER BY "t0"."Amount" DESC NULLS LAST, "t0"."Id""#
        ),
        .init(
            "Orders?$apply=groupby((CustomerId),topcount(1,Amount))",
            #""Orders" AS "t0" JOIN (SELECT "t0"."_odata_id" AS "_odata_row0", dense_rank() OVER (ORDER BY "t0"."CustomerId") AS "_odata_group0" FROM "Orders" AS "t0") AS "g1" ON "g1"."_odata_row0" = "t0"."_odata_id" WHERE ("g1"."_odata_group0", "t0"."_odata_id") IN (SELECT "_odata_group0", "_odata_row0" FROM (SELECT "g1"."_odata_group0" AS "_odata_group0", "t0"."_odata_id" AS "_odata_row0", row_number() OVER (PARTITION BY "g1"."_odata_group0" ORDER BY "t0"."Amount" DESC, "t0"."Id") AS "_odata_number" FROM "Orders" AS "t0" JOIN (SELECT "t0"."_odata_id" AS "_odata_row0", dense_rank() OVER (ORDER BY "t0"."CustomerId") AS "_odata_group0" FROM "Orders" AS "t0") AS "g1" ON "g1"."_odata_row0" = "t0"."_odata_id") AS "n" WHERE "_odata_number" > {0} AND "_odata_number" <= {1})"#,
            #""Orders" AS "t0" JOIN (SELECT "t0"."_odata_id" AS "_odata_row0", dense_rank() OVER (ORDER BY "t0"."CustomerId") AS "_odata_group0" FROM "Orders" AS "t0") AS "g1" ON "g1"."_odata_row0" = "t0"."_odata_id" WHERE ("g1"."_odata_group0", "t0"."_odata_id") IN (SELECT "_odata_group0", "_odata_row0" FROM (SELECT "g1"."_odata_group0" AS "_odata_group0", "t0"."_odata_id" AS "_odata_row0", row_number() OVER (PARTITION BY "g1"."_odata_group0" ORDER BY "t0"."Amount" DESC NULLS LAST, "t0"."Id") AS "_odata_number" FROM "Orders" AS "t0" JOIN (SELECT "t0"."_odata_id" AS "_odata_row0", dense_rank() OVER (ORDER BY "t0"."CustomerId") AS "_odata_group0" FROM "Orders" AS "t0") AS "g1" ON "g1"."_odata_row0" = "t0"."_odata_id") AS "n" WHERE "_odata_number" > {0} AND "_odata_number" <= {1})"#
        ),
    ]

    private static let joins: [Translation] = [
        .init(
            "Customers?$apply=join(Orders as O)",
            #""Customers" AS "t0" JOIN "Orders" AS "t1" ON "t1"."CustomerId" = "t0"."Id") AS "r2""#),
        .init(
            "Customers?$apply=join(Orders as O,filter(Amount gt 5))/aggregate($count as N)",
            #""Customers" AS "t0" JOIN "Orders" AS "t1" ON "t1"."CustomerId" = "t0"."Id" AND ("t1"."Amount" > {5000})) AS "r2") AS "r3""#
        ),
        .init(
            "Customers?$apply=outerjoin(Orders as O)/groupby((Id),aggregate(O/Amount with sum as T))",
            #""Customers" AS "t0" LEFT JOIN "Orders" AS "t1" ON "t1"."CustomerId" = "t0"."Id") AS "r2" GROUP BY "r2"."Id#1") AS "r3""#
        ),
    ]

    @Test(arguments: groups)
    func groupsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.sql($0, $1) }
    }

    @Test(arguments: rowsThatStayEntities)
    func rowsThatStayEntitiesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.rows($0, $1) }
    }

    @Test(arguments: joins)
    func joinsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.joined($0, $1) }
    }
}
