import ODataModel

/// A map from names to properties.
open class PropertyMap: TypedMap<Property>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> PropertyList { PropertyList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> PropertyList { PropertyList.fromArray(valuesByKey) }
}

/// A map from names to entity sets.
open class EntitySetMap: TypedMap<EntitySet>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> EntitySetList { EntitySetList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> EntitySetList { EntitySetList.fromArray(valuesByKey) }
}

/// A map from names to entity types.
open class EntityTypeMap: TypedMap<EntityType>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> EntityTypeList { EntityTypeList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> EntityTypeList { EntityTypeList.fromArray(valuesByKey) }
}

/// A map from names to complex types.
open class ComplexTypeMap: TypedMap<ComplexType>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> ComplexTypeList { ComplexTypeList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> ComplexTypeList { ComplexTypeList.fromArray(valuesByKey) }
}

/// A map from names to enumeration types.
open class EnumTypeMap: TypedMap<EnumType>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> EnumTypeList { EnumTypeList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> EnumTypeList { EnumTypeList.fromArray(valuesByKey) }
}

/// A map from names to type definitions.
open class SimpleTypeMap: TypedMap<SimpleType>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> SimpleTypeList { SimpleTypeList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> SimpleTypeList { SimpleTypeList.fromArray(valuesByKey) }
}

/// A map from names to schemas.
open class DataSchemaMap: TypedMap<DataSchema>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> DataSchemaList { DataSchemaList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> DataSchemaList { DataSchemaList.fromArray(valuesByKey) }
}

/// A map from names to actions and functions.
open class DataMethodMap: TypedMap<DataMethod>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> DataMethodList { DataMethodList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> DataMethodList { DataMethodList.fromArray(valuesByKey) }
}

/// A map from names to annotations.
open class AnnotationMap: TypedMap<Annotation>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> AnnotationList { AnnotationList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> AnnotationList { AnnotationList.fromArray(valuesByKey) }
}

/// A map from names to terms.
open class AnnotationTermMap: TypedMap<AnnotationTerm>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> AnnotationTermList { AnnotationTermList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> AnnotationTermList { AnnotationTermList.fromArray(valuesByKey) }
}

/// A map from names to enumeration values.
open class EnumValueMap: TypedMap<EnumValue>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> EnumValueList { EnumValueList.fromArray(orderedValues) }

    /// All values in the order of ascending keys.
    open func sortedValues() -> EnumValueList { EnumValueList.fromArray(valuesByKey) }
}

/// A map from names to entity containers.
open class EntityContainerMap: TypedMap<EntityContainer>, @unchecked Sendable {}

/// A map from the paths of annotated elements to their annotations.
open class PathAnnotationsMap: TypedMap<AnnotationMap>, @unchecked Sendable {}
