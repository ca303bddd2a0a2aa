import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText

extension OfflineSession {
    /// Keeps a defining query, at once or when the store is opened.
    func add(_ query: OfflineODataDefiningQuery) throws {
        try DefiningQueryReader.checkName(query)
        if phase == .open {
            try register(query)
            return
        }
        if let other = waitingQueries.first(where: { $0.name == query.name }), other != query {
            throw Self.isTaken(query.name)
        }
        if !waitingQueries.contains(query) { waitingQueries.append(query) }
    }

    /// Lets a defining query go: one that waits always, a kept one as far as the app allows it.
    func remove(_ query: OfflineODataDefiningQuery) throws {
        if phase != .open {
            waitingQueries.removeAll { $0.name == query.name }
            return
        }
        guard try sync.downloadQuery(name: query.name) != nil else {
            throw OfflineODataError.named(
                .entityNotFound, "Expected a defining query of the store, found none.")
        }
        guard allowsRemoval else {
            throw OfflineODataError.named(
                .definingQueryRemovalNotAllowed,
                "Expected permission to remove defining queries, found none.")
        }
        sync.downloadGroup(query.name).queries.clear()
        for position in try queries().indices { sync.downloadPhase(position + 1).queries.clear() }
        do {
            try sync.deleteDownloadQuery(name: query.name)
        } catch let error as DataServiceError where error.status == 409 {
            throw OfflineODataError.named(
                .pendingChangesExist, "Expected entities without unsent changes, found some.")
        }
    }

    /// The queries of the store; those that wait for it while it is not open.
    func queries() throws -> [OfflineODataDefiningQuery] {
        try phase == .open ? storedQueries() : waitingQueries
    }

    /// The queries that the store knows.
    func storedQueries() throws -> [OfflineODataDefiningQuery] {
        try store().downloadQueries().map { source in
            OfflineODataDefiningQuery(
                name: source.name ?? source.entitySet, query: source.url,
                automaticallyRetrievesStreams: source.streams)
        }
    }

    /// Keeps the queries that waited. One that the store knows under its name with another URL takes its place, and its rows
    /// stay until the next download has brought all of the new one's.
    func registerWaitingQueries() throws {
        // More may be added meanwhile.
        while let query = waitingQueries.first {
            try register(query)
            dropWaiting(query)
        }
    }

    private func register(_ definition: OfflineODataDefiningQuery) throws {
        guard let document = try document() else { return }
        let reader = DefiningQueryReader(
            document: document, serviceRoot: sync.onlineProvider.serviceRoot)
        let query = try reader.query(definition)
        if let known = try store().downloadQuery(definition.name) {
            // One that no longer fits the metadata is another one.
            let stored = (try? sync.downloadQuery(name: definition.name))?.query.toString()
            if stored == query.toString(), known.streams == definition.automaticallyRetrievesStreams
            {
                return try store().confirmDownloadQuery(definition.name)
            }
            guard phase == .opening else { throw Self.isTaken(definition.name) }
            _ = try sync.replaceDownloadQuery(
                name: definition.name, with: query,
                streams: definition.automaticallyRetrievesStreams)
            return
        }
        try sync.createDownloadQuery(
            name: definition.name, query: query,
            streams: definition.automaticallyRetrievesStreams)
    }

    private static func isTaken(_ name: String) -> OfflineODataError {
        .named(
            .definingQueryInvalid,
            "Expected a new name for the defining query, found \(name) in use.")
    }

    /// Groups and phases as the queries of the store make them: one group for each query, so that it can be downloaded
    /// alone; one phase for each when they must come in order.
    func arrangeQueries() throws {
        let isOrdered = parameters.values.refreshInOrderOfAddition
        for (position, query) in try storedQueries().enumerated() {
            let group = sync.downloadGroup(query.name)
            group.queries.clear()
            try group.addQuery(name: query.name)
            guard isOrdered else { continue }
            let phase = sync.downloadPhase(position + 1)
            phase.queries.clear()
            try phase.addQuery(name: query.name)
        }
    }
}
