import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataTransport
import ODataWire
import ODataWorld

/// What an operation of the sync engine is made over: a store, the service that it is kept in step with, and the settings
/// as they are when the operation begins.
package struct SyncScope: Sendable {
    package let engine: SyncEngine
    package let store: LocalStore
    package let service: SyncService
    package let configuration: SyncConfiguration
    package let choice: DownloadChoice
    package let events: SyncEvents

    package init(
        engine: SyncEngine, store: LocalStore, service: SyncService, choice: DownloadChoice,
        events: SyncEvents
    ) {
        self.engine = engine
        self.store = store
        self.service = service
        configuration = engine.configuration
        self.choice = choice
        self.events = events
    }

    /// The same with the session of a user of before, where the app can give that: otherwise with the present one.
    func acting(as user: String?) throws -> SyncScope {
        guard let context = try configuration.contextOfUser?(user) else { return self }
        var service = service
        service.connection = context.connection
        service.headers = context.headers
        // Transfers of the system would go on with the session of whoever is there by then.
        service.background = { nil }
        return SyncScope(
            engine: engine, store: store, service: service, choice: choice, events: events)
    }

    var world: any World { store.world }
    var connection: ServiceConnection { service.connection }

    /// Milliseconds since 1970.
    var milliseconds: Int64 {
        let now = world.now()
        return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
    }

    /// Lets the store remember the rules that the app has set; writes only what is new.
    func rememberRules() throws {
        guard !configuration.usesRememberedRules else { return }
        let text = RememberedRules(configuration.rules).text
        guard try store.text(.writeRules) != text else { return }
        try store.setText(text, for: .writeRules)
    }

    /// The rules that count, and the sets whose conflicts only the app itself can decide.
    func writeRules(_ graph: MetadataGraph) throws -> (rules: WriteRules, undecided: [String]) {
        guard configuration.usesRememberedRules,
            let known = try store.text(.writeRules).flatMap({ RememberedRules(text: $0) })
        else { return (configuration.rules, []) }
        return known.rules(under: configuration.rules, in: graph)
    }

    /// What writes the requests of the queue as the service wants them.
    func requestWriter(_ graph: MetadataGraph) -> RequestWriter {
        var writer = RequestWriter(
            graph: graph, root: connection.root, settings: service.requests,
            sendsRepeatability: configuration.sendRepeatableRequests)
        if configuration.sendsOlderRepeatability { writer.repeatabilityStyles.append(.sap) }
        return writer
    }
}

/// The service, as far as synchronising needs to know it.
package struct SyncService: Sendable {
    package var name: String
    /// The service root, ending in `/`.
    package var root: String
    package var connection: ServiceConnection
    /// How requests are written, whether they go at once or from the queue.
    package var requests: RequestSettings
    /// The headers that go with every request.
    package var headers: HeaderFields
    /// What `~` stands for in file names.
    package var folder: PrivateFolder
    /// Makes the system's transfers in the background, once for an operation that has to do with them; nil where it has none, or
    /// none of this store can be there.
    package var background: @Sendable () throws -> (any BackgroundTransfer)? = { nil }
    /// A handler of the app's sends the requests, so that nobody else may.
    package var isSentByApp = false

    package init(
        name: String, root: String, connection: ServiceConnection, requests: RequestSettings,
        headers: HeaderFields, folder: PrivateFolder
    ) {
        self.name = name
        self.root = root
        self.connection = connection
        self.requests = requests
        self.headers = headers
        self.folder = folder
    }
}
