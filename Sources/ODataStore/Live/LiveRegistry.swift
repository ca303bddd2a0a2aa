import GRDB
import ODataSQL
import Synchronization

/// The live queries of a store. While there are none, writes are not listened to and cost nothing more.
package final class LiveRegistry: Sendable {
    private struct State {
        var queries: [Int: LiveQuery] = [:]
        var next = 0
        /// What `PRAGMA data_version` said on the writer's connection: it changes when another connection commits.
        var version: Int64?
    }

    private let state = Mutex(State())
    private let collector = TouchCollector()

    func add(_ query: LiveQuery, to store: LocalStore) throws -> Int {
        let (number, isFirst) = state.withLock { state -> (Int, Bool) in
            state.next += 1
            state.queries[state.next] = query
            return (state.next, state.queries.count == 1)
        }
        if isFirst {
            try store.onWriter { database in
                self.collector.install(on: database)
                let version = try Self.version(database)
                self.state.withLock { $0.version = version }
            }
        }
        return number
    }

    private static func version(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "PRAGMA data_version")
    }

    /// Wakes every query when another process has committed since the last look.
    ///
    /// - Returns: whether one has.
    func noticeOthers(in store: LocalStore) throws -> Bool {
        guard state.withLock({ !$0.queries.isEmpty }) else { return false }
        var isChanged = false
        try store.onWriter { database in
            let version = try Self.version(database)
            isChanged = self.state.withLock { state in
                defer { state.version = version }
                return state.version != version
            }
        }
        guard isChanged else { return false }
        let mapping = try store.mapping()
        deliver(CommittedRows(all: mapping.tables.map(\.name) + mapping.linkTables.map(\.name)))
        return true
    }

    func remove(_ number: Int, from store: LocalStore) {
        let isLast = state.withLock { state -> Bool in
            state.queries[number] = nil
            return state.queries.isEmpty
        }
        guard isLast else { return }
        try? store.onWriter { database in
            // Another may have come in between.
            guard self.state.withLock({ $0.queries.isEmpty }) else { return }
            self.collector.uninstall(from: database)
            _ = self.collector.take()
        }
    }

    /// What the transaction that just ended touched; called on the writer.
    func take() -> CommittedRows { collector.take() }

    /// Wakes the queries that read what was touched; called without a connection.
    func deliver(_ touched: CommittedRows) {
        guard !touched.isEmpty else { return }
        for query in state.withLock({ Array($0.queries.values) }) { query.note(touched) }
    }
}
