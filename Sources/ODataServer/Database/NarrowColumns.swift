import GRDB
import ODataQuery
import ODataSQL

/// The columns of types narrower than their column that an index begins with.
///
/// What lies beyond the type is null in filters and orders, and the expression that makes it so keeps SQLite from its
/// indexes. Two steps into the index tell whether there is such a value at all; where there is none, the column is
/// written as it is.
package struct NarrowColumns: Sendable {
    /// Positions in the columns of each table.
    private let positions: [TableID: [Int]]

    /// None.
    package init() { positions = [:] }

    package init(_ schema: DatabaseSchema, _ mapping: SchemaMapping) {
        var positions: [TableID: [Int]] = [:]
        for table in mapping.tables {
            guard let source = schema.tables.first(where: { $0.name == table.name }) else {
                continue
            }
            let found = table.columns.indices.filter {
                table.columns[$0].range != nil
                    && source.indexed.contains(table.columns[$0].name.lowercased())
            }
            if !found.isEmpty { positions[table.id] = found }
        }
        self.positions = positions
    }

    /// Whether the mapping for a query depends on what the database holds now.
    func concerns(_ query: Query, _ mapping: SchemaMapping) -> Bool {
        guard !positions.isEmpty, case .entitySet(let name)? = query.path.segments.first,
            let table = mapping.table(path: name)
        else { return false }
        return positions[table.id] != nil
    }

    /// As ``concerns(_:_:)`` for all queries that begin with the set of a table.
    func concerns(_ table: TableMapping) -> Bool {
        !positions.isEmpty && positions[table.id] != nil
    }

    /// The mapping for reading the entity set that a query begins with, as the database is now.
    package func mapping(
        for query: Query, _ mapping: SchemaMapping, in database: Database
    ) throws -> SchemaMapping {
        guard case .entitySet(let name)? = query.path.segments.first,
            let table = mapping.table(path: name), let positions = positions[table.id]
        else { return mapping }
        var result = mapping
        for position in positions {
            guard let range = table.columns[position].range else { continue }
            let column = SQLName.quoted(table.columns[position].name)
            let beyond = ["< \(range.lowerBound)", "> \(range.upperBound)"].map {
                "EXISTS (SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE \(column) \($0))"
            }
            let statement = try database.cachedStatement(
                sql: "SELECT \(beyond.joined(separator: " OR "))")
            if try Bool.fetchOne(statement) == false {
                result.tables[table.id.index].columns[position].range = nil
            }
        }
        return result
    }
}
