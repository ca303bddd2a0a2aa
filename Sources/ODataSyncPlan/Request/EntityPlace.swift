import ODataModel

/// Where an entity is: what its URL is made of (URL Conventions 4.01, sections 4.3 to 4.11).
package struct EntityPlace: Sendable {
    package typealias ID = ObjectIdentifier

    /// The entity of the caller, where others of the same call refer to it.
    package var id: ID?
    /// The model that ``type`` and ``set`` are of.
    package var graph: MetadataGraph
    package var type: StructureID
    package var set: EntitySetID?
    /// In key order; shorter than the key where values are missing.
    package var key: [Scalar]
    /// Its edit or read link, relative to the service root where possible.
    package var link: String?
    package var parent: Parent

    /// What it was created beneath.
    package indirect enum Parent: Sendable {
        case none
        case entity(EntityPlace, PropertyDefinition)
    }

    package init(
        id: ID? = nil, graph: MetadataGraph, type: StructureID, set: EntitySetID?,
        key: [Scalar] = [], link: String? = nil, parent: Parent = .none
    ) {
        self.id = id
        self.graph = graph
        self.type = type
        self.set = set
        self.key = key
        self.link = link
        self.parent = parent
    }

    /// The place of an entity that was read.
    package init(
        of value: StructureValue, in set: EntitySetID?, graph: MetadataGraph, id: ID? = nil
    ) {
        let control = value.control
        self.init(
            id: id, graph: graph, type: value.type, set: set,
            key: Self.key(of: value, in: graph),
            link: control.editLink ?? control.readLink ?? control.id)
    }

    /// True when every part of the key is known.
    package var hasKey: Bool { !key.isEmpty && key.count == graph[type].key.count }

    /// The values of the key that an entity has, in key order.
    package static func key(of value: StructureValue, in graph: MetadataGraph) -> [Scalar] {
        graph[value.type].key.compactMap { part in
            var current = value
            var found: ODataValue?
            for name in part.path.split(separator: "/") {
                found = graph[current.type].slot(named: String(name)).flatMap { slot in
                    slot < current.slots.count ? current.slots[slot] : nil
                }
                if let next = found?.structure { current = next }
            }
            return found?.scalar
        }
    }
}
