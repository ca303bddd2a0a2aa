import Foundation
import SAPOfflineOData

// The offline reference, sections 7 and 8: parameters, the provider, errors, progress and the store's own sets.

enum OfflineNames {
    static func parameters(_ folder: URL) {
        let p = OfflineODataParameters()
        (p.storeEncryptionKey, p.storeName, p.storePath) = (nil, "a", folder)
        (p.urlSuffix, p.extraStreamParameters) = ("a", "timeout=30")
        p.extraDatabaseConnectionParameters = "cache_size=1000"
        (p.customHeaders, p.customCookies) = (["a": "b"], [:])
        p.customHeaders["c"] = "d"
        (p.enableRepeatableRequests, p.pageSize) = (true, OfflineODataParameters.noPaging)
        (p.timeout, p.enableRequestQueueOptimization) = (Int32(30), true)
        (p.enableUndoLocalCreation, p.enableTransactionBuilder) = (true, true)
        (p.enableIndividualErrorArchiveDeletion, p.enableBackgroundDataTransfer) = (true, true)
        (p.forceUploadOnUserSwitch, p.refreshInOrderOfAddition) = (true, true)
        (p.autoRegisterClient, p.currentUser, p.enableClientOnlyMetadata) = (true, "a", true)
        (p.forcePurgeClientOnlyDataOnUserSwitch, p.pageSize) = (true, 10)
        p.forcePurgeClientOnlyDataOnMetadataChange = true
    }

    static func providers(
        _ root: URL, _ p: OfflineODataParameters, _ session: SAPURLSession, _ old: BytesDelegate,
        _ new: StepsDelegate, _ both: BothDelegate
    ) throws -> [OfflineODataProvider] {
        let (some, other): ((any OfflineODataDelegate)?, (any OfflineODataProviderDelegate)?) = (
            old, new
        )
        return [
            try OfflineODataProvider(serviceRoot: root, parameters: p, sapURLSession: session),
            try OfflineODataProvider(
                serviceRoot: root, parameters: p, sapURLSession: session, delegate: old),
            try OfflineODataProvider(
                serviceRoot: root, parameters: p, sapURLSession: session, delegate: new),
            try OfflineODataProvider(
                serviceRoot: root, parameters: p, sapURLSession: session, delegate: both),
            try OfflineODataProvider(
                serviceRoot: root, parameters: p, sapURLSession: session, delegate: some),
            try OfflineODataProvider(
                serviceRoot: root, parameters: p, sapURLSession: session, delegate: other),
            try OfflineODataProvider(
                serviceRoot: root, parameters: p, sapURLSession: session, delegate: nil),
        ]
    }

    static func queries(_ provider: OfflineODataProvider) throws {
        var query = OfflineODataDefiningQuery(
            name: "a", query: "/A", automaticallyRetrievesStreams: false)
        (query.name, query.query, query.automaticallyRetrievesStreams) = ("b", "B", true)
        try provider.add(definingQuery: query)
        try provider.remove(definingQuery: query)
        _ = (try provider.definingQueries, query.isRemoving, provider.allowDefiningQueryRemoval)
        _ = OfflineODataDefiningQuery(
            name: "a", query: DataQuery(), automaticallyRetrievesStreams: false)
        let token: CancelToken = provider.download(withSubset: [query]) { _ in }
        token.cancel()
    }

    static func provider(_ provider: OfflineODataProvider, _ e: EntityValue, _ at: URL) throws {
        let (face, logger): (any DataSyncProvider, Logger) = (
            provider.syncProvider, provider.logger
        )
        provider.providerParameters.customHeaders = [:]
        provider.serviceOptions.checkVersion = false
        provider.serviceOptions.supportsBatch = false
        _ = (face, logger, OfflineODataProvider.libraryVersion)
        provider.open(completionHandler: { (_ error: OfflineODataError?) -> Void in })
        provider.upload { error in print(error?.localizedDescription ?? "sent") }
        try provider.upload(categories: [UploadCategory(stringLiteral: "a")]) { _ in }
        provider.download { _ in }
        try provider.cancelDownload()
        try provider.cancelUpload()
        _ = try (provider.hasPendingDownload(), provider.hasPendingUpload())
        _ = try (provider.requestQueueIsEmpty(), provider.getPreviousUser())
        try provider.undoPendingChanges(for: e)
        try provider.purgeClientOnlyData()
        provider.sendStore { _ in }
        provider.sendEncryptedStore(newEncryptionKey: "a") { _ in }
        (provider.traceRequests, provider.traceWithData, provider.prettyTracing) = (
            true, true, true
        )
        try provider.close()
        try provider.clear()
        try OfflineODataProvider.clear(at: at, withName: nil)
    }

