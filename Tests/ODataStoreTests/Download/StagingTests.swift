import ErrorFixture
import GRDB
import ODataModel
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Deltas and sweeps wait in the file until their last page has come.
@Suite final class StagingTests {
    let folder: String
    let store: LocalStore
    let source = DownloadSource(entitySet: "Tools", url: "Tools", bit: 0)

    init() throws {
        let world = LiveWorld()
        folder = "/tmp/odata-staging-\(world.random())"
        store = try LocalStore(path: folder + "/store.db", world: world)
        let metadata = ToolsStore.metadata
        try store.adopt(metadata: metadata, graph: CSDLReader.read(Array(metadata.utf8)))
        let first = try makeIngest()
        let rows = (1...6).map { "{\"Id\":\($0),\"Title\":\"t\($0)\"}" }
        _ = try first.take(page(rows.joined(separator: ",")), mode: .first)
        try first.finish(mode: .first, deltaLink: "D1")
    }

    deinit { try? store.clear() }

    /// As a new start of the app: only what is in the file counts.
    private func makeIngest(
        adjust: (inout SourceIngest.Context) -> Void = { _ in }
    ) throws -> SourceIngest {
        let mapping = try store.mapping()
        let store = store
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in try store.write(.normal) { try body($0) } },
            uptime: { .zero }, now: { 7 })
        adjust(&context)
        let ingest = SourceIngest(
            source,
            plan: IngestPlan(
                table: try mapping.existingTable(path: "Tools"), graph: mapping.graph),
            identity: "me", isSingle: false, context: context)
        let resume = try state().resume
        try store.read { try ingest.load(resume, from: $0) }
        return ingest
    }

    private func page(_ rows: String, next: String? = nil) -> ByteParts {
        let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
        return ByteParts([Array("{\"value\":[\(rows)]\(link)}".utf8)])
    }

    private func titles() throws -> [String] {
        try store.read {
            try String.fetchAll($0, sql: "SELECT Id || ' ' || Title FROM Tools ORDER BY Id")
        }
    }

    private func stage() throws -> [Int] {
        try store.read {
            try Int.fetchAll($0, sql: "SELECT page FROM _odata_stage ORDER BY page, part")
        }
    }

    private func state() throws -> SourceState {
        try store.read { try DownloadBookkeeping($0).state(of: source, identity: "me") }
    }

    private static let old = (1...6).map { "\($0) t\($0)" }

    @Test func anInterruptedDeltaGoesOnBehindItsLastWholePage() throws {
        let first = try makeIngest()
        _ = try first.take(page(#"{"Id":1,"Title":"A"}"#, next: "p2"), mode: .delta)
        try first.endPage()
        _ = try first.take(
            page(#"{"Id":1,"Title":"B"},{"Id":7,"Title":"t7"}"#, next: "p3"), mode: .delta)
        try first.endPage()
        #expect(
            failure {
                _ = try first.take(ByteParts([Array(#"{"value":[{"Id":2,"Ti"#.utf8)]), mode: .delta)
            } == Failure(.malformedText, at: .offset(21)))
        #expect(try titles() == Self.old)
        #expect(
            try state().resume == ResumePoint(mode: .delta, nextLink: "p3", stagedPages: 2))
        let second = try makeIngest()
        _ = try second.take(
            page(#"{"@removed":{"reason":"deleted"},"Id":2}"#), mode: .delta)
        try second.endPage()
        try second.finish(mode: .delta, deltaLink: "D2")
        #expect(try titles() == ["1 B", "3 t3", "4 t4", "5 t5", "6 t6", "7 t7"])
        #expect(try stage().isEmpty)
        #expect(try state() == SourceState(deltaLink: "D2", isComplete: true))
    }

    @Test func aLargePageMovesToTheFileWhileItComesAndIsNoneUntilItIsWhole() throws {
        let rows = (1...400).map { "{\"Id\":\($0),\"Title\":\"new \($0)\"}" }
        let bytes = Array("{\"value\":[\(rows.joined(separator: ","))]}".utf8)
        let parts = stride(from: 0, to: bytes.count, by: 512).map {
            Array(bytes[$0..<min($0 + 512, bytes.count)])
        }
        let broken = try makeIngest { $0.stagedBytesInMemory = 2_048 }
        #expect(
            failure {
                _ = try broken.take(ByteParts(Array(parts.dropLast(2))), mode: .delta)
            } == Failure(.malformedText, at: .offset(10752)))
        #expect(try stage().isEmpty)
        #expect(try titles() == Self.old)
        #expect(try state().resume == nil)
        let whole = try makeIngest { $0.stagedBytesInMemory = 2_048 }
        _ = try whole.take(ByteParts(parts), mode: .delta)
        #expect(try stage().count > 4)
        try whole.endPage()
        try whole.finish(mode: .delta, deltaLink: "D2")
        #expect(try titles().count == 400)
        #expect(try titles()[399] == "400 new 400")
        #expect(try stage().isEmpty)
    }

    @Test(arguments: [false, true]) func aPageOfWhichAllWentToTheFileIsAppliedByWhoGoesOn(
        isUncounted: Bool
    ) throws {
        let first = try makeIngest { $0.stagedBytesInMemory = 1 }
        _ = try first.take(page(#"{"Id":1,"Title":"A"}"#, next: "p2"), mode: .delta)
        try first.endPage()
        let counted = try store.read {
            try Int.fetchOne($0, sql: "SELECT min(\"rows\") FROM _odata_stage")
        }
        #expect(counted == 1)
        // As it was left by versions that did not count.
        if isUncounted {
            try store.write(.full) { try $0.execute(sql: "UPDATE _odata_stage SET \"rows\" = 0") }
        }
        let second = try makeIngest()
        _ = try second.take(page(""), mode: .delta)
        #expect(!second.isQuiet)
        try second.endPage()
        try second.finish(mode: .delta, deltaLink: "D2")
        #expect(try titles()[0...1] == ["1 A", "2 t2"])
        #expect(try state() == SourceState(deltaLink: "D2", isComplete: true))
    }

    @Test func aLongDeltaIsAppliedInPartsOfWholePages() throws {
        let ingest = try makeIngest { $0.rowsPerApplication = 2 }
        _ = try ingest.take(page(#"{"Id":1,"Title":"A"}"#, next: "p2"), mode: .delta)
        try ingest.endPage()
        #expect(try titles() == Self.old)
        _ = try ingest.take(page(#"{"Id":2,"Title":"B"}"#, next: "p3"), mode: .delta)
        try ingest.endPage()
        #expect(try titles()[0...2] == ["1 A", "2 B", "3 t3"])
        #expect(try state().resume == ResumePoint(mode: .delta, nextLink: "p3"))
        #expect(try stage().isEmpty)
        let last = try makeIngest()
        _ = try last.take(page(#"{"Id":3,"Title":"C"}"#), mode: .delta)
        try last.endPage()
        try last.finish(mode: .delta, deltaLink: "D2")
        #expect(try titles()[0...2] == ["1 A", "2 B", "3 C"])
    }

    @Test func aSweepOfManyPartsRemembersWhatItHasMet() throws {
        let first = try makeIngest { $0.rowsPerApplication = 2 }
        _ = try first.take(
            page(#"{"Id":1,"Title":"t1"},{"Id":2,"Title":"B"}"#, next: "p2"), mode: .sweep)
        try first.endPage()
        #expect(try titles()[1] == "2 B")
        _ = try first.take(page(#"{"Id":3,"Title":"t3"}"#, next: "p3"), mode: .sweep)
        try first.endPage()
        let second = try makeIngest()
        _ = try second.take(page(#"{"Id":6,"Title":"t6"}"#), mode: .sweep)
        try second.endPage()
        try second.finish(mode: .sweep, deltaLink: nil)
        #expect(try titles() == ["1 t1", "2 B", "3 t3", "6 t6"])
    }

    @Test func pagesFromBeforeAnAcceptedChangeAreReadAgain() throws {
        let first = try makeIngest()
        _ = try first.take(page(#"{"Id":1,"Title":"A"}"#, next: "p2"), mode: .delta)
        try first.endPage()
        #expect(try state().resume?.stagedPages == 1)
        try store.write(.full) {
            try $0.execute(sql: "INSERT INTO _odata_meta VALUES ('answers', 1)")
        }
        #expect(try state() == SourceState(deltaLink: "D1", isComplete: true))
        let second = try makeIngest()
        _ = try second.take(page(#"{"Id":1,"Title":"after"}"#), mode: .delta)
        try second.endPage()
        try second.finish(mode: .delta, deltaLink: "D2")
        #expect(try titles()[0] == "1 after")
        #expect(try stage().isEmpty)
    }

    @Test func aFileOfTheFirstFormatIsBroughtToThisOne() throws {
        try store.write(.full) {
            try OlderFormat.lower($0, to: 1)
            try $0.execute(
                sql: "INSERT INTO _odata_resume VALUES ('set:Tools', 'me', 'p2', 'sweep', x'', 0)")
        }
        try store.close()
        let again = try LocalStore(path: folder + "/store.db", world: LiveWorld())
        defer { try? again.close() }
        let resume = try again.read {
            try DownloadBookkeeping($0).state(
                of: source, identity: try again.sum(ofIdentity: "me")
            ).resume
        }
        #expect(resume == ResumePoint(mode: .sweep, nextLink: "p2"))
        let version = try again.read { try Int64.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == StoreFormat.current.version)
        #expect(try again.read { try $0.tableExists("_odata_stage") })
        #expect(try again.read { try $0.tableExists("_odata_stream_part") })
    }
}
