import Dispatch
import ODataWorld
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
        var letGo: @Sendable (Int) -> Void
    }

    private struct State {
        var held: [Int: Held] = [:]
        /// Those that are looked at count, too.
        var places = 0
        var next = 0
        var commits = 0
        var isLooking = false
        var looks: FileLooks?
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
    /// Runs while something is held: other programs write the database, too.
    private let watching: @Sendable (ChangeWait) -> FileLooks
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "odata.service.changes")
    private let newest: @Sendable (Set<String>) throws -> [String: Int64]

    /// - Parameters:
    ///   - watching: looks for what other programs commit, not begun yet.
    ///   - newest: the last change of each of these tables.
    init(
        limit: Int, watching: @escaping @Sendable (ChangeWait) -> FileLooks,
        newest: @escaping @Sendable (Set<String>) throws -> [String: Int64]
    ) {
        self.limit = limit
        self.watching = watching
        self.newest = newest
    }

    deinit { state.withLock { $0.looks }?.stop() }

    /// How many places are taken: by those that are held, and by those that are looked at.
    var taken: Int { state.withLock { $0.places } }

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

    /// - Returns: whether nobody is left, so that nothing looks for what other programs commit.
    func leave() -> Bool {
        let (looks, isEmpty) = state.withLock { state -> (FileLooks?, Bool) in
            state.places -= 1
            guard state.places == 0 else { return (nil, false) }
            defer { state.looks = nil }
            return (state.looks, true)
        }
        looks?.stop()
        return isEmpty
    }

    /// Holds a request until its table changes.
    ///
    /// - Parameters:
    ///   - commits: how many there were before it looked: one that came since is looked at once more.
    ///   - letGo: called once at most, on a thread of this, with a count of commits: an answer that was looked for behind
    ///     them has what let it go.
    /// - Returns: what ``release(_:)`` takes.
    func hold(
        _ awaited: AwaitedChange, since commits: Int,
        letGo: @escaping @Sendable (Int) -> Void
    ) -> Int {
        let (number, begins, looks) = state.withLock { state -> (Int, Bool, FileLooks?) in
            state.next += 1
            state.held[state.next] = Held(awaited: awaited, letGo: letGo)
            let begins = state.commits == commits ? false : state.want()
            guard state.looks == nil else { return (state.next, begins, nil) }
            // What other programs have committed just before is looked for at its start.
            state.looks = watching(self)
            return (state.next, begins, state.looks)
        }
        looks?.start()
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
            let (commits, tables) = state.withLock { state in
                state.isWanted = false
                return (state.commits, Set(state.held.values.map(\.awaited.table)))
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
            for number in due.keys.sorted() { due[number]?.letGo(commits) }
            if isDone { return }
        }
    }
}
