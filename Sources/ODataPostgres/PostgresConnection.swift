import CLibPQ
import Foundation
import ODataSQL

/// One connection to a PostgreSQL server, over libpq. It blocks, and belongs to one caller at a time.
package final class PostgresConnection {
    /// How a connection is made.
    package struct Settings: Sendable {
        package var address: PostgresAddress
        package var password = PostgresPassword.standard
        /// Statements that each connection runs once, as soon as it is there.
        package var preparation: [String] = []
        /// How long a connection may take to come about.
        package var connectTime = Duration.seconds(10)
        package var environment = ProcessInfo.processInfo.environment

        package init(_ address: PostgresAddress) { self.address = address }
    }

    /// Says why nobody waits for a statement any more; nil while somebody does. Asked many times a second.
    package typealias Ending = () -> PostgresError.Kind?

    let handle: OpaquePointer
    /// What the messages of libpq must not show.
    private let secrets: [String]
    private var prepared = PreparedNames()
    /// Ends statements of the access that runs.
    package var ending: Ending?
    /// The server did not end a statement when it was asked to: what it says later belongs to nobody.
    private var isAbandoned = false

    /// - Throws: `address` for a password that cannot be read, `unreachable` where no connection comes about.
    package init(_ settings: Settings) throws(PostgresError) {
        let password = try settings.password.read(settings.environment)
        var options = Self.defaults.merging(settings.address.options) { $1 }
        options["password"] = password
        // The server would be asked in another encoding, and answer in it.
        options["client_encoding"] = "UTF8"
        guard let handle = Self.start(options) else {
            throw PostgresError(.unreachable, "Expected memory for a connection to PostgreSQL.")
        }
        self.handle = handle
        // The one of .pgpass is known to libpq only.
        let known = [password, PQpass(handle).map { String(cString: $0) }]
        secrets = known.compactMap { $0 }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        do {
            try Self.finish(handle, within: settings.connectTime)
        } catch {
            throw PostgresError(
                .unreachable,
                "Expected a connection to \(settings.address): "
                    + PostgresError.redacted(error.message, secrets) + ".")
        }
        try run(Self.preparation)
        for text in settings.preparation { try run(text) }
    }

    deinit { PQfinish(handle) }

    /// False once the connection broke.
    package var isOpen: Bool { !isAbandoned && PQstatus(handle) == CONNECTION_OK }

    /// True while the server has a transaction of this connection open.
    package var isInTransaction: Bool {
        PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    /// True where the server closed the connection while nobody used it.
    var wasClosed: Bool {
        guard isOpen else { return true }
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        guard poll(&socket, 1, 0) > 0 else { return false }
        return PQconsumeInput(handle) == 0 || !isOpen
    }

    // MARK: Statements

    /// Runs statements without values, one after the other.
    ///
    /// - Throws: `refused`, `lost`, and what ``ending`` says.
    package func run(_ text: String) throws(PostgresError) {
        guard PQsendQuery(handle, text) == 1 else { throw lost() }
        PQclear(try result())
    }

    /// The rows of a statement, which stays prepared.
    ///
    /// - Throws: As ``run(_:)``, and `unreadable` for a value of a type that is not read here.
    package func rows(_ statement: SQLStatement) throws(PostgresError) -> [[SQLArgument]] {
        let answer = try answer(statement)
        var rows: [[SQLArgument]] = []
        rows.reserveCapacity(answer.rowCount)
        for row in 0..<answer.rowCount {
            var values: [SQLArgument] = []
            values.reserveCapacity(answer.columnCount)
            for column in 0..<answer.columnCount {
                values.append(try answer.value(row, column))
            }
            rows.append(values)
        }
        return rows
    }

    /// What a statement gives, as it came; the statement stays prepared.
    package func answer(_ statement: SQLStatement) throws(PostgresError) -> PostgresAnswer {
        let arguments = statement.arguments
        let name = try name(of: statement)
        let values = EncodedArguments(arguments)
        let isSent = values.withPointers { pointers in
            PQsendQueryPrepared(
                handle, name, Int32(arguments.count), pointers, values.lengths, values.formats, 1)
        }
        guard isSent == 1 else { throw lost() }
        do {
            return PostgresAnswer(try result())
        } catch {
            // Outside of a transaction it can be prepared anew at once; a transaction is begun again by whoever runs it.
            if error.isStalePlan { prepared.forgetAll() }
            throw error
        }
    }

    private func name(of statement: SQLStatement) throws(PostgresError) -> String {
        let types = statement.arguments.map(EncodedArguments.type)
        let key = PreparedNames.Key(text: statement.text, types: types)
        if let name = prepared[key] { return name }
        if let old = prepared.toRemove() { try run("DEALLOCATE \(old)") }
        let name = prepared.newName()
        guard
            PQsendPrepare(handle, name, statement.text, Int32(types.count), types) == 1
        else { throw lost() }
        PQclear(try result())
        prepared[key] = name
        return name
    }

    // MARK: Waiting

    /// Waits for everything that a statement gives; the last result, which the caller clears.
    private func result() throws(PostgresError) -> OpaquePointer? {
        var last: OpaquePointer?
        var failure: PostgresError?
        var ended: PostgresError.Kind?
        while true {
            do throws(PostgresError) {
                if let end = try waitForResult() {
                    guard ended == nil else {
                        isAbandoned = true
                        throw PostgresError(end, Self.endedMessage)
                    }
                    ended = end
                    try endStatement()
                    let limit = ContinuousClock.now + Self.grace
                    ending = { ContinuousClock.now > limit ? end : nil }
                    continue
                }
            } catch {
                PQclear(last)
                throw error
            }
            guard let next = PQgetResult(handle) else { break }
            PQclear(last)
            last = next
            switch PQresultStatus(next) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: continue
            default: failure = failure ?? self.failure(next)
            }
        }
        if var failure {
            PQclear(last)
            if let ended, failure.kind == .cancelled {
                failure = PostgresError(ended, Self.endedMessage, sqlState: failure.sqlState)
            }
            throw failure
        }
        guard isOpen else {
            PQclear(last)
            throw lost()
        }
        return last
    }

    private func failure(_ result: OpaquePointer) -> PostgresError {
        guard isOpen else { return lost() }
        return PostgresError(result, redacting: secrets)
    }

    /// Nil once there is something to take; else why nobody waits any more.
    private func waitForResult() throws(PostgresError) -> PostgresError.Kind? {
        while PQisBusy(handle) != 0 {
            if let end = ending?() { return end }
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            let count = poll(&socket, 1, ending == nil ? Self.patience : Self.interval)
            if count > 0 {
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            }
        }
        return nil
    }

    /// Asks the server to end the statement, over a connection of its own; its answer comes over this one.
    private func endStatement() throws(PostgresError) {
        guard let cancel = PQgetCancel(handle) else { throw lost() }
        defer { PQfreeCancel(cancel) }
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(cancel, &message, Int32(message.count))
    }

    private func lost() -> PostgresError {
        let said = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return PostgresError(
            .lost,
            "Expected the connection to PostgreSQL to last; it broke: "
                + PostgresError.redacted(said, secrets) + ".")
    }

    private static let endedMessage = "Expected a statement that ends in its time; it was ended."
    /// Milliseconds between two looks at whether anybody waits.
    private static let interval: Int32 = 50
    private static let patience: Int32 = 60_000
    /// How long the server may take to end a statement.
    private static let grace = Duration.seconds(10)
}

