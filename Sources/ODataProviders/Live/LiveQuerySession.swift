import ODataClasses
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import ODataWorld
import Synchronization

/// Drives one live query on a thread of the library: runs it after changes and hands over what it says, one update at a
/// time. What changes meanwhile is joined into the next update.
final class LiveQuerySession: Sendable {
    /// Gets updates; false says that nobody waits for more just now.
    typealias Delivery = @Sendable (Result<LiveQueryUpdate, any Error>) -> Bool

    private struct State {
        var live: LiveQuery?
        var isScheduled = false
        var isCancelled = false
        /// Something happened while the session was running or waiting.
        var isAwake = true
    }

    private let queue: WorkQueue
    private let results: @Sendable () throws -> LocalResults
    private let delivery: Delivery
    private let isWanted: @Sendable () -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isWanted: Whether an update would be taken now.
    ///   - delivery: Called outside of every lock and connection.
    init(
        store: LocalStore, query: DataQuery, queue: WorkQueue,
        results: @escaping @Sendable () throws -> LocalResults,
        isWanted: @escaping @Sendable () -> Bool, delivery: @escaping Delivery
    ) throws {
        self.queue = queue
        self.results = results
        self.isWanted = isWanted
        self.delivery = delivery
        let observed = query.copy()
        let live = try LiveQuery(
            store: store, check: { try observed.checkedQuery() },
            wake: { [weak self] in self?.wake() })
        state.withLock { $0.live = live }
    }

    deinit { cancel() }

    /// Looks for an update soon, if one is wanted.
    func wake() {
        let starts = state.withLock { state -> Bool in
            state.isAwake = true
            guard !state.isScheduled, !state.isCancelled else { return false }
            state.isScheduled = true
            return true
        }
        if starts { queue.add { [weak self] in self?.run() } }
    }

    /// No update begins after this.
    func cancel() {
        let live = state.withLock { state -> LiveQuery? in
            state.isCancelled = true
            defer { state.live = nil }
            return state.live
        }
        live?.cancel()
    }

    private func run() {
        while true {
            let live = state.withLock { state -> LiveQuery? in
                guard state.isAwake, !state.isCancelled, isWanted() else {
                    state.isScheduled = false
                    return nil
                }
                state.isAwake = false
                return state.live
            }
            guard let live else { return }
            do {
                guard let step = try live.next() else { continue }
                let update = try update(step)
                guard !state.withLock({ $0.isCancelled }) else { return }
                // The next difference may be there already.
                state.withLock { $0.isAwake = true }
                _ = delivery(.success(update))
            } catch {
                cancel()
                _ = delivery(.failure(ErrorBase.from(any: error)))
                return
            }
        }
    }

    private func update(_ step: LiveQuery.Step) throws -> LiveQueryUpdate {
        let results = try results()
        func row(_ row: LiveRow, _ position: Int, _ old: Int? = nil) -> LiveQueryUpdate.Row {
            LiveQueryUpdate.Row(
                position: position, oldPosition: old, entity: results.entity(row.chunk, row.row))
        }
        switch step {
        case .first(let rows):
            return LiveQueryUpdate(
                isFirst: true, inserted: rows.enumerated().map { row($0.element, $0.offset) },
                updated: [], moved: [], deleted: [])
        case .difference(let difference):
            return LiveQueryUpdate(
                isFirst: false, inserted: difference.inserted.map { row($0.row, $0.position) },
                updated: difference.updated.map { row($0.row, $0.position) },
                moved: difference.moved.map { row($0.row, $0.to, $0.from) },
                deleted: difference.deleted.map { row($0.row, $0.position, $0.position) })
        }
    }
}
