import ODataModel
import ODataText

/// What is looked at, and put right, in entities that a service answered with.
package struct ResultChecks: Sendable, Hashable {
    /// Refuse null where the model says that there is a value, and entities without their key.
    package var isStrict = false
    /// A property that did not come is null where it may be.
    package var addsNulls = false
    /// A collection that did not come is empty.
    package var addsEmptyLists = false
    /// The query named the properties that it wants: the others are missing on purpose.
    package var isSelective = false

    private static let maximumDepth = 64

    package init(
        isStrict: Bool = false, addsNulls: Bool = false, addsEmptyLists: Bool = false,
        isSelective: Bool = false
    ) {
        self.isStrict = isStrict
        self.addsNulls = addsNulls
        self.addsEmptyLists = addsEmptyLists
        self.isSelective = isSelective
    }

    package var hasWork: Bool { isStrict || addsNulls || addsEmptyLists }

    /// - Throws: `invalidPayload` that names the property; never its value.
    package func apply(to value: inout StructureValue, in graph: MetadataGraph, depth: Int = 0)
        throws
    {
        guard hasWork, depth < Self.maximumDepth else { return }
        let definition = graph[value.type]
        let keys = Set(definition.key.compactMap { definition.slot(named: $0.path) })
        for (slot, property) in definition.properties.enumerated() where slot < value.slots.count {
            switch value.slots[slot] {
            case nil:
                guard !isSelective || depth > 0 else { continue }
                fill(&value, slot, property)
                if isStrict, depth == 0, keys.contains(slot), value.slots[slot] == nil {
                    throw missing("a value of the key", definition, property)
                }
            case .scalar(.null)?:
                guard isStrict, !property.type.isNullable, !property.isNavigation else { continue }
                throw missing("a value", definition, property)
            case .structure(var nested)?:
                try apply(to: &nested, in: graph, depth: depth + 1)
                value.slots[slot] = .structure(nested)
            case .list(let items)? where property.type.structure != nil:
                value.slots[slot] = .list(
                    try items.map { item in
                        guard case .structure(var nested) = item else { return item }
                        try apply(to: &nested, in: graph, depth: depth + 1)
                        return .structure(nested)
                    })
            default: continue
            }
        }
    }

    private func fill(_ value: inout StructureValue, _ slot: Int, _ property: PropertyDefinition) {
        // What nested entities left out may have been left out by a nested selection.
        guard !property.isNavigation, property.type.primitive != .stream else { return }
        if property.type.isCollection {
            if addsEmptyLists { value.slots[slot] = .list([]) }
        } else if addsNulls, property.type.isNullable {
            value.slots[slot] = .null
        }
    }

    private func missing(
        _ what: String, _ type: StructureDefinition, _ property: PropertyDefinition
    ) -> ODataError {
        ODataError(
            .invalidPayload, "Expected \(what) in the answer, found none.",
            at: .path("\(type.qualifiedName)/\(property.name)"))
    }
}
