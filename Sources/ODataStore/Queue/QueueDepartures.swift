import GRDB
import Synchronization

/// How a request left the queue.
package enum QueueDeparture: Sendable, Hashable {
    /// The service has carried it out.
    case accepted
    /// These requests say what it said.
    case joined(into: Set<Int64>)
    /// It was taken back: undone, cancelled, dropped, or given up for what the service has.
    case takenBack
}

/// Tells one listener how requests left the queue, after the commit that took them out.
///
/// Noted on the writer's thread inside a transaction; nothing is noted while nobody listens.
package final class QueueDepartures: Sendable {
    package typealias Listener = @Sendable ([Int64: QueueDeparture]) -> Void

    private struct State {
        var listener: Listener?
        var noted: [Int64: QueueDeparture] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// - Parameter listener: called while the writer's turn lasts, outside of any transaction, so that it must not use the
    ///   store; nil ends that.
    package func listen(_ listener: Listener?) { state.withLock { $0.listener = listener } }

    func note(_ request: Int64, _ departure: QueueDeparture) {
        state.withLock { state in
            guard state.listener != nil, state.noted[request] != .accepted else { return }
            state.noted[request] = departure
        }
    }

    /// What was noted is undone.
    func forget() { state.withLock { $0.noted = [:] } }

    /// What the transaction that is about to be left has taken out; a savepoint may have brought some of it back.
    func take(in database: Database) throws -> [Int64: QueueDeparture] {
        let noted = state.withLock { state in
            defer { state.noted = [:] }
            return state.noted
        }
        guard !noted.isEmpty else { return noted }
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM _odata_request WHERE id = ?")
        return try noted.filter { id, _ in
            try Int64.fetchOne(statement, arguments: [id]) == nil
        }
    }

    func deliver(_ departures: [Int64: QueueDeparture]) {
        guard !departures.isEmpty else { return }
        state.withLock { $0.listener }?(departures)
    }
}
