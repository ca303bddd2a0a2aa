import ODataModel

/// What the document says about an element, as one line for a comment.
enum DocumentNote {
    static func text(_ annotations: [AnnotationDefinition]) -> String {
        for term in ["Org.OData.Core.V1.Description", "Core.Description", "sap:label"] {
            if case .string(let text)? = annotations.first(term: term)?.value {
                return SwiftText.comment(text)
            }
        }
        return ""
    }
}
