import ODataModel
import ODataText

/// Turns the properties of a value into the bound values of a table's columns.
package struct RowEncoder: Sendable {
    let graph: MetadataGraph
    let table: TableMapping
    private let json: StoredJSON

    package init(table: TableMapping, graph: MetadataGraph) {
        self.table = table
        self.graph = graph
        json = StoredJSON(graph: graph)
    }

    /// A column to write with its values.
    package struct Assignment: Sendable, Hashable {
        package var column: ColumnMapping
        /// One value for each of ``ColumnMapping/storedColumns``.
        package var arguments: [SQLArgument]
    }

    /// The columns of every property that is set, in the table's order.
    package func assignments(for value: StructureValue) throws -> [Assignment] {
        try table.columns.compactMap { column in
            try arguments(for: column, in: value).map { Assignment(column: column, arguments: $0) }
        }
    }

    /// The values of one column and its companions; nil where the property is not set.
    package func arguments(
        for column: ColumnMapping, in value: StructureValue
    ) throws -> [SQLArgument]? {
        guard graph.isA(value.type, column.owner) else { return nil }
        var current = value
        for (depth, slot) in column.slots.enumerated() {
            guard current.slots.indices.contains(slot), let member = current.slots[slot] else {
                return nil
            }
            if depth == column.slots.count - 1 { return try arguments(for: column, value: member) }
            switch member {
            case .structure(let structure): current = structure
            default: return try column.encoding.arguments(for: .null)
            }
        }
        return nil
    }

    /// The stored form of one column's value, as it compares.
    package func comparedArgument(
        _ column: ColumnMapping, _ value: StructureValue
    ) throws -> SQLArgument {
        guard let arguments = try arguments(for: column, in: value) else { return .null }
        return column.orderColumn == nil ? arguments[0] : arguments[1]
    }

    /// The values of one column for this property value: one for each stored column.
    package func arguments(
        for column: ColumnMapping, value: ODataValue
    ) throws -> [SQLArgument] {
        // Columns of existing databases have no companions.
        let arguments = try encoded(column, value)
        let count = column.storedCount
        return arguments.count > count ? Array(arguments.prefix(count)) : arguments
    }

    private func encoded(_ column: ColumnMapping, _ value: ODataValue) throws -> [SQLArgument] {
        do {
            switch (column.encoding, value) {
            case (_, .scalar(.null)): return try column.encoding.arguments(for: .null)
            case (.presence, _): return [.integer(1)]
            case (.json, _): return [.text(try json.text(value, type: column.type))]
            case (_, .scalar(let scalar)): return try column.encoding.arguments(for: scalar)
            default: throw ODataError(.invalidValue, "Expected a primitive value.")
            }
        } catch var error as ODataError {
            error.location = .path(column.path)
            throw error
        }
    }

    /// The key properties' values as they compare in ``TableMapping/uniqueColumns``, the parent left out.
    package func keyArguments(_ key: [Scalar]) throws -> [SQLArgument] {
        guard key.count == table.keyColumns.count else {
            throw ODataError(
                .invalidQuery,
                "Expected \(table.keyColumns.count) key values, found \(key.count).",
                at: .path(table.path))
        }
        return try zip(table.keys, key).map { column, scalar in
            let arguments = try column.encoding.arguments(for: scalar)
            return column.orderColumn == nil ? arguments[0] : arguments[1]
        }
    }
}
