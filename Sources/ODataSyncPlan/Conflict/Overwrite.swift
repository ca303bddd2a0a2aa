import ODataModel

/// One side's state that a decision about a conflict puts in the place of the other's.
package struct Overwrite: Sendable, Hashable {
    package enum Side: String, Sendable, Hashable {
        /// What the service had is overwritten.
        case service
        /// What was changed here is overwritten.
        case local
    }

    package var request: Int64
    package var row: RowReference
    /// The name of the policy that decided.
    package var policy: String
    package var side: Side
    /// The row before and after; nil where there is none.
    package var before: StructureValue?
    package var after: StructureValue?

    package init(
        request: Int64, row: RowReference, policy: String, side: Side, before: StructureValue?,
        after: StructureValue?
    ) {
        self.request = request
        self.row = row
        self.policy = policy
        self.side = side
        self.before = before
        self.after = after
    }

    /// The properties that are different afterwards, in the order of the type; all of a row that comes or goes.
    package func properties(in graph: MetadataGraph) -> [String] {
        guard let type = (before ?? after)?.type else { return [] }
        return graph[type].properties.enumerated().compactMap { slot, property in
            guard !property.isNavigation, property.type.primitive != .stream else { return nil }
            let (old, new) = (Self.value(slot, before), Self.value(slot, after))
            return old == new ? nil : property.name
        }
    }

    /// Before and after without what stayed the same.
    package func difference(
        in graph: MetadataGraph
    ) -> (before: StructureValue?, after: StructureValue?) {
        let names = Set(properties(in: graph))
        func cut(_ value: StructureValue?) -> StructureValue? {
            guard var value else { return nil }
            for (slot, property) in graph[value.type].properties.enumerated()
            where slot < value.slots.count && !names.contains(property.name) {
                value.slots[slot] = nil
            }
            value.control = ControlInformation()
            return value
        }
        return (cut(before), cut(after))
    }

    private static func value(_ slot: Int, _ value: StructureValue?) -> ODataValue {
        guard let value, slot < value.slots.count else { return .null }
        return value.slots[slot] ?? .null
    }
}

extension Overwrite {
    /// The URL of the row relative to the service root, or the name of its set where the key is not known.
    package func name(in graph: MetadataGraph) -> String {
        guard let values = before ?? after else { return row.table }
        let key = EntityPlace.key(of: values, in: graph)
        let urls = EntityURL(graph: graph, dialect: Dialect.of(graph.version))
        return (try? urls.text(set: row.table, key: key)) ?? row.table
    }

    /// One sentence without values.
    package func sentence(in graph: MetadataGraph) -> String {
        let properties = properties(in: graph).joined(separator: ", ")
        let place = side == .service ? "the service's" : "the local"
        switch (before == nil, after == nil) {
        case (_, true): return "\(policy): \(place) \(name(in: graph)) is deleted"
        case (true, _): return "\(policy): \(place) \(name(in: graph)) is made again"
        default: return "\(policy): \(place) \(name(in: graph)) is overwritten: \(properties)"
        }
    }
}
