import Foundation
import ODataModel
import ODataSyncPlan
import ODataText
import ODataWire

extension ClientMetadata {
    /// What a file with the app's own metadata holds.
    ///
    /// - Throws: `usage` when the file cannot be read.
    static func text(ofFile file: String) throws -> String {
        let path = (file as NSString).expandingTildeInPath
        guard let bytes = FileManager.default.contents(atPath: path),
            let text = String(bytes: bytes, encoding: .utf8)
        else {
            throw ODataError(
                .usage, "Expected a metadata file to read as UTF-8, found none.",
                at: .path((path as NSString).lastPathComponent))
        }
        return text
    }

    /// The service's metadata with the app's own: text and graph.
    static func joined(
        service: String, client: String?
    ) throws -> (text: String, graph: MetadataGraph) {
        let text = try client.map { try combined(service: service, client: $0) } ?? service
        return (text, try CSDLReader.read(Array(text.utf8), options: .runningService))
    }
}
