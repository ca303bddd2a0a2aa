import Foundation
import SAPOfflineOData

// Section 8: change sets, batches, local and offline services, and the async families.

enum SyncNames {
    static func changes(_ e: EntityValue, _ p: Property, _ method: DataMethod) throws {
        let changes = ChangeSet()
        changes.createEntity(e)
        changes.createEntity(e, headers: .empty, options: .none)
        changes.createRelatedEntity(e, in: e, property: p)
        changes.updateEntity(e)
        changes.deleteEntity(e)
        changes.saveEntity(e)
        changes.createLink(from: e, property: p, to: e)
        changes.updateLink(from: e, property: p, to: e)
        changes.deleteLink(from: e, property: p, to: e)
        let action = changes.invokeAction(method, parameters: ParameterList())
        _ = (changes.size, changes.isEntity(0), changes.isEntity(at: 0), changes.isLink(0))
        _ = (changes.isAction(0), changes.entity(0), changes.link(0), changes.action(0))
        _ = (changes.headers(0), changes.options(0), changes.actionResult(action))
        _ = (changes.status, changes.error)
        let batch = RequestBatch()
        batch.addQuery(DataQuery())
        batch.addChanges(changes)
        let call = batch.invokeFunction(method, parameters: ParameterList())
        _ = try batch.queryResult(for: call)
        _ = (batch.size, batch.isDataQuery(0), batch.isChangeSet(0), batch.isFunction(0))
        _ = (batch.dataQuery(0), batch.changeSet(0), batch.status, batch.error)
    }

    static func local() throws {
        let store = SQLDatabaseProvider(serviceName: "a", databaseURL: "sqlite:~/a.db")
        store.encryptionKey = nil
        (store.autoGenerateKeys, store.useClientProvidedKeys) = (true, true)
        (store.autoBindEntities, store.autoUnbindEntities) = (true, true)
        (store.autoCreateParents, store.autoCreateChildren) = (true, true)
        try store.open()
        try store.close()
    }

    static func offline(_ service: OfflineDataService, _ set: EntitySet) throws {
        try service.open()
        try service.download()
        try service.download(groups: ["a"])
        try service.upload()
        try service.upload(groups: ["a"], options: nil)
        try service.cancelDownload()
        try service.cancelUpload()
        try service.cancelPendingRequests()
        _ = try (service.queuedRequests(), service.failedRequests(), service.hasQueuedRequests())
        try service.createDownloadQuery(name: "a", query: DataQuery().from(set))
        service.downloadInGroup("a", set)
        service.downloadInPhase(1, set)
        _ = try service.eventHistory()
        _ = try (service.hasInitialData(), service.hasPendingUpload())
        _ = try service.updates(of: DataQuery().from(set))
        try service.close()
        try service.clear()
    }

    static func asynchronous(_ service: OfflineDataServiceAsync, _ e: EntityValue) async throws {
        try await service.open()
        try await service.download()
        try await service.createEntity(e)
        try await service.updateEntity(e)
        try await service.deleteEntity(e)
        try await service.loadProperty(e.entityType.property(withName: "a"), into: e)
        _ = try await service.executeQuery(DataQuery())
        _ = try service.updates(of: DataQuery())
        try await service.upload()
        try await service.close()
        let plain: DataServiceAsync = service
        _ = try plain.updates(of: DataQuery())
        _ = OnlineDataServiceAsync.self
    }

    static func offlineProvider(_ url: URL, _ entity: EntityValue) throws {
        let provider = try OfflineODataProvider(
            serviceRoot: url, parameters: OfflineODataParameters(), sapURLSession: SAPURLSession())
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "a", query: "A", automaticallyRetrievesStreams: false))
        provider.open { _ in }
        provider.upload { _ in }
        provider.download { _ in }
        try provider.undoPendingChanges(for: entity)
        _ = try (provider.requestQueueIsEmpty(), provider.getPreviousUser())
        _ = provider.syncProvider
        let error: any SAPError = OfflineODataError.notFound(code: 1, message: "a")
        print(error.localizedDescription, error.debugDescription)
    }

    static func archive(_ service: DataService) throws {
        for entry in try service.fetchErrorArchive() {
            print(entry.requestID, entry.code ?? "", entry.message ?? "", entry.requestBody ?? "")
            print(entry.httpStatusCode ?? 0, entry.domain ?? "", entry.affectedEntity ?? "")
            print(entry.customHeaders.map { $0.name + $0.value })
            _ = OfflineODataErrorArchiveEntity.affectedEntity
        }
        for request in try service.fetchRequestQueue() { print(request.status ?? "") }
        for event in try service.fetchEventLog() { print(event.eventType) }
        _ = OfflineODataMetadata.EntitySets.errorArchive
        _ = OfflineODataMetadata.EntityTypes.errorArchiveEntity
    }
}
