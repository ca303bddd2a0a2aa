import ODataModel

/// How changed values lie over a value (Protocol 4.01, 11.4.3: complex values merge, all others replace).
package enum StructureMerge {
    private static let maximumDepth = 64

    /// `base` with every slot that `change` sets.
    package static func merge(
        _ change: StructureValue, over base: StructureValue, depth: Int = 0
    ) -> StructureValue {
        var result = base
        for slot in change.slots.indices where slot < result.slots.count {
            guard let value = change.slots[slot] else { continue }
            result.slots[slot] = merge(value, over: result.slots[slot], depth: depth)
        }
        result.dynamicValues.merge(change.dynamicValues) { $1 }
        return result
    }

    /// The state after an update that names all values: slots that `change` leaves out become null, keys and
    /// navigation properties stay.
    package static func replace(
        with change: StructureValue, over base: StructureValue, graph: MetadataGraph
    ) -> StructureValue {
        var result = base
        let definition = graph[base.type]
        let keys = Set(definition.key.map { $0.path.split(separator: "/").first.map(String.init) })
        for (slot, property) in definition.properties.enumerated()
        where slot < result.slots.count && !property.isNavigation {
            if let value = slot < change.slots.count ? change.slots[slot] : nil {
                result.slots[slot] = value
            } else if !keys.contains(property.name), result.slots[slot] != nil {
                result.slots[slot] = property.type.isCollection ? .list([]) : .null
            }
        }
        result.dynamicValues = change.dynamicValues
        return result
    }

    private static func merge(
        _ change: ODataValue, over base: ODataValue?, depth: Int
    ) -> ODataValue {
        guard depth < maximumDepth, case .structure(let changed) = change,
            case .structure(let old)? = base, changed.type == old.type
        else { return change }
        return .structure(merge(changed, over: old, depth: depth + 1))
    }
}
