import GRDB
import ODataStore
import ODataText
import ODataWire
import Testing

@Suite struct PageIngestTests {
    static let rows = (1...25).map { "{\"Id\":\($0),\"Title\":\"t\($0)\"}" }.joined(separator: ",")

    private func load(
        _ fixture: IngestFixture, limits: PageIngest.Limits, uptime: @escaping () -> Duration,
        failAfter: Int = .max
    ) throws -> (received: [Int], controls: [String?]) {
        let plan = try fixture.plan()
        var reader = RowReader(shape: plan.shape)
        var page = RowPage(Array("{\"value\":[\(Self.rows)],\"@odata.nextLink\":\"N\"}".utf8))
        let ingest = PageIngest(plan, mapping: fixture.mapping, limits: limits, uptime: uptime)
        nonisolated(unsafe) var received: [Int] = []
        nonisolated(unsafe) var controls: [String?] = []
        let result = try ingest.store(&page, with: &reader) {
            try fixture.queue.write($0)
        } commit: {
            guard received.count < failAfter else {
                throw ODataError(.storage, "Expected room, found none.")
            }
            received.append($1.received)
            controls.append($2?.nextLink)
        }
        #expect(result.control.nextLink == "N")
        #expect(result.counts.received == received.reduce(0, +))
        return (received, controls)
    }

    @Test func aPageIsCommittedInBoundedParts() throws {
        let fixture = try IngestFixture()
        let limits = PageIngest.Limits(rows: 10)
        let (received, controls) = try load(fixture, limits: limits, uptime: { .zero })
        #expect(received == [10, 10, 5])
        #expect(controls == [nil, nil, "N"])
        #expect(try fixture.rows("SELECT count(*), sum(Id) FROM Tools") == ["25|325"])
    }

    @Test func aTransactionEndsWhenItsTimeIsUp() throws {
        let fixture = try IngestFixture()
        nonisolated(unsafe) var now = Duration.zero
        let rows = (1...200).map { "{\"Id\":\($0)}" }.joined(separator: ",")
        let plan = try fixture.plan()
        var reader = RowReader(shape: plan.shape)
        var page = RowPage(Array("{\"value\":[\(rows)]}".utf8))
        let ingest = PageIngest(
            plan, mapping: fixture.mapping,
            uptime: {
                now += .milliseconds(15)
                return now
            })
        nonisolated(unsafe) var received: [Int] = []
        _ = try ingest.store(&page, with: &reader) {
            try fixture.queue.write($0)
        } commit: { _, counts, _ in
            received.append(counts.received)
        }
        #expect(received == [128, 72])
    }

    @Test func aFailedCommitLeavesWholePartsAndRepeatingIsHarmless() throws {
        let fixture = try IngestFixture()
        let limits = PageIngest.Limits(rows: 10)
        #expect(throws: ODataError.self) {
            try load(fixture, limits: limits, uptime: { .zero }, failAfter: 1)
        }
        #expect(try fixture.rows("SELECT count(*) FROM Tools") == ["10"])
        _ = try load(fixture, limits: limits, uptime: { .zero })
        #expect(try fixture.rows("SELECT count(*), count(DISTINCT Id) FROM Tools") == ["25|25"])
    }

    @Test func observersAreToldWhatIngestChanged() throws {
        final class Counter: TransactionObserver {
            nonisolated(unsafe) var notices = 0
            func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
            func databaseDidChange() { notices += 1 }
            func databaseDidChange(with event: DatabaseEvent) {}
            func databaseDidCommit(_ database: Database) {}
            func databaseDidRollback(_ database: Database) {}
        }
        let fixture = try IngestFixture()
        let counter = Counter()
        fixture.queue.add(transactionObserver: counter)
        try fixture.ingest("{\"Id\":1}")
        #expect(counter.notices == 1)
        try fixture.ingest("{\"Id\":1}")
        #expect(counter.notices == 1)
    }
}
