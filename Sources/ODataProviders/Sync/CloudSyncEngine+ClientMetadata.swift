import Foundation
import ODataClasses
import ODataModel
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire

/// The app's own metadata beside the service's (offline reference, 16.6).
extension CloudSyncEngine {
    /// The text of the app's metadata file; nil when none is named.
    ///
    /// - Throws: `usage` when the file cannot be read.
    func clientMetadata() throws -> String? {
        guard let file = configuration.clientMetadataFile else { return nil }
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

    /// Brings a store that has metadata to another version of the app's own, or to none.
    ///
    /// - Throws: `conflict` when its data cannot be kept and the app did not say that it may go; nothing is changed then.
    func refreshClientMetadata(_ store: LocalStore) throws {
        let client = try clientMetadata()
        guard try client != store.clientMetadataText(),
            let service = try store.serviceMetadataText()
        else { return }
        let graph = try joinedGraph(service: service, client: client)
        var drops = client == nil
        if !drops, let change = ClientMetadata.obstacle(from: try store.graph(), to: graph.graph) {
            guard configuration.purgesClientDataOnMetadataChange else {
                throw ODataError(
                    .conflict,
                    "Expected client-only metadata that only adds to what is stored, found: "
                        + change.detail, at: .path(change.path),
                    underlying: IncompatibleMetadata())
            }
            drops = true
        }
        try store.adopt(
            metadata: graph.text, graph: graph.graph, service: client == nil ? nil : service,
            client: client, dropsClientData: drops)
        let document = CSDLDocument(graph: graph.graph, originalText: graph.text)
        offlineStore.metadata = document
        onlineProvider.metadata = document
    }

    /// The service's metadata with the app's own: text and graph.
    func joinedGraph(
        service: String, client: String?
    ) throws -> (text: String, graph: MetadataGraph) {
        guard let client else {
            return (service, try CSDLReader.read(Array(service.utf8)))
        }
        let text = try ClientMetadata.combined(service: service, client: client)
        return (text, try CSDLReader.read(Array(text.utf8)))
    }
}
