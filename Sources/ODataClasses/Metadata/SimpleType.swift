import ODataModel

/// A type definition: a primitive type under a name of its own, with facets (CSDL 4.01, section 11).
open class SimpleType: DataType, @unchecked Sendable {
    package final let definition: TypeDefinitionDefinition

    private final let model: MetadataModel

    package init(_ definition: TypeDefinitionDefinition, in model: MetadataModel) {
        self.definition = definition
        self.model = model
        super.init(
            name: definition.qualifiedName, code: BasicType.of(definition.underlyingType).code)
    }

    /// The name without its schema.
    open var localName: String { definition.name }

    /// The name with its schema.
    open var qualifiedName: String { definition.qualifiedName }

    /// The primitive type beneath (CSDL 4.01, section 11.1).
    open var derivedFrom: DataType { BasicType.of(definition.underlyingType) }

    /// The primitive type beneath.
    open override var baseType: DataType? { derivedFrom }

    /// The most characters or bytes; `TypeFacets.anyLength` when nothing is stated.
    open var maxLength: Int { definition.facets.maxLength ?? TypeFacets.anyLength }

    /// The most digits, or the digits of a second's fraction; `TypeFacets.anyPrecision` when nothing is stated.
    open var precision: Int { definition.facets.precision ?? TypeFacets.anyPrecision }

    /// The digits behind the decimal point, or one of the constants of ``TypeFacets``; 0 when nothing is stated.
    open var scale: Int { definition.facets.statedScale }

    /// False when values are limited to ASCII.
    open var isUnicode: Bool { definition.facets.isUnicode ?? true }

    /// All facets that the definition states (CSDL 4.01, section 11.1).
    open var facets: TypeFacets { TypeFacets(definition.facets) }

    /// The annotations of the type by term.
    open var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The annotation with this term. A missing one is a programming error and traps.
    open func annotation(_ term: String) -> Annotation { annotations.getRequired(term) }
}
