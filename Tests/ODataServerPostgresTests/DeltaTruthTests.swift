import Foundation
import ODataPostgres
import ODataQuery
import ODataServer
import ODataText
import PostgreSQLFixture
import Synchronization
import Testing

/// Whatever writers do at the same time: who follows by deltas has what a fresh read gives.
///
/// `ODATA_DELTAS` says how many random histories there are, `ODATA_SEED` where they begin.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct DeltaTruthTests {
    private static func setting(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    private static let tables = """
        CREATE TABLE t (id int PRIMARY KEY, n int, s text);
        INSERT INTO t SELECT g, g, 'x' || g FROM generate_series(1, 12) g
        """

    private static let queries = [
        "t", "t?$filter=n gt 5", "t?$filter=n lt 9 and startswith(s,'x')&$select=s",
    ]

    /// A connection that has a transaction open most of the time.
    private final class Writer {
        let connection: PostgresConnection
        var isOpen = false
        var savepoints = 0
        /// Steps during which it does nothing, its transaction open.
        var rest = 0

        init(_ connection: PostgresConnection) throws {
            self.connection = connection
            // Those that meet give up.
            try connection.run("SET lock_timeout = '2ms'; SET deadlock_timeout = '50ms'")
        }

        func step(_ random: inout SeededGenerator) {
            guard rest == 0 else { return rest -= 1 }
            do {
                try connection.run(statement(&random))
            } catch {
                try? connection.run("ROLLBACK")
                (isOpen, savepoints) = (false, 0)
            }
        }

        func end() throws {
            rest = 0
            guard isOpen else { return }
            (isOpen, savepoints) = (false, 0)
            try connection.run("COMMIT")
        }

        private func statement(_ random: inout SeededGenerator) -> String {
            guard isOpen else {
                isOpen = true
                let level = random.chance(20) ? "ISOLATION LEVEL REPEATABLE READ" : ""
                return "BEGIN \(level); \(Self.change(&random))"
            }
            switch random.below(20) {
            case 0..<10: return Self.change(&random)
            case 10, 11:
                savepoints += 1
                return "SAVEPOINT s; \(Self.change(&random))"
            case 12 where savepoints > 0: return "ROLLBACK TO s"
            case 13 where savepoints > 0:
                savepoints -= 1
                return "RELEASE s"
            case 14:
                rest = 5 + random.below(25)
                return "SELECT 1"
            case 15:
                (isOpen, savepoints) = (false, 0)
                return "ROLLBACK"
            default:
                (isOpen, savepoints) = (false, 0)
                return "COMMIT"
            }
        }

        static func change(_ random: inout SeededGenerator) -> String {
            let id = random.below(20)
            let n = random.below(12)
            return switch random.below(12) {
            case 0..<5: "UPDATE t SET n = \(n) WHERE id = \(id)"
            case 5:
                "UPDATE t SET s = '\(random.pick(["x", "y", "xx"]))' WHERE id BETWEEN \(id) AND \(id + 3)"
            case 6, 7: "DELETE FROM t WHERE id = \(id)"
            case 8: "DELETE FROM t WHERE id = \(id); INSERT INTO t VALUES (\(id), \(n), 'x')"
            case 9:
                "UPDATE t SET id = \(random.below(20)) WHERE id = \(id)"
                    + " AND NOT EXISTS (SELECT FROM t WHERE id = \(random.below(20)))"
            default:
                "INSERT INTO t VALUES (\(id), \(n), 'x\(n)') ON CONFLICT (id) DO UPDATE SET n = \(n)"
            }
        }
    }

    /// One thread, so that a seed repeats it: transactions are open across each other and across reads.
    @Test func randomHistories() throws {
        let seed = Self.setting("ODATA_SEED", 1)
        for number in 0..<Self.setting("ODATA_DELTAS", 3) {
            try history(UInt64(seed + number))
        }
    }

    private func history(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let place = try ChangingService(Self.tables)
        let second = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? second.close() }
        let services = [place.service, second]
        let writers = try (0..<4).map { _ in
            try Writer(PostgreSQLServer.connection(to: place.address))
        }
        let followers = Self.queries.map { Follower($0, key: ["id"]) }
        for follower in followers { #expect(follower.begin(place.service) == 200) }
        var (begun, told) = (0, 0)
        func follow(_ follower: Follower, _ read: (ODataService) -> Int) {
            follower.pageSize = 1 + random.below(6)
            let status = read(random.pick(services))
            told += follower.told.count
            guard status != 200 else { return }
            // The log was cut.
            #expect(status == 410, "seed \(seed)")
            begun += 1
            #expect(follower.begin(place.service) == 200)
        }
        for round in 0..<6 {
            for _ in 0..<40 {
                random.pick(writers).step(&random)
                if random.chance(30) {
                    let follower = random.pick(followers)
                    follow(follower, follower.followOnePage)
                }
            }
            if random.chance(20) { try place.service.expireChanges(keepingLast: 20) }
            if round == 5 { for writer in writers { try writer.end() } }
            for follower in followers {
                // What is left of the pages that it was reading, and what came since.
                if follower.next != nil { follow(follower, follower.followOnePage) }
                while follower.next != nil { follow(follower, follower.followOnePage) }
                follow(follower, follower.follow)
                let difference = follower.difference(place.service)
                #expect(difference == nil, "seed \(seed), round \(round): \(difference ?? "")")
            }
        }
        // Something was followed.
        #expect(told > 100)
        #expect(begun < 12)
    }

    /// Writers on threads of their own, which commit in whatever order they come to it.
    @Test func writersAtTheSameTime() throws {
        let seed = UInt64(Self.setting("ODATA_SEED", 1))
        let place = try ChangingService(Self.tables)
        let isOver = Mutex(false)
        let running = DispatchGroup()
        for number in 0..<4 {
            let connection = try PostgreSQLServer.connection(to: place.address)
            let writer = Mutex(Sending(try Writer(connection)))
            Thread.detachNewThread(in: running) {
                var random = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
                writer.withLock { writer in
                    while !isOver.withLock({ $0 }) { writer.value.step(&random) }
                    try? writer.value.end()
                }
            }
        }
        let followers = Self.queries.map { Follower($0, key: ["id"], pageSize: 3) }
        for follower in followers { #expect(follower.begin(place.service) == 200) }
        let end = ContinuousClock.now + .milliseconds(Self.setting("ODATA_DELTAS", 3) * 400)
        var told = 0
        while ContinuousClock.now < end {
            for follower in followers {
                #expect(follower.follow(place.service) == 200)
                told += follower.told.count
            }
        }
        isOver.withLock { $0 = true }
        running.wait()
        for follower in followers {
            #expect(follower.follow(place.service) == 200)
            let difference = follower.difference(place.service)
            #expect(difference == nil, "seed \(seed): \(difference ?? "")")
        }
        #expect(told > 20)
    }
}

/// A writer that one thread has at a time.
private struct Sending<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

extension Thread {
    fileprivate static func detachNewThread(
        in group: DispatchGroup, _ body: @escaping @Sendable () -> Void
    ) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}
