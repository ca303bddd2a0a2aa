import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import Testing
import ShopFixture

@Suite struct QueryTests {
    private func plan(_ url: String) throws -> QueryPlan {
        let mapping = try Shop.mapping()
        let query = try URLParser.parse(url, graph: mapping.graph, dialect: .v4)
        return try QueryCompiler(mapping: mapping).compile(query)
    }

    private func sql(_ url: String) throws -> String {
        Readable.text(try #require(try plan(url).statement))
    }

    @Test func pagesAreOrderedByKey() throws {
        #expect(
            try sql("Labels?$top=2&$skip=1") == """
                SELECT "t0"."_odata_id", "t0"."_odata_etag", "t0"."_odata_state", \
                "t0"."_odata_control", "t0"."Code" FROM "Labels" AS "t0" \
                WHERE ("t0"."_odata_state" & 1028) = 0 ORDER BY "t0"."Code" LIMIT {2} OFFSET {1}
                """)
    }

    @Test func theKeyFollowsTheAskedForOrderUnlessItIsThere() throws {
        #expect(
            try sql("Orders?$orderby=Placed%20desc").hasSuffix(
                #"ORDER BY "t0"."Placed" DESC, "t0"."Id""#))
        #expect(try sql("Orders?$orderby=Id%20desc").hasSuffix(#"ORDER BY "t0"."Id" DESC"#))
        #expect(
            try sql("Customers?$orderby=Exact").hasSuffix(
                #"ORDER BY "t0"."Exact#order", "t0"."Id""#))
    }

    @Test func selectReadsKeyAndSelectedColumns() throws {
        let shape = try plan("Customers?$select=Address/City,Changed").shape
        #expect(
            shape.columns.map(\.mapping.path) == ["Id", "Changed", "Address", "Address/City"])
        let changed = try #require(shape.columns.first { $0.mapping.path == "Changed" })
        #expect(changed.offsetIndex == changed.index + 1)
    }

    @Test func aPathFollowsNavigationFromOneRow() throws {
        #expect(
            try sql("Customers(7)/Orders?$select=Id") == """
                SELECT "t1"."_odata_id", "t1"."_odata_etag", "t1"."_odata_state", \
                "t1"."_odata_control", "t1"."Id" FROM "Customers" AS "t0" CROSS JOIN \
                "Orders" AS "t1" WHERE ("t0"."_odata_state" & 4) = 0 AND "t0"."Id" = {7} AND \
                "t1"."CustomerId" = "t0"."Id" AND ("t1"."_odata_state" & 4) = 0
                """)
        #expect(try sql("Orders(1)/Items(2)").contains(#""t1"."_odata_parent" = "t0"."_odata_id""#))
        #expect(try plan("Orders(1)/Customer").result == .entity)
    }

