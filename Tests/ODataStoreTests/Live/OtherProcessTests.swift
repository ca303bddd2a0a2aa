import Foundation
import ODataModel
import ODataQuery
import ODataStore
import ODataTesting
import ODataWorld
import Testing

/// A live query, and another process that commits to the same file.
@Suite struct OtherProcessTests {
    /// A world in which nobody tells of what is written.
    private struct DeafWorld: World {
        private let live = LiveWorld()

        func now() -> Instant { live.now() }
        func uptime() -> Duration { live.uptime() }
        func makeIdentifier() -> (UInt64, UInt64) { live.makeIdentifier() }
        func random() -> UInt64 { live.random() }
        func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
            live.sleep(duration, token: token)
        }
        func startWorker(
            _ name: String, _ body: @escaping @Sendable () -> Void
        ) -> any WorkerHandle { live.startWorker(name, body) }
        func makeMonitor() -> any Monitor { live.makeMonitor() }
        func checkpoint(_ name: StaticString) {}
    }

    private static func changeInAnotherProcess(_ path: String, _ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // What it commits does not wait for a disk that is busy with others: looks end at some time.
        process.arguments = [
            "sqlite3", "-cmd", ".timeout 10000", "-cmd", "PRAGMA synchronous = NORMAL", path, sql,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// A live query over a store with one customer, which has given its first result; what wakes it signals.
    private static func observed(
        _ world: any World, _ configure: (inout LocalStore.Configuration) -> Void = { _ in }
    ) throws -> (StoreFixture, LiveQuery, wakes: DispatchSemaphore) {
        let wakes = DispatchSemaphore(value: 0)
        var configuration = LocalStore.Configuration()
        configure(&configuration)
        let fixture = try StoreFixture(configuration, world: world)
        try fixture.adopt()
        try fixture.downloadCustomer(1, "Ada")
        let query = try URLParser.parse(
            "Customers?$orderby=Name", graph: try fixture.graph(), dialect: .v401)
        let live = try LiveQuery(
            store: fixture.store, check: { query }, wake: { wakes.signal() })
        guard case .first(let rows)? = try live.next() else {
            Issue.record("Expected a first result.")
            return (fixture, live, wakes)
        }
        #expect(rows.count == 1)
        return (fixture, live, wakes)
    }

    /// Waits for the difference that another process's change of the customer is.
    private static func awaitChange(_ live: LiveQuery, _ wakes: DispatchSemaphore) throws -> Bool {
        while wakes.wait(timeout: .now() + 60) == .success {
            if case .difference(let difference)? = try live.next() {
                return difference.updated.count == 1
            }
        }
        return false
    }

    /// Waits until no look is due, whatever time passes.
    private static func rest(_ looks: FileLooks) -> Bool {
        for _ in 0..<60_000 where !looks.isResting { usleep(1_000) }
        return looks.isResting
    }

    @Test func theSystemTellsOfTheCommitAndNobodyLooksMeanwhile() async throws {
        try await onOwnThread {
            let (fixture, live, wakes) = try Self.observed(LiveWorld()) {
                $0.longestLook = .milliseconds(256)
            }
            let looks = try #require(fixture.store.looks)
            #expect(looks.isTold)
            for name in ["Zoe", "Eve"] {
                // It waits for the system, and for no time.
                #expect(Self.rest(looks))
                let before = looks.count
                try Self.changeInAnotherProcess(
                    fixture.path, "UPDATE Customers SET Name = '\(name)'")
                #expect(try Self.awaitChange(live, wakes))
                #expect(looks.count > before)
            }
            live.cancel()
            #expect(fixture.store.looks == nil)
            try fixture.store.close()
        }
    }

    @Test func aClosedStoreLooksForNothing() async throws {
        try await onOwnThread {
            let (fixture, live, _) = try Self.observed(LiveWorld())
            #expect(fixture.store.looks != nil)
            try fixture.store.close()
            #expect(fixture.store.looks == nil)
            live.cancel()
        }
    }

    @Test func whereNobodyTellsItLooksFromTimeToTime() async throws {
        try await onOwnThread {
            let (fixture, live, wakes) = try Self.observed(DeafWorld()) {
                $0.lookInterval = .milliseconds(5)
            }
            #expect(try #require(fixture.store.looks).isTold == false)
            try Self.changeInAnotherProcess(fixture.path, "UPDATE Customers SET Name = 'Zoe'")
            #expect(try Self.awaitChange(live, wakes))
            live.cancel()
            try fixture.store.close()
        }
    }
}
