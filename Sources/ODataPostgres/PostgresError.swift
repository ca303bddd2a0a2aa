import CLibPQ

/// What went wrong with a PostgreSQL server. It never holds a value of a row, nor a password.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// The address cannot be read, or says what belongs elsewhere.
        case address
        /// No connection came about.
        case unreachable
        /// The connection broke: nobody knows whether what was asked last has happened.
        case lost
        /// The server refused a statement; ``PostgresError/sqlState`` says why.
        case refused
        /// The statement took longer than it was given, and was ended.
        case tooSlow
        /// Somebody ended the statement.
        case cancelled
        /// All connections are taken, for longer than one may be waited for.
        case exhausted
        /// A value of a type that is not read here, or in a form that the type does not have.
        case unreadable
    }

    package var kind: Kind
    /// One sentence: what was expected, and what was found.
    package var message: String
    /// Five characters (PostgreSQL, appendix A); nil where the server said nothing.
    package var sqlState: String?
    /// What the server names of the constraint that was violated.
    package var constraint: String?
    package var table: String?
    package var column: String?

    package init(_ kind: Kind, _ message: String, sqlState: String? = nil) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
    }

    package var description: String {
        sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message
    }

    /// True where the same transaction may succeed when it is run again from its beginning: it met another one
    /// (class 40), or the server had kept a plan of a table that has changed since.
    package var isWorthRepeating: Bool {
        sqlState == "40001" || sqlState == "40P01" || isStalePlan
    }

    /// A prepared statement gives other columns than when it was prepared.
    var isStalePlan: Bool { sqlState == "0A000" && message.contains("cached plan") }

    /// The server ends, or has not begun yet: nothing was done.
    package var isShutdown: Bool { ["57P01", "57P02", "57P03"].contains(sqlState) }
}

extension PostgresError {
    /// What a result says of its failure.
    init(_ result: OpaquePointer?, redacting secrets: [String]) {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        let state = field("C")
        let kind: Kind = state == "57014" ? .cancelled : .refused
        let said = field("M").map { Self.redacted($0, secrets) } ?? "no reason"
        self.init(
            kind,
            Self.mayHoldValues(state)
                ? "Expected PostgreSQL to take the values of a statement; it refused one."
                : "Expected PostgreSQL to run a statement; it says: \(said).", sqlState: state)
        constraint = field("n")
        table = field("t")
        column = field("c")
    }

    /// Messages about data, violated constraints and those that triggers raise tell values; they are left out.
    private static func mayHoldValues(_ state: String?) -> Bool {
        guard let state else { return false }
        return ["22", "23", "44", "P0"].contains { state.hasPrefix($0) }
    }

    /// A text of libpq without what must not be said, on one line.
    static func redacted(_ text: String, _ secrets: [String]) -> String {
        var text = text
        for secret in secrets where !secret.isEmpty { text = text.replacing(secret, with: "***") }
        let lines = text.split(whereSeparator: \.isNewline).map { String($0) }
        let line = lines.joined(separator: " ")
        return line.last == "." ? String(line.dropLast()) : line
    }
}