    static func requests(_ e: EntityValue, _ service: DataService) throws {
        let options = OfflineODataRequestOptions()
        (options.removeCreatedEntityAfterUpload, options.unmodifiableRequest) = (true, true)
        options.transactionID = try TransactionID(stringLiteral: "1")
        options.transactionID = try TransactionID(e)
        options.transactionID = TransactionID.useGeneratedIDForTransaction()
        options.uploadCategory = try UploadCategory(stringLiteral: "a")
        options.uploadCategory = try UploadCategory(e)
        options.uploadCategory = UploadCategory.useGeneratedIDForUploadCategory()
        try service.createEntity(e, options: options)
        _ = [TransactionIDType.literal, .entityID, .generatedID]
        _ = [UploadCategoryType.literal, .entityID, .generatedID]
    }

    static func functions(_ path: DataPath) -> [QueryFilter] {
        let superclass: QueryFunction.Type = OfflineODataQueryFunction.self
        _ = superclass
        return [
            OfflineODataQueryFunction.isLocal(), OfflineODataQueryFunction.hasPendingChanges(),
            OfflineODataQueryFunction.inErrorState(),
            OfflineODataQueryFunction.upsertedLastDownload(),
            OfflineQueryFunction.entityExists(path).not(),
        ]
    }

    static func errors(_ e: OfflineODataError, _ any: any Error) -> Int {
        if case OfflineODataError.preconditionFailed(code: _, message: let text) = any {
            print(text)
        }
        _ = (e.errorName, e.message, e.code, e.toString(), e.description, e.debugDescription)
        _ = (e.errorDescription, e.failureReason, e.errorCode, e as any CustomNSError)
        switch e {
        case .error(let code, _), .invalidInput(let code, _), .preconditionFailed(let code, _),
            .notFound(let code, _), .communicationError(let code, _),
            .serverSideError(let code, _), .clientInternalError(let code, _),
            .notSupported(let code, _):
            return code + e.errorName.rawValue
        }
    }

    static let errorNames: [OfflineODataErrorName] = [
        .noneException, .debugException, .errorExecutingSqlStmt, .externalException,
        .errorConnectingToDb, .dbNotFound, .errorLoadingEdmMetadata, .errorLoadingMapping,
        .fatalParseError, .urlSyntaxError, .unexpectedEoi, .illegalTypeValue, .emptyResourcePath,
        .invalidEntityContainer, .invalidKeyPredicate, .invalidUnnamedKeyValue,
        .wrongNumberOfKeyValues, .invalidKeyProperty, .duplicateKeyProperty,
        .invalidKeyPropertyType, .invalidNullInKeyPredicate, .invalidProperty, .invalidEmptyParen,
        .storeNotOpen, .storeAlreadyOpen, .encryptionKeyMismatch, .duplicateKey, .entityNotFound,
        .readOnlyEntitySet, .definingQueryInvalid, .definingQueryRemovalNotAllowed,
        .networkFailure, .requestCancelled, .pendingChangesExist, .unsupportedOperation,
        .incompatibleMetadataChange,
    ]

    static let states: [OfflineODataStoreState] = [
        .opening, .initializing, .initialCommunication, .fileDownloading, .downloading, .uploading,
        .open, .closed, .sendingStore, [.open, .downloading],
    ]

    static let steps: [OfflineODataOperationStep] = [
        .buildingEntityStore, .creatingBootStrapDatabase, .creatingRequestQueueDatabase,
        .downloadingEntityStore, .erasingExpiredRequests, .loadingMetadata,
        .performingRequestQueueMerge, .performingTransactionMerge, .performingCreateDeleteMerge,
        .processingDefiningQueries, .processingRequests, .reapplyingChanges,
        .analyzingReceivedData, .receivingDataFromServer, .removingDeletedRelationships,
        .sendingDataToServer,
    ]
}

/// The store's own sets: their classes, their properties, and where they are asked for.
enum BuiltInNames {
    static func archive(_ x: OfflineODataErrorArchiveEntity) -> [Property] {
        let (id, tag): (Int64, String?) = (x.requestID, x.customTag)
        _ = (id, tag, x.httpStatusCode, x.code, x.message, x.innerError, x.domain)
        _ = (x.requestMethod, x.requestURL, x.requestBody, x.affectedEntity, x.customHeaders)
        typealias Entry = OfflineODataErrorArchiveEntity
        return [
            Entry.requestID, Entry.customTag, Entry.httpStatusCode, Entry.code, Entry.message,
            Entry.innerError, Entry.domain, Entry.requestMethod, Entry.requestURL,
            Entry.requestBody, Entry.affectedEntity, Entry.customHeaders,
        ]
    }

