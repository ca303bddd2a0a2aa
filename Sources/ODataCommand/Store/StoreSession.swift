import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataText

/// An open store with the provider that synchronises it; used by one thread.
final class StoreSession {
    let provider: CloudSyncProvider
    let path: String
    /// Sets that are not downloaded, and why.
    let skipped: [(set: String, reason: String)]
    /// How long the command may take.
    let limit: TimeLimit

    /// Opens the store that `options` name; it must have been synchronised before.
    static func open(
        _ options: StoreOptions, within limit: TimeLimit = TimeLimit(seconds: nil)
    ) throws -> StoreSession {
        let memory = try StoreMemory(path: options.store, key: try options.key())
        return try StoreSession(
            options, root: memory.serviceRoot, name: memory.serviceName, isNew: false,
            within: limit)
    }

    /// Opens the store, or makes one for the service.
    ///
    /// - Throws: bad input when the store belongs to another service.
    static func open(
        _ options: StoreOptions, service: ServiceRoot,
        within limit: TimeLimit = TimeLimit(seconds: nil)
    ) throws -> StoreSession {
        guard FileManager.default.fileExists(atPath: options.store) else {
            return try StoreSession(
                options, root: service.url, name: service.name, isNew: true,
                credentials: service.credentials, within: limit)
        }
        guard try !StoreMemory.isUnfinished(path: options.store, key: try options.key()) else {
            return try StoreSession(
                options, root: service.url, name: service.name, isNew: false,
                credentials: service.credentials, within: limit)
        }
        let memory = try StoreMemory(path: options.store, key: try options.key())
        guard memory.serviceRoot == service.url else {
            throw CommandError.badInput(
                "\(options.store): expected a store of \(service.url), found one of"
                    + " \(memory.serviceRoot).")
        }
        return try StoreSession(
            options, root: memory.serviceRoot, name: memory.serviceName, isNew: false,
            credentials: service.credentials, within: limit)
    }

    private init(
        _ options: StoreOptions, root: String, name: String, isNew: Bool,
        credentials: URLCredentials? = nil, within limit: TimeLimit
    ) throws {
        self.limit = limit
        path = options.store
        let online = OnlineODataProvider(serviceName: name, serviceRoot: root)
        online.logIn(credentials)
        for header in try options.headers.fields() {
            online.httpHeaders.setHeader(withName: header.name, value: header.value)
        }
        let file = URL(fileURLWithPath: options.store).path
        let store = SQLDatabaseProvider(serviceName: name, databaseURL: "sqlite:\(file)")
        let provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
        self.provider = provider
        provider.engine.change { $0.usesRememberedRules = true }
        provider.encryptionKey = try options.key()
        provider.throwUploadFailures = false
        do {
            try limit.stopping({ try? provider.close() }) { try provider.open() }
            // An opening that was nearly done goes on to its end, and what it opened was closed meanwhile.
            guard !limit.isOver else {
                try? provider.close()
                throw limit.ended
            }
        } catch {
            if isNew {
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: file + suffix)
                }
            }
            guard !limit.isOver else {
                throw limit.ended
            }
            throw CommandError.failed(CommandError(error).description)
        }
        skipped = try Self.restrictDownload(provider)
    }

    func close() { try? provider.close() }

    var document: CSDLDocument { provider.metadata }
    var graph: MetadataGraph { document.graph }

    /// Leaves out what cannot be read as a whole, and sets that download queries bring.
    private static func restrictDownload(
        _ provider: CloudSyncProvider
    ) throws -> [(set: String, reason: String)] {
        let document = provider.metadata
        let queries = try provider.downloadQueries(from: nil).toArray()
        let queried = Set(queries.compactMap { $0.query.entitySet?.localName })
        var skipped: [(set: String, reason: String)] = []
        let capabilities = ServiceCapabilities(document.graph)
        for set in document.graph.entitySets {
            let reason = capabilities.unreadable[set.name]
            guard reason != nil || queried.contains(set.name),
                let entitySet = document.entitySet(named: set.name)
            else { continue }
            provider.noDefaultEntityDownload(entitySet)
            if let reason, !queried.contains(set.name) { skipped.append((set.name, reason)) }
        }
        return skipped
    }
}

extension StoreSession {
    /// Options that draw progress and stop when the process is asked to end.
    func syncOptions(_ title: String, _ console: Console, token: CancelToken) -> SyncOptions {
        let options = SyncOptions().cancelable(token)
        return options.listen(
            ProgressListener { progress in
                console.progress(
                    title, fraction: progress.fractionCompleted,
                    detail: "\(progress.entityCount) entities"
                        + (progress.entitySet.map { " · \($0)" } ?? ""))
            })
    }

    /// A group for each name: one that was given to an entity set or a download query.
    func groups(_ names: [String]) throws -> StringList {
        let list = StringList()
        for name in names {
            let group = provider.downloadGroup(name)
            if document.entitySet(named: name) != nil {
                group.entities.append(name)
            } else if try provider.downloadQuery(name: name) != nil {
                group.queries.append(name)
            } else {
                throw CommandError.badInput(
                    "--group: expected an entity set or a download query, found '\(name)'.")
            }
            list.append(name)
        }
        return list
    }

    /// How many requests wait, and how many were refused.
    func requestCounts() throws -> (queued: Int, failed: Int) {
        (
            try provider.queuedRequests(matching: nil, headers: nil, options: nil).length,
            try provider.failedRequests(matching: nil, headers: nil, options: nil).length
        )
    }
}
