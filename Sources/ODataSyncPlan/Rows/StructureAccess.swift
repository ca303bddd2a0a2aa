import ODataModel

extension StructureValue {
    /// The structural properties alone: no relations, and nothing that a service says of the entity.
    package func structural(in graph: MetadataGraph) -> StructureValue {
        var own = self
        own.control = ControlInformation()
        let properties = graph[type].properties
        for slot in properties.indices where own.slots.indices.contains(slot) {
            guard own.slots[slot] != nil, properties[slot].isNavigation else { continue }
            own.slots[slot] = nil
        }
        return own
    }

    /// The value at a slot path through complex values; nil where it is not set.
    package func value(at slots: [Int]) -> ODataValue? {
        guard let first = slots.first, self.slots.indices.contains(first),
            let value = self.slots[first]
        else { return nil }
        if slots.count == 1 { return value }
        switch value {
        case .structure(let inner): return inner.value(at: Array(slots.dropFirst()))
        case .scalar(.null): return .null
        default: return nil
        }
    }

    /// Sets the value at a slot path, making complex values on the way; a nil value or one inside a null complex
    /// value changes nothing.
    package mutating func set(_ value: ODataValue?, at slots: [Int], in graph: MetadataGraph) {
        guard let value, let first = slots.first, self.slots.indices.contains(first) else { return }
        guard slots.count > 1 else {
            self.slots[first] = value
            return
        }
        var inner: StructureValue
        switch self.slots[first] {
        case .structure(let existing): inner = existing
        case nil:
            guard let type = graph[type].properties[first].type.structure else { return }
            inner = StructureValue(type: type, in: graph)
        default: return
        }
        inner.set(value, at: Array(slots.dropFirst()), in: graph)
        self.slots[first] = .structure(inner)
    }
}
