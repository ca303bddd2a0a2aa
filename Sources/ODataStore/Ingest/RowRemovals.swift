import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Takes rows away with what hangs on them: their links and the rows they contain.
struct RowRemovals {
    let table: TableMapping
    let mapping: SchemaMapping
    let database: Database

    private var idColumn: String { SQLName.quoted(table.system.id ?? "_odata_id") }

    func delete(id: Int64) throws { try delete(id: id, from: table, depth: 0) }

    private func delete(id: Int64, from table: TableMapping, depth: Int) throws {
        for link in mapping.linkTables {
            if link.source == table.id { try execute("DELETE", link.name, "source", id) }
            if link.target == table.id { try execute("DELETE", link.name, "target", id) }
        }
        if depth < Self.maximumDepth {
            for child in mapping.tables where child.parent == table.id {
                guard let parent = child.system.parent, let column = child.system.id else {
                    continue
                }
                let ids = try Int64.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT \(SQLName.quoted(column)) FROM \(SQLName.quoted(child.name))"
                            + " WHERE \(SQLName.quoted(parent)) = ?"), arguments: [id])
                for id in ids { try delete(id: id, from: child, depth: depth + 1) }
            }
        }
        try RowNumbers(table: table, database: database).leaves(id)
        try execute("DELETE", table.name, table.system.id ?? "_odata_id", id)
    }

    private func execute(_ verb: String, _ table: String, _ column: String, _ id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "\(verb) FROM \(SQLName.quoted(table)) WHERE \(SQLName.quoted(column)) = ?")
        try statement.execute(arguments: [id])
    }

    func state(id: Int64) throws -> EntityState {
        guard let column = table.system.state else { return [] }
        let statement = try database.cachedStatement(
            sql: "SELECT \(SQLName.quoted(column)) FROM \(SQLName.quoted(table.name))"
                + " WHERE \(idColumn) = ?")
        return EntityState(rawValue: try Int64.fetchOne(statement, arguments: [id]) ?? 0)
    }

    /// Marks the base image of a locally changed row as removed by the service; a row that has none was never there.
    func buryBase(id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE \(SQLName.quoted("_odata_base_" + table.name)) SET _odata_base_kind = 1"
                + " WHERE \(idColumn) = ?")
        try statement.execute(arguments: [id])
    }

    /// The key of an entity id such as `http://h/svc/Tools(7)` as column values; nil when it is none of the table.
    func keyArguments(ofID id: String, graph: MetadataGraph) -> [SQLArgument]? {
        guard let key = table.key(ofID: id, in: graph) else { return nil }
        return try? RowEncoder(table: table, graph: graph).keyArguments(key)
    }

    /// A row's JSON object with the key members that its id tells; nil when it is no object or the id tells none.
    func withKey(
        ofID id: String, _ row: UnsafeRawBufferPointer, _ graph: MetadataGraph
    ) -> [UInt8]? {
        guard row.first == UInt8(ascii: "{"), table.keys.allSatisfy({ !$0.path.contains("/") }),
            let key = table.key(ofID: id, in: graph)
        else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        for (column, scalar) in zip(table.keys, key) {
            writer.name(column.path)
            if case .boolean(let value) = scalar {
                writer.boolean(value)
            } else {
                writer.string(Lexical.text(scalar))
            }
        }
        var bytes = Array(writer.text.utf8)
        let rest = row.dropFirst().drop { $0 == 32 || $0 == 10 || $0 == 13 || $0 == 9 }
        if rest.first != UInt8(ascii: "}") { bytes.append(UInt8(ascii: ",")) }
        return bytes + rest
    }

    static let maximumDepth = 8
}
