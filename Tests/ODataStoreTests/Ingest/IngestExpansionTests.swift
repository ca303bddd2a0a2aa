import GRDB
import ODataSQL
import ODataStore
import ODataText
import ODataWire
import Testing

@Suite struct IngestExpansionTests {
    static let links = """
        SELECT t.Id, l.Id FROM "_odata_link_Tools_Loans" k JOIN Tools t ON t._odata_id = k.source
        JOIN Loans l ON l._odata_id = k.target ORDER BY 1, 2
        """
    static let parts = """
        SELECT t.Id, p.No, p.Name FROM "Tools/Parts" p JOIN Tools t ON t._odata_id = p._odata_parent
        ORDER BY 1, 2
        """

    @Test(arguments: [RowIngest.Mode.first, .merge])
    func expandedRowsGoIntoTheirTableAndAreLinked(mode: RowIngest.Mode) throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans", "Current", "Parts"])
        let rows = """
            {"Id":1,"Loans":[{"Id":10,"Who":"Mia"},{"Id":11,"Who":"Ann"}],"Current":{"Id":11,"Who":"Ann"},
             "Parts":[{"No":1,"Name":"a"},{"No":2,"Name":"b"}]},
            {"Id":2,"Loans":[{"Id":11,"Who":"Ann"}],"Current":null,"Parts":[{"No":1,"Name":"c"}]}
            """
        let counts = try fixture.ingest(rows, plan: plan, mode: mode)
        #expect(counts.received == 2)
        #expect(
            try fixture.rows("SELECT Id, Who FROM Loans ORDER BY Id") == ["10|'Mia'", "11|'Ann'"])
        #expect(try fixture.rows(Self.links) == ["1|10", "1|11", "2|11"])
        #expect(try fixture.rows(Self.parts) == ["1|1|'a'", "1|2|'b'", "2|1|'c'"])
        #expect(try fixture.ingest(rows, plan: plan, mode: mode).written == 0)
    }

    @Test func awholeRelationReplacesTheLinksAndContainedRows() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans", "Current", "Parts"])
        try fixture.ingest(
            #"{"Id":1,"Loans":[{"Id":10},{"Id":11}],"Current":{"Id":10},"Parts":[{"No":1},{"No":2}]}"#,
            plan: plan)
        try fixture.ingest(
            #"{"Id":1,"Loans":[{"Id":12},{"Id":11}],"Current":{"Id":12},"Parts":[{"No":2},{"No":3}]}"#,
            plan: plan)
        #expect(try fixture.rows(Self.links) == ["1|11", "1|12"])
        #expect(try fixture.rows(Self.parts) == ["1|2|-", "1|3|-"])
        #expect(try fixture.rows("SELECT Id FROM Loans ORDER BY 1") == ["10", "11", "12"])
    }

    @Test func aRelationThatGoesOnElsewhereKeepsWhatItDoesNotName() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans", "Parts"])
        try fixture.ingest(#"{"Id":1,"Loans":[{"Id":10}],"Parts":[{"No":1}]}"#, plan: plan)
        var reader = RowReader(shape: plan.shape)
        let open = try fixture.queue.write { database in
            var ingest = try RowIngest(
                plan, mapping: fixture.mapping, database: database, mode: .merge)
            let page = """
                {"value":[{"Id":1,"Loans@odata.nextLink":"L2","Loans":[{"Id":11}],"Parts":[{"No":2}],
                "Parts@odata.nextLink":"P2"}]}
                """
            _ = try reader.readPage(Array(page.utf8), into: &ingest)
            try ingest.finish()
            return ingest.openNavigations
        }
        #expect(try fixture.rows(Self.links) == ["1|10", "1|11"])
        #expect(try fixture.rows(Self.parts) == ["1|1|-", "1|2|-"])
        #expect(open.map(\.nextLink) == ["L2", "P2"])
        #expect(open.map(\.row) == [1, 1])
    }

    @Test func aNestedDeltaChangesOnlyWhatItNames() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans", "Parts"])
        try fixture.ingest(
            #"{"Id":1,"Loans":[{"Id":10},{"Id":11},{"Id":12}],"Parts":[{"No":1},{"No":2}]}"#,
            plan: plan)
        try fixture.ingest(
            """
            {"Id":1,"Loans@delta":[{"@removed":{"reason":"changed"},"@id":"Loans(10)"},{"Id":13,"Who":"New"},
             {"@removed":{"reason":"deleted"},"Id":11}],"Parts@delta":[{"@removed":{},"No":1}]}
            """, plan: plan)
        #expect(try fixture.rows(Self.links) == ["1|12", "1|13"])
        #expect(try fixture.rows("SELECT Id FROM Loans ORDER BY 1") == ["10", "12", "13"])
        #expect(try fixture.rows(Self.parts) == ["1|2|-"])
    }

    @Test func aFlatDeltaBringsRelatedEntitiesAndLinksBesideTheRows() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans", "Current"])
        try fixture.ingest(
            #"{"Id":1,"Loans":[{"Id":10},{"Id":11}],"Current":{"Id":10}},{"Id":2,"Loans":[]}"#,
            plan: plan)
        try fixture.ingest(
            """
            {"@odata.context":"$metadata#Loans/$entity","@odata.id":"Loans(12)","Id":12,"Who":"New"},
            {"@odata.context":"$metadata#Things/$entity","@odata.id":"Things(1)","No":1},
            {"@odata.context":"$metadata#Tools/$link","source":"Tools(2)","relationship":"Loans","target":"Loans(12)"},
            {"@odata.context":"#Tools/$deletedLink","source":"http://h/Tools(1)","relationship":"Loans","target":"Loans(10)"},
            {"@odata.context":"#Tools/$deletedLink","source":"Tools(1)","relationship":"Current"},
            {"@odata.context":"#Tools/$link","source":"Tools(1)","relationship":"Elsewhere","target":"Loans(10)"},
            {"@odata.context":"#Tools/$link","source":"Tools(99)","relationship":"Loans","target":"Loans(10)"}
            """, plan: plan)
        #expect(try fixture.rows(Self.links) == ["1|11", "2|12"])
        #expect(try fixture.rows("SELECT Id, Who FROM Loans ORDER BY 1").last == "12|'New'")
        #expect(try fixture.rows("SELECT * FROM \"_odata_link_Tools_Current\"").isEmpty)
    }

    @Test func linksThatAreChangedHereKeepTheirStateAndGetANewBase() throws {
        struct Handler: ShadowedRowHandler {
            func hasLocalChanges(in table: TableMapping, database: Database) -> Bool { true }
            func baseImagesChanged(_ rows: [Int64], in table: TableMapping, database: Database) {}
        }
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans"])
        try fixture.ingest(#"{"Id":1,"Loans":[{"Id":10},{"Id":11}]}"#, plan: plan)
        // Here 10 was unlinked and 12 linked, neither sent yet.
        try fixture.queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO Loans (Id) VALUES (12);
                    DELETE FROM "_odata_link_Tools_Loans" WHERE target = 1;
                    INSERT INTO "_odata_link_Tools_Loans" VALUES (1, 3);
                    INSERT INTO _odata_base_link VALUES ('_odata_link_Tools_Loans', 1, 1, 1, 7),
                        ('_odata_link_Tools_Loans', 1, 3, 0, 8)
                    """)
        }
        fixture.handler = Handler()
        try fixture.ingest(#"{"Id":1,"Loans":[{"Id":10}]}"#, plan: plan)
        #expect(try fixture.rows(Self.links) == ["1|12"])
        #expect(
            try fixture.rows("SELECT target, is_present FROM _odata_base_link ORDER BY 1")
                == ["1|1", "3|0"])
    }

    @Test func removingARowTakesItsLinksAndContainedRowsAlong() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan(expanding: ["Loans", "Parts"])
        try fixture.ingest(#"{"Id":1,"Loans":[{"Id":10}],"Parts":[{"No":1}]}"#, plan: plan)
        try fixture.ingest(#"{"@removed":{"reason":"deleted"},"Id":1}"#, plan: plan)
        #expect(try fixture.rows(Self.links).isEmpty)
        #expect(try fixture.rows("SELECT * FROM \"_odata_link_Tools_Loans\"").isEmpty)
        #expect(try fixture.rows("SELECT No FROM \"Tools/Parts\"").isEmpty)
    }
}
