import GRDB
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Pages of a sweep that say nothing new.
@Suite final class KnownPagesTests {
    private let tools: ToolsStore
    private var store: LocalStore { tools.store }

    init() throws {
        tools = try ToolsStore()
        let first = try makeIngest()
        _ = try first.take(page(1...4), mode: .first)
        try first.finish(mode: .first, deltaLink: nil)
        // Notes what is kept of pages and what is written of rows.
        try store.write(.normal) { database in
            try database.execute(
                sql: """
                    CREATE TABLE noted (what TEXT);
                    CREATE TRIGGER staged AFTER INSERT ON _odata_stage
                        BEGIN INSERT INTO noted VALUES ('page ' || NEW.page); END;
                    CREATE TRIGGER updated AFTER UPDATE ON Tools
                        BEGIN INSERT INTO noted VALUES ('row ' || NEW.Id); END;
                    """)
        }
    }

    private func makeIngest() throws -> SourceIngest {
        let ingest = try tools.makeIngest { [store] context in
            context.read = { body in try store.read { try body($0) } }
        }
        try store.read { database in
            let state = try DownloadBookkeeping(database).state(of: tools.source, identity: "me")
            try ingest.load(state.resume, from: database)
        }
        return ingest
    }

    private func page(
        _ ids: ClosedRange<Int>, titled title: String = "t", next: String? = nil,
        padding: Int = 0
    ) -> ByteParts {
        ByteParts([bytes(ids, titled: title, next: next, padding: padding)])
    }

    private func bytes(
        _ ids: ClosedRange<Int>, titled title: String = "t", next: String? = nil,
        padding: Int = 0
    ) -> [UInt8] {
        let rows = ids.map { "{\"Id\":\($0),\"Title\":\"\(title)\($0)\"}" }
        let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
        let space = String(repeating: " ", count: padding)
        return Array("{\"value\":[\(rows.joined(separator: ","))]\(link)\(space)}".utf8)
    }

    private func noted() throws -> [String] {
        try store.read { try String.fetchAll($0, sql: "SELECT what FROM noted ORDER BY rowid") }
    }

    private func titles() throws -> [String] {
        try store.read { try String.fetchAll($0, sql: "SELECT Title FROM Tools ORDER BY Id") }
    }

    @Test func ofASweepThatSaysNothingNewNoPageIsKept() throws {
        let sweep = try makeIngest()
        _ = try sweep.take(page(1...2, next: "Tools?p=2"), mode: .sweep)
        try sweep.endPage()
        _ = try sweep.take(page(3...4), mode: .sweep)
        try sweep.endPage()
        try sweep.finish(mode: .sweep, deltaLink: nil)
        #expect(try noted() == [])
        #expect(sweep.counts.received == 4)
        #expect(sweep.counts.written + sweep.counts.removed == 0)
        #expect(try titles() == ["t1", "t2", "t3", "t4"])
    }

    /// Others write meanwhile, and the log goes back into the file: a reader would hold it.
    @Test func aSlowPageKeepsNoReaderAtTheStore() throws {
        let first = try makeIngest()
        _ = try first.take(page(1...20_000), mode: .sweep)
        try first.finish(mode: .sweep, deltaLink: nil)
        try store.write(.normal) { try $0.execute(sql: "DELETE FROM noted") }
        let sweep = try makeIngest()
        var changes = 0
        let slow = SlowPage(bytes(1...20_000)) { [store] in
            changes += 1
            try store.write(.normal) {
                try $0.execute(
                    sql: "INSERT OR REPLACE INTO _odata_meta VALUES ('a', ?)", arguments: [changes])
            }
            try store.checkpoint()
        }
        _ = try sweep.take(slow, mode: .sweep)
        try sweep.endPage()
        try sweep.finish(mode: .sweep, deltaLink: nil)
        #expect(slow.failures == [])
        #expect(slow.blockedReads == 0)
        #expect(slow.waits > 5)
        #expect(try noted() == [])
        #expect(sweep.counts.received == 20_000)
    }

    @Test func whatASweepDoesNotNameIsGoneThoughNothingElseIsNew() throws {
        let sweep = try makeIngest()
        _ = try sweep.take(page(1...1, next: "Tools?p=2"), mode: .sweep)
        try sweep.endPage()
        _ = try sweep.take(page(3...4), mode: .sweep)
        try sweep.endPage()
        try sweep.finish(mode: .sweep, deltaLink: nil)
        #expect(sweep.counts.removed == 1)
        #expect(try titles() == ["t1", "t3", "t4"])
    }

    @Test func fromTheFirstPageThatDiffersOnTheOrderOfPagesCounts() throws {
        let sweep = try makeIngest()
        _ = try sweep.take(page(1...2, next: "Tools?p=2"), mode: .sweep)
        try sweep.endPage()
        _ = try sweep.take(page(3...4, titled: "new ", next: "Tools?p=3"), mode: .sweep)
        try sweep.endPage()
        // The service has changed the row back meanwhile, and says so.
        _ = try sweep.take(page(3...3), mode: .sweep)
        try sweep.endPage()
        #expect(try titles() == ["t1", "t2", "t3", "t4"])
        try sweep.finish(mode: .sweep, deltaLink: nil)
        #expect(try titles() == ["t1", "t2", "t3", "new 4"])
        #expect(try noted().filter { $0.hasPrefix("row") } == ["row 3", "row 4", "row 3"])
    }

    @Test func anInterruptedSweepRemembersWhatItHasMet() throws {
        let sweep = try makeIngest()
        _ = try sweep.take(page(1...1, next: "Tools?p=1b"), mode: .sweep)
        try sweep.endPage()
        // What was met takes eight bytes: to note it pays for a page of 512.
        #expect(
            try store.read {
                try DownloadBookkeeping($0).state(of: tools.source, identity: "me").resume
            } == nil)
        _ = try sweep.take(page(2...2, next: "Tools?p=2", padding: 512), mode: .sweep)
        try sweep.endPage()
        let state = try store.read {
            try DownloadBookkeeping($0).state(of: tools.source, identity: "me")
        }
        #expect(state.resume == ResumePoint(mode: .sweep, nextLink: "Tools?p=2"))
        let rest = try makeIngest()
        _ = try rest.take(page(3...3), mode: .sweep)
        try rest.endPage()
        try rest.finish(mode: .sweep, deltaLink: nil)
        #expect(try titles() == ["t1", "t2", "t3"])
    }

    @Test func pagesOfATableWithLocalChangesAreKept() throws {
        try store.write(.normal) { database in
            try database.execute(
                sql:
                    "INSERT INTO _odata_request_row (\"table\", \"row\", request) VALUES ('Tools', 1, 1)"
            )
        }
        let sweep = try makeIngest()
        _ = try sweep.take(page(1...4, next: "Tools?p=2"), mode: .sweep)
        try sweep.endPage()
        #expect(try noted() == ["page 0"])
    }
}
