import ODataModel

/// What an annotation is about (CSDL 4.01, section 14.1).
open class AnnotationTerm: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let definition: TermDefinition
    private final let declaredType: DataType

    package init(_ definition: TermDefinition, type: DataType) {
        self.definition = definition
        declaredType = type
        super.init()
    }

    /// The name without its schema.
    open var localName: String { definition.name }

    /// The name with its schema; `prefix:name` for XML attributes.
    open var qualifiedName: String {
        definition.namespace.isEmpty
            ? definition.name : "\(definition.namespace).\(definition.name)"
    }

    /// The name with its schema.
    open var name: String { qualifiedName }

    /// The type of values.
    open var type: DataType { declaredType }

    /// The kinds of elements that the term is for; empty for all (CSDL 4.01, section 14.1.2).
    open var appliesTo: StringList { StringList.fromArray(definition.appliesTo) }

    /// The name of the term that this one refines (CSDL 4.01, section 14.1.1).
    open var baseTerm: String? { definition.baseTerm }

    /// The most characters or bytes of values; `TypeFacets.anyLength` when nothing is stated.
    open var maxLength: Int { definition.type.facets.maxLength ?? TypeFacets.anyLength }

    /// The most digits of values; `TypeFacets.anyPrecision` when nothing is stated.
    open var precision: Int { definition.type.facets.precision ?? TypeFacets.anyPrecision }

    /// The digits behind the decimal point of values, or one of the constants of ``TypeFacets``.
    open var scale: Int { definition.type.facets.statedScale }

    /// All facets of the type of values.
    open var facets: TypeFacets { TypeFacets(definition.type) }

    /// The value of annotations that give none; nil when the term states no default.
    open var defaultValue: DataValue? {
        guard let text = definition.defaultValue else { return nil }
        guard let primitive = definition.type.primitive,
            let scalar = Lexical.scalar(text, as: primitive)
        else { return StringValue.of(text) }
        return DataValue.of(scalar, primitive)
    }

    /// True for terms that stand for XML attributes.
    open var xmlAttribute: Bool { definition.name.contains(":") }

    /// The qualified name.
    open override func toString() -> String { qualifiedName }
}
