import ODataPostgres
import ODataSQL
import ODataSQLite
import ODataServer
import ODataText
import ODataWorld

/// A schema of a PostgreSQL database that a service reads and changes.
///
/// The owner's tables stay as they are. The functions that our SQL calls stand in a schema of their own, `_odata`.
package final class PostgresDatabase: ServedDatabase {
    package let dialect = SQLDialect.postgreSQL
    package let remembersAnswers: Bool
    private let pool: PostgresPool
    private let schemaName: String
    private let forms: TableForms
    /// The statement that names logs of changes; nil where the user may not read the log.
    private let logIdentity: String?
    private let knowsSystem: Bool

    /// Connects, and makes the functions of ours where they are missing or older.
    ///
    /// - Parameter schema: the schema whose tables and views are offered.
    /// - Throws: `storage` where the database cannot be reached, or takes no functions.
    package init(
        _ settings: PostgresConnection.Settings, schema: String = "public", maximumCount: Int = 4,
        world: any World = LiveWorld()
    ) throws {
        var settings = settings
        settings.preparation += SearchPath.preparation
        var poolSettings = PostgresPool.Settings(settings)
        poolSettings.maximumCount = maximumCount
        pool = PostgresPool(poolSettings, world: world)
        schemaName = schema
        forms = TableForms()
        do {
            try pool.transaction(.write) { try OwnSchema.prepare($0) }
            (remembersAnswers, logIdentity, knowsSystem) = try pool.transaction(.read) {
                let knowsSystem = try LogIdentity.knowsSystem($0)
                return (
                    try AnswerMemory(connection: $0).isOpen(),
                    try ChangeLogStart.isReadable($0)
                        ? LogIdentity.statement(knowsSystem: knowsSystem) : nil,
                    knowsSystem
                )
            }
        } catch let error as PostgresError {
            // Whoever starts the service is told what a client is not.
            throw ODataError(
                error.kind == .address ? .usage : .storage, error.description, underlying: error)
        }
    }

    package func schema(_ choice: TableChoice, takesChanges: Bool) throws -> DatabaseSchema {
        try Failure.translated {
            try pool.transaction(.read) { connection in
                let read = try PostgresSchemaReader(
                    connection, schemaName, choice, takesChanges: takesChanges
                ).read()
                forms.take(read.known)
                return read.schema
            }
        }
    }

    package func track(_ tables: [KeyedTable], begins: Bool) throws -> NotedTables {
        guard logIdentity != nil else {
            return NotedTables(
                problems: ["Changes are not tracked: the service may not read the log of changes."])
        }
        let start = ChangeLogStart(pool: pool, begins: begins)
        var logged = forms.known.logged
        var result = NotedTables()
        try Failure.translated {
            try start.claim(knowsSystem: knowsSystem)
            for keyed in tables {
                guard var table = logged[keyed.name] else { continue }
                table.key = keyed.key
                table.leftOut.removeAll { keyed.key.contains($0) }
                logged[keyed.name] = table
                guard !keyed.key.isEmpty else { continue }
                if let problem = try start.problem(of: table) {
                    result.problems.append(
                        "Changes of \(keyed.name) are not tracked: \(problem).")
                } else {
                    result.names.insert(keyed.name)
                }
            }
        }
        forms.take(logged)
        return result
    }

    package func trim(_ bounds: LogBounds) throws -> Bool {
        guard logIdentity != nil else { return true }
        return try Failure.translated { try LogPurge(pool: pool).step(bounds) }
    }

    private func rows(_ connection: PostgresConnection) -> PostgresRows {
        PostgresRows(connection: connection, tables: forms.known, logIdentity: logIdentity)
    }

    package func read<Result>(
        isOver: @escaping () -> Bool, _ body: (any ServedRows) throws -> Result
    ) throws -> Result {
        try Failure.translated {
            try pool.transaction(.read, ending: { isOver() ? .tooSlow : nil }) { connection in
                try body(rows(connection))
            }
        }
    }

    package func write<Result>(
        isOver: @escaping () -> Bool, _ body: (any ServedRows) throws -> Result
    ) throws -> Result {
        try Failure.translated(changes: true) {
            try pool.transaction(.write, ending: { isOver() ? .tooSlow : nil }) { connection in
                try connection.run(SearchPath.ofOwner)
                return try body(rows(connection))
            }
        }
    }

    package func told(_ error: any Error) throws -> any Error {
        guard let error = error as? PostgresError else { return error }
        guard !error.isWorthRepeating else { throw error }
        // Nothing is committed before every member has been answered.
        return Failure.translated(error, changes: false)
    }

    package func close() { pool.close() }
}
