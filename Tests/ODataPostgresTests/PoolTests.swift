import Foundation
import ODataPostgres
import ODataSQL
import PostgreSQLFixture
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PoolTests {
    private let address: String

    init() throws { address = try PostgreSQLServer.makeAddress() }

    private func pool(of count: Int) throws -> PostgresPool {
        var settings = PostgresPool.Settings(
            PostgresConnection.Settings(try PostgresAddress(address)))
        settings.maximumCount = count
        settings.waitingTime = .milliseconds(200)
        return PostgresPool(settings)
    }

    private static func number(_ text: String, _ connection: PostgresConnection) throws -> Int64 {
        guard
            case .integer(let number)? = try connection.rows(SQLStatement(text: text)).first?.first
        else { return -1 }
        return number
    }

    @Test func thereAreNoMoreConnectionsThanAllowed() throws {
        let pool = try pool(of: 2)
        try pool.access { _ in
            try pool.access { _ in
                let error = #expect(throws: PostgresError.self) { try pool.access { _ in } }
                #expect(error?.kind == .exhausted)
            }
            // One has come back.
            #expect(try pool.access { try Self.number("SELECT 7", $0) } == 7)
        }
        #expect(pool.connectionCount == 2)
    }

    @Test func aTransactionIsWhollyThereOrNotAtAll() throws {
        struct Stop: Error {}
        let pool = try pool(of: 1)
        try pool.transaction(.write) { try $0.run("CREATE TABLE t (n int)") }
        #expect(throws: Stop.self) {
            try pool.transaction(.write) {
                try $0.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try pool.transaction(.read) { try Self.number("SELECT count(*) FROM t", $0) } == 0)
        let error = #expect(throws: PostgresError.self) {
            try pool.transaction(.read) { try $0.run("INSERT INTO t VALUES (1)") }
        }
        #expect(error?.sqlState == "25006")
    }

    /// Two transactions that read what the other one changes: the later one begins again.
    @Test func transactionsThatMeetAreRunAgain() throws {
        let pool = try pool(of: 2)
        try pool.transaction(.write) {
            try $0.run("CREATE TABLE t (n int); INSERT INTO t VALUES (0)")
        }
        let runs = Mutex(0)
        try pool.transaction(.write) { outer in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            _ = try Self.number("SELECT n FROM t", outer)
            if run == 1 {
                try pool.transaction(.write) { try $0.run("UPDATE t SET n = n + 1") }
            }
            try outer.run("UPDATE t SET n = n + 1")
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try pool.transaction(.read) { try Self.number("SELECT n FROM t", $0) } == 2)
    }

    @Test func connectionsThatTheServerEndedAreMadeAnew() throws {
        let pool = try pool(of: 3)
        try pool.access { _ in try pool.access { _ in } }
        #expect(pool.connectionCount == 2)
        let other = try PostgreSQLServer.connection(to: address)
        try other.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                + "WHERE datname = current_database() AND pid <> pg_backend_pid()")
        #expect(try pool.transaction(.read) { try Self.number("SELECT 3", $0) } == 3)
        // One that breaks in the middle of a transaction tells so: what it did may be lost.
        let error = #expect(throws: PostgresError.self) {
            try pool.transaction(.write) { connection in
                let pid = try Self.number("SELECT pg_backend_pid()", connection)
                try other.run("SELECT pg_terminate_backend(\(pid))")
                _ = try Self.number("SELECT pg_sleep(5)::text", connection)
            }
        }
        #expect(error?.kind == .lost || error?.isShutdown == true)
        #expect(try pool.transaction(.read) { try Self.number("SELECT 3", $0) } == 3)
    }

    /// A table that changes under statements that were prepared for it.
    @Test func aPlanOfAnOlderTableIsMadeAnew() throws {
        let pool = try pool(of: 1)
        try pool.transaction(.write) {
            try $0.run("CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
        }
        let all = SQLStatement(text: "SELECT * FROM t")
        #expect(try pool.transaction(.read) { try $0.rows(all) } == [[.integer(1)]])
        try pool.transaction(.write) { try $0.run("ALTER TABLE t ADD COLUMN m text DEFAULT 'm'") }
        #expect(try pool.transaction(.read) { try $0.rows(all) } == [[.integer(1), .text("m")]])
    }
}
