import Dispatch
import Synchronization

/// What a request is held for: changes of a table behind a place in the log.
struct AwaitedChange: Sendable, Hashable {
    var table: String
    var after: Int64
}

/// Whether the request that the current thread answers may be held, and what it would be held for.
final class HoldOffer: Sendable {
    /// None for calls in process, members of batches, and where too many are held already.
    @TaskLocal static var current: HoldOffer?

    /// How many seconds apply, as the answer says.
    let seconds: Int
    private let change = Mutex<AwaitedChange?>(nil)

    init(seconds: Int) { self.seconds = seconds }

    /// Set by a read that found nothing.
    var awaited: AwaitedChange? { change.withLock { $0 } }

    func wait(for awaited: AwaitedChange) { change.withLock { $0 = awaited } }
}

/// The requests that are held until there is something to answer. None of them has a thread: who commits says so, and
/// those whose table has changed are let go.
final class ChangeWait: Sendable {
    private struct Held {
        var awaited: AwaitedChange
        var letGo: @Sendable () -> Void
    }

    private struct State {
        var held: [Int: Held] = [:]
        /// Those that are looked at count, too.
        var places = 0
        var next = 0
        var commits = 0
        var isLooking = false
        /// Another look is due behind the one that runs.
        var isWanted = false

        /// - Returns: whether the caller is to begin a look.
        mutating func want() -> Bool {
            isWanted = true
            guard !held.isEmpty, !isLooking else { return false }
            isLooking = true
            return true
        }
    }

    private let limit: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "odata.service.changes")
    private let newest: @Sendable (Set<String>) throws -> [String: Int64]

    /// - Parameter newest: the last change of each of these tables.
    init(limit: Int, newest: @escaping @Sendable (Set<String>) throws -> [String: Int64]) {
        self.limit = limit
        self.newest = newest
    }

    /// How many are held now.
    var count: Int { state.withLock { $0.held.count } }

    /// Counts commits; taken before a request looks, it tells whether that look may be out of date.
    var commits: Int { state.withLock { $0.commits } }

    /// A place for a request that may be held; false where all are taken.
    func enter() -> Bool {
        state.withLock { state in
            guard state.places < limit else { return false }
            state.places += 1
            return true
        }
    }

    func leave() { state.withLock { $0.places -= 1 } }

    /// Holds a request until its table changes.
    ///
    /// - Parameters:
    ///   - commits: how many there were before it looked: one that came since is looked at once more.
    ///   - letGo: called once at most, on a thread of this.
    /// - Returns: what ``release(_:)`` takes.
    func hold(
        _ awaited: AwaitedChange, since commits: Int, letGo: @escaping @Sendable () -> Void
    ) -> Int {
        let (number, begins) = state.withLock { state -> (Int, Bool) in
            state.next += 1
            state.held[state.next] = Held(awaited: awaited, letGo: letGo)
            return (state.next, state.commits == commits ? false : state.want())
        }
        if begins { queue.async { [weak self] in self?.look() } }
        return number
    }

    /// Forgets a request; it is not let go any more.
    func release(_ number: Int) { state.withLock { _ = $0.held.removeValue(forKey: number) } }

    /// Somebody has committed. Costs nothing while nobody waits, and never waits for a look.
    func committed() {
        let begins = state.withLock { state in
            state.commits += 1
            return state.want()
        }
        if begins { queue.async { [weak self] in self?.look() } }
    }

    private func look() {
        while true {
            let tables = state.withLock { state in
                state.isWanted = false
                return Set(state.held.values.map(\.awaited.table))
            }
            // Where that fails, those who wait find out themselves.
            let last = tables.isEmpty ? [:] : try? newest(tables)
            let (due, isDone) = state.withLock { state in
                let due = state.held.filter { _, held in
                    guard let last else { return true }
                    return last[held.awaited.table] ?? 0 > held.awaited.after
                }
                for number in due.keys { state.held[number] = nil }
                let isDone = !state.isWanted || state.held.isEmpty
                if isDone { state.isLooking = false }
                return (due, isDone)
            }
            for number in due.keys.sorted() { due[number]?.letGo() }
            if isDone { return }
        }
    }
}
