import ODataModel

extension StructureType {
    /// All properties, inherited ones first.
    public var propertyList: PropertyList { list { _ in true } }

    /// All properties by name.
    public var propertyMap: PropertyMap {
        PropertyMap(entries: properties.map { ($0.name, $0) })
    }

    /// Properties that hold values.
    public var structuralProperties: PropertyList { list { $0.isStructural && !$0.isStream } }

    /// Properties that lead to entities.
    public var navigationProperties: PropertyList { list { $0.isNavigation } }

    /// Properties that hold complex values.
    public var complexProperties: PropertyList {
        list { $0.dataType.isComplex || $0.dataType.isComplexList }
    }

    /// Properties that hold lists of values.
    public var collectionProperties: PropertyList { list { $0.isStructural && $0.isCollection } }

    /// Properties that hold streams.
    public var streamProperties: PropertyList { list { $0.isStream } }

    /// Properties added by an app beside the service's own.
    public var extensionProperties: PropertyList { list { $0.isExtension } }

    private func list(_ isIncluded: (Property) -> Bool) -> PropertyList {
        PropertyList.fromArray(properties.filter(isIncluded))
    }

    /// The annotations of the type by term.
    public var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The annotation with this term. A missing one is a programming error and traps.
    public func annotation(_ term: String) -> Annotation { annotations.getRequired(term) }
}

extension EntityType {
    /// The key properties in declared order.
    public var keyProperties: PropertyList { PropertyList.fromArray(keys) }

    /// The types that derive directly from this one.
    public var subtypes: EntityTypeList {
        EntityTypeList.fromArray(definition.derivedIDs.compactMap { model[$0] as? EntityType })
    }
}

extension ComplexType {
    /// The types that derive directly from this one.
    public var subtypes: ComplexTypeList {
        ComplexTypeList.fromArray(definition.derivedIDs.compactMap { model[$0] as? ComplexType })
    }
}
