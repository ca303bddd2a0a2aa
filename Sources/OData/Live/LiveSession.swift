import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import ODataWorld
import Synchronization

/// One loop over a live query: reads on the store's threads when the loop waits, and only then.
final class LiveSession<Result: Sendable>: LiveFollower {
    typealias Answer = Swift.Result<Rows<Result>?, ODataError>

    private struct State {
        var waiting: CheckedContinuation<Answer, Never>?
        var isScheduled = false
        /// Something happened since the last look.
        var isAwake = true
        var isOver = false
    }

    /// What one look leaves for the next; one look at a time.
    private struct Content: Sendable {
        var live: ODataStore.LiveQuery?
        /// Of the file that it was begun on.
        var epoch = 0
        var elements: [Result] = []
        /// What was delivered last; nil before the first time.
        var isComplete: Bool?
    }

    private let core: StoreCore
    private let shape: QueryShape
    private let decode: @Sendable (Row) throws(ODataError) -> Result
    private let state = Mutex(State())
    private let content = Mutex(Content())

    init<E>(_ core: StoreCore, _ query: Query<E, Result>) {
        self.core = core
        shape = query.shape
        decode = query.decode
        core.followers.add(self)
    }

    deinit { end() }

    /// Waits for the next result; nil once it is over.
    func next() async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isOver, state.waiting == nil else { return true }
                    state.waiting = continuation
                    return false
                }
                guard !isOver else { return continuation.resume(returning: .success(nil)) }
                schedule()
            }
        } onCancel: {
            end()
        }
    }

    func wake() {
        state.withLock { $0.isAwake = true }
        schedule()
    }

    /// Inside a look, which goes on with the next one.
    private func wakeAgain() { state.withLock { $0.isAwake = true } }

    private func schedule() {
        let starts = state.withLock { state in
            guard !state.isScheduled, state.waiting != nil, state.isAwake else { return false }
            state.isScheduled = true
            return true
        }
        if starts { core.reads.add { [weak self] in self?.run() } }
    }

    private func end() {
        answer(.success(nil))
        let live = content.withLockIfAvailable { content in
            defer { content.live = nil }
            return content.live
        }
        // Letting go of the last query waits for the writer: not on a thread of somebody's tasks.
        if let live = live ?? nil { core.reads.add { live.cancel() } }
    }

    private func answer(_ answer: Answer) {
        let waiting = state.withLock { state in
            switch answer {
            case .success(nil), .failure: state.isOver = true
            case .success: break
            }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: answer)
    }

    // MARK: On a thread of the store

    private func run() {
        while true {
            let looks = state.withLock { state in
                guard state.isAwake, state.waiting != nil, !state.isOver else {
                    state.isScheduled = false
                    return false
                }
                state.isAwake = false
                return true
            }
            guard looks else { break }
            let epoch = core.epoch.load(ordering: .sequentiallyConsistent)
            do {
                if let rows = try content.withLock({ try look(&$0) }) { answer(.success(rows)) }
            } catch {
                // A suspension ends no loop: it looks again when the store is resumed, which may have been meanwhile. In this
                // order: a resumption changes the epoch first.
                let isSuspended = core.isSuspended.load(ordering: .sequentiallyConsistent)
                if !core.isClosed, core.epoch.load(ordering: .sequentiallyConsistent) != epoch {
                    wakeAgain()
                    continue
                }
                if !core.isClosed, isSuspended { continue }
                answer(.failure(core.isClosed ? .storeClosed : .from(error)))
            }
        }
        // Whoever ended it meanwhile could not let go of the query.
        guard state.withLock({ $0.isOver }) else { return }
        let live = content.withLock { content in
            defer { content.live = nil }
            return content.live
        }
        live?.cancel()
    }

    /// Nil where nothing has changed.
    private func look(_ content: inout Content) throws -> Rows<Result>? {
        try core.checkOpen()
        let epoch = core.epoch.load(ordering: .sequentiallyConsistent)
        if content.epoch != epoch {
            content.live?.cancel()
            content.live = nil
        }
        var live = try content.live ?? begin()
        (content.live, content.epoch) = (live, epoch)
        // Before the rows: what is complete then is so in the rows, too.
        let isComplete = try core.hasDownloaded(tables: live.tables)
        // What was unknown behind links may be known to be nothing now: every row is read again.
        if isComplete, content.isComplete == false, !shape.expand.isEmpty {
            live.cancel()
            live = try begin()
            content.live = live
        }
        var changes: [Rows<Result>.Change] = []
        switch try live.next() {
        case nil: break
        case .first(let rows)?:
            let gone = content.elements.indices.map { Rows<Result>.Change.remove(old: $0) }
            content.elements = try decoded(rows)
            changes = gone + rows.indices.map { .insert(new: $0) }
        case .difference(let difference)?:
            changes = try apply(difference, to: &content.elements)
        }
        guard !changes.isEmpty || content.isComplete != isComplete else { return nil }
        content.isComplete = isComplete
        return Rows(content.elements, changes, isComplete: isComplete)
    }

    private func begin() throws -> ODataStore.LiveQuery {
        let (store, shape) = (core.store, shape)
        return try ODataStore.LiveQuery(
            store: store, check: { try shape.checked(in: store.graph()) },
            wake: { [weak self] in self?.wake() })
    }

    private func decoded(_ rows: [LiveRow]) throws -> [Result] {
        let model = try core.model(shape)
        return try rows.map { try decode(Row($0.chunk, $0.row, model)) }
    }

    /// Takes the old positions out and puts the new ones in.
    private func apply(
        _ difference: LiveDifference, to elements: inout [Result]
    ) throws -> [Rows<Result>.Change] {
        let model = try core.model(shape)
        func decoded(_ row: LiveRow) throws -> Result { try decode(Row(row.chunk, row.row, model)) }
        let leaving = difference.deleted.map(\.position) + difference.moved.map(\.from)
        for position in leaving.sorted(by: >) { elements.remove(at: position) }
        let coming =
            difference.inserted.map { ($0.position, $0.row) }
            + difference.moved.map { ($0.to, $0.row) }
        for (position, row) in coming.sorted(by: { $0.0 < $1.0 }) {
            elements.insert(try decoded(row), at: position)
        }
        for (position, row) in difference.updated { elements[position] = try decoded(row) }
        return difference.deleted.map { .remove(old: $0.position) }
            + difference.moved.map { .move(old: $0.from, new: $0.to) }
            + difference.inserted.map { .insert(new: $0.position) }
            + difference.updated.map { .update(new: $0.position) }
    }
}

/// Who looks again when the store says so.
protocol LiveFollower: AnyObject, Sendable {
    func wake()
}

/// The loops over live queries of a store: they look again when a set has come to be complete, and when the store closes.
final class LiveFollowers: Sendable {
    private struct Entry: Sendable {
        weak var follower: (any LiveFollower)?
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ follower: any LiveFollower) {
        entries.withLock { entries in
            entries.removeAll { $0.follower == nil }
            entries.append(Entry(follower: follower))
        }
    }

    func wake() {
        for entry in entries.withLock({ $0 }) { entry.follower?.wake() }
    }
}
