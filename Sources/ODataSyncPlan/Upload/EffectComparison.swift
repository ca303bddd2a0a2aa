import ODataModel

/// Whether an entity shows the values that a request sent (pure).
struct EffectComparison {
    let graph: MetadataGraph
    private static let maximumDepth = 64

    /// True when something was sent that can be compared, and all of it is there. What the service computes, and
    /// navigation properties, are not compared.
    func shows(_ sent: StructureValue, in found: StructureValue) -> Bool {
        let slots = comparedSlots(of: sent)
        return !slots.isEmpty && shows(slots, of: sent, in: found, depth: 0)
    }

    private func comparedSlots(of sent: StructureValue) -> [Int] {
        sent.slots.indices.filter { slot in
            let property = graph[sent.type].properties[slot]
            return sent.slots[slot] != nil && !property.isNavigation
                && property.type.primitive != .stream
                && property.annotations.flag("Org.OData.Core.V1.Computed") != true
        }
    }

    private func shows(
        _ slots: [Int], of sent: StructureValue, in found: StructureValue, depth: Int
    ) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        let names = slots.map { graph[sent.type].properties[$0].name }
        let areAlike = zip(slots, names).allSatisfy { slot, name in
            let other = graph[found.type].slot(named: name).flatMap { found.slots[$0] }
            return alike(sent.slots[slot] ?? .null, other ?? .null, depth: depth)
        }
        return areAlike
            && sent.dynamicValues.allSatisfy { name, value in
                alike(value, found.dynamicValues[name] ?? .null, depth: depth)
            }
    }

    private func alike(_ sent: ODataValue, _ found: ODataValue, depth: Int) -> Bool {
        switch (sent, found) {
        case (.scalar(let left), .scalar(let right)):
            left == right || ComparableScalar(left) == ComparableScalar(right)
        case (.structure(let left), .structure(let right)):
            shows(comparedSlots(of: left), of: left, in: right, depth: depth + 1)
        case (.list(let left), .list(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { alike($0, $1, depth: depth + 1) }
        default: false
        }
    }
}
