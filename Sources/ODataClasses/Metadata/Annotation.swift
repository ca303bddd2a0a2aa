import ODataModel

/// An annotation of a metadata element (CSDL 4.01, section 14.2); `sap:` attributes of V2 are annotations too.
open class Annotation: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let definition: AnnotationDefinition
    private final let model: MetadataModel

    package init(_ definition: AnnotationDefinition, _ model: MetadataModel) {
        self.definition = definition
        self.model = model
        super.init()
    }

    /// What the annotation is about.
    open var term: AnnotationTerm { model.term(named: definition.term) }

    /// Tells several annotations of one term apart (CSDL 4.01, section 14.2.1).
    open var qualifier: String? { definition.qualifier }

    /// The value written, or the default of the term, which is true for tag terms.
    open var value: DataValue? {
        if case .none = definition.value {
            return term.defaultValue ?? BooleanValue.of(true)
        }
        return explicitValue
    }

    /// The value written; nil when none was.
    open var explicitValue: DataValue? { definition.value.dataValue }

    /// True when null was written.
    open var explicitNull: Bool { definition.value == .null }

    /// Annotations of the annotation (CSDL 4.01, section 14.2).
    open var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The term and its value.
    open override func toString() -> String {
        "\(definition.term)=\(value?.toString() ?? "null")"
    }
}

extension AnnotationExpression {
    /// The value object of a constant, path or collection of them; records have their property values as a map's text.
    var dataValue: DataValue? {
        switch self {
        case .none, .null: nil
        case .boolean(let value): BooleanValue.of(value)
        case .integer(let value): LongValue.of(value)
        case .constant(let kind, let text): Self.constant(kind, text)
        case .string(let text), .enumMember(let text), .path(_, let text): StringValue.of(text)
        case .collection(let items): DataValueList.fromArray(items.compactMap(\.dataValue))
        case .record(_, let properties): Self.record(properties)
        case .dynamic(_, _, let operands): operands.first?.dataValue
        }
    }

    private static func constant(_ kind: String, _ text: String) -> DataValue {
        let name = kind == "Float" ? "Double" : kind
        guard let type = PrimitiveType(name: name),
            let value = Lexical.scalar(text, as: type).flatMap({ DataValue.of($0, type) })
        else { return StringValue.of(text) }
        return value
    }

    private static func record(_ properties: [AnnotationDefinition]) -> DataValue {
        let value = ComplexValue(withDefaults: false, type: ComplexType.undefined)
        for property in properties {
            let isTag = property.value == .none
            value.setDynamicValue(
                property.term, isTag ? BooleanValue.of(true) : property.value.dataValue)
        }
        return value
    }
}

extension AnnotationMap {
    /// The annotations by term, with `#qualifier` appended where one is given.
    static func of(_ definitions: [AnnotationDefinition], _ model: MetadataModel) -> AnnotationMap {
        let map = AnnotationMap()
        for definition in definitions {
            let key = definition.qualifier.map { "\(definition.term)#\($0)" } ?? definition.term
            map.set(key, Annotation(definition, model))
        }
        return map
    }
}
