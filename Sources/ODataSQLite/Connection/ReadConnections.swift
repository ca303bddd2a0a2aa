import Dispatch
import GRDB
import ODataText
import Synchronization

/// The reading connections of a database file: made when they are needed, used by one caller at a time.
///
/// Any thread may read. A reader never waits for the writer, only for a connection when all are in use.
package final class ReadConnections: Sendable {
    fileprivate struct State {
        /// The connection used last is at the end and used next: its cache is warm.
        var idle: [ReadConnection] = []
        /// Connections that are idle, in use or being made.
        var count = 0
        var isClosed = false
        /// Callers that wait for a connection, or for all to be closed.
        var waiters: [DispatchSemaphore] = []
    }

    private let path: String
    private let configuration: Configuration
    private let maximumCount: Int
    private let readOnly: ReadOnlyFile?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - configuration: As for the connection that writes.
    ///   - readOnly: looked at before each use of a connection.
    package init(
        path: String, configuration: Configuration, maximumCount: Int,
        readOnly: ReadOnlyFile? = nil
    ) {
        self.readOnly = readOnly
        self.path = path
        self.configuration = configuration
        self.maximumCount = max(1, maximumCount)
    }

    /// Runs `body` with a connection of its own.
    ///
    /// - Throws: `usage` once closed, and what `body` throws.
    package func read<Result>(_ body: (ReadConnection) throws -> Result) throws -> Result {
        let connection = try take()
        defer { put(connection) }
        return try body(connection)
    }

    // Hot: ServerFigures
    /// As ``read(_:)``, in one snapshot and through GRDB, for what is no query of a client's store.
    package func snapshot<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try read { try $0.read(body) }
    }

    /// As ``read(_:)``; the read is interrupted, and no other, when `onCancel` runs its argument.
    ///
    /// - Parameter onCancel: Keeps the action for as long as the read may take and returns what forgets it.
    /// - Throws: Also `cancelled`.
    package func read<Result>(
        onCancel: (@escaping @Sendable () -> Void) -> () -> Void,
        _ body: (ReadConnection) throws -> Result
    ) throws -> Result {
        let connection = try take()
        let access = Access(connection)
        let forget = onCancel { access.interrupt() }
        defer {
            forget()
            // From here on a late cancellation finds nothing to interrupt.
            access.end()
            connection.resume()
            put(connection)
        }
        return try body(connection)
    }

    /// A connection as long as one caller has it.
    private final class Access: Sendable {
        private let connection: Mutex<ReadConnection?>

        init(_ connection: ReadConnection) { self.connection = Mutex(connection) }

        func interrupt() { connection.withLock { $0?.interrupt() } }

        func end() { connection.withLock { $0 = nil } }
    }

    /// Waits for those who read and closes all connections; later reads throw.
    package func close() throws {
        while true {
            let (idle, done) = state.withLock { state -> ([ReadConnection], DispatchSemaphore?) in
                state.isClosed = true
                let idle = state.idle
                state.idle = []
                state.count -= idle.count
                guard state.count > 0 else { return (idle, nil) }
                let done = DispatchSemaphore(value: 0)
                state.waiters.append(done)
                return (idle, done)
            }
            for connection in idle { try connection.close() }
            guard let done else { return }
            done.wait()
        }
    }

    // MARK: Handing out

    fileprivate enum Step {
        case use(ReadConnection)
        case make
        case wait(DispatchSemaphore)
        case closed
    }

    private func take() throws -> ReadConnection {
        try readOnly?.check()
        while true {
            switch state.withLock({ $0.next(maximumCount: maximumCount) }) {
            case .use(let connection): return connection
            case .make:
                do {
                    return try ReadConnection(path: path, configuration: configuration)
                } catch {
                    state.withLock { $0.count -= 1 }
                    wake()
                    throw error
                }
            case .wait(let semaphore): semaphore.wait()
            case .closed:
                throw ODataError(
                    .usage, "Expected an open store, found a closed one.",
                    underlying: ClosedConnections())
            }
        }
    }

    private func put(_ connection: ReadConnection) {
        let (waiter, isClosed) = state.withLock { state -> (DispatchSemaphore?, Bool) in
            if !state.isClosed { state.idle.append(connection) }
            return (state.waiters.isEmpty ? nil : state.waiters.removeFirst(), state.isClosed)
        }
        guard isClosed else {
            waiter?.signal()
            return
        }
        // What closing would say is of no use to a reader that has its rows.
        try? connection.close()
        state.withLock { $0.count -= 1 }
        waiter?.signal()
        wake()
    }

    /// Lets everyone who waits look again.
    private func wake() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.signal() }
    }
}

extension ReadConnections.State {
    fileprivate mutating func next(maximumCount: Int) -> ReadConnections.Step {
        if isClosed { return .closed }
        if let connection = idle.popLast() { return .use(connection) }
        guard count >= maximumCount else {
            count += 1
            return .make
        }
        let semaphore = DispatchSemaphore(value: 0)
        waiters.append(semaphore)
        return .wait(semaphore)
    }
}

/// Nobody reads any more: the connections are closed.
package struct ClosedConnections: Error {}
