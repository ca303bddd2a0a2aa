import ODataModel

extension MetadataDifference {
    /// Whether the values of a property stay valid when its declaration changes.
    mutating func compare(
        _ property: PropertyDefinition, _ other: PropertyDefinition, _ path: String,
        _ old: MetadataGraph, _ new: MetadataGraph
    ) {
        if property.isNavigation != other.isNavigation {
            note(.incompatible, path, "Structural and navigation property changed places.")
            return
        }
        let oldName = old.typeName(property.type)
        let newName = new.typeName(other.type)
        if oldName != newName {
            let widens =
                !property.type.isCollection && !other.type.isCollection
                && Self.widens(property.type.primitive, other.type.primitive)
            note(
                widens ? .compatible : .incompatible, path,
                "The type is \(newName), was \(oldName).")
        }
        if property.type.isNullable != other.type.isNullable {
            note(
                other.type.isNullable ? .compatible : .incompatible, path,
                other.type.isNullable ? "Null is now allowed." : "Null is no longer allowed.")
        }
        compareFacets(
            property.type.facets, other.type.facets, path,
            isDecimal: property.type.primitive == .decimal && other.type.primitive == .decimal)
        if property.defaultValue != other.defaultValue {
            note(.compatible, path, "The default value changed.")
        }
        if let navigation = property.navigation, let changed = other.navigation {
            if navigation.containsTarget != changed.containsTarget {
                note(.incompatible, path, "Containment changed.")
            }
            if navigation.referentialConstraints != changed.referentialConstraints {
                note(.compatible, path, "Referential constraints changed.")
            }
            if navigation.onDelete ?? .none != changed.onDelete ?? .none {
                note(.compatible, path, "What a deletion does to related entities changed.")
            }
        }
        if property.isConcurrencyToken != other.isConcurrencyToken {
            note(.compatible, path, "Part in the entity tag changed.")
        }
    }

    /// Underlying types and facets of type definitions (CSDL 4.01, section 11).
    mutating func compareTypeDefinitions(_ old: MetadataGraph, _ new: MetadataGraph) {
        let known = Dictionary(
            new.typeDefinitions.map { ($0.qualifiedName, $0) },
            uniquingKeysWith: { first, _ in first })
        for type in old.typeDefinitions {
            guard let other = known[type.qualifiedName] else {
                note(.removed, type.qualifiedName, "The type definition is gone.")
                continue
            }
            compare(type.underlyingType, other.underlyingType, type.qualifiedName, "The type")
            compareFacets(
                type.facets, other.facets, type.qualifiedName,
                isDecimal: type.underlyingType == .decimal && other.underlyingType == .decimal)
        }
        let before = Set(old.typeDefinitions.map(\.qualifiedName))
        for type in new.typeDefinitions where !before.contains(type.qualifiedName) {
            note(.added, type.qualifiedName, "The type definition is new.")
        }
    }

    private mutating func compareFacets(
        _ facets: TypeFacetValues, _ other: TypeFacetValues, _ path: String, isDecimal: Bool
    ) {
        let length = (facets.maxLength ?? .max, other.maxLength ?? .max)
        if length.0 != length.1 {
            note(
                length.1 > length.0 ? .compatible : .incompatible, path,
                "The maximum length changed.")
        }
        let precision = (facets.precision ?? .max, other.precision ?? .max)
        if precision.0 != precision.1 {
            note(
                precision.1 > precision.0 ? .compatible : .incompatible, path,
                "The precision changed.")
        }
        if facets.srid != other.srid {
            note(
                other.srid == TypeFacetValues.variableSRID ? .compatible : .incompatible, path,
                "The reference system changed.")
        }
        if facets.isUnicode ?? true != other.isUnicode ?? true {
            note(
                other.isUnicode ?? true ? .compatible : .incompatible, path,
                "What characters there may be changed.")
        }
        // A decimal without a scale has none of its digits behind the point (CSDL 4.01, section 7.2.4).
        let scales =
            isDecimal
            ? (facets.scale ?? .fixed(0), other.scale ?? .fixed(0)) : (facets.scale, other.scale)
        if scales.0 != scales.1 {
            let isWider: Bool =
                switch scales {
                case (.fixed(let before), .fixed(let after)): after >= before
                case (_, .variable), (_, .floating): true
                default: false
                }
            note(isWider ? .compatible : .incompatible, path, "The scale changed.")
        }
    }

    /// True when every value of one integer or floating type is a value of the other.
    static func widens(_ type: PrimitiveType?, _ other: PrimitiveType?) -> Bool {
        switch (type, other) {
        case (.byte, .int16), (.byte, .int32), (.byte, .int64), (.sbyte, .int16),
            (.sbyte, .int32), (.sbyte, .int64), (.int16, .int32), (.int16, .int64),
            (.int32, .int64), (.single, .double), (.int32, .double), (.int16, .double):
            true
        default: false
        }
    }
}
