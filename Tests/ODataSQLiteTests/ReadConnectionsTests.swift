import Dispatch
import ErrorFixture
import Foundation
import GRDB
import GRDBSQLite
import ODataSQL
import ODataSQLite
import ODataText
import Synchronization
import Testing

@Suite final class ReadConnectionsTests {
    private let shop: ShopDatabase
    private let readers: ReadConnections

    init() throws {
        shop = try ShopDatabase()
        readers = ReadConnections(
            path: shop.path, configuration: Self.configuration, maximumCount: 2)
        try shop.pool.write { database in
            try database.execute(sql: "CREATE TABLE Pair (a INTEGER, b INTEGER)")
            try database.execute(sql: "INSERT INTO Pair VALUES (0, 0)")
        }
    }

    deinit { try? readers.close() }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { SQLFunctions.register(in: $0) }
        return configuration
    }

    private static func integers(
        _ text: String, _ arguments: [SQLArgument] = [], in connection: ReadConnection
    ) throws -> [Int64] {
        let raw = try connection.statement(SQLStatement(text: text), arguments, nil)
        var values: [Int64] = []
        while try raw.step() { values.append(sqlite3_column_int64(raw.handle, 0)) }
        return values
    }

    /// Each text is another statement, as with filters that clients make up.
    @Test func statementsOfManyTextsAreGivenUp() throws {
        var most = 0
        for number in 1...5_000 {
            let count = try readers.snapshot { (database: Database) throws -> Int in
                let text = "SELECT a + \(number) FROM Pair"
                #expect(try Int.fetchOne(database.cachedStatement(sql: text)) == number)
                guard number.isMultiple(of: 100) else { return 0 }
                var count = 0
                var next: OpaquePointer?
                repeat {
                    next = sqlite3_next_stmt(database.sqliteConnection, next)
                    count += 1
                } while next != nil
                return count
            }
            most = max(most, count)
        }
        #expect((100...1_100).contains(most))
    }

    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test func readersSeeWholeTransactionsWhileAWriterWrites() throws {
        let (readers, pool) = (readers, shop.pool)
        let stop = Atomic(false)
        let different = Mutex<[Int64]>([])
        try TestThreads.run(5) { index in
            if index == 0 {
                // A writer that fails must not leave the readers turning.
                defer { stop.store(true, ordering: .releasing) }
                for number in 1...200 {
                    try pool.write { database in
                        try database.execute(sql: "UPDATE Pair SET a = ?", arguments: [number])
                        try database.execute(sql: "UPDATE Pair SET b = ?", arguments: [number])
                    }
                }
                return
            }
            var last: Int64 = 0
            while !stop.load(ordering: .acquiring) {
                let (a, b) = try readers.read { connection in
                    try connection.snapshot {
                        let a = try Self.integers("SELECT a FROM Pair", in: connection)
                        return (a, try Self.integers("SELECT b FROM Pair", in: connection))
                    }
                }
                if a != b || a[0] < last { different.withLock { $0 += a + b } }
                last = a[0]
            }
        }
        #expect(different.withLock { $0 } == [])
    }

    @Test func aCancellationStopsItsOwnReadOnly() throws {
        let readers = readers
        let cancel = Mutex<(@Sendable () -> Void)?>(nil)
        let outcomes = Mutex<[String]>([])
        try TestThreads.run(3) { index in
            switch index {
            case 0:
                do {
                    _ = try readers.read { action in
                        cancel.withLock { $0 = action }
                        return { cancel.withLock { $0 = nil } }
                    } _: { connection in
                        try Self.integers(Self.endless, in: connection)
                    }
                } catch let error as ODataError {
                    outcomes.withLock { $0.append("\(error.code == .cancelled)") }
                }
            case 1:
                let count = try readers.read { connection in
                    try Self.integers(
                        Self.endless.replacing("FROM n) ", with: "FROM n WHERE i < 2000000) "),
                        in: connection)
                }
                outcomes.withLock { $0.append("\(count)") }
            default:
                while cancel.withLock({ $0 == nil }) { Thread.sleep(forTimeInterval: 0.001) }
                // Until it takes: a cancellation before the first step finds nothing that runs.
                while let action = cancel.withLock({ $0 }) {
                    action()
                    Thread.sleep(forTimeInterval: 0.005)
                }
            }
        }
        #expect(outcomes.withLock { $0.sorted() } == ["[2000000]", "true"])
        // The connection that was interrupted serves the next reader.
        for _ in 0..<3 {
            #expect(try readers.read { try Self.integers("SELECT 5", in: $0) } == [5])
        }
    }

    @Test func aCancellationThatComesLateStopsNobody() throws {
        let late = Mutex<(@Sendable () -> Void)?>(nil)
        _ = try readers.read { action in
            late.withLock { $0 = action }
            return {}
        } _: {
            try Self.integers("SELECT 1", in: $0)
        }
        let action = try #require(late.withLock { $0 })
        #expect(
            try readers.read { connection -> [Int64] in
                action()
                return try Self.integers("SELECT 2", in: connection)
            } == [2])
    }

    @Test func closingWaitsForRunningReadsAndRefusesLaterOnes() throws {
        let readers = readers
        let isReading = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let events = Mutex<[String]>([])
        try TestThreads.run(2) { index in
            if index == 0 {
                let values = try readers.read { connection -> [Int64] in
                    isReading.signal()
                    goOn.wait()
                    return try Self.integers("SELECT 7", in: connection)
                }
                events.withLock { $0.append("read \(values)") }
            } else {
                isReading.wait()
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) {
                    events.withLock { $0.append("let go") }
                    goOn.signal()
                }
                try readers.close()
                events.withLock { $0.append("closed") }
            }
        }
        #expect(events.withLock { Set($0) } == ["let go", "read [7]", "closed"])
        #expect(events.withLock { $0.first } == "let go")
        #expect(
            failure {
                try readers.read { try Self.integers("SELECT 1", in: $0) }
            } == Failure(.usage, "Expected an open store, found a closed one."))
        try readers.close()
    }

    @Test func moreReadersThanConnectionsTakeTurns() throws {
        let readers = readers
        let running = Atomic(0)
        let most = Atomic(0)
        try TestThreads.run(8) { _ in
            for number in 0..<50 {
                let values = try readers.read { connection in
                    let now = running.add(1, ordering: .acquiringAndReleasing).newValue
                    most.max(now, ordering: .acquiringAndReleasing)
                    defer { running.subtract(1, ordering: .acquiringAndReleasing) }
                    return try Self.integers(
                        "SELECT ?", [.integer(Int64(number))], in: connection)
                }
                #expect(values == [Int64(number)])
            }
        }
        #expect(most.load(ordering: .acquiring) <= 2)
    }

    @Test func statementsAreKeptOnlyInPartAndFollowTheSchema() throws {
        let id = StatementID()
        let statement = SQLStatement(text: "SELECT b FROM Pair")
        func value() throws -> Int64 {
            try readers.read { connection in
                let raw = try connection.statement(statement, [], id)
                return try raw.step() ? sqlite3_column_int64(raw.handle, 0) : -1
            }
        }
        #expect(try value() == 0)
        for number in 0..<300 {
            let values = try readers.read {
                try Self.integers("SELECT \(number)", in: $0)
            }
            #expect(values == [Int64(number)])
        }
        try shop.pool.write { database in
            try database.execute(sql: "DROP TABLE Pair; CREATE TABLE Pair (x INTEGER, b INTEGER)")
            try database.execute(sql: "INSERT INTO Pair VALUES (1, 9)")
        }
        #expect(try value() == 9)
        let many = SQLStatement(
            text: "SELECT " + Array(repeating: "?", count: 80).joined(separator: " + "))
        let sum = try readers.read { connection in
            let raw = try connection.statement(
                many, Array(repeating: .integer(2), count: 80), nil)
            return try raw.step() ? sqlite3_column_int64(raw.handle, 0) : -1
        }
        #expect(sum == 160)
    }

    @Test func anErrorInsideASnapshotEndsIt() throws {
        #expect(
            failure {
                try readers.read { connection in
                    try connection.snapshot {
                        _ = try Self.integers("SELECT a FROM Nothing", in: connection)
                    }
                }
            }
                == Failure(
                    .storage,
                    "Expected rows of a query, SQLite says: near \"Nothing\": syntax error."))
        try shop.pool.write { try $0.execute(sql: "UPDATE Pair SET a = 3") }
        #expect(try readers.read { try Self.integers("SELECT a FROM Pair", in: $0) } == [3])
    }
}

/// Threads of their own for blocking calls.
enum TestThreads {
    /// Runs `body` on so many threads and waits for all; throws the first error.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let group = DispatchGroup()
        let errors = Mutex<[any Error]>([])
        for index in 0..<count {
            group.enter()
            let thread = Thread {
                do {
                    try body(index)
                } catch {
                    errors.withLock { $0.append(error) }
                }
                group.leave()
            }
            thread.start()
        }
        group.wait()
        if let error = errors.withLock({ $0.first }) { throw error }
    }
}
