import SAPOData
import ODataModel
import ODataQuery
import ODataSyncPlan

/// The calls of an app, without the arguments that are mostly not given.
extension CloudSyncProvider {
    package func download(_ groups: StringList = []) throws {
        try download(groups: groups, options: SyncOptions.none)
    }

    package func upload(_ groups: StringList = []) throws {
        try upload(groups: groups, options: SyncOptions.none)
    }

    package func entities(_ query: DataQuery) throws -> EntityValueList {
        try executeQuery(query, headers: HTTPHeaders(), options: RequestOptions()).entityList()
    }

    package func create(_ entity: EntityValue, _ options: RequestOptions = RequestOptions()) throws
    {
        try createEntity(entity, headers: HTTPHeaders(), options: options)
    }

    package func update(_ entity: EntityValue, _ options: RequestOptions = RequestOptions()) throws
    {
        try updateEntity(entity, headers: HTTPHeaders(), options: options)
    }

    package func delete(_ entity: EntityValue, _ options: RequestOptions = RequestOptions()) throws
    {
        try deleteEntity(entity, headers: HTTPHeaders(), options: options)
    }

    package func queued() throws -> PendingRequestList {
        try queuedRequests(matching: nil, headers: nil, options: nil)
    }

    package func failed() throws -> PendingRequestList {
        try failedRequests(matching: nil, headers: nil, options: nil)
    }
}
