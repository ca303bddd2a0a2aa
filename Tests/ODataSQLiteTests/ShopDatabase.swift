import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ShopFixture

/// The shop's tables in a file of their own, deleted with the value.
final class ShopDatabase {
    let path: String
    let mapping: SchemaMapping
    let pool: DatabasePool

    init() throws {
        let folder = FileManager.default.temporaryDirectory
        path = folder.appendingPathComponent("shop-\(UUID().uuidString).sqlite").path
        mapping = try Shop.mapping()
        var configuration = Configuration()
        // As stores have it: a writer may meet a reader that is just looking at the log's header.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { SQLFunctions.register(in: $0) }
        pool = try DatabasePool(path: path, configuration: configuration)
        let ddl = mapping.ddl
        try pool.write { database in
            for statement in ddl { try database.execute(sql: statement) }
        }
    }

    deinit {
        try? pool.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    var graph: MetadataGraph { mapping.graph }

    /// A value of a type from property names; nested complex values as values.
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

    /// Inserts a row and gives its internal id.
    @discardableResult
    func insert(
        _ path: String, _ value: StructureValue, parent: Int64? = nil, state: EntityState = [],
        etag: String? = nil
    ) throws -> Int64 {
        let table = try mapping.existingTable(path: path)
        let assignments = try RowEncoder(table: table, graph: graph).assignments(for: value)
        var names = ["_odata_state", "_odata_etag"]
        var arguments: [SQLArgument] = [
            .integer(state.rawValue), etag.map { .text($0) } ?? .null,
        ]
        if let column = table.system.parent {
            names.append(column)
            arguments.append(parent.map { .integer($0) } ?? .null)
        }
        if let column = table.system.type, value.type != table.structure {
            names.append(column)
            arguments.append(.text(graph[value.type].qualifiedName))
        }
        for assignment in assignments {
            names += assignment.column.storedColumns
            arguments += assignment.arguments
        }
        let columns = names.map { SQLName.quoted($0) }.joined(separator: ", ")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let statement = SQLStatement(
            text: "INSERT INTO \(SQLName.quoted(table.name)) (\(columns)) VALUES (\(marks))",
            arguments: arguments)
        return try pool.write { database in
            let raw = try RawStatement(statement, in: database)
            _ = try raw.step()
            return database.lastInsertedRowID
        }
    }

    func run(_ url: String, dialect: Dialect = .v401) throws -> ResultPage {
        try run(URLParser.parse(url, graph: graph, dialect: dialect))
    }

    func run(_ query: Query) throws -> ResultPage {
        let reader = QueryReader(mapping: mapping)
        return try pool.read { try reader.run(query, in: $0) }
    }

    /// The integer keys of the rows, in order.
    func ids(_ url: String) throws -> [Int64] {
        try run(url).values.map { value in
            guard case .integer(let id)? = value.slots[0]?.scalar else { return -1 }
            return id
        }
    }
}

extension ODataValue {
    static func text(_ text: String) -> ODataValue { .scalar(.string(text)) }
    static func int(_ value: Int64) -> ODataValue { .scalar(.integer(value)) }
    static func decimal(_ text: String) -> ODataValue {
        DecimalNumber(text).map { .scalar(.decimal($0)) } ?? .null
    }
    static func instant(_ text: String) -> ODataValue {
        OffsetDateTime(text).map { .scalar(.dateTimeOffset($0)) } ?? .null
    }
}