    @Test func propertiesCountsAndReferencesAreResultsOfTheirOwn() throws {
        guard case .property(let slots, _, false) = try plan("Customers(1)/Address/City").result
        else {
            Issue.record("expected a property")
            return
        }
        #expect(slots == [13, 0])
        let count = try plan("Customers/$count?$filter=Active")
        #expect(count.result == .count)
        #expect(count.statement == nil)
        #expect(
            count.countStatement?.text
                == #"SELECT count(*) FROM "Customers" AS "t0" WHERE ("t0"."_odata_state" & 1028) = 0 AND ("t0"."Active")"#
        )
        #expect(try plan("Customers(1)/Orders/$ref").result == .references(isCollection: true))
    }

    @Test func countComesBesideThePage() throws {
        let plan = try plan("Orders?$count=true&$top=1&$orderby=Customer/Name")
        #expect(
            plan.countStatement?.text
                == #"SELECT count(*) FROM "Orders" AS "t0" WHERE ("t0"."_odata_state" & 1028) = 0"#)
    }

    @Test func expandIsOneStatementForAllParents() throws {
        let plan = try plan("Customers?$expand=Orders($select=Id;$filter=Amount%20gt%201)")
        let expand = try #require(plan.expands.first)
        #expect(
            Readable.text(try #require(expand.statement)) == """
                SELECT "k"."key", "t1"."_odata_id", "t1"."_odata_etag", "t1"."_odata_state", \
                "t1"."_odata_control", "t1"."Id" FROM json_each({parents}) AS "k" CROSS JOIN \
                "Customers" AS "p0" CROSS JOIN "Orders" AS "t1" WHERE "p0"."_odata_id" = \
                "k"."value" AND "t1"."CustomerId" = "p0"."Id" AND ("t1"."_odata_state" & 4) = 0 \
                AND ("t1"."Amount" > {1000})
                """)
    }

    @Test func expandByOneColumnOfTheParentsLeavesTheirTableAlone() throws {
        let orders = try plan("Customers?$expand=Orders($select=Id;$filter=Amount%20gt%201)")
        let toMany = try #require(orders.expands.first?.byColumn)
        #expect(toMany.column?.path == "Id")
        #expect(
            Readable.text(try #require(toMany.statement)) == """
                SELECT "k"."key", "t1"."_odata_id", "t1"."_odata_etag", "t1"."_odata_state", \
                "t1"."_odata_control", "t1"."Id" FROM json_each({parents}) AS "k" CROSS JOIN \
                "Orders" AS "t1" WHERE "t1"."CustomerId" = "k"."value" \
                AND ("t1"."_odata_state" & 4) = 0 AND ("t1"."Amount" > {1000})
                """)
        let toOne = try #require(
            try plan("Orders?$expand=Customer($select=Id)").expands.first?.byColumn)
        #expect(toOne.column?.path == "CustomerId")
        #expect(toOne.statement?.text.contains("\"Orders\"") == false)
        // Links stand in a table of their own.
        let labels = try plan("Orders?$expand=Labels")
        #expect(labels.expands.first?.byColumn == nil)
    }

    @Test func theOneRelatedRowIsReadWithThePage() throws {
        let plan = try plan(
            "Orders?$select=Amount,CustomerId&$top=5&$expand=Customer($select=Name)")
        #expect(
            Readable.text(try #require(plan.statement)) == """
                SELECT "t0"."_odata_id", "t0"."_odata_etag", "t0"."_odata_state", \
                "t0"."_odata_control", "t0"."Id", "t0"."CustomerId", "t0"."Amount", \
                "j0"."_odata_id", "j0"."_odata_etag", "j0"."_odata_type", "j0"."_odata_state", \
                "j0"."_odata_control", "j0"."Id", "j0"."Name" FROM "Orders" AS "t0" \
                LEFT JOIN "Customers" AS "j0" ON "j0"."Id" = "t0"."CustomerId" \
                AND ("j0"."_odata_state" & 4) = 0 WHERE ("t0"."_odata_state" & 1028) = 0 \
                ORDER BY "t0"."Id" LIMIT {5}
                """)
        let joined = try #require(plan.expands.first?.joined)
        #expect(joined.start == plan.shape.count && joined.count == plan.columnCount)
        #expect(joined.id == plan.shape.count)
    }

    @Test func relatedRowsAreReadApartWhereAConditionOrTheirNumberSaysSo() throws {
        for url in [
            "Orders?$expand=Customer($filter=Name%20eq%20'Ann')", "Customers?$expand=Orders",
            "Orders?$expand=Customer/$ref", "Orders?$select=Amount&$expand=Customer",
            "Orders?$expand=Labels",
        ] {
            let plan = try plan(url)
            #expect(plan.expands.first?.joined == nil, "\(url)")
            #expect(plan.columnCount == plan.shape.count)
        }
    }

    @Test func noRelatedRowIsLookedUpForRowsThatAreLeftOut() throws {
        let apart = [
            "$orderby=Amount&$top=5", "$skip=5", "$filter=Amount%20gt%201&$top=5",
            "$filter=Id%20gt%201%20or%20Id%20lt%200&$top=5", "$orderby=Id%20desc,Amount&$top=5",
        ]
        let together = [
            "$orderby=Amount", "$top=5", "$orderby=Id%20desc&$top=5", "$filter=Amount%20gt%201",
            "$filter=Id%20gt%201%20and%20Id%20le%209&$top=5",
        ]
        for options in apart {
            let plan = try plan("Orders?$expand=Customer&\(options)")
            #expect(plan.expands.first?.joined == nil, "\(options)")
        }
        for options in together {
            let plan = try plan("Orders?$expand=Customer&\(options)")
            #expect(plan.expands.first?.joined != nil, "\(options)")
        }
    }

    @Test func topOfAnExpandCountsWithinEachParent() throws {
        let plan = try plan("Customers?$expand=Orders($top=2;$skip=1;$orderby=Placed;$count=true)")
        let expand = try #require(plan.expands.first)
        let sql = Readable.text(try #require(expand.statement))
        #expect(
            sql.contains(
                #"row_number() OVER (PARTITION BY "k"."key" ORDER BY "t1"."Placed", "t1"."Id")"#))
        #expect(sql.contains(#"WHERE "_odata_number" > {1} AND "_odata_number" <= {3}"#))
        #expect(expand.countStatement?.text.hasSuffix(#"GROUP BY "k"."key""#) == true)
    }

    @Test func nestedAndRepeatedExpandsFormATree() throws {
        let plan = try plan("Customers?$expand=Orders($expand=Items,Labels)")
        #expect(plan.expands.map(\.navigation.path) == ["Orders"])
        #expect(plan.expands[0].children.map(\.navigation.path) == ["Items", "Labels"])
        let mapping = try Shop.mapping()
        var query = Query(entitySet: "Customers")
        query.expand = [
            ExpandTerm(ExpressionPath("Orders/Items")), ExpandTerm(ExpressionPath("Orders/Labels")),
        ]
        let v2 = try QueryCompiler(mapping: mapping).compile(query)
        #expect(v2.expands.map(\.navigation.path) == ["Orders"])
        #expect(v2.expands[0].children.map(\.navigation.path) == ["Items", "Labels"])
    }

    @Test func postgreSQLNumbersItsPlaceholdersAndPlacesNulls() throws {
        let mapping = try Shop.mapping()
        let query = try URLParser.parse(
            "Orders?$filter=Id%20gt%201%20and%20Id%20lt%209&$orderby=Placed%20desc",
            graph: mapping.graph, dialect: .v4)
        let options = CompilerOptions(dialect: .postgreSQL)
        let text = try QueryCompiler(mapping: mapping, options: options).compile(query)
            .statement?.text
        #expect(text?.contains(#"("t0"."Id" > $1) AND ("t0"."Id" < $2)"#) == true)
        #expect(text?.contains(#""t0"."Placed" DESC NULLS LAST"#) == true)
    }

    @Test func whatTheDatabaseCannotAnswerIsSaidSo() throws {
        let error = #expect(throws: ODataError.self) { try plan("Customers?$search=x") }
        #expect(error?.location == .path("Customers"))
        #expect(error?.code == .notImplemented)
    }
}
