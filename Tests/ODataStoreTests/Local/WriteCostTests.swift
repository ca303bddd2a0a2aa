import GRDB
import ODataModel
import ODataStore
import ODataSyncPlan
import Synchronization
import Testing

/// What a change asks the file beside what it writes.
@Suite struct WriteCostTests {
    /// The statements that a change takes, the transaction's own left out.
    private func statements(
        _ fixture: StoreFixture, of change: () throws -> Void
    ) throws -> [String] {
        let seen = Mutex<[String]>([])
        try fixture.store.write(.full) { database in
            database.trace { event in seen.withLock { $0.append("\(event)") } }
        }
        try change()
        try fixture.store.write(.full) { $0.trace(options: []) }
        return seen.withLock { $0 }.map { $0.replacing("\"", with: "") }.filter {
            !$0.contains("TRANSACTION") && !$0.hasPrefix("PRAGMA")
        }
    }

    private func words(_ statements: [String]) -> [String] {
        statements.map { statement in
            let words = statement.split(separator: " ").map(String.init)
            switch words.first {
            case "SELECT":
                return "read " + (words.firstIndex(of: "FROM").map { words[$0 + 1] } ?? "")
            case "INSERT":
                return "insert " + (words.firstIndex(of: "INTO").map { words[$0 + 1] } ?? "")
            default: return words.prefix(2).joined(separator: " ").lowercased()
            }
        }
    }

    @Test func anUpdateReadsItsRowOnceBeforeAndOnceBehind() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Bo")
        let all = try statements(fixture) { try fixture.update(row, ["Name": .text("Bob")]) }
        #expect(
            words(all) == [
                "read Customers", "read _odata_request_row", "read _odata_base_Customers",
                "insert _odata_request", "insert _odata_request_row",
                "insert _odata_base_Customers", "update customers",
            ], "\(all.joined(separator: "\n"))")
    }

    @Test func aDeletionReadsItsRowOnceForItselfAndOnceForWhatGoesAlong() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Bo")
        let all = try statements(fixture) { try fixture.store.perform(.delete(row)) }
        #expect(all.filter { $0.contains("FROM _odata_base_") }.count == 1)
        #expect(all.filter { $0.contains("FROM _odata_request_row") }.count == 1)
        #expect(all.filter { $0.hasPrefix("UPDATE _odata_request") }.isEmpty)
    }

    /// Nobody can have heard of a row that is made just now.
    @Test func aCreationAsksForNothingOfItsRow() throws {
        let fixture = try StoreFixture()
        let all = try statements(fixture) {
            _ = try fixture.create("Customers", ["ID": .number(7), "Name": .text("Ada")])
        }
        #expect(
            words(all) == [
                "read _odata_meta", "insert _odata_meta", "read Customers", "insert _odata_request",
                "insert _odata_request_row", "insert Customers",
            ], "\(all.joined(separator: "\n"))")
    }

    @Test func aChangeStandsAtTheEndOfTheQueueWhateverWasThereBefore() throws {
        let fixture = try StoreFixture()
        let old = try fixture.downloadCustomer(1, "Bo")
        for _ in 0..<3 { _ = try fixture.create("Customers", ["Name": .text("Ada")]) }
        try fixture.store.cancel([3])
        _ = try fixture.create("Customers", ["Name": .text("Ida")])
        try fixture.store.perform(.delete(old))
        #expect(
            try fixture.sql("SELECT id, position FROM _odata_request ORDER BY id")
                == ["1|1", "2|2", "4|4", "5|5"])
        try fixture.store.cancel(nil)
        try fixture.update(old, ["Name": .text("Bob")])
        #expect(try fixture.sql("SELECT id, position FROM _odata_request") == ["6|6"])
    }

    @Test func newRowsGetIdsThatNoneHadBefore() throws {
        let fixture = try StoreFixture()
        let first = try fixture.create("Customers", ["Name": .text("Ada")])
        try fixture.store.perform(.delete(first))
        try fixture.reopen()
        let second = try fixture.create("Customers", ["Name": .text("Ida")])
        #expect(first.id == -1 && second.id == -2)
    }

    /// Equal to Swift, and not to the service.
    @Test func aTextThatOnlyLooksTheSameIsWritten() throws {
        let fixture = try StoreFixture()
        let row = try fixture.downloadCustomer(1, "Jos\u{E9}")
        try fixture.update(row, ["Name": .text("Jose\u{301}")])
        #expect(
            try fixture.sql("SELECT hex(Name) FROM Customers") == ["4A6F7365CC81"])
        #expect(try fixture.sql("SELECT hex(Name) FROM _odata_base_Customers") == ["4A6F73C3A9"])
    }

    /// Where SQLite has undone the transaction by itself, nothing of what follows stays either.
    @Test func aTransactionThatWasUndoneUnderwayIsRefusedAtItsEnd() throws {
        let fixture = try StoreFixture()
        _ = try fixture.downloadCustomer(1, "Bo")
        #expect(throws: (any Error).self) {
            try fixture.store.write(.full) { database in
                try database.execute(sql: "UPDATE Customers SET Name = 'lost'")
                try database.rollback()
            }
        }
        #expect(try fixture.customers() == ["1:Bo"])
        _ = try fixture.create("Customers", ["ID": .number(2), "Name": .text("Ada")])
        #expect(try fixture.customers() == ["1:Bo", "2:Ada"])
    }
}
