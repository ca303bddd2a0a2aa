import GRDB
import Synchronization

/// The live queries of a store. While there are none, writes are not listened to and cost nothing more.
package final class LiveRegistry: Sendable {
    private struct State {
        var queries: [Int: LiveQuery] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    private let collector = TouchCollector()

    func add(_ query: LiveQuery, to store: LocalStore) throws -> Int {
        let (number, isFirst) = state.withLock { state -> (Int, Bool) in
            state.next += 1
            state.queries[state.next] = query
            return (state.next, state.queries.count == 1)
        }
        if isFirst { try store.onWriter { self.collector.install(on: $0) } }
        return number
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
