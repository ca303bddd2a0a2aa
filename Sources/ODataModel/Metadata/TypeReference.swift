/// Where a structured type stands in ``MetadataGraph/structures``.
package struct StructureID: Sendable, Hashable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// Where an enumeration type stands in ``MetadataGraph/enumerations``.
package struct EnumerationID: Sendable, Hashable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// Where an entity set or singleton stands in ``MetadataGraph/entitySets``.
package struct EntitySetID: Sendable, Hashable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// The type of a property, parameter or return value (CSDL 4.01, section 7.1), type definitions resolved
/// to the primitive type beneath them.
package struct TypeReference: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case primitive(PrimitiveType)
        case enumeration(EnumerationID)
        /// A complex or entity type.
        case structure(StructureID)
    }

    package var kind: Kind
    package var isCollection: Bool
    package var isNullable: Bool
    package var facets: TypeFacetValues
    /// The qualified name of the type definition that was named, where one was.
    package var typeDefinition: String?

    package init(
        _ kind: Kind, isCollection: Bool = false, isNullable: Bool = true,
        facets: TypeFacetValues = TypeFacetValues(), typeDefinition: String? = nil
    ) {
        self.kind = kind
        self.isCollection = isCollection
        self.isNullable = isNullable
        self.facets = facets
        self.typeDefinition = typeDefinition
    }

    package var primitive: PrimitiveType? {
        if case .primitive(let type) = kind { type } else { nil }
    }

    package var structure: StructureID? {
        if case .structure(let id) = kind { id } else { nil }
    }

    package var enumeration: EnumerationID? {
        if case .enumeration(let id) = kind { id } else { nil }
    }
}

/// The facets of CSDL 4.01, section 7.2, nil where not given.
package struct TypeFacetValues: Sendable, Hashable {
    /// `Int.max` stands for `max`.
    package var maxLength: Int?
    package var precision: Int?
    package var scale: Scale?
    /// ``variableSRID`` stands for `variable`.
    package var srid: Int?
    package var isUnicode: Bool?
    package var isFixedLength: Bool?

    package static let variableSRID = -1

    package enum Scale: Sendable, Hashable {
        case fixed(Int)
        case variable
        case floating
    }

    package init(
        maxLength: Int? = nil, precision: Int? = nil, scale: Scale? = nil, srid: Int? = nil,
        isUnicode: Bool? = nil, isFixedLength: Bool? = nil
    ) {
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.srid = srid
        self.isUnicode = isUnicode
        self.isFixedLength = isFixedLength
    }
}
