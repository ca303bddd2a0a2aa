import ODataPostgres
import ODataSQL
import ODataSQLite
import ODataServer
import ODataText
import ODataWorld

/// A schema of a PostgreSQL database that a service reads.
///
/// The owner's tables stay as they are. The functions that our SQL calls stand in a schema of their own, `_odata`.
package final class PostgresDatabase: ServedDatabase {
    package let dialect = SQLDialect.postgreSQL
    private let pool: PostgresPool
    private let schemaName: String
    private let forms: TableForms

    /// Connects, and makes the functions of ours where they are missing or older.
    ///
    /// - Parameter schema: the schema whose tables and views are offered.
    /// - Throws: `storage` where the database cannot be reached, or takes no functions.
    package init(
        _ settings: PostgresConnection.Settings, schema: String = "public", maximumCount: Int = 4,
        world: any World = LiveWorld()
    ) throws {
        var settings = settings
        settings.preparation.append("SET search_path = \(OwnSchema.quotedName)")
        var poolSettings = PostgresPool.Settings(settings)
        poolSettings.maximumCount = maximumCount
        pool = PostgresPool(poolSettings, world: world)
        schemaName = schema
        forms = TableForms()
        do {
            try pool.transaction(.write) { try OwnSchema.prepare($0) }
        } catch let error as PostgresError {
            // Whoever starts the service is told what a client is not.
            throw ODataError(
                error.kind == .address ? .usage : .storage, error.description, underlying: error)
        }
    }

    package func schema(_ choice: TableChoice) throws -> DatabaseSchema {
        try Failure.translated {
            try pool.transaction(.read) { connection in
                let read = try PostgresSchemaReader(connection, schemaName, choice).read()
                forms.take(read.forms)
                return read.schema
            }
        }
    }

    package func read<Result>(
        isOver: @escaping () -> Bool, _ body: (any RowSource) throws -> Result
    ) throws -> Result {
        try Failure.translated {
            try pool.transaction(.read, ending: { isOver() ? .tooSlow : nil }) { connection in
                try body(PostgresRows(connection: connection, forms: forms.byTable))
            }
        }
    }

    package func close() { pool.close() }
}

/// One snapshot of a PostgreSQL database.
private struct PostgresRows: RowSource {
    let connection: PostgresConnection
    let forms: [String: String]

    func eachRow(_ statement: SQLStatement, _ take: ([SQLArgument]) throws -> Void) throws {
        var statement = statement
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
}
