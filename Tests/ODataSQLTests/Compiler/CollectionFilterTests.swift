import ODataSQL
import Testing

/// Lambdas, counts and members, of related rows and of values in one column.
@Suite struct CollectionFilterTests {
    private static let relatedRows: [Translation] = [
        .init(
            "Orders/any()",
            #"EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id")"#),
        .init(
            "not Orders/any()",
            #"NOT (EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id"))"#),
        .init(
            "Orders/any(o:o/Items/any(i:i/Quantity gt 1 and o/Id eq 2 and Id eq 3))",
            #"EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id" AND (EXISTS (SELECT 1 FROM "Orders/Items" AS "t2" WHERE "t2"."_odata_parent" = "t1"."_odata_id" AND (("t2"."Quantity" > {1}) AND ("t1"."Id" = {2}) AND ("t0"."Id" = {3})))))"#
        ),
        .init(
            "Orders/$count($filter=Amount gt 1) eq 2",
            #"(SELECT count(*) FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id" AND ("t1"."Amount" > {1000})) = {2}"#
        ),
        .init(
            "Orders/any(o:o/Labels/any(l:l/Code eq $it/Name))",
            #"EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id" AND (EXISTS (SELECT 1 FROM "_odata_link_Orders_Labels" AS "l3" CROSS JOIN "Labels" AS "t2" WHERE "l3"."source" = "t1"."_odata_id" AND "t2"."_odata_id" = "l3"."target" AND ("t2"."Code" = "t0"."Name"))))"#
        ),
    ]

    private static let values: [Translation] = [
        .init(
            "Tags/any()",
            #"EXISTS (SELECT 1 FROM json_each("t0"."Tags") AS "j1")"#,
            #"EXISTS (SELECT 1 FROM (SELECT e.value COLLATE "C" AS "value", e.number - 1 AS "key" FROM json_array_elements_text(CAST("t0"."Tags" AS json)) WITH ORDINALITY AS e(value, number)) AS "j1")"#
        ),
        .init(
            "Tags/all(t:startswith(t,'a'))",
            #"NOT EXISTS (SELECT 1 FROM json_each("t0"."Tags") AS "j1" WHERE (("j1"."value" >= {a} AND "j1"."value" < {b})) IS NOT TRUE)"#,
            #"NOT EXISTS (SELECT 1 FROM (SELECT e.value COLLATE "C" AS "value", e.number - 1 AS "key" FROM json_array_elements_text(CAST("t0"."Tags" AS json)) WITH ORDINALITY AS e(value, number)) AS "j1" WHERE (("j1"."value" >= {a} AND "j1"."value" < {b})) IS NOT TRUE)"#
        ),
        .init(
            "Tags/$count eq 2",
            #"(SELECT count(*) FROM json_each("t0"."Tags") AS "j1") = {2}"#,
            #"(SELECT count(*) FROM (SELECT e.value COLLATE "C" AS "value", e.number - 1 AS "key" FROM json_array_elements_text(CAST("t0"."Tags" AS json)) WITH ORDINALITY AS e(value, number)) AS "j1") = {2}"#
        ),
        .init(
            #"Tags eq ["a"]"#,
            #"_odata_same("t0"."Tags", {["a"]})"#,
            "refused: comparison of collections and structures."),
        .init(
            "'a' in Tags",
            #"CASE WHEN "t0"."Tags" IS NULL OR {a} IS NULL THEN NULL WHEN EXISTS (SELECT 1 FROM json_each("t0"."Tags") AS "j1" WHERE {a} = "j1"."value") THEN 1 WHEN EXISTS (SELECT 1 FROM json_each("t0"."Tags") AS "j1" WHERE "j1"."value" IS NULL) THEN NULL ELSE 0 END"#,
            #"CASE WHEN "t0"."Tags" IS NULL OR {a} IS NULL THEN NULL WHEN EXISTS (SELECT 1 FROM (SELECT e.value COLLATE "C" AS "value", e.number - 1 AS "key" FROM json_array_elements_text(CAST("t0"."Tags" AS json)) WITH ORDINALITY AS e(value, number)) AS "j1" WHERE {a} = "j1"."value") THEN TRUE WHEN EXISTS (SELECT 1 FROM (SELECT e.value COLLATE "C" AS "value", e.number - 1 AS "key" FROM json_array_elements_text(CAST("t0"."Tags" AS json)) WITH ORDINALITY AS e(value, number)) AS "j1" WHERE "j1"."value" IS NULL) THEN NULL ELSE FALSE END"#
        ),
        .init(
            #"hassubset(Tags,["a"])"#,
            #"_odata_collection('hassubset', "t0"."Tags", {["a"]})"#,
            "refused: hassubset of a collection."),
        .init(
            #"hassubsequence(Tags,["a"])"#,
            #"_odata_collection('hassubsequence', "t0"."Tags", {["a"]})"#,
            "refused: hassubsequence of a collection."),
    ]

    private static let pathsToOneRow: [Translation] = [
        .init(
            "Customers?$filter=Address/Nearest/Name eq 'A'",
            #""Customers" AS "t0" LEFT JOIN "_odata_link_Customers_Address/Nearest" AS "l2" ON "l2"."source" = "t0"."_odata_id" LEFT JOIN "Customers" AS "t1" ON "t1"."_odata_id" = "l2"."target" WHERE ("t1"."Name" = {A})"#
        ),
        .init(
            "Customers?$filter=Name eq @p&@p='x'",
            #""Customers" AS "t0" WHERE ("t0"."Name" = {x})"#),
        .init(
            "Customers?$filter=Name eq $root/Labels('x')/Code",
            #""Customers" AS "t0" LEFT JOIN "Labels" AS "t1" ON "t1"."Code" = {x} WHERE ("t0"."Name" = "t1"."Code")"#
        ),
        .init(
            "Orders?$filter=Customer/Address/City eq 'Ulm'",
            #""Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" WHERE ("t1"."Address/City" = {Ulm})"#
        ),
        .init(
            "Orders?$filter=Customer eq null",
            #""Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" WHERE ("t1"."_odata_id" IS NULL)"#
        ),
        .init(
            "Orders?$filter=Customer/Name eq null",
            #""Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" WHERE ("t1"."Name" IS NULL)"#
        ),
        .init(
            "Orders?$filter=case(Amount gt 1:'a',true:'b') eq 'a'",
            #""Orders" AS "t0" WHERE (CASE WHEN "t0"."Amount" > {1000} THEN {a} WHEN 1 THEN {b} END = {a})"#,
            #""Orders" AS "t0" WHERE (CASE WHEN "t0"."Amount" > {1000} THEN {a} WHEN TRUE THEN {b} END = {a})"#
        ),
    ]

    @Test(arguments: relatedRows)
    func relatedRowsAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: values)
    func valuesAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.condition($0, $1) }
    }

    @Test(arguments: pathsToOneRow)
    func pathsToOneRowAreTranslated(_ one: Translation) throws {
        try one.expect { try Compiled.rows($0, $1) }
    }
}