extension PostgresConnection {
    private static func start(_ options: [String: String]) -> OpaquePointer? {
        var keywords: [UnsafeMutablePointer<CChar>?] = []
        var values: [UnsafeMutablePointer<CChar>?] = []
        for (keyword, value) in options {
            keywords.append(strdup(keyword))
            values.append(strdup(value))
        }
        defer { for text in keywords + values { free(text) } }
        let ends: [UnsafePointer<CChar>?] = [nil]
        return PQconnectStartParams(
            keywords.map { UnsafePointer($0) } + ends, values.map { UnsafePointer($0) } + ends, 0)
    }

    /// Waits until the connection is there.
    private static func finish(
        _ handle: OpaquePointer, within limit: Duration
    ) throws(PostgresError) {
        let end = ContinuousClock.now + limit
        var state = PGRES_POLLING_WRITING
        while PQstatus(handle) != CONNECTION_BAD {
            switch state {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_FAILED: break
            default:
                let rest = end - ContinuousClock.now
                guard rest > .zero else {
                    throw PostgresError(.unreachable, "it did not answer within \(limit)")
                }
                let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
                var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
                let milliseconds = rest.components.seconds * 1_000 + 1
                _ = poll(&socket, 1, Int32(clamping: min(milliseconds, 1_000)))
                if socket.revents != 0 { state = PQconnectPoll(handle) }
                continue
            }
            break
        }
        let said = PQerrorMessage(handle).map { String(cString: $0) } ?? "no reason"
        throw PostgresError(.unreachable, said)
    }

    /// A peer that is gone is noticed, and what we are called is shown to who looks at the server.
    private static let defaults = [
        "application_name": "odata", "keepalives_idle": "30", "keepalives_interval": "10",
        "keepalives_count": "3", "tcp_user_timeout": "30000",
    ]

    /// The forms that our statements and readers count on, whatever the server's are.
    private static let preparation =
        "SET client_min_messages = warning; SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; "
        + "SET intervalstyle = 'iso_8601'; SET extra_float_digits = 1; "
        + "SET standard_conforming_strings = on"
}
