import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Keeps the metadata of a store in step with the service's and with the app's own beside it (offline reference, 16.6).
package struct MetadataRefresh {
    let scope: SyncScope

    package init(_ scope: SyncScope) { self.scope = scope }

    private var store: LocalStore { scope.store }
    private var configuration: SyncConfiguration { scope.configuration }

    /// Sees to it that the store has metadata, from the service where it has none yet.
    ///
    /// - Parameter cancellation: stops the request for it.
    /// - Returns: what the store has taken over; nil when what it had is still right.
    /// - Throws: what ``ServiceMetadataLoader`` throws; `conflict` when the app's own metadata has changed and data cannot
    ///   be kept.
    package func ensure(cancellation: CancellationFlag? = nil) throws -> AdoptedMetadata? {
        guard !store.hasMetadata else {
            if try store.text(.serviceRoot) == nil { try store.note(origin) }
            return try refreshClientMetadata()
        }
        let loader = ServiceMetadataLoader(scope.connection)
        guard let source = try loader.fetch(cancellation: cancellation) else { return nil }
        // Whose store it is goes with them: a process that ends before has left one that anybody can go on with.
        return try adopt(source.text, try loader.graph(source), origin: origin)
    }

    private var origin: StoreOrigin {
        StoreOrigin(name: scope.service.name, root: scope.service.root)
    }

    /// Looks for changed metadata when the interval has passed, and brings the store to it.
    func refresh(_ cancellation: CancellationFlag) throws {
        guard configuration.autoRefreshMetadata else { return }
        let now = scope.milliseconds
        // A clock that was put back would hold it up for as long as it was ahead.
        if let last = try store.time(.metadataTime), last <= now,
            now - last < configuration.autoRefreshSeconds * 1_000
        {
            return
        }
        var loader = ServiceMetadataLoader(scope.connection)
        loader.known = try store.serviceMetadataText()
        guard let source = try loader.fetch(cancellation: cancellation) else { return }
        for document in source.kept {
            let place = ServiceURL.relative(document, root: scope.connection.root)
            scope.events.warn("\(place) is gone; what it described stays as it was known.")
        }
        guard try source.text != store.serviceMetadataText() else {
            try store.setTime(now, for: .metadataTime)
            return
        }
        let adopted = try adopt(source.text, try loader.graph(source))
        try store.note(
            "metadata",
            details: adopted.incomplete.isEmpty ? nil : adopted.incomplete.joined(separator: ","))
        scope.events.info(
            "The service's metadata has changed; \(adopted.incomplete.count) sets lack data.")
        scope.events.metadataChanged(adopted)
    }

    /// Stores the service's document, with the app's own metadata where there is some.
    private func adopt(
        _ service: String, _ graph: MetadataGraph, origin: StoreOrigin? = nil
    ) throws -> AdoptedMetadata {
        guard let client = try clientMetadata(besides: graph) else {
            let incomplete = try store.adopt(
                metadata: service, graph: graph, origin: origin, incompatible: tell)
            try noteUndefinedSets(of: graph)
            return AdoptedMetadata(text: service, graph: graph, incomplete: incomplete)
        }
        let joined = try ClientMetadata.joined(service: service, client: client)
        let incomplete = try store.adopt(
            metadata: joined.text, graph: joined.graph, service: service, client: client,
            dropsClientData: false, origin: origin, incompatible: tell)
        try noteUndefinedSets(of: joined.graph)
        return AdoptedMetadata(
            text: joined.text, graph: joined.graph, incomplete: incomplete)
    }

    /// What did not fit is read again; the store's history has it, too.
    private func tell(_ places: [String]) {
        scope.events.warn(
            "The metadata has changed incompatibly; given up until the next read: "
                + places.joined(separator: ", ") + ".")
    }

    /// Sets of types that no document describes are left out, and that is said.
    private func noteUndefinedSets(of graph: MetadataGraph) throws {
        let reasons = ServiceCapabilities(graph).unreadable
        for set in graph.undefinedSets {
            let text = "\(set.name): \(reasons[set.name] ?? set.type)"
            scope.events.warn("Left out, \(text).")
            try store.note("leftOut", details: text)
        }
    }

    /// Brings a store that has metadata to another version of the app's own, or to none.
    ///
    /// - Throws: `conflict` when its data cannot be kept and the app did not say that it may go; nothing is changed then.
    private func refreshClientMetadata() throws -> AdoptedMetadata? {
        guard let service = try store.serviceMetadataText() else { return nil }
        let client = try clientMetadata(besides: try storedServiceGraph(service))
        guard try client != store.clientMetadataText() else { return nil }
        let joined = try ClientMetadata.joined(service: service, client: client)
        var drops = client == nil
        if !drops, let change = ClientMetadata.obstacle(from: try store.graph(), to: joined.graph) {
            guard configuration.purgesClientDataOnMetadataChange else {
                throw ODataError(
                    .conflict,
                    "Expected client-only metadata that only adds to what is stored, found: "
                        + change.detail, at: .path(change.path),
                    underlying: IncompatibleMetadata())
            }
            drops = true
        }
        let incomplete = try store.adopt(
            metadata: joined.text, graph: joined.graph, service: client == nil ? nil : service,
            client: client, dropsClientData: drops, incompatible: tell)
        return AdoptedMetadata(
            text: joined.text, graph: joined.graph, incomplete: incomplete)
    }

    /// What the service's part of the stored metadata says; read only where something asks for it.
    private func storedServiceGraph(_ text: String) throws -> MetadataGraph? {
        guard configuration.clientMetadataFile == nil, configuration.appMetadata != nil else {
            return nil
        }
        return try CSDLReader.read(Array(text.utf8), options: .runningService)
    }

    /// The text of the app's metadata file, or else what its own document has beside the service's; nil where there is
    /// neither.
    ///
    /// - Throws: `usage` when the file cannot be read.
    private func clientMetadata(besides service: MetadataGraph?) throws -> String? {
        if let file = configuration.clientMetadataFile {
            return try ClientMetadata.text(ofFile: file)
        }
        guard let service, let app = configuration.appMetadata else { return nil }
        return ClientMetadata.text(in: app, besides: service)
    }
}
