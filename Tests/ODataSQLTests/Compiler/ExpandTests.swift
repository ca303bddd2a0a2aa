import Foundation
import ODataModel
import ODataSQL
import Testing

/// Related rows: one statement for all parents, whose identities come as a JSON array.
@Suite struct ExpandTests {
    /// What the statements of a query's expansions read, outermost first; those for numbers of rows marked.
    private func reads(_ url: String, _ dialect: SQLDialect = .sqlite) throws -> [String] {
        let graph = url.hasPrefix("Nodes") ? try Tree.graph() : nil
        func texts(_ plans: [ExpandPlan]) -> [String] {
            plans.flatMap { plan -> [String] in
                let rows = plan.statement.map { Self.tail(Compiled.shown($0, dialect)) }
                let count = plan.countStatement.map {
                    "count: " + Self.tail(Compiled.shown($0, dialect))
                }
                return [rows, count].compactMap(\.self) + texts(plan.children)
            }
        }
        return texts(try Compiled.plan(url, dialect, in: graph).expands)
    }

    private static func tail(_ sql: String) -> String {
        sql.range(of: " FROM ").map { String(sql[$0.upperBound...]) } ?? sql
    }

    private static let parents = #"json_each({parents}) AS "k" CROSS JOIN "#
    private static let orders =
        parents
        + #""Customers" AS "p0" CROSS JOIN "Orders" AS "t1" WHERE "p0"."_odata_id" = "k"."value" AND "t1"."CustomerId" = "p0"."Id""#
    private static let items =
        parents
        + #""Orders" AS "p0" CROSS JOIN "Orders/Items" AS "t1" WHERE "p0"."_odata_id" = "k"."value" AND "t1"."_odata_parent" = "p0"."_odata_id""#
    private static let below =
        parents
        + #""Nodes" AS "p0" CROSS JOIN "Nodes" AS "t1" WHERE "p0"."_odata_id" = "k"."value" AND "t1"."AboveID" = "p0"."ID""#

    @Test(arguments: [
        (
            "Orders?$expand=Customer",
            [
                parents
                    + #""Orders" AS "p0" CROSS JOIN "Customers" AS "t1" WHERE "p0"."_odata_id" = "k"."value" AND "t1"."Id" = "p0"."CustomerId""#
            ]
        ), ("Customers?$expand=Orders", [orders]), ("Orders?$expand=Items", [items]),
        (
            "Orders?$expand=Labels",
            [
                parents
                    + #""Orders" AS "p0" CROSS JOIN "_odata_link_Orders_Labels" AS "l2" CROSS JOIN "Labels" AS "t1" WHERE "p0"."_odata_id" = "k"."value" AND "l2"."source" = "p0"."_odata_id" AND "t1"."_odata_id" = "l2"."target""#
            ]
        ),
        (
            "Customers?$expand=Orders($filter=Amount gt 1;$orderby=Amount desc)",
            [
                orders
                    + #" AND ("t1"."Amount" > {1000}) ORDER BY "k"."key", "t1"."Amount" DESC, "t1"."Id""#
            ]
        ), ("Customers?$expand=Orders($expand=Items)", [orders, items]),
        (
            "Customers?$expand=Orders($count=true)",
            [orders, "count: " + orders + #" GROUP BY "k"."key""#]
        ), ("Customers?$expand=Orders/$count", ["count: " + orders + #" GROUP BY "k"."key""#]),
        ("Customers?$expand=Orders/$ref", [orders]),
        ("Nodes?$expand=Below($levels=2)", [below, below]),
    ])
    func rowsOfAllParentsAreReadAtOnce(_ url: String, _ sql: [String]) throws {
        #expect(try reads(url) == sql)
    }

    @Test func levelsWithoutEndStopAtAStatedDepth() throws {
        #expect(
            try reads("Nodes?$expand=Below($levels=max)") == Array(repeating: Self.below, count: 12)
        )
    }

    @Test func postgreSQLNumbersTheParentsItself() throws {
        #expect(
            try reads("Customers?$expand=Orders", .postgreSQL) == [
                #"(SELECT e.value COLLATE "C" AS "value", e.number - 1 AS "key" FROM json_array_elements_text(CAST({parents} AS json)) WITH ORDINALITY AS e(value, number)) AS "k" CROSS JOIN "Customers" AS "p0" CROSS JOIN "Orders" AS "t1" WHERE "p0"."_odata_id" = CAST("k"."value" AS bigint) AND "t1"."CustomerId" = "p0"."Id" ORDER BY "k"."key""#
            ])
    }

    @Test func aggregatesOfRelatedRowsStandBesideEveryParent() throws {
        #expect(
            try reads("Customers?$expand=Orders($apply=aggregate(Amount with sum as T))") == [
                #"(SELECT "a3"."_odata_parent_row" AS "_odata_parent_row", "g4"."T#1" AS "T#1" FROM (SELECT "k"."key" AS "_odata_parent_row" FROM json_each({parents}) AS "k") AS "a3" LEFT JOIN (SELECT "k"."key" AS "_odata_parent_row", sum("t1"."Amount") AS "T#1" FROM json_each({parents}) AS "k" CROSS JOIN "Customers" AS "p0" CROSS JOIN "Orders" AS "t1" WHERE "p0"."_odata_id" = "k"."value" AND "t1"."CustomerId" = "p0"."Id" GROUP BY "k"."key") AS "g4" ON "g4"."_odata_parent_row" = "a3"."_odata_parent_row") AS "r5" ORDER BY "r5"."_odata_parent_row""#
            ])
    }

    @Test func nestedRowsOfStepsAreReadLikeExpandedOnes() throws {
        #expect(
            try reads("Customers?$apply=addnested(Orders,filter(Amount gt 7) as Big)") == [
                Self.orders + #" AND ("t1"."Amount" > {7000})"#
            ])
    }

    @Test func theParentsAreBoundAsOneArray() throws {
        let plan = try Compiled.plan("Customers?$expand=Orders($filter=Amount gt 1)")
        let statement = try #require(plan.expands.first?.statement)
        #expect(statement.arguments == [.parentRows, .integer(1_000)])
        #expect(statement.arguments(parentRows: "[1,2]") == [.text("[1,2]"), .integer(1_000)])
        #expect(statement.tables.sorted() == ["Customers", "Orders"])
    }
}
