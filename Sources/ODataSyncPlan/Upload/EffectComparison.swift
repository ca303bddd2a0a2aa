import ODataModel

/// Whether an entity shows the values that a request sent (pure).
struct EffectComparison {
    let graph: MetadataGraph
    private static let maximumDepth = 64

    /// True when something was sent that can be compared, and all of it is there. What the service computes, and
    /// navigation properties, are not compared.
    func shows(_ sent: StructureValue, in found: StructureValue) -> Bool {
        let slots = graph.comparedSlots(of: sent)
        return !slots.isEmpty && shows(slots, of: sent, in: found, depth: 0)
    }

    private func shows(
        _ slots: [Int], of sent: StructureValue, in found: StructureValue, depth: Int
    ) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        return slots.allSatisfy {
            alike(
                sent.slots[$0] ?? .null, graph.value(of: $0, of: sent, in: found), depth: depth)
        }
            && sent.dynamicValues.allSatisfy { name, value in
                alike(value, found.dynamicValues[name] ?? .null, depth: depth)
            }
    }

    private func alike(_ sent: ODataValue, _ found: ODataValue, depth: Int) -> Bool {
        switch (sent, found) {
        case (.scalar(let left), .scalar(let right)):
            left == right || ComparableScalar(left) == ComparableScalar(right)
        case (.structure(let left), .structure(let right)):
            shows(graph.comparedSlots(of: left), of: left, in: right, depth: depth + 1)
        case (.list(let left), .list(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { alike($0, $1, depth: depth + 1) }
        default: false
        }
    }
}
