// What a property's declaration says (CSDL 4.01, sections 7 and 8).
import ODataModel

extension Property {
    /// True when the property is part of its type's key (CSDL 4.01, section 6.5).
    public var isKey: Bool { ownerType.definition.key.contains { $0.path == name } }

    /// True when a navigation property of the type is constrained to follow this property.
    public var isForeignKey: Bool {
        ownerType.definition.properties.contains { property in
            property.navigation?.referentialConstraints.contains { $0.property == name } ?? false
        }
    }

    /// True when the value may be null (CSDL 4.01, section 7.2.1).
    public var isNullable: Bool { definition.type.isNullable }

    /// True when the value cannot change after creation (`Core.Immutable`).
    public var isImmutable: Bool {
        definition.annotations.flag("Org.OData.Core.V1.Immutable") ?? false
    }

    /// True when entity tags are computed from the property.
    public var isOptimistic: Bool { definition.isConcurrencyToken }

    /// True unless values are restricted to ASCII (CSDL 4.01, section 7.2.5).
    public var isUnicode: Bool { definition.type.facets.isUnicode ?? true }

    /// True when values are kept in the store.
    public var isPersistent: Bool { true }

    /// True for properties added by an app beside the service's own.
    public var isExtension: Bool { false }

    /// True when the value is a list.
    public var isCollection: Bool { definition.type.isCollection }

    /// True for stream properties.
    public var isStream: Bool { definition.type.primitive == .stream }

    /// True when all values have the maximum length.
    public var fixedLength: Bool { definition.type.facets.isFixedLength ?? false }

    /// The most characters or bytes of a value; `TypeFacets.anyLength` when not stated (CSDL 4.01,
    /// section 7.2.2).
    public var maxLength: Int { definition.type.facets.maximumLength }

    /// The fewest characters or bytes of a value.
    public var minLength: Int { 0 }

    /// The most digits of a value; `TypeFacets.anyPrecision` when not stated (CSDL 4.01, section 7.2.3).
    public var precision: Int { definition.type.facets.statedPrecision }

    /// Digits behind the decimal point; `TypeFacets` names the special values (CSDL 4.01, section 7.2.4).
    public var scale: Int { definition.type.facets.statedScale }

    /// The spatial reference system of values (CSDL 4.01, section 7.2.6).
    public var srid: Int { definition.type.facets.statedSRID }

    /// All facets of the property's type (CSDL 4.01, section 7.2).
    public var facets: TypeFacets { TypeFacets(definition.type) }

    /// The value that the model gives to unset properties; nil when it gives none (CSDL 4.01, section 7.2.7).
    public var defaultValue: DataValue? {
        let model = ownerType.model
        return definition.defaultScalar(in: model.graph).flatMap {
            DataValue.of(.scalar($0), definition.type, in: model)
        }
    }
}

// MARK: - Types

extension Property {
    /// The complex type of the value. A property of another kind is a programming error and traps.
    public var complexType: ComplexType { typed(dataType, "a complex type") }

    /// The entity type that the property leads to. A property of another kind is a programming error and traps.
    public var entityType: EntityType { typed(dataType, "an entity type") }

    /// The enumeration type of the value. A property of another kind is a programming error and traps.
    public var enumType: EnumType { typed(dataType, "an enumeration type") }

    /// The structured type of the value. A property of another kind is a programming error and traps.
    public var structureType: StructureType { typed(dataType, "a structured type") }

    /// The complex type of the list's items. A property of another kind is a programming error and traps.
    public var itemComplexType: ComplexType { typed(dataType.itemType, "a list of complex values") }

    /// The entity type of the list's items. A property of another kind is a programming error and traps.
    public var itemEntityType: EntityType { typed(dataType.itemType, "a list of entities") }

    private func typed<Target>(_ type: DataType?, _ expected: String) -> Target {
        guard let type = type as? Target else {
            preconditionFailure("Expected \(expected), found \(qualifiedName).")
        }
        return type
    }
}

// MARK: - Navigation

extension Property {
    /// Related entities are deleted with the entity.
    public static let onDeleteCascade = 1
    /// An entity with related entities cannot be deleted.
    public static let onDeleteRestrict = 2
    /// Dependent properties take their defaults.
    public static let onDeleteSetDefault = 3
    /// Dependent properties become null.
    public static let onDeleteSetNull = 4
    /// No constraint ties the relationship to properties.
    public static let hasNoForeignKeys = 0
    /// Properties of this entity follow the related one.
    public static let hasForeignKeysInSource = 1
    /// Properties of the related entity follow this one.
    public static let hasForeignKeysInTarget = 2

    /// The path of the property that leads back; nil when none is declared (CSDL 4.01, section 8.3).
    public var partnerPath: String? { definition.navigation?.partner }

    /// Dependent property and the principal property it equals (CSDL 4.01, section 8.5).
    public var referentialConstraints: StringMap {
        let map = StringMap()
        for constraint in definition.navigation?.referentialConstraints ?? [] {
            map.set(constraint.property, constraint.referencedProperty)
        }
        return map
    }

    /// True when related entities live inside this one (CSDL 4.01, section 8.4).
    public var containsTarget: Bool { definition.navigation?.containsTarget ?? false }

    /// What happens to related entities on deletion (CSDL 4.01, section 8.6): one of the `onDelete…` constants, 0 when
    /// nothing is declared.
    public var onDeleteAction: Int {
        switch definition.navigation?.onDelete {
        case .cascade: Self.onDeleteCascade
        case .setDefault: Self.onDeleteSetDefault
        case .setNull: Self.onDeleteSetNull
        case .some(.none): Self.onDeleteRestrict
        case nil: 0
        }
    }

    /// Which side holds the properties that tie the relationship: one of the `hasForeignKeys…` constants.
    public var hasForeignKeys: Int {
        guard let navigation = definition.navigation else { return Self.hasNoForeignKeys }
        if !navigation.referentialConstraints.isEmpty { return Self.hasForeignKeysInSource }
        guard let partner = navigation.partner, let target = definition.type.structure,
            let back = ownerType.model[target].property(named: partner),
            !(back.definition.navigation?.referentialConstraints.isEmpty ?? true)
        else { return Self.hasNoForeignKeys }
        return Self.hasForeignKeysInTarget
    }

    /// The annotations of the property by term.
    public var annotations: AnnotationMap { .of(definition.annotations, ownerType.model) }

    /// The annotation with this term. A missing one is a programming error and traps.
    public func annotation(_ term: String) -> Annotation { annotations.getRequired(term) }
}
