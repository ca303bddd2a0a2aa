/// An annotation as written (CSDL 4.01, section 14.2). V2 `sap:*` and other XML attributes become annotations
/// whose term is `prefix:name`.
package struct AnnotationDefinition: Sendable, Hashable {
    /// Qualified name of the term, aliases resolved.
    package var term: String
    package var qualifier: String?
    /// `.none` when the document gives no value, which means the term's default (true for tag terms).
    package var value: AnnotationExpression
    package var annotations: [AnnotationDefinition]

    package init(
        term: String, qualifier: String? = nil, value: AnnotationExpression = .none,
        annotations: [AnnotationDefinition] = []
    ) {
        self.term = term
        self.qualifier = qualifier
        self.value = value
        self.annotations = annotations
    }
}

/// The value of an annotation (CSDL 4.01, sections 14.3 and 14.4).
package indirect enum AnnotationExpression: Sendable, Hashable {
    /// No value was written.
    case none
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Decimal, Double, date, time, duration, GUID, binary: the CSDL attribute name and the text.
    case constant(kind: String, text: String)
    case string(String)
    case enumMember(String)
    /// `Path`, `PropertyPath`, `NavigationPropertyPath`, `AnnotationPath`, `ModelElementPath`: kind and text.
    case path(kind: String, text: String)
    case collection([AnnotationExpression])
    case record(type: String?, properties: [AnnotationDefinition])
    /// `Apply`, `If`, `Cast`, `UrlRef` and the logical forms, kept by element name with their operands.
    case dynamic(name: String, attributes: [String: String], operands: [AnnotationExpression])
}

extension Sequence where Element == AnnotationDefinition {
    /// The annotation with this term and no qualifier (or this one); nil when absent.
    package func first(term: String, qualifier: String? = nil) -> AnnotationDefinition? {
        first { $0.term == term && $0.qualifier == qualifier }
    }

    /// The Boolean of a tag term: true when present without value; nil when absent.
    package func flag(_ term: String) -> Bool? {
        guard let annotation = first(term: term) else { return nil }
        switch annotation.value {
        case .boolean(let value): return value
        case .none: return true
        case .string(let text): return text == "true"
        default: return nil
        }
    }
}
