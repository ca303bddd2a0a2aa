import FoundationEssentials
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataWorld
import SAPCommon

extension OfflineSession {
    // MARK: Open

    /// Opens the store; the first time also downloads what the defining queries ask for.
    func open() throws {
        let steps = ProviderReporter.Steps(operation: .open)
        do {
            checkParameters()
            applyTransferSettings()
            reporter.change { $0 = .opening }
            let isNew = !location.exists
            if isNew { reporter.change { $0.formUnion([.initializing, .initialCommunication]) } }
            reporter.reached(.creatingRequestQueueDatabase, of: steps)
            reporter.reached(.buildingEntityStore, of: steps)
            try openStore()
            reporter.reached(.loadingMetadata, of: steps)
            guard let document = try document() else {
                throw OfflineODataError.named(
                    .errorLoadingEdmMetadata, "Expected metadata, found none.")
            }
            if parameters.values.autoRegisterClient,
                document.entitySet(named: "ClientRegistrationSet") != nil
            {
                try sync.registerClient(nil)
            }
            try registerWaitingQueries()
            try arrangeQueries()
            if try !sync.hasInitialData(), try !storedQueries().isEmpty {
                try loadInitialData(steps)
            }
            userInTheWay = nil
            endOpening(isOpen: true)
            reporter.change { $0 = .open }
        } catch {
            noteUserInTheWay()
            try? sync.close()
            endOpening(isOpen: false)
            reporter.change { $0 = .closed }
            throw error
        }
    }

    /// Remembers whose unsent changes kept the store from being opened for another user.
    private func noteUserInTheWay() {
        let current = parameters.values.currentUser
        guard parameters.values.forceUploadOnUserSwitch, let store = try? store(),
            let user = try? store.text(.user), user != current
        else { return }
        userInTheWay = user
    }

    /// The user of the opening before this one; while the store could not be opened, the one whose changes were why.
    func previousUser() throws -> String? {
        if phase != .open, let userInTheWay { return userInTheWay }
        try checkOpen()
        return try sync.previousUser()
    }

    private func checkParameters() {
        let values = parameters.values
        if let seconds = values.timeout, seconds < 30 {
            logger.warn("A timeout of \(seconds) seconds is short; requests may be given up early.")
        }
        for name in values.streamSettings.keys.sorted() where name != "timeout" {
            logger.warn("The stream parameter \(name) is not known and is ignored.")
        }
        for name in values.databaseSettings.keys.sorted()
        where !DatabaseCache.names.contains(name) {
            logger.warn("The database parameter \(name) is ignored.")
        }
    }

    private func openStore() throws {
        let values = parameters.values
        sync.encryptionKey = values.storeEncryptionKey
        if let kibibytes = DatabaseCache.kibibytes(in: values.databaseSettings) {
            sync.offlineStore.storeConfiguration.cacheKibibytes = kibibytes
        }
        sync.autoRegisterClient = values.autoRegisterClient
        sync.sendRepeatableRequests = values.enableRepeatableRequests
        sync.forceUploadOnUserSwitch = values.forceUploadOnUserSwitch
        sync.currentUser = values.forceUploadOnUserSwitch ? values.currentUser : nil
        // A refused request of the user before must not be passed over silently.
        sync.throwUploadFailures = values.forceUploadOnUserSwitch
        defer { sync.throwUploadFailures = false }
        sync.clientMetadataFile =
            values.enableClientOnlyMetadata ? values.clientMetadataFile?.path : nil
        sync.engine.change {
            $0.purgesClientDataOnUserSwitch = values.forcePurgeClientOnlyDataOnUserSwitch
            $0.purgesClientDataOnMetadataChange = values.forcePurgeClientOnlyDataOnMetadataChange
            $0.queuePasses.mergesRequests = values.enableRequestQueueOptimization
            $0.queuePasses.buildsTransactions = values.enableTransactionBuilder
            $0.queuePasses.undoesCreations = values.enableUndoLocalCreation
        }
        try sync.open()
    }

    private func loadInitialData(_ steps: ProviderReporter.Steps) throws {
        reporter.change { $0.formUnion([.initializing, .initialCommunication]) }
        reporter.change { $0.insert(.fileDownloading) }
        reporter.reached(.processingDefiningQueries, of: steps)
        let token = CancelToken()
        add(token, isDownload: true)
        defer { remove(token) }
        let stop = TokenFlag(token)
        defer { stop.release() }
        var download = try makeDownload(steps, stop)
        try download.run()
        reporter.reached(.analyzingReceivedData, of: steps)
        reporter.transferred(counter.count, in: .open, isLast: true)
    }

    // MARK: Download

    /// What comes before a download of some defining queries, or of all.
    ///
    /// - Throws: `preconditionFailed` for a closed store, `invalidInput` for a name that no defining query has.
    func prepareDownload(_ names: [String], _ steps: ProviderReporter.Steps) throws {
        applyTransferSettings()
        reporter.change { $0.insert(.downloading) }
        try arrangeQueries()
        let known = Set(try queries().map(\.name))
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw OfflineODataError.named(
                .definingQueryInvalid,
                "Expected defining queries of the store, found \(unknown).")
        }
        reporter.reached(.loadingMetadata, of: steps)
        reporter.reached(.processingDefiningQueries, of: steps)
    }

    /// The download as the engine runs it, with progress for the delegates.
    func makeDownload(_ steps: ProviderReporter.Steps, _ stop: TokenFlag) throws -> Download {
        let listener = listener(steps, .receivingDataFromServer)
        return Download(
            try sync.scope(SyncOptions().listen(listener)), cancellation: stop.flag)
    }

    /// What follows on a download that went well.
    func concludeDownload(_ steps: ProviderReporter.Steps) throws {
        _ = try document()
        reporter.reached(.analyzingReceivedData, of: steps)
        reporter.reached(.reapplyingChanges, of: steps)
        reporter.transferred(counter.count, in: .download, isLast: true)
    }

    // MARK: Upload

    func upload(_ groups: [String], _ token: CancelToken) throws {
        try checkOpen()
        let steps = ProviderReporter.Steps(operation: .upload)
        applyTransferSettings()
        reporter.change { $0.insert(.uploading) }
        defer { reporter.change { $0.remove(.uploading) } }
        reporter.reached(.sendingDataToServer, of: steps)
        try sync.upload(
            groups: StringList.fromArray(groups),
            options: SyncOptions().cancelable(token)
                .listen(listener(steps, .processingRequests)))
        reporter.transferred(counter.count, in: .upload, isLast: true)
        let root = sync.onlineProvider.serviceRoot
        for request in try sync.failedRequests(matching: nil, headers: nil, options: nil) {
            if let failed = OfflineODataFailedRequest(request, root: root) {
                reporter.failed(failed)
            }
        }
    }

    // MARK: Progress

    /// Passes progress on to the delegates.
    private func listener(
        _ steps: ProviderReporter.Steps, _ step: OfflineODataOperationStep
    ) -> ProgressListener {
        let (reporter, counter) = (reporter, counter)
        return ProgressListener { progress in
            let count = counter.count
            reporter.transferred(count, in: steps.operation, isLast: false)
            let parameters =
                step == .processingRequests
                ? [String(progress.requestNumber), String(progress.requestCount)]
                : [String(count.received)]
            reporter.reached(step, of: steps, parameters)
        }
    }
}
