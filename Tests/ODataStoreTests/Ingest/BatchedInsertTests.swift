import GRDB
import ODataStore
import ODataText
import ODataWire
import Synchronization
import Testing

/// A first load that inserts several rows by one statement.
@Suite struct BatchedInsertTests {
    private struct Outcome {
        var counts = IngestCounts()
        var insertions = 0
        var duplicates: [Int] = []
    }

    private func load(
        _ fixture: IngestFixture, _ rows: String, batching isOn: Bool = true
    ) throws -> Outcome {
        let plan = try fixture.plan()
        var reader = RowReader(shape: plan.shape)
        let found = Recorded()
        var outcome = Outcome()
        try fixture.queue.write { database in
            database.trace { event in
                if "\(event)".hasPrefix("INSERT INTO \"Tools\"") { found.insertions.add(1) }
            }
            defer { database.trace(options: []) }
            var ingest = try RowIngest(
                plan, mapping: fixture.mapping, database: database, mode: .first,
                batching: isOn
                    ? StatementBatching(rows: 10) { _, rows in found.duplicates.add(rows) } : nil)
            _ = try reader.readPage(Array("{\"value\":[\(rows)]}".utf8), into: &ingest)
            try ingest.finish()
            outcome.counts = ingest.counts
        }
        outcome.insertions = found.insertions.all.count
        outcome.duplicates = found.duplicates.all
        return outcome
    }

    private final class Recorded: Sendable {
        let insertions = List()
        let duplicates = List()
    }

    private final class List: Sendable {
        private let values = Mutex<[Int]>([])
        func add(_ value: Int) { values.withLock { $0.append(value) } }
        var all: [Int] { values.withLock { $0 } }
    }

    private static func rows(_ ids: ClosedRange<Int>) -> String {
        ids.map { "{\"Id\":\($0),\"Title\":\"t \\\"\($0)\\\"\"}" }.joined(separator: ",")
    }

    @Test func tenRowsAreOneStatement() throws {
        let (one, many) = (try IngestFixture(), try IngestFixture())
        let single = try load(one, Self.rows(1...34), batching: false)
        let batched = try load(many, Self.rows(1...34))
        #expect(single.insertions == 34)
        #expect(batched.insertions == 4)
        #expect(batched.counts == single.counts)
        #expect(batched.counts.written == 34)
        let all = "SELECT * FROM Tools ORDER BY Id"
        #expect(try many.rows(all) == one.rows(all))
        #expect(try many.rows("SELECT Title FROM Tools WHERE Id = 34") == ["'t \"34\"'"])
    }

    @Test func rowsWithOtherColumnsBeginAnotherStatement() throws {
        let fixture = try IngestFixture()
        let outcome = try load(
            fixture, Self.rows(1...3) + ",{\"Id\":4},{\"Id\":5}," + Self.rows(6...7))
        #expect(outcome.insertions == 3)
        #expect(
            try fixture.rows("SELECT group_concat(Id), count(Title) FROM Tools")
                == ["'1,2,3,4,5,6,7'|5"])
    }

    @Test func aBatchWithARowThatIsThereIsWrittenRowByRow() throws {
        let fixture = try IngestFixture()
        _ = try load(fixture, "{\"Id\":15,\"Title\":\"old\"}")
        let outcome = try load(fixture, Self.rows(1...20))
        #expect(outcome.duplicates == [10])
        // One for the first ten, one that failed, ten upserts.
        #expect(outcome.insertions == 12)
        #expect(outcome.counts.received == 20)
        #expect(outcome.counts.written == 20)
        #expect(try fixture.rows("SELECT count(*) FROM Tools WHERE Title LIKE 't %'") == ["20"])
    }
}
