import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

extension ServiceMetadataLoader {
    /// The document, parsed; its original text is kept.
    ///
    /// - Throws: `service` with the status of an error answer, `network`, `timeout`, `cancelled`, `malformedText` or
    ///   `invalidMetadata`.
    package func load(
        headers: HeaderFields = HeaderFields(), cancellation: CancellationFlag? = nil
    ) throws -> CSDLDocument {
        guard let source = try fetch(headers: headers, cancellation: cancellation) else {
            throw ODataError(
                .invalidPayload, "Expected a metadata document, found that it is unchanged.")
        }
        return try document(source)
    }

    /// The document of a source.
    package func document(_ source: Source) throws -> CSDLDocument {
        CSDLDocument(graph: try graph(source), originalText: source.text)
    }
}
