import OData
import ODataQuery
import ODataModel
import ODataSyncPlan

/// The calls of an app, without the arguments that are mostly not given.
extension CloudSyncProvider {
    func download(_ groups: StringList = []) throws {
        try download(groups: groups, options: SyncOptions.none)
    }

    func upload(_ groups: StringList = []) throws {
        try upload(groups: groups, options: SyncOptions.none)
    }

    func entities(_ query: DataQuery) throws -> EntityValueList {
        try executeQuery(query, headers: HTTPHeaders(), options: RequestOptions()).entityList()
    }

    func create(_ entity: EntityValue) throws {
        try createEntity(entity, headers: HTTPHeaders(), options: RequestOptions())
    }

    func update(_ entity: EntityValue) throws {
        try updateEntity(entity, headers: HTTPHeaders(), options: RequestOptions())
    }

    func delete(_ entity: EntityValue) throws {
        try deleteEntity(entity, headers: HTTPHeaders(), options: RequestOptions())
    }

    func queued() throws -> PendingRequestList {
        try queuedRequests(matching: nil, headers: nil, options: nil)
    }

    func failed() throws -> PendingRequestList {
        try failedRequests(matching: nil, headers: nil, options: nil)
    }
}
