import ODataText

/// Two versions of one model, and values that go from one to the other.
extension MetadataGraph {
    /// True when every id and slot of `other` means here what it means there, so that values of the one can be read as
    /// values of the other.
    package func hasLayout(of other: MetadataGraph) -> Bool {
        guard structures.count >= other.structures.count,
            enumerations.count >= other.enumerations.count,
            entitySets.count >= other.entitySets.count
        else { return false }
        return zip(structures, other.structures).allSatisfy { $0.hasLayout(of: $1) }
            && zip(enumerations, other.enumerations).allSatisfy {
                $0.name == $1.name && $0.namespace == $1.namespace
            }
            && zip(entitySets, other.entitySets).allSatisfy {
                $0.name == $1.name && $0.type == $1.type
            }
    }

    /// A value of another version of this model, with the ids and slots that it has here.
    ///
    /// - Throws: `unknownName` when the value has a type or sets a property that is not here.
    package func adopting(
        _ value: StructureValue, of other: MetadataGraph
    ) throws -> StructureValue {
        let name = other[value.type].qualifiedName
        guard let type = structure(named: name) else {
            throw ODataError(
                .unknownName, "Expected a type that the metadata has, found \(name).",
                at: .path(name))
        }
        var adopted = StructureValue(type: type, in: self)
        adopted.control = value.control
        adopted.dynamicValues = try value.dynamicValues.mapValues { try adopting($0, of: other) }
        let properties = other[value.type].properties
        for (slot, held) in value.slots.enumerated() {
            guard let held else { continue }
            guard let place = self[type].slot(named: properties[slot].name) else {
                throw ODataError(
                    .unknownName,
                    "Expected a property that the metadata has, found \(properties[slot].name).",
                    at: .path("\(name)/\(properties[slot].name)"))
            }
            adopted.slots[place] = try adopting(held, of: other)
        }
        return adopted
    }

    private func adopting(_ value: ODataValue, of other: MetadataGraph) throws -> ODataValue {
        switch value {
        case .scalar: value
        case .structure(let structure): .structure(try adopting(structure, of: other))
        case .list(let items): .list(try items.map { try adopting($0, of: other) })
        }
    }
}

extension StructureDefinition {
    fileprivate func hasLayout(of other: StructureDefinition) -> Bool {
        kind == other.kind && name == other.name && namespace == other.namespace
            && baseID == other.baseID && properties.count == other.properties.count
            && zip(properties, other.properties).allSatisfy {
                $0.name == $1.name && $0.type.kind == $1.type.kind
                    && $0.type.isCollection == $1.type.isCollection
            }
    }
}
