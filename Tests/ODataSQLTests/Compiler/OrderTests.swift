import ODataSQL
import Testing

/// Null comes first in ascending order, and the key makes every asked order total.
@Suite struct OrderTests {
    private static let orders: [Translation] = [
        .init(
            "Orders?$orderby=Amount",
            #""Orders" AS "t0" ORDER BY "t0"."Amount", "t0"."Id""#,
            #""Orders" AS "t0" ORDER BY "t0"."Amount" NULLS FIRST, "t0"."Id""#),
        .init(
            "Orders?$orderby=Amount desc,Placed",
            #""Orders" AS "t0" ORDER BY "t0"."Amount" DESC, "t0"."Placed", "t0"."Id""#,
            #""Orders" AS "t0" ORDER BY "t0"."Amount" DESC NULLS LAST, "t0"."Placed" NULLS FIRST, "t0"."Id""#
        ),
        .init(
            "Customers?$orderby=Score",
            #""Customers" AS "t0" ORDER BY coalesce("t0"."Score" = '-INF', 2) DESC, "t0"."Score", "t0"."Id""#,
            #""Customers" AS "t0" ORDER BY "t0"."Score" NULLS FIRST, "t0"."Id""#),
        .init(
            "Customers?$orderby=Score desc",
            #""Customers" AS "t0" ORDER BY coalesce("t0"."Score" = '-INF', 2), "t0"."Score" DESC, "t0"."Id""#,
            #""Customers" AS "t0" ORDER BY "t0"."Score" DESC NULLS LAST, "t0"."Id""#),
        .init(
            "Customers?$orderby=Wait",
            #""Customers" AS "t0" ORDER BY "t0"."Wait#order", "t0"."Id""#,
            #""Customers" AS "t0" ORDER BY "t0"."Wait" NULLS FIRST, "t0"."Id""#),
        .init(
            "Customers?$orderby=tolower(Name) desc,Id desc",
            #""Customers" AS "t0" ORDER BY _odata_lower("t0"."Name") DESC, "t0"."Id" DESC"#,
            #""Customers" AS "t0" ORDER BY _odata_lower("t0"."Name") DESC NULLS LAST, "t0"."Id" DESC NULLS LAST"#
        ),
        .init(
            "Orders?$orderby=Customer/Name",
            #""Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" ORDER BY "t1"."Name", "t0"."Id""#,
            #""Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" ORDER BY "t1"."Name" NULLS FIRST, "t0"."Id""#
        ),
        .init(
            "Orders?$orderby=Items/$count desc",
            #""Orders" AS "t0" ORDER BY (SELECT count(*) FROM "Orders/Items" AS "t1" WHERE "t1"."_odata_parent" = "t0"."_odata_id") DESC, "t0"."Id""#,
            #""Orders" AS "t0" ORDER BY (SELECT count(*) FROM "Orders/Items" AS "t1" WHERE "t1"."_odata_parent" = "t0"."_odata_id") DESC NULLS LAST, "t0"."Id""#
        ),
        .init(
            "Customers?$orderby=null",
            #""Customers" AS "t0" ORDER BY NULL, "t0"."Id""#,
            #""Customers" AS "t0" ORDER BY "t0"."Id""#),
    ]

    private static let pages: [Translation] = [
        .init(
            "Orders?$top=3",
            #""Orders" AS "t0" ORDER BY "t0"."Id" LIMIT {3}"#),
        .init(
            "Orders?$skip=3",
            #""Orders" AS "t0" ORDER BY "t0"."Id" LIMIT -1 OFFSET {3}"#,
            #""Orders" AS "t0" ORDER BY "t0"."Id" LIMIT ALL OFFSET {3}"#),
        .init(
            "Orders?$top=0",
            #""Orders" AS "t0" ORDER BY "t0"."Id" LIMIT {0}"#),
        .init(
            "Orders?$top=3&$skip=0",
            #""Orders" AS "t0" ORDER BY "t0"."Id" LIMIT {3}"#),
        .init(
            "Customers?$compute=Id mul 2 as Twice&$filter=Twice gt 4&$orderby=Twice desc",
            #""Customers" AS "t0" WHERE (("t0"."Id" * {2}) > {4}) ORDER BY ("t0"."Id" * {2}) DESC, "t0"."Id""#,
            #""Customers" AS "t0" WHERE (("t0"."Id" * {2}) > {4}) ORDER BY ("t0"."Id" * {2}) DESC NULLS LAST, "t0"."Id""#
        ),
    ]

    @Test(arguments: orders)
    func ordersAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.rows($0, $1) }
    }

    @Test(arguments: pages)
    func pagesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.rows($0, $1) }
    }
}
