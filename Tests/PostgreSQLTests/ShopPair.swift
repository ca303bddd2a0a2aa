import GRDB
import ODataModel
import ODataPostgres
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import PostgreSQLFixture
import ShopFixture

/// The shop's tables in SQLite and in PostgreSQL, with the same rows.
final class ShopPair {
    let graph: MetadataGraph
    let sqlite: DatabaseQueue
    let postgreSQL: PostgresConnection
    private let mappings: [SQLDialect: SchemaMapping]
    private var nextID: [String: Int64] = [:]

    init() throws {
        graph = try Shop.graph()
        mappings = [
            .sqlite: SchemaMapping.local(for: graph),
            .postgreSQL: SchemaMapping.local(for: graph, dialect: .postgreSQL),
        ]
        var configuration = Configuration()
        configuration.prepareDatabase { SQLFunctions.register(in: $0) }
        sqlite = try DatabaseQueue(configuration: configuration)
        postgreSQL = try PostgreSQLServer.makeDatabase()
        for statement in mapping(.sqlite).ddl(in: .sqlite) {
            try sqlite.write { try $0.execute(sql: statement) }
        }
        for statement in mapping(.postgreSQL).ddl(in: .postgreSQL) {
            try postgreSQL.run(statement)
        }
    }

    func mapping(_ dialect: SQLDialect) -> SchemaMapping {
        mappings[dialect] ?? SchemaMapping.local(for: graph, dialect: dialect)
    }

    func run(_ statement: SQLStatement, _ dialect: SQLDialect) throws -> [[SQLArgument]] {
        dialect == .postgreSQL
            ? try postgreSQL.rows(statement) : try sqlite.write { try $0.storedRows(statement) }
    }

    /// The answer of a database to a query.
    func answer(_ url: String, _ dialect: SQLDialect) throws -> PlanAnswer {
        let query = try URLParser.parse(url, graph: graph, dialect: .v401)
        return try answer(query, dialect)
    }

    func answer(_ query: Query, _ dialect: SQLDialect) throws -> PlanAnswer {
        var query = query
        try QueryChecker.check(&query, graph: graph)
        let mapping = mapping(dialect)
        var options = CompilerOptions(dialect: dialect)
        options.now = OffsetDateTime("2026-05-01T10:30:00Z")
        let plan = try QueryCompiler(mapping: mapping, options: options).compile(query)
        return try PlanRunner(mapping: mapping) { try self.run($0, dialect) }.run(plan)
    }

    /// Writes a row to both, or to those that are named, by ``RowEncoder``; gives its internal id.
    @discardableResult
    func insert(
        _ path: String, _ value: StructureValue, parent: Int64? = nil, state: EntityState = [],
        in dialects: [SQLDialect] = [.sqlite, .postgreSQL]
    ) throws -> Int64 {
        let id = (nextID[path] ?? 0) + 1
        nextID[path] = id
        for dialect in dialects {
            let table = try mapping(dialect).existingTable(path: path)
            var names = ["_odata_id", "_odata_state"]
            var items = [
                SQLText(argument: .integer(id)), SQLText(argument: .integer(state.rawValue)),
            ]
            if let column = table.system.parent, let parent {
                names.append(column)
                items.append(SQLText(argument: .integer(parent)))
            }
            if let column = table.system.type, value.type != table.structure {
                names.append(column)
                items.append(SQLText(argument: .text(graph[value.type].qualifiedName)))
            }
            for assignment in try RowEncoder(table: table, graph: graph).assignments(for: value) {
                let column = assignment.column
                names.append(column.name)
                items.append(try dialect.written(assignment.arguments[0], as: column.encoding))
                for (name, argument) in zip(column.storedColumns, assignment.arguments).dropFirst()
                {
                    names.append(name)
                    items.append(SQLText(argument: argument))
                }
            }
            try insert(names, items, table.name, dialect)
        }
        return id
    }

    func link(_ name: String, _ source: Int64, _ target: Int64) throws {
        for dialect in [SQLDialect.sqlite, .postgreSQL] {
            try insert(
                ["source", "target"],
                [SQLText(argument: .integer(source)), SQLText(argument: .integer(target))], name,
                dialect)
        }
    }

    private func insert(
        _ names: [String], _ items: [SQLText], _ table: String, _ dialect: SQLDialect
    ) throws {
        let columns = names.map { "\(name: $0)" as SQLText }.joined(", ")
        let sql: SQLText =
            "INSERT INTO \(name: table) (\(columns)) VALUES (\(items.joined(", ")))"
        _ = try run(sql.statement(dialect), dialect)
    }

    /// A value of a type from property names.
    func value(_ type: String, _ properties: [String: ODataValue]) throws -> StructureValue {
        guard let id = graph.structure(named: "Shop." + type) else {
            throw ODataError(.unknownName, "no type")
        }
        var value = StructureValue(type: id, in: graph)
        for (name, property) in properties {
            guard let slot = graph[id].slot(named: name) else {
                throw ODataError(.unknownName, "no property", at: .path(name))
            }
            value.slots[slot] = property
        }
        return value
    }
}
