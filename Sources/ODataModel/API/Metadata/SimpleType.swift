/// A type definition: a primitive type under a name of its own, with facets (CSDL 4.01, section 11).
open class SimpleType: DataType, @unchecked Sendable {
    package final let definition: TypeDefinitionDefinition

    package init(_ definition: TypeDefinitionDefinition) {
        self.definition = definition
        super.init(
            name: definition.qualifiedName, code: BasicType.of(definition.underlyingType).code)
    }

    /// The name without its schema.
    open var localName: String { definition.name }

    /// The name with its schema.
    open var qualifiedName: String { definition.qualifiedName }

    /// The primitive type beneath.
    open var derivedFrom: DataType { BasicType.of(definition.underlyingType) }

    /// The primitive type beneath.
    open override var baseType: DataType? { derivedFrom }
}