    static func queue(_ x: OfflineODataRequest, _ header: OfflineODataCustomHeader) -> [Property] {
        _ = (x.requestID, x.status, x.method, x.url, x.body, x.customTag, x.affectedEntity)
        _ = (x.dependentRequests, x.customHeaders, header.headerID, header.name, header.value)
        _ = OfflineODataCustomHeader.key(headerID: 1)
        typealias Entry = OfflineODataRequest
        return [
            Entry.requestID, Entry.status, Entry.method, Entry.url, Entry.body, Entry.customTag,
            Entry.affectedEntity, Entry.dependentRequests, Entry.customHeaders,
            OfflineODataCustomHeader.headerID, OfflineODataCustomHeader.name,
            OfflineODataCustomHeader.value,
        ]
    }

    static func events(_ event: OfflineODataEvent) -> [Property] {
        let (id, type): (Int64, String) = (event.id, event.eventType)
        let (time, details): (GlobalDateTime?, String?) = (event.time, event.details)
        _ = (id, type, time, details)
        return [
            OfflineODataEvent.id, OfflineODataEvent.eventType, OfflineODataEvent.time,
            OfflineODataEvent.details,
        ]
    }

    static func everywhere(
        _ provider: OfflineODataProvider, _ service: DataService,
        _ legacy: LegacyDataService<OfflineODataProvider>, _ later: OfflineDataServiceAsync
    ) async throws {
        _ = try (provider.fetchErrorArchive(), provider.fetchEventLog())
        _ = try (provider.fetchRequestQueue(), service.fetchErrorArchive(matching: DataQuery()))
        _ = try (legacy.fetchErrorArchive(), legacy.fetchEventLog(), legacy.fetchRequestQueue())
        _ = try await later.fetchErrorArchive()
        _ = try await later.fetchEventLog()
        _ = try await later.fetchRequestQueue(matching: DataQuery().top(1))
        service.fetchErrorArchive { result in _ = try? result.get().first?.message }
        service.fetchEventLog { _ in }
        service.fetchRequestQueue { _ in }
        legacy.fetchErrorArchive { entries, error in print(entries ?? [], error ?? "none") }
        legacy.fetchEventLog { _, _ in }
        legacy.fetchRequestQueue { _, _ in }
        _ = (OfflineODataMetadata.EntitySets.eventLog, OfflineODataMetadata.EntitySets.requestQueue)
        _ = (OfflineODataMetadata.EntityTypes.event, OfflineODataMetadata.EntityTypes.request)
    }
}

/// Of the older protocol, every requirement.
final class BytesDelegate: OfflineODataDelegate {
    func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateDownloadProgress progress: OfflineODataProgress
    ) {
        print(progress.bytesSent + progress.bytesReceived)
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress
    ) {
        print(progress.bytesReceived, progress.fileSize)
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateUploadProgress progress: OfflineODataProgress
    ) {}

    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) {
        let (status, id, tag): (Int, Int, String?) = (
            request.httpStatusCode, request.requestID, request.customTag
        )
        let (code, message, inner): (String, String, String?) = (
            request.errorCode, request.errorMessage, request.innerError
        )
        let (method, url, body): (String, URL, String?) = (
            request.requestHTTPMethod, request.requestURL, request.requestBody
        )
        print(status, id, tag ?? "", code, message, inner ?? "", method, url, body ?? "")
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState
    ) {}

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataSendStoreProgress
    ) {}
}

/// Of the newer protocol, every requirement.
final class StepsDelegate: OfflineODataProviderDelegate {
    private func show(_ progress: any OfflineODataProviderProgressReporting) {
        let (id, time): (String, GlobalDateTime) = (progress.operationId, progress.time)
        let (step, texts): (OfflineODataOperationStep, [String]) = (
            progress.step, progress.parameters
        )
        print(id, time, step.rawValue, texts, progress.defaultMessage)
        print(progress.currentStepNumber, progress.totalNumberOfSteps)
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProviderOperationProgress
    ) { show(progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProviderDownloadProgress
    ) { show(progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProviderOperationProgress
    ) { show(progress) }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) {}

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataProviderOperationProgress
    ) { show(progress) }
}

/// Of both protocols, as apps are while they move from one to the other.
final class BothDelegate: NSObject, OfflineODataDelegate, OfflineODataProviderDelegate {
    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) {}
}
