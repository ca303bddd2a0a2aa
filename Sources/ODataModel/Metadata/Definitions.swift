/// A structural or navigation property (CSDL 4.01, sections 7 and 8).
package struct PropertyDefinition: Sendable, Hashable {
    package var name: String
    package var type: TypeReference
    /// Nil for a structural property.
    package var navigation: NavigationDefinition?
    /// The default as written in the document.
    package var defaultValue: String?
    /// V2 `ConcurrencyMode="Fixed"`, or named by `Core.OptimisticConcurrency`.
    package var isConcurrencyToken: Bool
    package var annotations: [AnnotationDefinition]

    package init(
        name: String, type: TypeReference, navigation: NavigationDefinition? = nil,
        defaultValue: String? = nil, isConcurrencyToken: Bool = false,
        annotations: [AnnotationDefinition] = []
    ) {
        self.name = name
        self.type = type
        self.navigation = navigation
        self.defaultValue = defaultValue
        self.isConcurrencyToken = isConcurrencyToken
        self.annotations = annotations
    }

    package var isNavigation: Bool { navigation != nil }
}

/// What a navigation property adds to a property (CSDL 4.01, section 8).
package struct NavigationDefinition: Sendable, Hashable {
    package var partner: String?
    package var containsTarget: Bool
    /// Dependent property (on this type) and the principal property it equals (on the target type).
    package var referentialConstraints: [ReferentialConstraint]
    package var onDelete: OnDelete?
    /// What is said about ``onDelete`` itself.
    package var onDeleteAnnotations: [AnnotationDefinition] = []

    package enum OnDelete: String, Sendable, Hashable {
        case cascade = "Cascade"
        case none = "None"
        case setNull = "SetNull"
        case setDefault = "SetDefault"
    }

    package init(
        partner: String? = nil, containsTarget: Bool = false,
        referentialConstraints: [ReferentialConstraint] = [], onDelete: OnDelete? = nil
    ) {
        self.partner = partner
        self.containsTarget = containsTarget
        self.referentialConstraints = referentialConstraints
        self.onDelete = onDelete
    }
}

/// One pair of a referential constraint (CSDL 4.01, section 8.5).
package struct ReferentialConstraint: Sendable, Hashable {
    package var property: String
    package var referencedProperty: String
    package var annotations: [AnnotationDefinition]

    package init(
        property: String, referencedProperty: String, annotations: [AnnotationDefinition] = []
    ) {
        self.property = property
        self.referencedProperty = referencedProperty
        self.annotations = annotations
    }
}

/// A complex or entity type (CSDL 4.01, sections 6 and 9).
///
/// `properties` holds what the type itself declares until ``MetadataGraph/freeze()`` puts the inherited ones in
/// front; from then on a property's index is its *slot* in every value of the type.
package struct StructureDefinition: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case entity, complex }

    package var kind: Kind
    package var namespace: String
    package var name: String
    package var baseType: String?
    package var isAbstract: Bool
    package var isOpen: Bool
    package var hasStream: Bool
    package var properties: [PropertyDefinition]
    /// Names or paths of the key properties in declared order; inherited ones included once frozen.
    package var key: [KeyProperty]
    package var annotations: [AnnotationDefinition]
    /// How many leading properties are inherited; 0 before freezing.
    package internal(set) var inheritedCount = 0
    /// Filled when frozen.
    package internal(set) var baseID: StructureID?
    package internal(set) var derivedIDs: [StructureID] = []
    package internal(set) var slotByName: [String: Int] = [:]

    package init(
        kind: Kind, namespace: String, name: String, baseType: String? = nil,
        isAbstract: Bool = false,
        isOpen: Bool = false, hasStream: Bool = false, properties: [PropertyDefinition] = [],
        key: [KeyProperty] = [], annotations: [AnnotationDefinition] = []
    ) {
        self.kind = kind
        self.namespace = namespace
        self.name = name
        self.baseType = baseType
        self.isAbstract = isAbstract
        self.isOpen = isOpen
        self.hasStream = hasStream
        self.properties = properties
        self.key = key
        self.annotations = annotations
    }

    package var qualifiedName: String { "\(namespace).\(name)" }

    /// True for `Edm.EntityType`, which every entity type derives from (CSDL 4.01, section 4.1).
    package var isEntityBase: Bool { kind == .entity && name == "EntityType" && namespace == "Edm" }

    /// The slot of the property with this name; nil when there is none.
    package func slot(named name: String) -> Int? { slotByName[name] }
}

