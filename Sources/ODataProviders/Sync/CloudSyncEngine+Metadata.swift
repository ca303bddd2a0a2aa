import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld
import SAPCommon

extension CloudSyncEngine {
    /// Makes metadata available to store, online provider and app: from the store, or else from the service.
    func ensureMetadata(_ store: LocalStore) throws {
        if store.hasMetadata {
            try refreshClientMetadata(store)
            let document =
                offlineStore.hasMetadata
                ? offlineStore.metadata : CSDLDocument(graph: try store.graph())
            offlineStore.metadata = document
            if !onlineProvider.hasMetadata { onlineProvider.metadata = document }
            return
        }
        let loader = ServiceMetadataLoader(onlineProvider.connection)
        guard let source = try loader.fetch() else { return }
        let document = try loader.document(source)
        let joined = try adopt(source.text, document, store).document
        try store.setText(onlineProvider.serviceRoot, for: .serviceRoot)
        try store.setText(onlineProvider.serviceName, for: .serviceName)
        let shared = ownDocument(like: joined) ?? joined
        offlineStore.metadata = shared
        onlineProvider.metadata = shared
    }

    /// Stores the service's document, with the app's own metadata where there is some.
    private func adopt(
        _ service: String, _ document: CSDLDocument, _ store: LocalStore
    ) throws -> (document: CSDLDocument, incomplete: [String]) {
        guard let client = try clientMetadata() else {
            let incomplete = try store.adopt(metadata: service, graph: document.graph)
            return (document, incomplete)
        }
        let joined = try joinedGraph(service: service, client: client)
        let incomplete = try store.adopt(
            metadata: joined.text, graph: joined.graph, service: service, client: client,
            dropsClientData: false)
        return (CSDLDocument(graph: joined.graph, originalText: joined.text), incomplete)
    }

    /// The document that the app has set, where it says the same: objects of generated classes belong to it.
    private func ownDocument(like document: CSDLDocument) -> CSDLDocument? {
        guard offlineStore.hasMetadata else { return nil }
        let own = offlineStore.metadata
        return CSDLWriter.xml(own.declared) == CSDLWriter.xml(document.graph) ? own : nil
    }

    func loadMetadata(_ headers: HTTPHeaders, _ options: RequestOptions) throws {
        guard !offlineStore.hasMetadata else { return }
        try ErrorBase.translating { try ensureMetadata(try offlineStore.openStore()) }
    }

    func fetchMetadata(_ headers: HTTPHeaders, _ options: RequestOptions) throws -> CSDLDocument {
        try onlineProvider.fetchMetadata(headers: headers, options: options)
    }

    func unloadMetadata() throws {
        try offlineStore.unloadMetadata()
        try onlineProvider.unloadMetadata()
    }

    func hasMetadataChanges() throws -> Bool {
        try ErrorBase.translating { try !store().changedSets().isEmpty }
    }

    func changedEntitySets() throws -> EntitySetList {
        let (document, sets) = try ErrorBase.translating {
            (try offlineStore.document(), try store().changedSets())
        }
        return EntitySetList.fromArray(
            sets.sorted().compactMap { document.entitySet(named: $0) })
    }

    /// Looks for changed metadata when the interval has passed, and brings the store to it.
    func refreshMetadata(_ store: LocalStore, _ flag: CancellationFlag) throws {
        let configuration = configuration
        guard configuration.autoRefreshMetadata else { return }
        let now = world.now()
        let milliseconds = now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
        let interval = objects.autoRefreshInterval.toDecimal().longValue() * 1_000
        if let last = try store.time(.metadataTime), milliseconds - last < interval { return }
        let loader = ServiceMetadataLoader(onlineProvider.connection)
        guard let source = try loader.fetch(cancellation: flag) else { return }
        guard try source.text != store.serviceMetadataText() else {
            try store.setTime(milliseconds, for: .metadataTime)
            return
        }
        let old = offlineStore.metadata
        let (document, incomplete) = try adopt(
            source.text, try loader.document(source), store)
        old.markRemoved(absentFrom: document)
        offlineStore.metadata = document
        onlineProvider.metadata = document
        logger.info("The service's metadata has changed; \(incomplete.count) sets lack data.")
        objects.metadataListener?.metadataChanged(
            MetadataChange(
                oldMetadata: old, newMetadata: document, changedEntitySets: incomplete))
    }
}
