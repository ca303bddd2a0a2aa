import GRDB
import GRDBSQLite

/// How an index is made of rows that are there already: in little memory, and giving way to others that want to write.
///
/// `CREATE INDEX` cannot be divided, and nobody else can write while it runs. Who waits interrupts it; when they have
/// written, it begins anew, after a rest that grows. After a bounded number of times it is made to its end.
package struct IndexBuild {
    /// Whether somebody waits to write.
    package let isAwaited: () -> Bool
    /// Blocks before it begins anew.
    private let rest: (Duration) -> Void

    /// - Parameters:
    ///   - isAwaited: asked every few microseconds, on the thread that makes the index or loads rows.
    ///   - rest: blocks for so long.
    package init(
        isAwaited: @escaping () -> Bool = { false }, rest: @escaping (Duration) -> Void = { _ in }
    ) {
        self.isAwaited = isAwaited
        self.rest = rest
    }

    /// Six times, 0.6 s together: enough for somebody who saves a form, not for a loop that never ends.
    package static let rests = (0..<6).map { Duration.milliseconds(10 << $0) }

    /// Makes the index of `statement`, each attempt in a transaction that `write` runs its argument in.
    package func run(
        _ statement: String, _ write: ((Database) throws -> Void) throws -> Void
    ) throws {
        for pause in Self.rests {
            do {
                return try write { try $0.makeIndex(statement, unless: isAwaited) }
            } catch is GaveWay {
                rest(pause)
            }
        }
        try write { try $0.makeIndex(statement) }
    }

    /// The index was not made, because somebody waited.
    fileprivate struct GaveWay: Error {}

    /// Kibibytes of the page cache, and of rows that are sorted at a time, while an index is made. Sorting a mebibyte
    /// stays in the processor's cache: 0.23 s for 500,000 rows where 16 MiB take 0.40 s and 25 MiB more of memory.
    fileprivate static let cache = 1_024
    /// Steps of SQLite's machine between two looks at who waits, some 50 µs.
    fileprivate static let stepsBetweenLooks: Int32 = 1_000
}

extension Database {
    // Hot: FirstSync, LongestWrite
    /// Makes an index of the rows that are there, in little memory.
    ///
    /// - Parameter isAwaited: ends the statement when it is true; what the transaction has written is undone then.
    func makeIndex(_ statement: String, unless isAwaited: (() -> Bool)? = nil) throws {
        try withCache(kibibytes: IndexBuild.cache) {
            guard let isAwaited else { return try execute(sql: statement) }
            try execute(sql: statement, unless: isAwaited)
        }
    }

    private func execute(sql statement: String, unless isAwaited: @escaping () -> Bool) throws {
        let question = Question(isAwaited)
        sqlite3_progress_handler(
            sqliteConnection, IndexBuild.stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                let question = Unmanaged<Question>.fromOpaque(context).takeUnretainedValue()
                return question.ask() ? 1 : 0
            }, Unmanaged.passUnretained(question).toOpaque())
        defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
        do {
            try withExtendedLifetime(question) { try execute(sql: statement) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw IndexBuild.GaveWay()
        }
    }
}

/// What SQLite asks through a pointer.
private final class Question {
    let ask: () -> Bool

    init(_ ask: @escaping () -> Bool) { self.ask = ask }
}
