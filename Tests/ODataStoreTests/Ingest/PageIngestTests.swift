import ErrorFixture
import GRDB
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

@Suite final class PageIngestTests {
    private static let source = DownloadSource(entitySet: "Tools", url: "Tools", bit: 0)

    private let folder: String
    private let store: LocalStore
    /// The rows that are there after each transaction.
    private var stored: [Int] = []
    /// The resume point after each transaction.
    private var resumes: [String?] = []
    private var failsAfter = Int.max

    init() throws {
        let world = LiveWorld()
        folder = "/tmp/odata-page-\(world.random())"
        store = try LocalStore(path: folder + "/store.db", world: world)
        try store.adopt(
            metadata: ToolsStore.metadata,
            graph: CSDLReader.read(Array(ToolsStore.metadata.utf8)))
    }

    deinit { try? store.clear() }

    /// Stores a page as the first of a first load.
    @discardableResult
    private func load(
        _ page: any ByteSource, limits: PageIngest.Limits = PageIngest.Limits(),
        uptime: @escaping () -> Duration = { .zero }, isAwaited: @escaping () -> Bool = { false },
        write: (((Database) throws -> Void) throws -> Void)? = nil
    ) throws -> IngestCounts {
        let mapping = try store.mapping()
        (stored, resumes) = ([], [])
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store), write: write ?? { try self.write($0) },
            uptime: uptime, now: { 7 })
        context.limits = limits
        context.indexBuild = IndexBuild(isAwaited: isAwaited)
        let ingest = SourceIngest(
            Self.source,
            plan: IngestPlan(
                table: try mapping.existingTable(path: "Tools"), graph: mapping.graph),
            identity: "me", isSingle: false, context: context)
        _ = try ingest.take(page, mode: .first)
        return ingest.counts
    }

    private func write(_ body: (Database) throws -> Void) throws {
        try store.write(.normal) { database in
            try body(database)
            guard stored.count <= failsAfter else {
                throw ODataError(.storage, "Expected room, found none.")
            }
        }
        stored.append(try count())
        resumes.append(
            try store.read {
                try DownloadBookkeeping($0).state(of: Self.source, identity: "me").resume?.nextLink
            })
    }

    private func count() throws -> Int {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Tools") ?? 0 }
    }

    private static func page(_ count: Int) -> ByteParts {
        let rows = (1...count).map { "{\"Id\":\($0),\"Title\":\"t\($0)\"}" }
        let text = "{\"value\":[\(rows.joined(separator: ","))],\"@odata.nextLink\":\"N\"}"
        return ByteParts([Array(text.utf8)])
    }

    @Test func aPageIsCommittedInBoundedParts() throws {
        let counts = try load(Self.page(25), limits: PageIngest.Limits(rows: 10))
        // The first transaction leaves the indexes out.
        #expect(stored == [0, 10, 20, 25])
        #expect(resumes == [nil, nil, nil, "N"])
        #expect(counts.received == 25)
        #expect(
            try store.read { try Int.fetchOne($0, sql: "SELECT sum(Id) FROM Tools") } == 325)
    }

    @Test func aTransactionEndsWhenItsTimeIsUp() throws {
        nonisolated(unsafe) var now = Duration.zero
        try load(
            Self.page(200),
            uptime: {
                now += .milliseconds(15)
                return now
            })
        #expect(stored == [0, 128, 200])
    }

    @Test func aTransactionThatAnotherWaitsForEndsEarly() throws {
        nonisolated(unsafe) var now = Duration.zero
        try load(
            Self.page(200),
            uptime: {
                now += .milliseconds(6)
                return now
            }, isAwaited: { true })
        // 10 ms are over with the second look; then it is looked for indexes, and there are none.
        #expect(stored == [0, 128, 128, 200])
    }

    @Test func aFailedCommitLeavesWholePartsAndRepeatingIsHarmless() throws {
        failsAfter = 1
        #expect(
            failure { try load(Self.page(25), limits: PageIngest.Limits(rows: 10)) }
                == Failure(.storage, "Expected room, found none."))
        #expect(try count() == 10)
        failsAfter = .max
        try load(Self.page(25), limits: PageIngest.Limits(rows: 10))
        #expect(try count() == 25)
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
        let text = String(repeating: "x", count: 200)
        let rows = (1...9_000).map { "{\"Id\":\($0),\"Title\":\"\(text)\"}" }
        let source = SlowSource(Array("{\"value\":[\(rows.joined(separator: ","))]}".utf8))
        let counts = try load(
            source,
            write: { [store] body in
                try store.write(.normal) { database in
                    source.isInTransaction = true
                    defer { source.isInTransaction = false }
                    try body(database)
                }
            })
        #expect(counts.received == 9_000)
        #expect(source.waits > 20)
        #expect(source.blockedReads == 0)
        #expect(try count() == 9_000)
    }
}
