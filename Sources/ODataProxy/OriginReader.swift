import Foundation
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataSQL
import ODataServer
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import Synchronization

/// Reads the service behind a proxy into a local store of its own, by whatever way that service offers: delta links,
/// properties that tell what changed, entity tags, or full reads that are compared.
///
/// Used by one thread at a time, but for ``cancel()``.
final class OriginReader: Sendable {
    /// What a reading found.
    struct Found {
        /// Sets that were read as a whole.
        var sets: Set<String>
        /// The model, where the metadata of the origin has changed.
        var model: MirroredModel?
        /// What was refused, as a sentence.
        var failure: String?
    }

    /// The root without credentials.
    let root: String
    let storePath: String
    private let provider: CloudSyncProvider
    private let takesChanges: Bool
    private let token = CancelToken()
    private let graph: Mutex<MetadataGraph?> = Mutex(nil)

    /// - Throws: what the network or the origin says where the store has no metadata yet.
    init(_ settings: DeltaProxy.Settings) throws {
        let (url, credentials) = URLCredentials.separated(from: settings.origin)
        root = url.hasSuffix("/") ? url : url + "/"
        takesChanges = settings.takesChanges
        storePath = URL(fileURLWithPath: settings.service.databasePath + ".origin").path
        let online = OnlineODataProvider(serviceName: "origin", serviceRoot: root)
        if let credentials {
            online.login = .basic(username: credentials.user, password: credentials.password)
        }
        for header in settings.headers {
            online.httpHeaders.setHeader(withName: header.name, value: header.value)
        }
        let store = SQLDatabaseProvider(serviceName: "origin", databaseURL: "sqlite:\(storePath)")
        provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        provider.autoRegisterClient = false
        // Metadata is asked for in each sweep: what changes in it has to be offered, too.
        provider.engine.change { $0.autoRefreshSeconds = 0 }
        try provider.open()
    }

    /// What is offered of the origin as its metadata is now.
    ///
    /// - Throws: `usage` while no metadata is known.
    func model() throws -> MirroredModel {
        let mapping = try provider.offlineStore.store().mapping()
        graph.withLock { $0 = mapping.graph }
        return MirroredModel(
            of: mapping, unreadable: ServiceCapabilities(mapping.graph).unreadable,
            takesChanges: takesChanges)
    }

    /// What makes changes over the same connection.
    func writer(
        _ settings: DeltaProxy.Settings, wantsReading: @escaping @Sendable () -> Void
    ) -> OriginWriter {
        OriginWriter(
            provider.onlineProvider, maximumBytes: settings.service.maximumBodyBytes,
            wantsReading: wantsReading)
    }

    /// Reads every set that can be read.
    ///
    /// - Throws: what the network or the origin says when nothing could be read.
    func read() throws -> Found {
        let known = try provider.offlineStore.store().mapping()
        let progress = try provider.downloadReporting(
            groups: [], SyncOptions().cancelable(token), loadsLinks: true)
        let mapping = try provider.offlineStore.store().mapping()
        let isNew = mapping.record != known.record || graph.withLock { $0 != mapping.graph }
        let refused = progress.refused.map { "\($0.source.entitySet): \($0.reason)" }
        return Found(
            sets: Set(progress.results.map(\.source.entitySet)),
            model: isNew ? try model() : nil,
            failure: refused.isEmpty
                ? nil : "the origin refused " + refused.joined(separator: ", "))
    }

    /// Ends a reading that runs; later ones end at once.
    func cancel() { token.cancel() }

    func close() { try? provider.close() }

    /// The failure as a sentence, without the URL's credentials, which no error holds.
    static func sentence(_ error: any Error) -> String {
        String(describing: error).replacing("\n", with: " ")
    }
}
