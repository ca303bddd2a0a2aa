import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ShopFixture
import Testing

/// A cross join is one statement, whose condition is that of the join.
@Suite struct CrossJoinTests {
    private static func plan(
        _ url: String, _ dialect: SQLDialect = .sqlite, behind: [SQLArgument]? = nil
    ) throws -> CrossJoinPlan {
        let graph = try Shop.graph()
        var query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        var options = CompilerOptions(dialect: dialect, hidesDeleted: true)
        options.rowsBehind = behind
        return try QueryCompiler(
            mapping: SchemaMapping.local(for: graph, dialect: dialect), options: options
        ).compile(crossJoin: query)
    }

    @Test func theStatementsReadAllSetsAtOnce() throws {
        let plan = try Self.plan(
            "$crossjoin(Orders,Customers)?$filter=Orders/CustomerId eq Customers/Id"
                + "&$orderby=Customers/Name desc&$top=3&$skip=2")
        let sql = Compiled.shown(plan.statement, .sqlite)
        #expect(
            sql.contains(
                #" FROM "Orders" AS "t0" JOIN "Customers" AS "t1" WHERE "#), "\(sql)")
        #expect(
            sql.hasSuffix(
                #" AND ("t0"."CustomerId" = "t1"."Id") ORDER BY "t1"."Name" DESC, "t0"."Id","#
                    + #" "t1"."Id" LIMIT {3} OFFSET {2}"#), "\(sql)")
        for alias in ["t0", "t1"] {
            #expect(sql.contains(#"("\#(alias)"."_odata_state" & "#), "\(sql)")
        }
        #expect(
            Compiled.shown(plan.countStatement, .sqlite).hasPrefix(
                "SELECT count(*) FROM \"Orders\""))
        #expect(Set(plan.tables) == ["Orders", "Customers"])
    }

    @Test func whatNavigationsLeadToIsJoinedOnce() throws {
        let plan = try Self.plan(
            "$crossjoin(Orders,Customers)?$filter=Orders/Customer/Name eq Customers/Name"
                + "&$orderby=Orders/Customer/Name")
        let sql = Compiled.shown(plan.statement, .sqlite)
        #expect(sql.ranges(of: "LEFT JOIN").count == 1, "\(sql)")
        #expect(plan.tables.filter { $0 == "Customers" }.count == 4)
    }

    @Test func rowsBehindAnotherAreThoseOfTheOrder() throws {
        let keys: [SQLArgument] = [.integer(4), .integer(5)]
        let plan = try Self.plan("$crossjoin(Orders,Customers)", behind: keys)
        let sql = Compiled.shown(plan.statement, .sqlite)
        #expect(
            sql.contains(
                #"("t0"."Id" >= {4} AND (("t0"."Id" > {4}) OR ("t0"."Id" = {4} AND "t1"."Id" > {5})))"#
            ), "\(sql)")
        #expect(throws: ODataError.self) {
            try Self.plan("$crossjoin(Orders,Customers)", behind: [.integer(4)])
        }
    }

    @Test func otherDatabasesAreToldThatItIsNotThere() throws {
        let error = #expect(throws: ODataError.self) {
            try Self.plan("$crossjoin(Orders,Customers)", .postgreSQL)
        }
        #expect(error?.status == 501)
    }
}
