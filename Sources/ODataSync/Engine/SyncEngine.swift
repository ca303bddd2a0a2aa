import ODataWorld
import Synchronization

/// What lasts from one operation of the sync engine to the next: its configuration, what runs, what was asked for before
/// the store was opened, and what is known of how long downloads take.
///
/// The operations themselves are values, made for each call over a ``SyncScope``. Everything mutable is guarded by `state`;
/// one download and one upload run at a time each.
package final class SyncEngine: Sendable {
    /// What runs once at a time, each kind for itself.
    package enum Operation: Sendable { case download, upload }

    struct Index: Sendable {
        var set: String
        var paths: [String]
    }

    private struct State: Sendable {
        var configuration = SyncConfiguration()
        var indexes: [Index] = []
        var searchIndexes: [Index] = []
        var isOpen = false
        var downloads: [CancellationFlag] = []
        var uploads: [CancellationFlag] = []
        var estimates = TimeEstimates()
        var hasEstimates = false
        var leavesTransfers = false
    }

    private let state = Mutex(State())
    private let downloadTurn: Turn
    private let uploadTurn: Turn
    /// Signalled when an operation has ended.
    private let ended: any Monitor
    private let world: any World

    package init(_ world: any World) {
        downloadTurn = Turn(world)
        uploadTurn = Turn(world)
        ended = world.makeMonitor()
        self.world = world
    }

    package var configuration: SyncConfiguration { state.withLock { $0.configuration } }

    /// Changes the configuration for the operations that begin from now on.
    package func change(_ change: (inout SyncConfiguration) -> Void) {
        state.withLock { change(&$0.configuration) }
    }

    /// Whether the store was opened and not closed since.
    package var isOpen: Bool {
        get { state.withLock { $0.isOpen } }
        set {
            state.withLock { state in
                state.isOpen = newValue
                if newValue { state.leavesTransfers = false }
            }
        }
    }

    /// What runs is stopped because the app goes away, not because nobody wants it: what the system carries in the background goes
    /// on. True from ``stopAll(waitingFor:)`` until the store is opened again.
    var leavesTransfers: Bool { state.withLock { $0.leavesTransfers } }

    // MARK: Turns

    /// Waits until no other operation of the kind runs; from the beginning of the wait on, ``cancel(_:)`` sets the flag.
    /// A begin that succeeds is followed by one ``end(_:_:)``.
    ///
    /// - Throws: `cancelled` when the flag is set meanwhile.
    func begin(_ operation: Operation, _ flag: CancellationFlag) throws {
        note(operation, flag)
        do {
            try turn(operation).begin(flag)
        } catch {
            forget(flag)
            throw error
        }
    }

    /// Lets the next operation of the kind run.
    func end(_ operation: Operation, _ flag: CancellationFlag) {
        turn(operation).end()
        forget(flag)
    }

    /// Counts as an operation of the kind without waiting for a turn, until ``forget(_:)``.
    func note(_ operation: Operation, _ flag: CancellationFlag) {
        state.withLock { state in
            switch operation {
            case .download: state.downloads.append(flag)
            case .upload: state.uploads.append(flag)
            }
        }
    }

    func forget(_ flag: CancellationFlag) {
        state.withLock { state in
            state.downloads.removeAll { $0 === flag }
            state.uploads.removeAll { $0 === flag }
        }
        ended.withLock { ended.signal() }
    }

    private func turn(_ operation: Operation) -> Turn {
        operation == .download ? downloadTurn : uploadTurn
    }

    /// Stops what runs or waits of the kind.
    package func cancel(_ operation: Operation) {
        let flags = state.withLock { operation == .download ? $0.downloads : $0.uploads }
        for flag in flags { flag.cancel() }
    }

    /// Whether an operation of the kind runs or waits for its turn.
    package func isRunning(_ operation: Operation) -> Bool {
        state.withLock { operation == .download ? !$0.downloads.isEmpty : !$0.uploads.isEmpty }
    }

    /// Waits until nothing runs or waits for its turn, at most so long.
    ///
    /// - Returns: false when something still runs.
    @discardableResult
    package func awaitEnd(within limit: Duration) -> Bool {
        let deadline = world.uptime() + limit
        return ended.withLock {
            while isRunning(.download) || isRunning(.upload) {
                let rest = deadline - world.uptime()
                guard rest > .zero else { return false }
                _ = ended.wait(timeout: rest)
            }
            return true
        }
    }

    /// Stops everything, and waits at most so long until it has ended.
    package func stopAll(waitingFor limit: Duration) {
        state.withLock { $0.leavesTransfers = true }
        cancel(.download)
        cancel(.upload)
        awaitEnd(within: limit)
    }

    /// Stops everything and runs `body` while nothing else may begin.
    package func alone<Result>(_ body: () throws -> Result) throws -> Result {
        cancel(.download)
        cancel(.upload)
        let flag = CancellationFlag()
        try downloadTurn.begin(flag)
        defer { downloadTurn.end() }
        try uploadTurn.begin(flag)
        defer { uploadTurn.end() }
        return try body()
    }

    // MARK: Indexes

    /// The indexes and search indexes that the next opening makes.
    var indexes: (plain: [Index], search: [Index]) {
        state.withLock { ($0.indexes, $0.searchIndexes) }
    }

    /// Keeps an index for the opening of the store.
    ///
    /// - Returns: false when the store is open, which is too late.
    package func addIndex(on set: String, paths: [String]) -> Bool {
        state.withLock { state in
            guard !state.isOpen else { return false }
            state.indexes.append(Index(set: set, paths: paths))
            return true
        }
    }

    /// Keeps the search index of a set for every opening of the store.
    ///
    /// - Returns: true when the store is open, so that the index has to be made at once.
    package func addSearchIndex(on set: String, paths: [String]) -> Bool {
        state.withLock { state in
            state.searchIndexes.removeAll { $0.set == set }
            state.searchIndexes.append(Index(set: set, paths: paths))
            return state.isOpen
        }
    }

    // MARK: Time estimates

    var estimates: TimeEstimates {
        get { state.withLock { $0.estimates } }
        set {
            state.withLock { state in
                state.estimates = newValue
                state.hasEstimates = true
            }
        }
    }

    /// True once, unless estimates are there already.
    func takesFirstEstimates() -> Bool {
        state.withLock { state in
            defer { state.hasEstimates = true }
            return !state.hasEstimates
        }
    }
}