/// A `PropertyRef` of a key (CSDL 4.01, section 6.5).
package struct KeyProperty: Sendable, Hashable {
    /// A property name, or a path such as `Size/Id`.
    package var path: String
    package var alias: String?

    package init(path: String, alias: String? = nil) {
        self.path = path
        self.alias = alias
    }

    /// The name that stands for the value in a key predicate.
    package var name: String { alias ?? path }
}

/// An enumeration type (CSDL 4.01, section 10).
package struct EnumerationDefinition: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: Int64
        package var annotations: [AnnotationDefinition]

        package init(name: String, value: Int64, annotations: [AnnotationDefinition] = []) {
            self.name = name
            self.value = value
            self.annotations = annotations
        }
    }

    package var namespace: String
    package var name: String
    package var underlyingType: PrimitiveType
    package var isFlags: Bool
    package var members: [Member]
    package var annotations: [AnnotationDefinition]

    package init(
        namespace: String, name: String, underlyingType: PrimitiveType = .int32,
        isFlags: Bool = false,
        members: [Member] = [], annotations: [AnnotationDefinition] = []
    ) {
        self.namespace = namespace
        self.name = name
        self.underlyingType = underlyingType
        self.isFlags = isFlags
        self.members = members
        self.annotations = annotations
    }

    package var qualifiedName: String { "\(namespace).\(name)" }
}

/// A type definition (CSDL 4.01, section 11).
package struct TypeDefinitionDefinition: Sendable, Hashable {
    package var namespace: String
    package var name: String
    package var underlyingType: PrimitiveType
    package var facets: TypeFacetValues
    package var annotations: [AnnotationDefinition]

    package init(
        namespace: String, name: String, underlyingType: PrimitiveType,
        facets: TypeFacetValues = TypeFacetValues(), annotations: [AnnotationDefinition] = []
    ) {
        self.namespace = namespace
        self.name = name
        self.underlyingType = underlyingType
        self.facets = facets
        self.annotations = annotations
    }

    package var qualifiedName: String { "\(namespace).\(name)" }
}

/// An entity set or a singleton (CSDL 4.01, sections 13.2 and 13.3).
package struct EntitySetDefinition: Sendable, Hashable {
    package var name: String
    /// Qualified name of the container that holds it.
    package var container: String
    package var type: StructureID
    package var isSingleton: Bool
    package var isNullable: Bool
    /// Navigation path (may go through complex properties and casts) and the bound set's name.
    package var bindings: [NavigationBinding]
    package var isIncludedInServiceDocument: Bool
    package var annotations: [AnnotationDefinition]

    package init(
        name: String, container: String, type: StructureID, isSingleton: Bool = false,
        isNullable: Bool = false, bindings: [NavigationBinding] = [],
        isIncludedInServiceDocument: Bool = true, annotations: [AnnotationDefinition] = []
    ) {
        self.name = name
        self.container = container
        self.type = type
        self.isSingleton = isSingleton
        self.isNullable = isNullable
        self.bindings = bindings
        self.isIncludedInServiceDocument = isIncludedInServiceDocument
        self.annotations = annotations
    }

    package var qualifiedName: String { "\(container)/\(name)" }

    /// The name of the set that `path` is bound to; nil when no binding is declared.
    package func target(of path: String) -> String? {
        bindings.first { $0.path == path }?.target
    }
}

/// A navigation property binding (CSDL 4.01, section 13.4).
package struct NavigationBinding: Sendable, Hashable {
    package var path: String
    /// The target set or singleton, its container prefix removed where it is the same container.
    package var target: String

    package init(path: String, target: String) {
        self.path = path
        self.target = target
    }
}
