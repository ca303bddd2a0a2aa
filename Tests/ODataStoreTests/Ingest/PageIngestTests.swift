import ErrorFixture
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
        #expect(
            failure {
                try load(fixture, limits: limits, uptime: { .zero }, failAfter: 1)
            } == Failure(.storage, "Expected room, found none."))
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

    /// A page that comes over a slow network: reading beyond what was waited for would block.
    private final class SlowSource: PacedSource {
        private let bytes: [UInt8]
        private var offset = 0
        private var arrived = 0
        private let window = 128 << 10
        nonisolated(unsafe) var isInTransaction = false
        private(set) var blockedReads = 0
        private(set) var waits = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func waitUntilBuffered() {
            waits += 1
            arrived = min(bytes.count, offset + window)
        }

        var isRunningDry: Bool { arrived < bytes.count && arrived - offset < window / 2 }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            if offset == arrived, arrived < bytes.count {
                if isInTransaction { blockedReads += 1 }
                arrived = min(bytes.count, offset + 64)
            }
            // As a pipe, it hands over what is there in pieces.
            let count = min(buffer.count, arrived - offset, 4_096)
            buffer.copyBytes(from: bytes[offset..<offset + count])
            offset += count
            return count
        }
    }

    @Test func noTransactionIsOpenWhileTheNetworkIsWaitedFor() throws {
        let fixture = try IngestFixture()
        let plan = try fixture.plan()
        let text = String(repeating: "x", count: 200)
        let rows = (1...9_000).map { "{\"Id\":\($0),\"Title\":\"\(text)\"}" }
        let source = SlowSource(Array("{\"value\":[\(rows.joined(separator: ","))]}".utf8))
        var reader = RowReader(shape: plan.shape)
        var page = RowPage(source: source)
        let ingest = PageIngest(plan, mapping: fixture.mapping, uptime: { .zero })
        let result = try ingest.store(&page, from: source, with: &reader) { body in
            try fixture.queue.write { database in
                source.isInTransaction = true
                defer { source.isInTransaction = false }
                try body(database)
            }
        } commit: { _, _, _ in
        }
        #expect(result.counts.received == 9_000)
        #expect(source.waits > 20)
        #expect(source.blockedReads == 0)
        #expect(try fixture.rows("SELECT count(*) FROM Tools") == ["9000"])
    }
}
