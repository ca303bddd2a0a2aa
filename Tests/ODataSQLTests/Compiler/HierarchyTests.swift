import ODataSQL
import Testing

/// Nodes of a recursive hierarchy: relatives, order, and tests of where one stands.
@Suite struct HierarchyTests {
    private static let relatives: [Translation] = [
        .init(
            "Nodes?$apply=descendants($root/Nodes,H,ID,filter(ID eq 'US'))",
            #""Nodes" AS "t0" WHERE "t0"."ID" IN (SELECT "n1"."ID" FROM (WITH RECURSIVE "h4"("node", "distance") AS (SELECT "node", 0 FROM (SELECT "n1"."_odata_id" AS "node" FROM "Nodes" AS "t0" CROSS JOIN "Nodes" AS "n1" WHERE ("t0"."ID" = {US}) AND "n1"."ID" = "t0"."ID") AS "b" UNION SELECT "t2"."_odata_id", 1 FROM "h4", "Nodes" AS "t2", "Nodes" AS "t3" WHERE "t3"."_odata_id" = "h4"."node" AND "t3"."ID" = "t2"."AboveID") SELECT "node" FROM "h4" WHERE "distance" >= 1) AS "w5" JOIN "Nodes" AS "n1" ON "n1"."_odata_id" = "w5"."node")"#
        ),
        .init(
            "Nodes?$apply=descendants($root/Nodes,H,ID,filter(ID eq 'US'),1,keep start)",
            #""Nodes" AS "t0" WHERE "t0"."ID" IN (SELECT "n1"."ID" FROM (WITH RECURSIVE "h4"("node", "distance") AS (SELECT "node", 0 FROM (SELECT "n1"."_odata_id" AS "node" FROM "Nodes" AS "t0" CROSS JOIN "Nodes" AS "n1" WHERE ("t0"."ID" = {US}) AND "n1"."ID" = "t0"."ID") AS "b" UNION SELECT "t2"."_odata_id", "h4"."distance" + 1 FROM "h4", "Nodes" AS "t2", "Nodes" AS "t3" WHERE "t3"."_odata_id" = "h4"."node" AND "t3"."ID" = "t2"."AboveID" AND "h4"."distance" < {1}) SELECT "node" FROM "h4" WHERE "distance" >= 0) AS "w5" JOIN "Nodes" AS "n1" ON "n1"."_odata_id" = "w5"."node")"#
        ),
        .init(
            "Nodes?$apply=ancestors($root/Nodes,H,ID,filter(ID eq 'US'))",
            #""Nodes" AS "t0" WHERE "t0"."ID" IN (SELECT "n1"."ID" FROM (WITH RECURSIVE "h4"("node", "distance") AS (SELECT "node", 0 FROM (SELECT "n1"."_odata_id" AS "node" FROM "Nodes" AS "t0" CROSS JOIN "Nodes" AS "n1" WHERE ("t0"."ID" = {US}) AND "n1"."ID" = "t0"."ID") AS "b" UNION SELECT "t3"."_odata_id", 1 FROM "h4", "Nodes" AS "t2", "Nodes" AS "t3" WHERE "t2"."_odata_id" = "h4"."node" AND "t3"."ID" = "t2"."AboveID") SELECT "node" FROM "h4" WHERE "distance" >= 1) AS "w5" JOIN "Nodes" AS "n1" ON "n1"."_odata_id" = "w5"."node")"#
        ),
    ]

    private static let traversal: [Translation] = [
        .init(
            "Nodes?$apply=traverse($root/Nodes,H,ID,preorder)",
            #""Nodes" AS "t0" JOIN (WITH RECURSIVE "e4" AS (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name", row_number() OVER (ORDER BY "n1"."ID") AS "rank" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL), "h3"("node", "name", "rank", "depth") AS (SELECT "e4"."node", "e4"."name", "e4"."rank", 0 FROM "e4" WHERE "e4"."up" IS NULL UNION ALL SELECT "e4"."node", "e4"."name", "e4"."rank", "h3"."depth" + 1 FROM "h3" JOIN "e4" ON "e4"."up" = "h3"."node" ORDER BY 4 DESC, 3) SELECT "node", "name", (row_number() OVER ()) AS "position" FROM "h3") AS "o5" ON "o5"."name" = "t0"."ID" JOIN "Nodes" AS "x6" ON "x6"."_odata_id" = "o5"."node" ORDER BY "o5"."position", "t0"."ID""#,
            "refused: traverse."),
        .init(
            "Nodes?$apply=traverse($root/Nodes,H,ID,postorder,ID desc)",
            #""Nodes" AS "t0" JOIN (WITH RECURSIVE "e4" AS (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name", row_number() OVER (ORDER BY "n1"."ID" DESC) AS "rank" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL), "h3"("node", "name", "rank", "depth") AS (SELECT "e4"."node", "e4"."name", "e4"."rank", 0 FROM "e4" WHERE "e4"."up" IS NULL UNION ALL SELECT "e4"."node", "e4"."name", "e4"."rank", "h3"."depth" + 1 FROM "h3" JOIN "e4" ON "e4"."up" = "h3"."node" ORDER BY 4 DESC, 3 DESC) SELECT "node", "name", -(row_number() OVER ()) AS "position" FROM "h3") AS "o5" ON "o5"."name" = "t0"."ID" JOIN "Nodes" AS "x6" ON "x6"."_odata_id" = "o5"."node" ORDER BY "o5"."position", "t0"."ID""#,
            "refused: traverse."),
    ]

