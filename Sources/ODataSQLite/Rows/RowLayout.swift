import ODataModel
import ODataQuery
import ODataSQL

/// Where the slots of each type of row come from, worked out once per query.
package final class RowLayout: Sendable {
    /// Where the value of a slot comes from.
    enum Source: Sendable {
        /// The query does not read it.
        case absent
        case column(ResultShape.Column, isNullable: Bool)
        /// A flattened complex value: its type, its presence column, and its members.
        indirect case complex(StructureID, presence: Int?, members: [Source])
    }

    let graph: MetadataGraph
    let table: TableMapping
    let shape: ResultShape
    let json: StoredJSON
    /// The types that rows may be of, the table's own first.
    let types: [StructureID]
    /// Positions in ``types`` by qualified name, for the type column.
    private let ordinals: [String: Int]
    /// By position in ``types``.
    let sources: [[Source]]
    let codes: [[SlotCode]]

    package init(shape: ResultShape, mapping: SchemaMapping) {
        graph = mapping.graph
        table = mapping[shape.table]
        self.shape = shape
        json = StoredJSON(graph: graph)
        let family = shape.type == nil ? [table.structure] : graph.familyOf(table.structure)
        types = family
        ordinals = Dictionary(
            zip(family.map { mapping.graph[$0].qualifiedName }, family.indices)
        ) { first, _ in first }
        sources = family.map { Self.sources(of: $0, shape: shape, graph: mapping.graph) }
        codes = sources.map { $0.map(SlotCode.init) }
    }

    /// The path of the table that the rows are of.
    package var tablePath: String { table.path }

    /// The position in ``types`` of a type of this name; the table's own when there is none.
    func ordinal(named name: String) -> Int { ordinals[name] ?? 0 }

    private static func sources(
        of type: StructureID, shape: ResultShape, graph: MetadataGraph
    ) -> [Source] {
        let columns = shape.columns.filter { graph.isA(type, $0.mapping.owner) }
        return sources(of: type, prefix: [], columns: columns, graph: graph)
    }

    private static func sources(
        of type: StructureID, prefix: [Int], columns: [ResultShape.Column], graph: MetadataGraph
    ) -> [Source] {
        var result = Array(repeating: Source.absent, count: graph[type].properties.count)
        let depth = prefix.count
        var bySlot: [Int: [ResultShape.Column]] = [:]
        for column in columns where column.mapping.slots.count > depth {
            bySlot[column.mapping.slots[depth], default: []].append(column)
        }
        for (slot, group) in bySlot where result.indices.contains(slot) {
            let property = graph[type].properties[slot]
            if let whole = group.first(where: {
                $0.mapping.slots.count == depth + 1 && $0.mapping.encoding != .presence
            }) {
                result[slot] = .column(whole, isNullable: property.type.isNullable)
                continue
            }
            guard let complex = property.type.structure else { continue }
            let presence = group.first { $0.mapping.slots.count == depth + 1 }
            let members = sources(
                of: complex, prefix: prefix + [slot], columns: group, graph: graph)
            result[slot] = .complex(complex, presence: presence?.index, members: members)
        }
        return result
    }
}
