import ODataSQL
import Synchronization

/// The rows of the owner's tables in the forms that compiled statements count on: a statement that reads a table begins
/// with a query of its name that gives them. PostgreSQL takes such a query apart, so that indexes serve as far as a column is
/// written as it is.
final class TableForms: Sendable {
    struct Known: Sendable {
        /// How the rows of each table are read.
        var forms: [String: String] = [:]
        /// What changes know of the tables that take any.
        var changed: [String: ChangedTable] = [:]
        /// What the log of changes has to know of tables.
        var logged: [String: LoggedTable] = [:]
    }

    private let state = Mutex(Known())

    var known: Known { state.withLock { $0 } }

    func take(_ known: Known) { state.withLock { $0 = known } }

    /// The tables of the log, with what names their rows.
    func take(_ logged: [String: LoggedTable]) { state.withLock { $0.logged = logged } }

    /// The statement with what its tables stand for in front of it.
    static func text(of statement: SQLStatement, _ forms: [String: String]) -> String {
        var seen: Set<String> = []
        let names = statement.tables.filter { forms[$0] != nil && seen.insert($0).inserted }
        guard !names.isEmpty else { return statement.text }
        let queries = names.map { name in
            "\(SQLName.quoted(name)) AS NOT MATERIALIZED (\(forms[name] ?? ""))"
        }.joined(separator: ", ")
        let recursive = "WITH RECURSIVE "
        guard statement.text.hasPrefix(recursive) else {
            return "WITH \(queries) \(statement.text)"
        }
        return recursive + queries + ", " + statement.text.dropFirst(recursive.count)
    }
}