    private static let functions: [Translation] = [
        .init(
            "Aggregation.isnode(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID)",
            #"CASE WHEN "t0"."ID" IS NOT NULL THEN "t0"."ID" IN (SELECT "e3"."name" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e3") END"#
        ),
        .init(
            "Aggregation.isroot(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID)",
            #"CASE WHEN "t0"."ID" IS NOT NULL THEN "t0"."ID" IN (SELECT "e3"."name" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e3" WHERE "e3"."node" NOT IN (SELECT "e4"."node" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e4" WHERE "e4"."up" IS NOT NULL)) END"#
        ),
        .init(
            "Aggregation.isleaf(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID)",
            #"CASE WHEN "t0"."ID" IS NOT NULL THEN "t0"."ID" IN (SELECT "e3"."name" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e3" WHERE "e3"."node" NOT IN (SELECT "e4"."up" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e4" WHERE "e4"."up" IS NOT NULL)) END"#
        ),
        .init(
            "Aggregation.isdescendant(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID,Ancestor='US')",
            #"CASE WHEN "t0"."ID" IS NOT NULL AND {US} IS NOT NULL THEN "t0"."ID" IN (SELECT "n5"."ID" FROM "Nodes" AS "n5" WHERE "n5"."_odata_id" IN (WITH RECURSIVE "h4"("node", "distance") AS (SELECT "node", 0 FROM (SELECT "n1"."_odata_id" AS "node" FROM "Nodes" AS "n1" WHERE "n1"."ID" = {US}) AS "b" UNION SELECT "t2"."_odata_id", 1 FROM "h4", "Nodes" AS "t2", "Nodes" AS "t3" WHERE "t3"."_odata_id" = "h4"."node" AND "t3"."ID" = "t2"."AboveID") SELECT "node" FROM "h4" WHERE "distance" >= 1)) END"#
        ),
        .init(
            "Aggregation.isancestor(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID,Descendant='US',MaxDistance=1)",
            #"CASE WHEN "t0"."ID" IS NOT NULL AND {US} IS NOT NULL THEN "t0"."ID" IN (SELECT "n5"."ID" FROM "Nodes" AS "n5" WHERE "n5"."_odata_id" IN (WITH RECURSIVE "h4"("node", "distance") AS (SELECT "node", 0 FROM (SELECT "n1"."_odata_id" AS "node" FROM "Nodes" AS "n1" WHERE "n1"."ID" = {US}) AS "b" UNION SELECT "t3"."_odata_id", "h4"."distance" + 1 FROM "h4", "Nodes" AS "t2", "Nodes" AS "t3" WHERE "t2"."_odata_id" = "h4"."node" AND "t3"."ID" = "t2"."AboveID" AND "h4"."distance" < {1}) SELECT "node" FROM "h4" WHERE "distance" >= 1)) END"#
        ),
        .init(
            "Aggregation.issibling(HierarchyNodes=$root/Nodes,HierarchyQualifier='H',Node=ID,Other='US')",
            #"CASE WHEN "t0"."ID" IS NOT NULL AND {US} IS NOT NULL THEN "t0"."ID" IN (SELECT "e3"."name" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e3" JOIN (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e4" ON "e3"."up" IS "e4"."up" AND "e3"."node" <> "e4"."node" WHERE "e4"."name" = {US}) END"#,
            #"CASE WHEN "t0"."ID" IS NOT NULL AND {US} IS NOT NULL THEN "t0"."ID" IN (SELECT "e3"."name" FROM (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e3" JOIN (SELECT "n1"."_odata_id" AS "node", "t2"."_odata_id" AS "up", "n1"."ID" AS "name" FROM "Nodes" AS "n1" LEFT JOIN "Nodes" AS "t2" ON "t2"."ID" = "n1"."AboveID" WHERE "n1"."ID" IS NOT NULL) AS "e4" ON "e3"."up" IS NOT DISTINCT FROM "e4"."up" AND "e3"."node" <> "e4"."node" WHERE "e4"."name" = {US}) END"#
        ),
    ]

    @Test(arguments: relatives)
    func relativesAreTranslated(_ one: Translation) throws {
        let tree = try Tree.graph()
        try one.expect { try Compiled.rows($0, $1, in: tree) }
    }

    @Test(arguments: traversal)
    func traversalAreTranslated(_ one: Translation) throws {
        let tree = try Tree.graph()
        try one.expect { try Compiled.rows($0, $1, in: tree) }
    }

    @Test(arguments: functions)
    func functionsAreTranslated(_ one: Translation) throws {
        let tree = try Tree.graph()
        try one.expect { try Compiled.condition($0, $1, of: "Nodes", in: tree) }
    }
}
