import GRDB
import ODataSQL
import ODataStore
import ODataText
import ODataWire
import Testing

@Suite struct IngestMergeTests {
    @Test(arguments: [RowIngest.Mode.first, .merge])
    func onlyRowsThatDifferAreWritten(mode: RowIngest.Mode) throws {
        let fixture = try IngestFixture()
        let rows = #"{"@odata.etag":"1","Id":1,"Title":"a"},{"@odata.etag":"1","Id":2,"Title":"b"}"#
        #expect(try fixture.ingest(rows, mode: mode).written == 2)
        #expect(try fixture.ingest(rows, mode: mode).written == 0)
        let changed = rows.replacing(#""1","Id":2,"Title":"b""#, with: #""2","Id":2,"Title":"c""#)
        #expect(try fixture.ingest(changed, mode: mode).written == 1)
        #expect(
            try fixture.rows("SELECT _odata_id, _odata_etag, Id, Title FROM Tools ORDER BY Id")
                == ["1|'1'|1|'a'", "2|'2'|2|'c'"])
    }

    @Test(arguments: [RowIngest.Mode.first, .merge])
    func withoutETagsRowsAreComparedByTheirColumns(mode: RowIngest.Mode) throws {
        let fixture = try IngestFixture()
        let rows = #"{"Id":1,"Title":"a","Price":1.5,"Size":null},{"Id":2,"Title":null}"#
        #expect(try fixture.ingest(rows, mode: mode).written == 2)
        #expect(try fixture.ingest(rows, mode: mode).written == 0)
        #expect(try fixture.ingest(#"{"Id":2,"Title":""}"#, mode: mode).written == 1)
        #expect(try fixture.ingest(#"{"Id":1,"Price":1.50}"#, mode: mode).written == 0)
    }

