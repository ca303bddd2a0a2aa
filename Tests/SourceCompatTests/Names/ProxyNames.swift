import Foundation
import SAPOData

// Sections 9 to 11: errors, what generated classes call, sessions and logging.

enum ProxyNames {
    static func errors(_ error: DataServiceError) {
        _ = (error.message, error.cause, error.toString(), error.localizedDescription)
        _ = (error.status, error.response, error.statusText, error.safeMessage, error.safe())
        _ = (DataServiceError.withStatus(1, message: "a"), DataServiceError.withMessage("a"))
        _ = (DataServiceError.withCause(error), DataServiceError.validationError(message: "a"))
        _ = DataServiceError.withCauseAndMessage(cause: error, message: "a")
        _ = (DataServiceError.notImplemented(method: "a"), CSDLError.cannotFetch("a"))
        _ = CSDLError.unknownSchema("a")
        let response = error.response
        _ = (response?.code, response?.message, response?.target, response?.details)
        _ = (response?.innerDetails, response?.language)
        let types: [SAPOData.ErrorBase.Type] = [
            DataError.self, DataServiceError.self, DataNetworkError.self, DataQueryError.self,
            DataStorageError.self, DataFormatError.self, DataStreamError.self,
            QueryResultError.self, DataSchemaError.self, CSDLError.self, DataRuntimeError.self,
            UsageError.self, UndefinedError.self, CastError.self, FatalError.self,
            ListIndexError.self, EmptyListError.self, NotUniqueError.self, MissingEntryError.self,
        ]
        _ = types
    }

    static func generated(
        _ provider: any DataServiceProvider, _ legacy: LegacyDataService<OnlineODataProvider>,
        _ service: OnlineDataServiceAsync, _ offline: OfflineDataServiceAsync
    ) throws {
        _ = xs_immortalize(provider.metadata)
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: 0)
        ProxyInternal.setMergeAction(provider: provider) {}
        try ProxyInternal.refreshMetadata(service: legacy, fetcher: nil, options: 0)
        try ProxyInternal.refreshMetadataWithLock(
            service: legacy, fetcher: nil, options: 0, mergeAction: {})
        try ProxyInternal.refreshMetadata(
            generic: legacy, fetcher: nil, options: 0, mergeAction: {})
        _ = try ProxyInternal.executeQuery(
            service: service, query: DataQuery(), headers: nil, options: nil)
        _ = ProxyInternal.isOnlineSetupActive(provider: provider)
        ProxyInternal.onlineSetupStarting(provider: provider)
        ProxyInternal.enableOnlineMode(service: offline)
        ProxyInternal.onlineSetupFinished(provider: provider)
        Ignore.value(provider.metadata)
        let entities: [EntityValue] = ArrayConverter.convert(
            EntityValueList().toArray(), [EntityValue]())
        _ = (entities, CastRequired<EntityValue>.from(nil), CastOptional<EntityValue>.from(nil))
        _ = (MetadataLock(), SparseIndexMap.self)
    }

    static func factories(_ type: EntityType) {
        type.registerFactory(ObjectFactory.with(create: { EntityValue(type: type) }))
        type.registerFactory(
            ObjectFactory.with(
                create: { EntityValue(type: type) },
                createWithDecoder: { try EntityValue(from: $0) }))
        type.registerFactory(
            ObjectFactory.with(
                create: { EntityValue(type: type) },
                sparse: { EntityValue(withDefaults: false, type: type, withIndexMap: $0) },
                decode: { try EntityValue(from: $0) }))
    }

    static func checks(_ type: StructureType, _ value: StructureBase) throws {
        _ = CheckProperty.exists("a", in: type)
        let property = try CheckProperty.named("a", in: type)
        try CheckProperty.accepts(nil, for: property, in: value)
    }

    static func sessions(_ observer: any SAPURLSessionObserving, _ url: URL) {
        let session = SAPURLSession()
        _ = SAPURLSession(delegate: nil)
        _ = SAPURLSession(configuration: .default)
        _ = SAPURLSession(configuration: .default, delegate: nil, delegateQueue: nil)
        session.register(observer)
        session.unregister(observer)
        _ = (session.isRegistered(observer), session.isValid, session.configuration)
        let task = session.dataTask(with: URLRequest(url: url)) { _, _, _ in }
        task.resume()
        task.suspend()
        task.cancel()
        _ = (task.originalRequest, task.currentRequest, task.response, task.taskIdentifier)
        _ = (task.state, session.dataTask(with: url) { _, _, _ in })
        session.finishTasksAndInvalidate()
        session.invalidateAndCancel()
        let challenge: SAPURLSession.AuthChallengeDisposition = .performDefaultHandling
        _ = (challenge, SAPURLSession.RequestDisposition.use(URLRequest(url: url)))
        session.register(SAPcpmsObserver(applicationID: "a"))
        session.register(SAPcpmsObserver(applicationID: "a", deviceID: "b"))
        let settings = SAPcpmsSettingsParameters(
            backendURL: url, applicationID: "a", deviceID: "b")
        session.register(SAPcpmsObserver(settingsParameters: settings))
        _ = (settings.backendURL, settings.applicationID)
    }

    static func logging(_ handler: any LogHandler, _ failure: any Error) {
        let logger = Logger.shared(named: "a.b")
        Logger.root.logLevel = .debug
        logger.logLevel = LogLevel.all
        logger.error("a", error: failure)
        logger.error("a")
        logger.warn("a", error: failure)
        logger.info("a")
        logger.debug("a")
        logger.add(handler: handler)
        logger.add(handler: ConsoleLogHandler())
        logger.remove(handler: handler)
        _ = (logger.useParentHandlers, LogLevel.off, LogLevel.warn, LogLevel.info)
    }
}
