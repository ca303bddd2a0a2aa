import ODataModel
import ODataSQL
import Testing

/// Which columns are read, and how their rows are read back.
@Suite struct SelectTests {
    @Test(arguments: [
        ("Labels", ["Code"]), ("Labels?$select=*", ["Code"]),
        ("Customers?$select=Name", ["Id", "Name"]),
        (
            "Customers?$select=Address",
            [
                "Id", "Address", "Address/City", "Address/city", "Address/Place/Latitude",
                "Address/Place/Longitude",
            ]
        ),
        ("Customers?$select=Address/City,Tags", ["Id", "Address", "Address/City", "Tags"]),
        ("Customers?$select=Shop.Vip/Level", ["Id", "Level"]), ("Orders?$select=Customer", ["Id"]),
        ("Customers(1)/Name", ["Id", "Name"]), ("Customers(1)/Orders/$ref", ["Id"]),
        ("Customers(1)/Address/City", ["Id", "Address", "Address/City"]),
    ])
    func keyAndSelectedPropertiesAreRead(_ url: String, _ paths: [String]) throws {
        #expect(try Compiled.plan(url).shape.columns.map(\.mapping.path) == paths)
    }

    @Test(arguments: [
        ("Id mul 2", #"("t0"."Id" * {2})"#), ("toupper(Name)", #"_odata_upper("t0"."Name")"#),
        (
            "case(Id gt 1:'a',true:'b')",
            #"CASE WHEN "t0"."Id" > {1} THEN {a} WHEN 1 THEN {b} END"#
        ),
        (
            "Orders/$count",
            #"(SELECT count(*) FROM "Orders" AS "t1" WHERE "t1"."CustomerId" = "t0"."Id")"#
        ),
    ])
    func computedValuesAreReadWhenSelected(_ expression: String, _ sql: String) throws {
        let read = try Compiled.sql("Customers?$select=Id,V&$compute=\(expression) as V")
        #expect(read.hasSuffix(#""t0"."Id", \#(sql) FROM "Customers" AS "t0""#), "\(read)")
        let unread = try Compiled.sql("Customers?$select=Id&$compute=\(expression) as V")
        #expect(unread.hasSuffix(#""t0"."Id" FROM "Customers" AS "t0""#))
    }

    @Test(arguments: [
        ("Customers", QueryPlan.Result.entities), ("Customers(1)", .entity),
        ("Customers/$count", .count), ("Customers(1)/Orders/$ref", .references(isCollection: true)),
        ("Orders(1)/Customer/$ref", .references(isCollection: false)),
        ("Customers(1)/$value", .media),
        ("Orders(1)/Customer", .entity), ("Customers(1)/Orders", .entities),
    ])
    func aPathSaysWhatIsRead(_ url: String, _ result: QueryPlan.Result) throws {
        let plan = try Compiled.plan(url, isChecked: false)
        #expect(plan.result == result)
        #expect((plan.statement == nil) == (result == .count))
    }

    @Test func dynamicPropertiesAreReadTogether() throws {
        let sql = try Compiled.sql("Nodes?$select=Color", in: Tree.graph())
        #expect(sql.hasSuffix(#""t0"."ID", "t0"."_odata_dynamic" FROM "Nodes" AS "t0""#))
    }
}
