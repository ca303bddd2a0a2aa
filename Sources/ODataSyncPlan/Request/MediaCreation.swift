import ODataModel
import ODataText

/// A media entity is made of its content; its properties follow (Protocol 4.01, section 11.4.7.1; V2 Operations, "Creating
/// Media Link Entries").
package enum MediaCreation {
    /// Keeps properties from being sent where the service takes the body for content.
    ///
    /// - Throws: `invalidValue` for a type whose entities have content.
    package static func refuseWithoutContent(_ type: StructureID, in graph: MetadataGraph) throws {
        guard graph[type].hasStream else { return }
        throw ODataError(
            .invalidValue,
            "Expected the content that a media entity is created of, found its properties alone.",
            at: .path(graph[type].qualifiedName), status: 400)
    }
}
