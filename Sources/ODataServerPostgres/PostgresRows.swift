import ODataPostgres
import ODataSQL
import ODataServer
import ODataText
import ODataWire

/// One transaction of a PostgreSQL database.
struct PostgresRows: ServedRows {
    let connection: PostgresConnection
    let tables: TableForms.Known

    func eachRow(_ statement: SQLStatement, _ take: ([SQLArgument]) throws -> Void) throws {
        var statement = statement
        statement.text = TableForms.text(of: statement, tables.forms)
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
