import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan

extension CloudSyncProvider {
    // MARK: Download queries

    final func keep(_ query: DataQuery, as name: String, streams: Bool) throws {
        try ErrorBase.translating {
            try DownloadQueries(try scope()).create(
                name, try query.checkedQuery(), streams: streams)
        }
    }

    /// Keeps a query under a name that another has; the rows of the old one stay until those of this one are complete.
    ///
    /// - Returns: false when it is the same query.
    package final func replaceDownloadQuery(
        name: String, with query: DataQuery, streams: Bool
    ) throws -> Bool {
        try ErrorBase.translating {
            try DownloadQueries(try scope()).replace(
                name, with: try query.checkedQuery(), streams: streams)
        }
    }

    final func downloadQueries(of set: String?) throws -> DownloadQueryList {
        DownloadQueryList.fromArray(try stored { try $0.downloadQueries(of: set).map(object) })
    }

    final func object(_ source: DownloadSource) throws -> DownloadQuery {
        let document = try local.document()
        let result = DownloadQuery()
        result.name = source.name ?? source.entitySet
        result.streams = source.streams
        // One that the metadata has no place for any more still has its name.
        let query = try? URLParser.parse(
            source.url, graph: document.graph, dialect: Dialect.of(document.graph.version))
        if let query { result.query = DataQuery(query, in: document) }
        return result
    }

    // MARK: Queue

    final func requests(
        isFailed: Bool, _ query: DataQuery?, _ headers: HTTPHeaders?, _ options: RequestOptions?
    ) throws -> PendingRequestList {
        try ErrorBase.translating {
            let list = try PendingQueue(try scope()).entries(isFailed: isFailed).map {
                PendingRequest(
                    $0.request, preview: $0.preview, sending: $0.sending, owner: self)
            }
            return try PendingRequestList.matching(
                query, headers: headers, options: options, in: list)
        }
    }

    final func events(matching query: DataQuery?) throws -> SyncEventList {
        let events = try stored { try $0.events() }.map { event in
            SyncEvent(
                eventID: event.id, type: event.type,
                time: GlobalDateTime.milliseconds(event.time), details: event.details)
        }
        return try ErrorBase.translating { try SyncEventList.matching(query, in: events) }
    }
}

extension CloudSyncProvider: PendingRequestOwner {
    package final func cancel(request: Int64) throws {
        _ = try stored { try $0.cancel([request]) }
    }

    package final func retry(request: Int64) throws {
        try ErrorBase.translating { try PendingQueue(try scope()).retry(request) }
    }

    package final func confirm(request: QueuedRequest, as entity: EntityValue?) throws {
        try ErrorBase.translating {
            try PendingQueue(try scope()).confirm(request, as: entity?.structureValue)
        }
    }

    package final func affectedEntity(
        of request: QueuedRequest, fixRequest: Bool
    ) throws -> EntityValue? {
        try ErrorBase.translating {
            let call = try local.call()
            guard let set = call.document.entitySet(named: request.target.table),
                let state = try call.writes.store.entity(request.target), state.values != nil
            else { return nil }
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            try call.refresh(entity, request.target, state)
            if fixRequest { local.fix(request.id, by: request.target) }
            return entity
        }
    }
}
