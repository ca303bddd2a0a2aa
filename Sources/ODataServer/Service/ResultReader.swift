import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Reads entities by compiled queries: one statement for the rows and one for each expanded navigation property and
/// level, whatever the number of rows.
struct ResultReader {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    private var mapping: SchemaMapping { exchange.model.mapping }
    private var database: Database { exchange.database }

    /// The entities of a query whose path is an entity set.
    func rows(_ query: Query, of table: TableMapping) throws -> [StructureValue] {
        let plan = try QueryCompiler(mapping: mapping).compile(query)
        guard let statement = plan.statement else { return [] }
        var values = try read(statement, plan.shape).map(\.value)
        try expand(plan.expands, below: &values, of: mapping[plan.table])
        return values
    }

    /// How many entities there are before paging.
    func count(_ query: Query, of target: RowTarget) throws -> Int64 {
        guard !target.isEmpty else { return 0 }
        var query = query
        query.includesCount = true
        query.top = 0
        guard let statement = try QueryCompiler(mapping: mapping).compile(query).countStatement
        else { return 0 }
        return try Int64.fetchOne(
            try database.cachedStatement(sql: statement.text), arguments: statement.bindings) ?? 0
    }

    /// Rows with the position of the parent they belong to (0 without parents).
    private func read(_ statement: SQLStatement, _ shape: ODataSQL.RowShape) throws
        -> [(parent: Int, value: StructureValue)]
    {
        // Statements with long lists come in too many shapes to be kept.
        let prepared =
            statement.arguments.count <= Self.maximumCachedArguments
            ? try database.cachedStatement(sql: statement.text)
            : try database.makeStatement(sql: statement.text)
        let cursor = try Row.fetchCursor(prepared, arguments: statement.bindings)
        let slots = exchange.graph[shape.structure].properties.count
        var rows: [(parent: Int, value: StructureValue)] = []
        while let row = try cursor.next() {
            var value = StructureValue(
                type: shape.structure, slots: Array(repeating: nil, count: slots))
            for column in shape.columns {
                guard let slot = column.mapping.slots.first else { continue }
                value.slots[slot] = .scalar(try Self.scalar(row, column))
            }
            rows.append((shape.parentRow.map { row[$0] } ?? 0, value))
        }
        return rows
    }

    private static func scalar(_ row: Row, _ column: ODataSQL.RowShape.Column) throws -> Scalar {
        do {
            return try column.mapping.encoding.scalar(
                from: SQLArgument(row[column.index] as DatabaseValue))
        } catch var error as ODataError {
            error.location = .path(column.mapping.path)
            throw error
        }
    }

    /// Puts related entities into the slots of their navigation properties.
    private func expand(
        _ plans: [ExpandPlan], below parents: inout [StructureValue], of table: TableMapping
    ) throws {
        guard !parents.isEmpty else { return }
        for plan in plans {
            guard let slot = plan.navigation.slots.first else { continue }
            let keys = try identities(of: parents, in: table)
            if plan.kind != .count {
                var children = plan.statement == nil ? [] : try children(plan, keys)
                var values = children.map(\.value)
                try expand(plan.children, below: &values, of: mapping[plan.table])
                for position in children.indices { children[position].value = values[position] }
                attach(
                    children, to: &parents, slot: slot, isCollection: plan.navigation.isCollection)
            }
            guard let statement = plan.countStatement else { continue }
            let name = plan.navigation.path
            for position in parents.indices { parents[position].control.counts[name] = 0 }
            let bound = statement.bound(parentRows: keys)
            let counts = try Row.fetchAll(
                try database.cachedStatement(sql: bound.text), arguments: bound.bindings)
            for row in counts {
                let position: Int = row[0]
                guard parents.indices.contains(position) else { continue }
                parents[position].control.counts[name] = row[1]
            }
        }
    }

    private func children(_ plan: ExpandPlan, _ keys: String) throws
        -> [(parent: Int, value: StructureValue)]
    {
        guard let statement = plan.statement else { return [] }
        return try read(statement.bound(parentRows: keys), plan.shape)
    }

    private func attach(
        _ children: [(parent: Int, value: StructureValue)], to parents: inout [StructureValue],
        slot: Int, isCollection: Bool
    ) {
        var lists: [[ODataValue]] = Array(repeating: [], count: parents.count)
        for child in children where lists.indices.contains(child.parent) {
            lists[child.parent].append(.structure(child.value))
        }
        for position in parents.indices {
            parents[position].slots[slot] =
                isCollection ? .list(lists[position]) : lists[position].first ?? .null
        }
    }

    /// The parents' keys as a JSON array of arrays, in the form of the key columns.
    private func identities(of parents: [StructureValue], in table: TableMapping) throws -> String {
        var writer = JSONWriter()
        writer.beginArray()
        for parent in parents {
            writer.beginArray()
            for (column, scalar) in zip(
                table.keys, try EntityTagger.key(of: parent, in: table))
            {
                switch try column.encoding.arguments(for: scalar)[0] {
                case .integer(let number): writer.integer(number)
                case .text(let text): writer.string(text)
                default:
                    throw ODataError(.storage, "Expected keys of integers and texts.")
                }
            }
            writer.endArray()
        }
        writer.endArray()
        return writer.text
    }

    private static let maximumCachedArguments = 64
}

extension SQLStatement {
    /// The bound values as GRDB takes them.
    var bindings: StatementArguments { StatementArguments(arguments.map(\.databaseValue)) }
}

/// The functions that compiled queries call.
enum ServiceFunctions {
    static func register(in database: Database) throws {
        database.add(
            function: DatabaseFunction("_odata_lower", argumentCount: 1, pure: true) {
                String.fromDatabaseValue($0[0])?.lowercased()
            })
        database.add(
            function: DatabaseFunction("_odata_upper", argumentCount: 1, pure: true) {
                String.fromDatabaseValue($0[0])?.uppercased()
            })
    }
}