    @Test(arguments: [RowIngest.Mode.first, .merge])
    func aRowThatBringsPartOfItsPropertiesKeepsTheRest(mode: RowIngest.Mode) throws {
        let fixture = try IngestFixture()
        try fixture.ingest(#"{"Id":1,"Title":"a","Price":1,"Size":{"W":1,"H":2}}"#, mode: mode)
        try fixture.ingest(#"{"Id":1,"Price":2,"Size":{"H":3}}"#, mode: mode)
        #expect(
            try fixture.rows(#"SELECT Title, Price, "Size/W", "Size/H" FROM Tools"#)
                == ["'a'|200|1|3"])
    }

    @Test func aQueryWritesAndComparesOnlyWhatItSelects() throws {
        let fixture = try IngestFixture()
        let titles = try fixture.plan(selection: ["Title"], bit: 1)
        let prices = try fixture.plan(selection: ["Price"], bit: 2)
        try fixture.ingest(#"{"@odata.etag":"1","Id":1,"Title":"a","Price":5}"#, plan: titles)
        #expect(try fixture.rows("SELECT Title, Price, _odata_sources FROM Tools") == ["'a'|-|1"])
        // The same ETag, but this query has not brought its columns yet.
        try fixture.ingest(#"{"@odata.etag":"1","Id":1,"Price":5}"#, plan: prices)
        #expect(try fixture.rows("SELECT Title, Price, _odata_sources FROM Tools") == ["'a'|500|3"])
        #expect(
            try fixture.ingest(#"{"@odata.etag":"1","Id":1,"Price":5}"#, plan: prices).written == 0)
    }

    @Test func aRemovalOfOneQueryLeavesRowsOfAnother() throws {
        let fixture = try IngestFixture()
        let one = try fixture.plan(bit: 1)
        let two = try fixture.plan(bit: 2)
        try fixture.ingest(#"{"Id":1},{"Id":2},{"Id":3}"#, plan: one)
        try fixture.ingest(#"{"Id":1},{"Id":2}"#, plan: two)
        let removals =
            #"{"@removed":{"reason":"changed"},"Id":1},{"@removed":{"reason":"deleted"},"@id":"Tools(2)"},"#
            + #"{"@odata.context":"$metadata#Tools/$deletedEntity","id":"http://h/svc/Tools(3)"},"#
            + #"{"@removed":{},"Id":99}"#
        #expect(try fixture.ingest(removals, plan: one).removed == 3)
        #expect(try fixture.rows("SELECT Id, _odata_sources FROM Tools") == ["1|2"])
    }

    @Test func entitiesInADeltaApplyInOrder() throws {
        let fixture = try IngestFixture()
        try fixture.ingest(
            #"{"Id":1,"Title":"a"},{"@removed":{"reason":"deleted"},"Id":1},{"Id":1,"Title":"b"},{"Id":2},"#
                + #"{"@removed":{"reason":"deleted"},"Id":2}"#)
        #expect(try fixture.rows("SELECT Id, Title FROM Tools") == ["1|'b'"])
    }

    @Test func acceptedLocalFlagsEndWhenTheRowIsReceivedBack() throws {
        for mode in [RowIngest.Mode.first, .merge] {
            let fixture = try IngestFixture()
            let row = #"{"@odata.etag":"1","Id":1,"Title":"a"}"#
            try fixture.ingest(row, mode: .first)
            try fixture.queue.write { try $0.execute(sql: "UPDATE Tools SET _odata_state = 2") }
            #expect(try fixture.ingest(row, mode: mode).written == 1)
            let expected = mode == .first ? 0 : EntityState.upserted.rawValue
            #expect(try fixture.rows("SELECT _odata_state FROM Tools") == ["\(expected)"])
        }
    }

    @Test func rowsUnderLocalChangesGetANewBaseImageInstead() throws {
        final class Handler: ShadowedRowHandler {
            nonisolated(unsafe) var changed: [Int64] = []
            func hasLocalChanges(in table: TableMapping, database: Database) -> Bool { true }
            func baseImagesChanged(_ rows: [Int64], in table: TableMapping, database: Database) {
                changed += rows
            }
        }
        let fixture = try IngestFixture()
        let handler = Handler()
        try fixture.ingest(#"{"Id":1,"Title":"a"},{"Id":2,"Title":"b"},{"Id":3,"Title":"c"}"#)
        try fixture.queue.write { database in
            try database.execute(
                sql: "INSERT INTO _odata_base_Tools SELECT *, 0, NULL FROM Tools WHERE Id < 3")
            try database.execute(
                sql: "UPDATE Tools SET Title = 'mine', _odata_state = 10 WHERE Id < 3")
        }
        fixture.handler = handler
        let counts = try fixture.ingest(
            #"{"Id":1,"Title":"new"},{"@removed":{"reason":"deleted"},"Id":2},{"Id":3,"Title":"d"}"#,
            mode: .first)
        #expect(counts.shadowed == 2)
        #expect(handler.changed == [1, 2])
        #expect(
            try fixture.rows("SELECT Id, Title FROM Tools ORDER BY Id")
                == ["1|'mine'", "2|'mine'", "3|'d'"])
        #expect(
            try fixture.rows(
                "SELECT Id, Title, _odata_base_kind FROM _odata_base_Tools ORDER BY Id")
                == ["1|'new'|0", "2|'b'|1"])
    }

    @Test func aSweepNotesWhichRowsItMet() throws {
        let fixture = try IngestFixture()
        try fixture.ingest((1...200).map { "{\"Id\":\($0)}" }.joined(separator: ","))
        var seen = SeenRows()
        try fixture.ingest(#"{"Id":3},{"Id":150},{"Id":500}"#, seen: &seen)
        let ids = (0...300).filter { seen.contains($0) }
        #expect(ids == [3, 150, 201])
        #expect(SeenRows(bytes: seen.bytes) == seen)
    }

    @Test func rowsWithoutTheirKeyAreRefused() throws {
        let fixture = try IngestFixture()
        for mode in [RowIngest.Mode.first, .merge] {
            let error = #expect(throws: ODataError.self) {
                try fixture.ingest(#"{"Title":"a"}"#, mode: mode)
            }
            #expect(error?.location == .path("Tools/Id"))
            #expect(error?.code == .invalidPayload)
        }
    }
}
