import ODataModel

extension StructureBase {
    /// Instance annotations that came with the value as a whole, by term; empty for values without any.
    public final var annotations: AnnotationMap {
        let found = storage.control.annotations.compactMap { name, value in
            // `property@term` annotates a property, not the value.
            name.contains("@") ? nil : value.annotation(named: name)
        }
        return .of(found.sorted { $0.term < $1.term }, typeObject.model)
    }
}

extension ODataValue {
    fileprivate func annotation(named name: String) -> AnnotationDefinition? {
        let (term, qualifier) = Self.split(name)
        return expression.map {
            AnnotationDefinition(term: term, qualifier: qualifier, value: $0)
        }
    }

    /// `Ns.Term#qualifier`.
    private static func split(_ name: String) -> (String, String?) {
        let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
        return (parts.first ?? name, parts.count > 1 ? parts[1] : nil)
    }

    private var expression: AnnotationExpression? {
        switch self {
        case .scalar(.null): .null
        case .scalar(.boolean(let value)): .boolean(value)
        case .scalar(.integer(let value)): .integer(value)
        case .scalar(.string(let value)): .string(value)
        case .scalar(.double): constant("Float")
        case .scalar(.decimal): constant("Decimal")
        case .scalar: scalar.map { .string(Lexical.text($0)) }
        case .list(let items): .collection(items.compactMap(\.expression))
        case .structure: nil
        }
    }

    private func constant(_ kind: String) -> AnnotationExpression? {
        scalar.map { .constant(kind: kind, text: Lexical.text($0)) }
    }
}
