import ODataWorld

/// A bounded number of connections, made when they are needed and used by one caller at a time. Any thread may ask.
package final class PostgresPool: Sendable {
    package struct Settings: Sendable {
        package var connection: PostgresConnection.Settings
        package var maximumCount = 4
        /// How long a caller waits for a connection when all are taken.
        package var waitingTime = Duration.seconds(5)
        /// How often a transaction is run that met others.
        package var maximumAttempts = 10

        package init(_ connection: PostgresConnection.Settings) { self.connection = connection }
    }

    /// What a transaction sees and may do.
    package enum Mode: Sendable {
        /// One snapshot, and no changes.
        case read
        /// One snapshot; a row that another transaction has changed since is a reason to begin again.
        case write
        /// Each statement sees what is committed when it begins, and waits for rows that others change.
        case latest

        fileprivate var begin: String {
            switch self {
            case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .write: "BEGIN ISOLATION LEVEL REPEATABLE READ"
            case .latest: "BEGIN ISOLATION LEVEL READ COMMITTED"
            }
        }
    }

    private struct State {
        /// The one used last is at the end and used next.
        var idle: [PostgresConnection] = []
        /// Connections that are idle, in use or being made.
        var count = 0
        var isClosed = false
    }

    private final class Guarded: @unchecked Sendable {
        // Only looked at inside the monitor.
        var state = State()
    }

    private let settings: Settings
    private let world: any World
    private let monitor: any Monitor
    private let guarded = Guarded()

    package init(_ settings: Settings, world: any World = LiveWorld()) {
        self.settings = settings
        self.world = world
        monitor = world.makeMonitor()
    }

    deinit { close() }

    /// Where it leads, for people.
    package var address: PostgresAddress { settings.connection.address }

    /// Runs `body` in a transaction, which is committed when it returns and undone when it throws. It is run again from
    /// its beginning where it met another one, and where the connection had broken before anything was asked.
    ///
    /// - Parameter ending: ends statements that nobody waits for any more.
    /// - Throws: ``PostgresError`` and what `body` throws. After `lost` a change may have been made or not.
    package func transaction<Result>(
        _ mode: Mode, ending: PostgresConnection.Ending? = nil,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try withConnection(begin: mode.begin, ending) { connection in
                    let result = try body(connection)
                    try Self.commit(connection)
                    return result
                }
            } catch let error as PostgresError
                where error.isWorthRepeating && attempt < settings.maximumAttempts
            {
                // Those that met would meet again.
                let most = UInt64(5 << min(attempt, 6))
                world.sleep(.milliseconds(Int64(world.random() % most)), token: nil)
                attempt += 1
            }
        }
    }

    /// - Throws: `lost` where no answer came, for whatever reason: nobody knows how the transaction ended then.
    private static func commit(_ connection: PostgresConnection) throws(PostgresError) {
        do {
            try connection.run("COMMIT")
        } catch {
            guard !connection.isOpen, error.sqlState == nil else { throw error }
            var unknown = error
            unknown.kind = .lost
            throw unknown
        }
    }

    /// Runs `body` with a connection, each of its statements by itself.
    package func access<Result>(
        ending: PostgresConnection.Ending? = nil, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        try withConnection(begin: nil, ending, body)
    }

    private func withConnection<Result>(
        begin: String?, _ ending: PostgresConnection.Ending?,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        let connection = try begun(begin, ending)
        defer { put(connection) }
        do {
            return try body(connection)
        } catch {
            if connection.isOpen, connection.isInTransaction {
                connection.ending = nil
                try? connection.run("ROLLBACK")
            }
            throw error
        }
    }

    /// A connection in a transaction that has begun: where that does not come about because the server has gone since
    /// the connection was used last, nothing was asked, and another is taken.
    private func begun(
        _ text: String?, _ ending: PostgresConnection.Ending?
    ) throws(PostgresError) -> PostgresConnection {
        while true {
            let (connection, isNew) = try take(ending)
            connection.ending = ending
            guard let text else { return connection }
            do {
                try connection.run(text)
                return connection
            } catch {
                let isGone = !connection.isOpen || error.isShutdown
                put(connection)
                guard isGone, !isNew else { throw error }
            }
        }
    }

    private func take(
        _ ending: PostgresConnection.Ending?
    ) throws(PostgresError) -> (PostgresConnection, isNew: Bool) {
        let end = world.uptime() + settings.waitingTime
        while true {
            if let known = try idle(until: end, ending) {
                guard known.wasClosed else { return (known, false) }
                put(known)
                continue
            }
            do {
                return (try PostgresConnection(settings.connection), true)
            } catch {
                forgetOne()
                throw error
            }
        }
    }

    /// A connection that nobody uses; nil where one may be made.
    private func idle(
        until end: Duration, _ ending: PostgresConnection.Ending?
    ) throws(PostgresError) -> PostgresConnection? {
        let outcome = monitor.withLock { () -> Swift.Result<PostgresConnection?, PostgresError> in
            while true {
                if guarded.state.isClosed {
                    return .failure(PostgresError(.unreachable, "Expected a pool that is open."))
                }
                if let known = guarded.state.idle.popLast() { return .success(known) }
                if guarded.state.count < settings.maximumCount {
                    guarded.state.count += 1
                    return .success(nil)
                }
                if let kind = ending?() {
                    return .failure(PostgresError(kind, "Expected a connection in its time."))
                }
                let rest = end - world.uptime()
                guard rest > .zero else {
                    return .failure(
                        PostgresError(
                            .exhausted,
                            "Expected one of \(settings.maximumCount) connections to PostgreSQL, all"
                                + " were taken for \(settings.waitingTime)."))
                }
                _ = monitor.wait(timeout: min(rest, .milliseconds(100)))
            }
        }
        return try outcome.get()
    }

    private func put(_ connection: PostgresConnection) {
        connection.ending = nil
        monitor.withLock {
            if connection.isOpen, !connection.isInTransaction, !guarded.state.isClosed {
                guarded.state.idle.append(connection)
            } else {
                guarded.state.count -= 1
            }
            monitor.signal()
        }
    }

    private func forgetOne() {
        monitor.withLock {
            guarded.state.count -= 1
            monitor.signal()
        }
    }

    /// Closes the connections that nobody uses, and the others when they come back.
    package func close() {
        monitor.withLock {
            guarded.state.isClosed = true
            guarded.state.count -= guarded.state.idle.count
            guarded.state.idle = []
            monitor.signal()
        }
    }

    /// How many connections there are, for tests.
    package var connectionCount: Int { monitor.withLock { guarded.state.count } }
}
