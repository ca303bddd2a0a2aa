import ErrorFixture
import Foundation
import ODataModel
import ODataSQL
import ODataText
import Testing

/// What callers tell the compiler beside the query: which rows are there, where to begin, the time, the index of words.
@Suite struct CompilerOptionsTests {
    private func rows(
        _ url: String, _ options: (inout CompilerOptions) -> Void
    ) throws -> String {
        let statement = try #require(try Compiled.plan(url, options: options).statement)
        let text = Readable.text(statement)
        return String(text[try #require(text.range(of: " FROM ")).upperBound...])
    }

    @Test(arguments: [
        (
            "Orders",
            #""Orders" AS "t0" WHERE ("t0"."_odata_state" & 1028) = 0 AND ("t0"."seen")"#
        ),
        (
            "Orders?$filter=Customer/Name eq 'A'",
            #""Orders" AS "t0" LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" AND ("t1"."_odata_state" & 4) = 0 AND ("t1"."seen") WHERE ("t0"."_odata_state" & 1028) = 0 AND ("t0"."seen") AND ("t1"."Name" = {A})"#
        ),
        (
            "Orders?$filter=Items/any()",
            #""Orders" AS "t0" WHERE ("t0"."_odata_state" & 1028) = 0 AND ("t0"."seen") AND (EXISTS (SELECT 1 FROM "Orders/Items" AS "t1" WHERE "t1"."_odata_parent" = "t0"."_odata_id" AND ("t1"."_odata_state" & 4) = 0 AND ("t1"."seen")))"#
        ),
        (
            "Orders?$apply=aggregate(Amount with sum as T)",
            #"(SELECT sum("t0"."Amount") AS "T#1" FROM "Orders" AS "t0" WHERE ("t0"."_odata_state" & 1028) = 0 AND ("t0"."seen")) AS "r1""#
        ),
    ])
    func hiddenRowsAreHiddenWhereverATableIsRead(_ url: String, _ sql: String) throws {
        let found = try rows(url) {
            $0.hidesDeleted = true
            $0.visibility = { _, alias in "\(name: alias).\(name: "seen")" }
        }
        #expect(found == sql)
    }

    @Test(arguments: [
        ("a", #""t0"."_odata_id" IN (SELECT rowid FROM "words" WHERE "words" MATCH {"a"})"#),
        (
            "a AND NOT \"b c\"",
            #"("t0"."_odata_id" IN (SELECT rowid FROM "words" WHERE "words" MATCH {"a"})) AND (NOT ("t0"."_odata_id" IN (SELECT rowid FROM "words" WHERE "words" MATCH {"b c"})))"#
        ),
        (
            "a OR b",
            #"("t0"."_odata_id" IN (SELECT rowid FROM "words" WHERE "words" MATCH {"a"})) OR ("t0"."_odata_id" IN (SELECT rowid FROM "words" WHERE "words" MATCH {"b"}))"#
        ),
    ])
    func wordsAreLookedUpInTheIndexAsPhrases(_ words: String, _ sql: String) throws {
        for url in ["Customers?$search=\(words)", "Customers?$apply=search(\(words))"] {
            let found = try rows(url) {
                $0.searchIndex = { _ in SearchIndex(name: "words", columns: ["Name"]) }
            }
            #expect(found == #""Customers" AS "t0" WHERE (\#(sql))"# || url.contains("$apply"))
            #expect(found.contains(sql))
        }
        #expect(
            failure { try Compiled.plan("Orders?$search=\(words)") }
                == Failure(.notImplemented, at: .path("Orders"), status: 501))
    }

    @Test(arguments: [
        (
            "Orders?$orderby=Amount,Customer/Name desc&$top=2",
            #"("t0"."Amount" >= {1500} AND (("t0"."Amount" > {1500}) OR ("t0"."Amount" = {1500} AND ("t1"."Name" < {a} OR "t1"."Name" IS NULL)) OR ("t0"."Amount" = {1500} AND "t1"."Name" = {a} AND "t0"."Id" > {7}))) ORDER BY "t0"."Amount", "t1"."Name" DESC, "t0"."Id" LIMIT {2}"#
        ),
        (
            "Customers?$orderby=Balance desc,Name&$top=2",
            #"(((("t0"."Balance" < {1500} OR "t0"."Balance" IS NULL)) OR ("t0"."Balance" = {1500} AND "t0"."Name" > {a}) OR ("t0"."Balance" = {1500} AND "t0"."Name" = {a} AND "t0"."Id" > {7}))) ORDER BY "t0"."Balance" DESC, "t0"."Name", "t0"."Id" LIMIT {2}"#
        ),
    ])
    func aPageBeginsBehindTheValuesOfTheLastRow(_ url: String, _ sql: String) throws {
        let found = try rows(url) {
            $0.exposesOrder = true
            $0.rowsBehind = [.integer(1500), .text("a"), .integer(7)]
        }
        #expect(found.hasSuffix(" WHERE " + sql))
    }

    @Test func aRowWithNullIsFollowedByAllThatHaveAValue() throws {
        let found = try rows("Customers?$orderby=Name&$top=1") {
            $0.exposesOrder = true
            $0.rowsBehind = [.null, .integer(7)]
        }
        #expect(
            found
                == #""Customers" AS "t0" WHERE ((("t0"."Name" IS NOT NULL) OR ("t0"."Name" IS NULL AND "t0"."Id" > {7}))) ORDER BY "t0"."Name", "t0"."Id" LIMIT {1}"#
        )
    }

    @Test func theValuesOfTheOrderAreReadBehindAllOthers() throws {
        let plan = try Compiled.plan("Orders?$select=Id&$orderby=Amount desc") {
            $0.exposesOrder = true
        }
        #expect(plan.shape.order == [true, false])
        let text = try #require(plan.statement?.text)
        #expect(text.contains(#""t0"."Id", "t0"."Amount", "t0"."Id" FROM "Orders""#))
    }

    @Test func theCallerTellsTheTime() throws {
        let now = try #require(OffsetDateTime("2031-05-01T10:30:00+02:00"))
        let found = try rows("Customers?$filter=Changed lt now()") { $0.now = now }
        #expect(found.hasSuffix(#"WHERE ("t0"."Changed" < {2031-05-01T08:30:00})"#))
    }
}
