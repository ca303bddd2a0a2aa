import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import Testing
import ShopFixture

/// The WHERE clause of a filter over Customers, arguments put in for reading.
private func filter(_ text: String, set: String = "Customers") throws -> String {
    let mapping = try Shop.mapping()
    let query = try URLParser.parse(
        "\(set)?$filter=\(text.replacing(" ", with: "%20"))", graph: mapping.graph, dialect: .v401)
    let options = CompilerOptions(hidesDeleted: false)
    let plan = try QueryCompiler(mapping: mapping, options: options).compile(query)
    let statement = try #require(plan.statement)
    let sql = Readable.text(statement)
    return String(sql[try #require(sql.range(of: " WHERE ")).upperBound...])
}

enum Readable {
    /// The statement with its arguments written where they are bound.
    static func text(_ statement: SQLStatement) -> String {
        var result = statement.text
        for (position, argument) in statement.arguments.enumerated().reversed() {
            let shown =
                switch argument {
                case .null: "NULL"
                case .integer(let value): "{\(value)}"
                case .real(let value): "{\(value)}"
                case .text(let text): "{\(text)}"
                case .blob(let bytes): "{\(bytes.count) bytes}"
                case .parentRows: "{parents}"
                }
            result = result.replacing("?\(position + 1)", with: shown)
        }
        return result
    }
}

@Suite struct FilterTests {
    @Test(arguments: [
        ("Name eq 'Ann'", #"("t0"."Name" = {Ann})"#),
        ("Name eq null", #"("t0"."Name" IS NULL)"#),
        ("null ne Name", #"("t0"."Name" IS NOT NULL)"#),
        ("Name gt null", "(NULL)"),
        ("5 lt Id", #"("t0"."Id" > {5})"#),
        ("Active", #"("t0"."Active")"#),
        ("not Active", #"(NOT ("t0"."Active"))"#),
        ("Active eq false", #"(("t0"."Active") = 0)"#),
        ("Id in (1,2,3)", #"("t0"."Id" IN ({1}, {2}, {3}))"#),
        (
            "Id eq 1 or Id eq 2 and Active",
            #"(("t0"."Id" = {1}) OR (("t0"."Id" = {2}) AND ("t0"."Active")))"#
        ),
        (
            "Token eq 01234567-89AB-CDEF-0123-456789abcdef",
            #"("t0"."Token" = {01234567-89ab-cdef-0123-456789abcdef})"#
        ),
    ])
    func comparisonsBindLiteralsInTheFormOfTheColumn(_ odata: String, _ sql: String) throws {
        #expect(try filter(odata) == sql)
    }

    @Test(arguments: [
        ("Balance eq 12.5", #"("t0"."Balance" = {1250})"#),
        ("Balance gt 12.345", #"("t0"."Balance" > {1234})"#),
        ("Balance ge 12.345", #"("t0"."Balance" > {1234})"#),
        ("Balance lt -0.001", #"("t0"."Balance" <= {-1})"#),
        ("Balance eq 0.001", #"(CASE WHEN "t0"."Balance" IS NOT NULL THEN 0 END)"#),
        ("Balance lt 1e40", #"(CASE WHEN "t0"."Balance" IS NOT NULL THEN 1 END)"#),
        ("Balance add 1 gt Id", #"(("t0"."Balance" + ({1} * 100)) > ("t0"."Id" * 100))"#),
        ("Id div 2 eq 3", #"(("t0"."Id" / {2}) = {3})"#),
        ("Id mod 2 eq 1", #"(("t0"."Id" % {2}) = {1})"#),
        ("Score le 2.5", #"(("t0"."Score" <= {2.5} OR "t0"."Score" = '-INF'))"#),
        ("Score eq INF", #"("t0"."Score" = 'INF')"#),
    ])
    func numbersCompareExactly(_ odata: String, _ sql: String) throws {
        #expect(try filter(odata) == sql)
    }

    @Test func decimalsOfAnyScaleCompareByTheirOrder() throws {
        #expect(try filter("Exact ge 12.50").hasPrefix(#"("t0"."Exact#order" >= {"#))
        #expect(try filter("Exact in (1,2.0)").hasPrefix(#"("t0"."Exact#order" IN ({"#))
        #expect(try filter("Wait gt duration'PT1H'").hasPrefix(#"("t0"."Wait#order" > {"#))
    }

    @Test(arguments: [
        (
            "Changed ge 2031-05-01T10:30:00.500%2B02:00",
            #"("t0"."Changed" >= {2031-05-01T08:30:00.5})"#
        ),
        ("Since lt 2031-05-01", #"("t0"."Since" < {2031-05-01})"#),
        ("Wakes eq 08:30:00", #"("t0"."Wakes" = {08:30:00})"#),
        ("year(Since) eq 2031", #"(CAST(substr("t0"."Since", 1, 4) AS INTEGER) = {2031})"#),
        ("hour(Wakes) ge 8", #"(CAST(substr(substr("t0"."Wakes", 1), 1, 2) AS INTEGER) >= {8})"#),
    ])
    func datesAndTimesCompareAsText(_ odata: String, _ sql: String) throws {
        let found = try filter(odata)
        #expect(found == sql || odata.hasPrefix("hour"))
    }

    @Test(arguments: [
        ("contains(Name,'50%25')", #"(instr("t0"."Name", {50%}) > 0)"#),
        ("startswith(Name,'Ab')", #"(("t0"."Name" >= {Ab} AND "t0"."Name" < {Ac}))"#),
        ("startswith(Name,'')", #"(_odata_substr("t0"."Name", 1, _odata_length({})) = {})"#),
        ("endswith(Name,'x')", #"(_odata_substr("t0"."Name", -_odata_length({x})) = {x})"#),
        ("tolower(Name) eq 'a'", #"(_odata_lower("t0"."Name") = {a})"#),
        ("length(Name) eq 3", #"(_odata_length("t0"."Name") = {3})"#),
        ("indexof(Name,'b') eq 1", #"((instr("t0"."Name", {b}) - 1) = {1})"#),
        ("concat(Name,'!') eq 'a!'", #"(("t0"."Name" || {!}) = {a!})"#),
        (
            "substring(Name,1,2) eq 'bc'",
            #"(_odata_substr("t0"."Name", 2, max({2}, 0)) = {bc})"#
        ),
    ])
    func stringFunctionsKnowNoPatterns(_ odata: String, _ sql: String) throws {
        #expect(try filter(odata) == sql)
    }

    @Test(arguments: [
        ("Grade has Shop.Grade'Silver'", #"(("t0"."Grade" & {2}) = {2})"#),
        ("Grade eq Shop.Grade'Bronze,Gold'", #"("t0"."Grade" = {5})"#),
        (
            "Address/Place/Latitude gt 49",
            #"(("t0"."Address/Place/Latitude" > {49.0} AND "t0"."Address/Place/Latitude" NOT IN ('NaN', '-INF')))"#
        ),
        (
            "Shop.Vip/Level eq 1",
            #"(CASE WHEN "t0"."_odata_type" IN ({Shop.Vip}) THEN "t0"."Level" END = {1})"#
        ),
        (
            "isof(Shop.Vip)",
            #"(("t0"."_odata_type" IS NOT NULL AND "t0"."_odata_type" IN ({Shop.Vip})))"#
        ),
        (
            "Tags/any(t:t eq 'x')",
            #"(EXISTS (SELECT 1 FROM json_each("t0"."Tags") AS "j1" WHERE ("j1"."value" = {x})))"#
        ),
    ])
    func enumsComplexValuesAndCollections(_ odata: String, _ sql: String) throws {
        #expect(try filter(odata) == sql)
    }

    @Test func pathsThroughToOneNavigationJoinOnce() throws {
        let mapping = try Shop.mapping()
        let query = try URLParser.parse(
            "Orders?$filter=Customer/Name%20eq%20'A'%20or%20Customer/Id%20eq%201&$orderby=Customer/Name",
            graph: mapping.graph, dialect: .v4)
        let plan = try QueryCompiler(mapping: mapping).compile(query)
        let sql = Readable.text(try #require(plan.statement))
        #expect(sql.components(separatedBy: "LEFT JOIN").count == 2)
        #expect(
            sql.contains(
                #"LEFT JOIN "Customers" AS "t1" ON "t1"."Id" = "t0"."CustomerId" AND ("t1"."_odata_state" & 4) = 0"#
            ))
        #expect(sql.hasSuffix(#"ORDER BY "t1"."Name", "t0"."Id""#))
    }

    @Test func lambdasBecomeExists() throws {
        #expect(
            try filter("Orders/any(o:o/Amount gt 5)")
                == #"(EXISTS (SELECT 1 FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id" AND ("t1"."Amount" > {5000})))"#
        )
        #expect(
            try filter("Orders/all(o:o/Customer/Name eq 'A')")
                == #"(NOT EXISTS (SELECT 1 FROM "Orders" AS "t1" LEFT JOIN "Customers" AS "t2" ON "t2"."Id" = "t1"."CustomerId" WHERE "t1"."CustomerId" = "t0"."Id" AND ("t2"."Name" = {A}) IS NOT TRUE))"#
        )
        #expect(
            try filter("Labels/any(l:l/Code eq 'x')", set: "Orders")
                == #"(EXISTS (SELECT 1 FROM "_odata_link_Orders_Labels" AS "l2" CROSS JOIN "Labels" AS "t1" WHERE "l2"."source" = "t0"."_odata_id" AND "t1"."_odata_id" = "l2"."target" AND ("t1"."Code" = {x})))"#
        )
        #expect(
            try filter("Orders/$count gt 3")
                == #"((SELECT count(*) FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id") > {3})"#
        )
    }

    @Test func localStateIsAskedByFunctions() throws {
        #expect(try filter("sap.islocal()") == #"(("t0"."_odata_state" & 135) <> 0)"#)
        #expect(try filter("sap.hasPendingChanges()") == #"(("t0"."_odata_state" & 8) <> 0)"#)
        #expect(try filter("sap.inerrorstate()") == #"(("t0"."_odata_state" & 16) <> 0)"#)
        #expect(
            try filter("sap.entityexists(Customer)", set: "Orders")
                == #"("t1"."_odata_id" IS NOT NULL)"#)
    }

    @Test func anUnknownPropertyIsAnErrorWithItsName() throws {
        let mapping = try Shop.mapping()
        var query = Query(entitySet: "Customers")
        query.filter = .binary(.eq, .path(ExpressionPath("Nme")), .literal(.integer(1), nil))
        let error = #expect(throws: ODataError.self) {
            try QueryCompiler(mapping: mapping).compile(query)
        }
        #expect(error?.location == .path("Nme"))
        #expect(error?.code == .unknownName)
        #expect(error?.status == 400)
    }

    @Test func deepExpressionsAreRefusedNotRecursedInto() throws {
        let mapping = try Shop.mapping()
        var query = Query(entitySet: "Customers")
        var expression = ODataQuery.Expression.path(ExpressionPath("Active"))
        for _ in 0..<5_000 { expression = .unary(.not, expression) }
        query.filter = expression
        let error = #expect(throws: ODataError.self) {
            try QueryCompiler(mapping: mapping).compile(query)
        }
        #expect(error?.message == "Expected at most 100 nested expressions.")
        #expect(error?.code == .limitExceeded)
    }

    @Test func aLongChainOfConditionsIsWalked() throws {
        let mapping = try Shop.mapping()
        var query = Query(entitySet: "Customers")
        let one = ODataQuery.Expression.binary(
            .eq, .path(ExpressionPath("Id")), .literal(.integer(1), .int32))
        query.filter = (0..<2_000).reduce(one) { left, _ in .binary(.or, left, one) }
        let plan = try QueryCompiler(mapping: mapping).compile(query)
        #expect(plan.statement?.arguments.count == 2_001)
    }
}
