import ODataSQL
import Testing

/// Resource paths: keys, navigation, casts and filters on the way.
@Suite struct PathTests {
    private static let paths: [Translation] = [
        .init(
            "Labels('O''x')",
            #""Labels" AS "t0" WHERE "t0"."Code" = {O'x}"#),
        .init(
            "Orders(Id=5)",
            #""Orders" AS "t0" WHERE "t0"."Id" = {5}"#),
        .init(
            "Customers(1)/Name",
            #""Customers" AS "t0" WHERE "t0"."Id" = {1}"#),
        .init(
            "Customers(1)/Orders(5)",
            #""Customers" AS "t0" CROSS JOIN "Orders" AS "t1" WHERE "t0"."Id" = {1} AND "t1"."CustomerId" = "t0"."Id" AND "t1"."Id" = {5}"#
        ),
        .init(
            "Customers(1)/Orders(5)/Items(2)",
            #""Customers" AS "t0" CROSS JOIN "Orders" AS "t1" CROSS JOIN "Orders/Items" AS "t2" WHERE "t0"."Id" = {1} AND "t1"."CustomerId" = "t0"."Id" AND "t1"."Id" = {5} AND "t2"."_odata_parent" = "t1"."_odata_id" AND "t2"."Line" = {2}"#
        ),
        .init(
            "Orders(5)/Labels",
            #""Orders" AS "t0" CROSS JOIN "_odata_link_Orders_Labels" AS "l2" CROSS JOIN "Labels" AS "t1" WHERE "t0"."Id" = {5} AND "l2"."source" = "t0"."_odata_id" AND "t1"."_odata_id" = "l2"."target""#
        ),
        .init(
            "Labels('x')/Orders",
            #""Labels" AS "t0" CROSS JOIN "_odata_link_Orders_Labels" AS "l2" CROSS JOIN "Orders" AS "t1" WHERE "t0"."Code" = {x} AND "l2"."target" = "t0"."_odata_id" AND "t1"."_odata_id" = "l2"."source""#
        ),
        .init(
            "Orders(5)/Customer/Name",
            #""Orders" AS "t0" CROSS JOIN "Customers" AS "t1" WHERE "t0"."Id" = {5} AND "t1"."Id" = "t0"."CustomerId""#
        ),
        .init(
            "Customers(1)/Orders/$ref",
            #""Customers" AS "t0" CROSS JOIN "Orders" AS "t1" WHERE "t0"."Id" = {1} AND "t1"."CustomerId" = "t0"."Id""#
        ),
        .init(
            "Customers/Shop.Vip",
            #""Customers" AS "t0" WHERE "t0"."_odata_type" IN ({Shop.Vip})"#),
        .init(
            "Customers(1)/Shop.Vip/Level",
            #""Customers" AS "t0" WHERE "t0"."Id" = {1} AND "t0"."_odata_type" IN ({Shop.Vip})"#),
        .init(
            "Customers/$filter(Id gt 1)",
            #""Customers" AS "t0" WHERE ("t0"."Id" > {1})"#),
    ]

    private static let counts: [Translation] = [
        .init(
            "Customers/$count",
            #"SELECT count(*) FROM "Customers" AS "t0""#),
        .init(
            "Customers/$count?$filter=Id gt 1",
            #"SELECT count(*) FROM "Customers" AS "t0" WHERE ("t0"."Id" > {1})"#),
        .init(
            "Customers?$count=true&$top=1&$skip=5&$filter=Id gt 1",
            #"SELECT count(*) FROM "Customers" AS "t0" WHERE ("t0"."Id" > {1})"#),
        .init(
            "Customers(1)/Orders/$count",
            #"SELECT count(*) FROM "Customers" AS "t0" CROSS JOIN "Orders" AS "t1" WHERE "t0"."Id" = {1} AND "t1"."CustomerId" = "t0"."Id""#
        ),
        .init(
            "Orders?$apply=groupby((CustomerId),aggregate($count as N))&$count=true",
            #"SELECT count(*) FROM (SELECT "t0"."CustomerId" AS "CustomerId#101", count(*) AS "N#1" FROM "Orders" AS "t0" GROUP BY "t0"."CustomerId") AS "r1""#
        ),
    ]

    @Test(arguments: paths)
    func pathsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.rows($0, $1) }
    }

    @Test(arguments: counts)
    func countsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.count($0, $1) }
    }
}
