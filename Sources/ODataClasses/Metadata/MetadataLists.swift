import ODataModel

/// A list of metadata elements; equal to another when both hold the same elements in the same order.
open class MetadataList<Item: ObjectBase>: TypedList<Item>, @unchecked Sendable {
    // Confined as its base class says.

    override package func objects() -> [AnyObject?] { items }

    /// By text; names come in alphabetical order.
    open override var comparer: Comparer { Comparer.byText }

    /// Elements are equal when they are the same.
    open override var equality: Equality { Equality.identity }

    /// Equal when the items are the same objects, in order.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? MetadataList<Item> else { return false }
        return self === other || items.elementsEqual(other.items, by: ===)
    }

    /// Hashes the identities of the items.
    open override func hash(into hasher: inout Hasher) {
        for item in items { hasher.combine(ObjectIdentifier(item)) }
    }

    /// The items as text.
    open override func toString() -> String {
        "[" + items.map { $0.toString() }.joined(separator: ", ") + "]"
    }
}

/// A list of property paths.
open class PropertyPathList: MetadataList<PropertyPath>, @unchecked Sendable {}

/// A list of properties.
open class PropertyList: MetadataList<Property>, @unchecked Sendable {}

/// A list of entity sets.
open class EntitySetList: MetadataList<EntitySet>, @unchecked Sendable {}

/// A list of types.
open class DataTypeList: MetadataList<DataType>, @unchecked Sendable {}

/// A list of structured types.
open class StructureTypeList: MetadataList<StructureType>, @unchecked Sendable {}

/// A list of entity types.
open class EntityTypeList: MetadataList<EntityType>, @unchecked Sendable {}

/// A list of complex types.
open class ComplexTypeList: MetadataList<ComplexType>, @unchecked Sendable {}

/// A list of enumeration types.
open class EnumTypeList: MetadataList<EnumType>, @unchecked Sendable {}

/// A list of type definitions.
open class SimpleTypeList: MetadataList<SimpleType>, @unchecked Sendable {}

/// A list of schemas.
open class DataSchemaList: MetadataList<DataSchema>, @unchecked Sendable {}

/// A list of actions and functions.
open class DataMethodList: MetadataList<DataMethod>, @unchecked Sendable {}

/// A list of annotations.
open class AnnotationList: MetadataList<Annotation>, @unchecked Sendable {}

/// A list of terms.
open class AnnotationTermList: MetadataList<AnnotationTerm>, @unchecked Sendable {}
