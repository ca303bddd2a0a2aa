import Foundation
import SAPOfflineOData

// Section 8: services and providers.

enum ServiceNames {
    static func metadata(_ service: DataService) throws {
        try service.loadMetadata()
        try service.loadMetadata(headers: HTTPHeaders.empty, options: RequestOptions.none)
        try service.refreshMetadata()
        _ = try service.fetchMetadata()
        try service.unloadMetadata()
        _ = (service.metadata, service.hasMetadata, service.metadataLock)
        _ = (service.entitySet(withName: "a"), service.dataMethod(withName: "a"))
        _ = (service.name, service.provider, service.traceRequests, service.traceWithData)
        _ = (service.prettyTracing, service.serviceOptions, service.networkOptions)
        _ = (service.httpHeaders, service.actionQueue, service.functionQueue)
        service.completionQueue = OperationQueue()
        try service.checkIfCancelled(nil)
        service.asyncAction {}
        service.asyncFunction {}
        try service.pingServer()
    }

    static func reading(_ service: DataService, _ e: EntityValue, _ p: Property) throws {
        _ = try service.executeQuery(DataQuery())
        _ = try service.executeQuery(DataQuery(), headers: HTTPHeaders(), options: nil)
        try service.loadEntity(e)
        try service.loadEntity(e, query: DataQuery())
        try service.loadProperty(p, into: e)
        try service.loadProperty(p, into: e, query: DataQuery(), headers: .empty)
        _ = try service.downloadMedia(entity: e)
        _ = try service.downloadStream(entity: e, link: e.mediaStream)
        _ = try service.entityStream(DataQuery())
        _ = try service.deltaStream(DataQuery())
        _ = try service.updates(of: DataQuery())
    }

    static func writing(
        _ service: DataService, _ e: EntityValue, _ p: Property, _ content: ByteStream
    ) throws {
        try service.createEntity(e)
        try service.createEntity(e, headers: .empty, options: .none)
        try service.updateEntity(e)
        try service.deleteEntity(e)
        try service.saveEntity(e)
        try service.createRelatedEntity(e, in: e, property: p)
        try service.createRelatedMedia(entity: e, content: content, parent: e, property: p)
        try service.createLink(from: e, property: p, to: e)
        try service.updateLink(from: e, property: p, to: e)
        try service.deleteLink(from: e, property: p, to: e)
        try service.deleteLink(from: e, property: p)
        try service.createMedia(entity: e, content: content)
        try service.uploadMedia(entity: e, content: content)
        try service.uploadStream(entity: e, link: e.mediaStream, content: content)
        try service.deleteStream(entity: e, link: e.mediaStream)
        try service.deleteByQuery(DataQuery())
        try service.applyChanges(ChangeSet())
        try service.processBatch(RequestBatch())
        _ = try service.executeMethod(service.dataMethod(withName: "a"), parameters: .empty)
        try service.undoPendingChanges(for: e)
        try service.undoPendingChanges(for: EntityValueList.fromArray([e]))
    }

    static func withHandlers(_ service: DataService, _ e: EntityValue, _ p: Property) {
        service.createEntity(e) { _ in }
        service.updateEntity(e) { result in if case .failure(let error) = result { print(error) } }
        service.deleteEntity(e, completionHandler: { _ in })
        service.loadEntity(e) { _ in }
        service.loadProperty(p, into: e) { _ in }
        service.executeQuery(DataQuery()) { _ in }
    }

    static func legacy(
        _ service: LegacyDataService<OnlineODataProvider>, _ e: EntityValue, _ p: Property
    ) throws {
        service.provider.networkOptions.tunneledMethods.append("MERGE")
        service.provider.metadata = CSDLParser().parseInProxy("", url: "")
        service.createEntity(e) { error in print(error ?? "done") }
        service.updateEntity(e) { error in print(error ?? "done") }
        service.deleteEntity(e) { error in print(error ?? "done") }
        service.loadProperty(p, into: e) { error in print(error ?? "done") }
        service.loadEntity(e) { _ in }
        service.downloadMedia(entity: e, completionHandler: { data, _ in print(data as Data?) })
        service.refreshMetadata { _ in }
        service.executeQuery(DataQuery()) { _, _ in }
        service.addBackgroundOperation {}
        service.addBackgroundOperationForAction {}
        service.addBackgroundOperationForFunction {}
        _ = (service.backgroundQueueForAction, service.backgroundQueueForFunction)
        _ = LegacyAnyDataService.self
    }

