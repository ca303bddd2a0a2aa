import GRDB
import ODataSQL
import ODataSQLite
import ODataWorld
import Synchronization

/// The live queries of a store. While there are none, writes are not listened to and cost nothing more.
package final class LiveRegistry: Sendable {
    private struct State {
        var queries: [Int: LiveQuery] = [:]
        var next = 0
        /// What `PRAGMA data_version` said on the writer's connection: it changes when another connection commits.
        var version: Int64?
        /// Looks for what other processes have committed.
        var looks: FileLooks?
    }

    private let state = Mutex(State())
    private let collector = TouchCollector()
    private let lookInterval: Duration?
    private let longestLook: Duration

    /// - Parameters:
    ///   - lookInterval: How often other processes' commits are looked for where nobody tells of them; nil for only when asked.
    ///   - longestLook: how long they are looked for behind a write.
    init(lookInterval: Duration?, longestLook: Duration) {
        (self.lookInterval, self.longestLook) = (lookInterval, longestLook)
    }

    /// How other processes' commits are found, while a query is observed.
    var looks: FileLooks? { state.withLock { $0.looks } }

    func add(_ query: LiveQuery, to store: LocalStore) throws -> Int {
        let (number, isFirst) = state.withLock { state -> (Int, Bool) in
            state.next += 1
            state.queries[state.next] = query
            return (state.next, state.queries.count == 1)
        }
        // What nobody can change has no changes to look for.
        if isFirst, try !store.pool().isReadOnly {
            try store.onWriter { database in
                self.collector.install(on: database)
                let version = try Self.version(database)
                self.state.withLock { $0.version = version }
            }
            startLooking(in: store)
        }
        return number
    }

    /// Looks for what other processes have committed until nothing is observed any more, or the store is closed. All that they
    /// commit goes through the log.
    private func startLooking(in store: LocalStore) {
        guard let lookInterval else { return }
        let looks = FileLooks(
            at: store.path + "-wal", store.world, interval: lookInterval, longest: longestLook
        ) { [weak store] in
            guard let store, store.isOpen else { return false }
            // What fails now, as while the disk is full, is found with the next look.
            _ = try? store.noticeOtherProcesses()
            return true
        }
        let earlier = state.withLock { state in
            defer { state.looks = looks }
            return state.looks
        }
        earlier?.stop()
        looks.start()
    }

    deinit { stopLooking() }

    /// Looks for nothing any more, whatever is observed still.
    func stopLooking() {
        let looks = state.withLock { state in
            defer { state.looks = nil }
            return state.looks
        }
        looks?.stop()
    }

    private static func version(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "PRAGMA data_version")
    }

    /// Wakes every query when another process has committed since the last look.
    ///
    /// - Returns: whether one has.
    func noticeOthers(in store: LocalStore) throws -> Bool {
        // A store that is only read has no writer to ask, and nobody changes it.
        guard state.withLock({ !$0.queries.isEmpty }), try !store.pool().isReadOnly else {
            return false
        }
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
        let (isLast, looks) = state.withLock { state -> (Bool, FileLooks?) in
            state.queries[number] = nil
            guard state.queries.isEmpty else { return (false, nil) }
            defer { state.looks = nil }
            return (true, state.looks)
        }
        guard isLast else { return }
        looks?.stop()
        try? store.onWriter { database in
            // Another may have come in between.
            guard self.state.withLock({ $0.queries.isEmpty }) else { return }
            self.collector.uninstall(from: database)
            _ = self.collector.take()
        }
    }

    /// What the transaction that just ended touched; called on the writer.
    func take() -> CommittedRows { collector.take() }

    // Hot: LiveQuery, LivePage
    /// Wakes the queries that read what was touched; called without a connection.
    func deliver(_ touched: CommittedRows) {
        guard !touched.isEmpty else { return }
        for query in state.withLock({ Array($0.queries.values) }) { query.note(touched) }
    }
}
