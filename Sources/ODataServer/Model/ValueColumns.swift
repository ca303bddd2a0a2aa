import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Turns the properties of an entity into what columns hold: one value for each, complex values flattened or as JSON.
struct ValueColumns {
    let graph: MetadataGraph

    typealias Assignment = EntityChanges.Assignment

    /// The columns that the value sets itself.
    ///
    /// - Parameter old: the text in a column of the row as it is, for values of which the request brings a part only.
    func assignments(
        _ value: StructureValue, in table: TableMapping,
        old: (ODataSQL.ColumnMapping) throws -> String? = { _ in nil }
    ) throws -> [Assignment] {
        var result: [Assignment] = []
        result.reserveCapacity(table.columns.count)
        // By position: most columns are not set, and a copy of one is of all that is known of it.
        for position in table.columns.indices where table.columns[position].isWritable {
            guard graph.isA(value.type, table.columns[position].owner),
                var member = Self.member(table.columns[position].slots, of: value)
            else { continue }
            let column = table.columns[position]
            if column.encoding == .json, case .structure(let part) = member,
                let text = try old(column)
            {
                member = try merged(part, into: text, column)
            }
            result.append((column, try scalar(member, of: column)))
        }
        if table.system.dynamic != nil, !value.dynamicValues.isEmpty {
            let column = dynamicColumn(of: table)
            var values = value.dynamicValues
            if let text = try old(column) {
                values = try StoredJSON(graph: graph).dynamicValues(text)
                    .merging(values) { _, new in new }
            }
            let text = try StoredJSON(graph: graph).dynamicText(values.filter { !$0.value.isNull })
            result.append((column, .string(text)))
        }
        return result
    }

    /// The type of a new row, where it is not the declared one, and the row that it is part of.
    func identity(
        of value: StructureValue, in table: TableMapping, parent: Int64?
    ) -> [Assignment] {
        var result: [Assignment] = []
        if let name = table.system.type, value.type != table.structure {
            result.append(
                (column(name, .string, of: table), .string(graph[value.type].qualifiedName)))
        }
        if let name = table.system.parent, let parent {
            result.append((column(name, .integer, of: table), .integer(parent)))
        }
        return result
    }

    func dynamicColumn(of table: TableMapping) -> ODataSQL.ColumnMapping {
        column(table.system.dynamic ?? "", .json, of: table)
    }

    private func column(
        _ name: String, _ encoding: ColumnEncoding, of table: TableMapping
    ) -> ODataSQL.ColumnMapping {
        ODataSQL.ColumnMapping(
            path: name, slots: [], owner: table.structure,
            type: TypeReference(.primitive(encoding == .integer ? .int64 : .string)),
            encoding: encoding, name: name)
    }

    /// The value at the end of the slots, null below a null; nil where it is not set.
    private static func member(_ slots: [Int], of value: StructureValue) -> ODataValue? {
        if slots.count == 1 {
            return value.slots.indices.contains(slots[0]) ? value.slots[slots[0]] : nil
        }
        var current = value
        for (depth, slot) in slots.enumerated() {
            guard current.slots.indices.contains(slot), let member = current.slots[slot] else {
                return nil
            }
            if depth == slots.count - 1 { return member }
            guard case .structure(let inner) = member else { return .null }
            current = inner
        }
        return nil
    }

    private func scalar(_ value: ODataValue, of column: ODataSQL.ColumnMapping) throws -> Scalar {
        if value.isNull { return .null }
        switch column.encoding {
        case .presence: return .boolean(true)
        case .json: return .string(try StoredJSON(graph: graph).text(value, type: column.type))
        default:
            guard let scalar = value.scalar else {
                throw ODataError(
                    .invalidPayload, "Expected a primitive value.", at: .path(column.path),
                    status: 400)
            }
            return scalar
        }
    }

    /// A complex value in one column keeps what a change of it leaves out (Protocol 4.01, section 11.4.3).
    private func merged(
        _ part: StructureValue, into text: String, _ column: ODataSQL.ColumnMapping
    ) throws -> ODataValue {
        guard
            case .structure(var old) = try StoredJSON(graph: graph).value(text, type: column.type),
            old.type == part.type
        else { return .structure(part) }
        for (slot, value) in part.slots.enumerated() where value != nil { old.slots[slot] = value }
        old.dynamicValues.merge(part.dynamicValues) { _, new in new }
        return .structure(old)
    }
}