    static func legacyOffline(_ service: LegacyDataService<OfflineODataProvider>) throws {
        try service.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "a", query: "A", automaticallyRetrievesStreams: false))
        service.open { error in print(error ?? "open") }
        service.open(completionHandler: { _ in })
        service.upload { error in print(error?.localizedDescription ?? "sent") }
        service.download { error in print(error ?? "there") }
        service.download(withSubset: []) { _ in }
        _ = try (service.requestQueueIsEmpty(), service.hasPendingUpload())
        _ = try (service.hasPendingDownload(), service.getPreviousUser())
        try service.purgeClientOnlyData()
        service.sendStore { _ in }
        service.sendEncryptedStore(newEncryptionKey: "a") { _ in }
        try service.close()
        try service.clear()
    }

    static func online() throws {
        guard let url = URL(string: "http://localhost/") else { return }
        _ = OnlineODataProvider(serviceRoot: url)
        _ = OnlineODataProvider(serviceRoot: url, sapURLSession: SAPURLSession())
        _ = OnlineODataProvider(serviceName: "a", serviceRoot: url, sapURLSession: SAPURLSession())
        let provider = OnlineODataProvider(serviceName: "x", serviceRoot: "http://localhost")
        provider.sapURLSession = nil
        _ = (provider.serviceName, provider.serviceRoot, provider.httpHeaders)
        _ = (provider.httpCookies, provider.metadata, provider.hasMetadata)
        (provider.traceRequests, provider.traceWithData, provider.prettyTracing) = (
            true, true, true
        )
        provider.login = LoginCredentials.basic(username: "a", password: "b")
        try provider.acquireToken()
        let service = OnlineDataService(provider: provider)
        try service.registerClient()
        _ = try service.isClientRegistered()
        try service.unregisterClient()
        try service.acquireToken()
    }

    static func serviceOptions(_ options: ServiceOptions, _ network: NetworkOptions) {
        options.checkVersion = false
        _ = (options.cacheMetadata, options.metadataFile, options.metadataText)
        _ = (options.metadataURL, options.csdlOptions, options.csdlFetcher, options.includeSchemas)
        _ = (options.dataFormat, options.dataVersion, options.checkQueries, options.checkResults)
        _ = (options.fixMissingNullValues, options.fixMissingEmptyLists)
        _ = (options.createReturnsContent, options.updateReturnsContent, options.requiresToken)
        _ = (options.requiresType, options.supportsPatch, options.supportsBatch)
        _ = (options.supportsBind, options.supportsUnbind, options.supportsAlias)
        _ = (options.supportsDelta, options.supportsNext, options.pingMethod, options.pingResource)
        _ = (options.pingAccept, options.clientID, options.clientInstanceID)
        _ = (options.batchEntityOperations, options.batchExecuteMethods)
        _ = (options.batchExecuteQueries, options.avoidInPaths, options.databaseOnly)
        _ = (options.logErrors, options.logWarnings)
        network.tunneledMethods.append("MERGE")
        _ = (network.allowTunneling, network.tunnelingHeader, network.compressRequests)
        _ = (network.compressResponses, network.streamDownloads, network.streamUploads)
        _ = (network.httpHandler, DataFormat.atom, DataFormat.json, DataFormat.xml)
    }

    static func requestOptions(_ token: CancelToken) {
        let options = RequestOptions.noneIfNull(options: nil)
        _ = options.cancelable(token)
        options.updateMode = .replace
        options.updateMode = UpdateMode.merge
        _ = (options.preferNoContent, options.sendEmptyUpdate, options.repeatable)
        _ = (options.requestID, options.repeatabilityCreation, options.repeatabilityDeletion)
        _ = (options.useBatch, options.canCombineRequests, options.customTag)
        _ = (options.uploadGroup, options.changeSet, options.backgroundFile)
        _ = options.backgroundName
        let headers = SAPOData.HTTPHeaders()
        headers.setHeader(withName: "a", value: "b")
        _ = (headers.header(withName: "a"), headers.has("a"), headers.hasHeader("a"))
        headers.addAll(other: HTTPHeaders.emptyIfNull(headers: nil))
        headers.delete("a")
        _ = (headers.copy(), headers.concurrent(), headers.entries(), headers.sortedEntries())
        _ = (headers.keys(), headers.size, headers.equals(headers), headers.toString())
        headers.clear()
    }
}
