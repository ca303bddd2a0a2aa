import GRDB
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

/// What a row that comes again writes.
@Suite final class ComparedRowTests {
    private let tools: ToolsStore
    private var store: LocalStore { tools.store }

    init() throws {
        tools = try ToolsStore()
        // What a trigger on a column notes is what was set.
        try store.write(.normal) { database in
            try database.execute(
                sql: """
                    CREATE INDEX by_price ON Tools (Price);
                    CREATE TABLE noted (what TEXT);
                    CREATE TRIGGER sets_key AFTER UPDATE OF Id ON Tools
                        BEGIN INSERT INTO noted VALUES ('Id ' || NEW.Id); END;
                    CREATE TRIGGER sets_price AFTER UPDATE OF Price ON Tools
                        BEGIN INSERT INTO noted VALUES ('Price ' || NEW.Id); END;
                    CREATE TRIGGER sets_title AFTER UPDATE OF Title ON Tools
                        BEGIN INSERT INTO noted VALUES ('Title ' || NEW.Id); END;
                    """)
        }
    }

    private func take(_ rows: String) throws -> IngestCounts {
        let ingest = try tools.makeIngest()
        _ = try ingest.take(
            ByteParts([Array("{\"value\":[\(rows)]}".utf8)]), mode: .delta)
        try ingest.finish(mode: .delta, deltaLink: "D")
        return ingest.counts
    }

    private func noted() throws -> [String] {
        try store.write(.normal) { database in
            defer { try? database.execute(sql: "DELETE FROM noted") }
            return try String.fetchAll(database, sql: "SELECT what FROM noted ORDER BY rowid")
        }
    }

    @Test func columnsOfIndexesAreSetOnlyWhereOneDiffers() throws {
        let first = try take(
            #"{"Id":1,"Title":"a","Price":1.5},{"Id":2,"Title":"b","Price":2}"#)
        #expect(first.written == 2)
        // Another title, another price, and nothing else.
        let second = try take(
            #"{"Id":1,"Title":"c","Price":1.50},{"Id":2,"Title":"b","Price":2.25}"#)
        #expect(second.written == 2)
        #expect(try noted().sorted() == ["Id 2", "Price 2", "Title 1", "Title 2"])
        let third = try take(
            #"{"Id":1,"Title":"c","Price":1.5},{"Id":2,"Title":null,"Price":2.25}"#)
        #expect(third.written == 1)
        #expect(try noted() == ["Title 2"])
        let rows = try store.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT Id, Title, Price FROM Tools INDEXED BY by_price ORDER BY Price"
            ).map { "\($0[0] as Int) \($0[1] as String? ?? "-") \($0[2] as Int)" }
        }
        #expect(rows == ["1 c 150", "2 - 225"])
    }
}
