import ODataModel

/// `Aggregation.RecursiveHierarchy` of a type (Data Aggregation 4.0, section 5.1): what identifies a node, and the way to
/// its parents.
package struct RecursiveHierarchy: Sendable, Hashable {
    package var node: ExpressionPath
    package var parent: ExpressionPath
}

extension MetadataGraph {
    /// The hierarchy of that qualifier on the type or a base of it; nil where the model has none.
    package func recursiveHierarchy(
        _ qualifier: String, of type: StructureID
    ) -> RecursiveHierarchy? {
        let term = "Org.OData.Aggregation.V1.RecursiveHierarchy"
        guard
            let annotation = self[type].annotations.first(term: term, qualifier: qualifier),
            case .record(_, let properties) = annotation.value
        else { return nil }
        func path(_ name: String) -> ExpressionPath? {
            switch properties.first(where: { $0.term == name })?.value {
            case .path(_, let text), .string(let text): ExpressionPath(text)
            default: nil
            }
        }
        guard let node = path("NodeProperty"), let parent = path("ParentNavigationProperty") else {
            return nil
        }
        return RecursiveHierarchy(node: node, parent: parent)
    }
}
