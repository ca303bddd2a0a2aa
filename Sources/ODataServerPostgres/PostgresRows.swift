import ODataPostgres
import ODataSQL
import ODataServer
import ODataText
import ODataWire

/// One transaction of a PostgreSQL database.
struct PostgresRows: ServedRows {
    let connection: PostgresConnection
    let tables: TableForms.Known
    /// The statement that names logs; nil where the user may not read the log.
    var logIdentity: String?
    /// A table that is read as it was.
    var former: Former?

    struct Former {
        var table: String
        /// The numbers of changes, as the text of an array.
        var changes: String
    }

    func eachRow(_ statement: SQLStatement, _ take: ([SQLArgument]) throws -> Void) throws {
        var statement = statement
        var forms = tables.forms
        if let former, let table = tables.logged[former.table] {
            statement.arguments.append(.text(former.changes))
            forms[former.table] = table.former("$\(statement.arguments.count)")
        }
        statement.text = TableForms.text(of: statement, forms)
        let answer = try connection.answer(statement)
        var row: [SQLArgument] = []
        row.reserveCapacity(answer.columnCount)
        for number in 0..<answer.rowCount {
            row.removeAll(keepingCapacity: true)
            for column in 0..<answer.columnCount { row.append(try answer.value(number, column)) }
            try take(row)
        }
    }

    func change(_ change: RowChange) throws -> ChangedRows {
        guard let table = tables.changed[change.table] else {
            throw ODataError(.storage, "Expected a table that the service changes.")
        }
        do {
            let answer = try connection.answer(ChangeStatement.make(change, of: table))
            let rows = try (0..<answer.rowCount).map { row in
                try (0..<answer.columnCount).map { try answer.value(row, $0) }
            }
            return ChangedRows(count: answer.changedCount, rows: rows)
        } catch let error as PostgresError {
            throw ViolatedConstraint(error, changing: table) ?? error
        }
    }

    func logMark(of table: String) throws -> String? {
        guard let (log, table) = log(of: table) else { return nil }
        return try log.mark(of: table)?.text
    }

    func loggedRows(_ span: LogSpan) throws -> LoggedRows? {
        guard let (log, table) = log(of: span.table) else { return nil }
        return try log.rows(of: table, span)
    }

    private func log(of table: String) -> (ChangeLogReading, LoggedTable)? {
        guard let logIdentity, let table = tables.logged[table], !table.key.isEmpty else {
            return nil
        }
        return (ChangeLogReading(connection: connection, identity: logIdentity), table)
    }

    func before(_ changes: [Int64], of table: String) -> any ServedRows {
        var rows = self
        let list = changes.map { String($0) }.joined(separator: ",")
        rows.former = Former(table: table, changes: "{" + list + "}")
        return rows
    }

    func ifReadable<Result>(_ body: () throws -> Result) throws -> Result? {
        try connection.run("SAVEPOINT reading")
        do {
            let result = try body()
            try connection.run("RELEASE SAVEPOINT reading")
            return result
        } catch let error as PostgresError where Self.isOfValues(error) {
            // Its owner has given a column another type since.
            try connection.run("ROLLBACK TO SAVEPOINT reading")
            return nil
        }
    }

    private static func isOfValues(_ error: PostgresError) -> Bool {
        ["22", "23"].contains { error.sqlState?.hasPrefix($0) == true }
    }

    func deferConstraints() throws { try connection.run("SET CONSTRAINTS ALL DEFERRED") }

    func recall(
        _ identity: RepeatabilityHeaders, fingerprint: String
    ) throws -> RememberedAnswer? {
        try AnswerMemory(connection: connection).recall(identity, fingerprint: fingerprint)
    }

    func remember(_ answer: [UInt8], to identity: RepeatabilityHeaders) throws {
        try AnswerMemory(connection: connection).remember(answer, to: identity)
    }

    func forget(sentBefore instant: Int64) throws {
        try AnswerMemory(connection: connection).forget(sentBefore: instant)
    }
}
