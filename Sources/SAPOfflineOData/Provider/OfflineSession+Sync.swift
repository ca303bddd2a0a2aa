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

    /// Opens the store, or waits for the opening that runs; the first time also downloads what the defining queries ask for.
    ///
    /// - Parameter claim: the opening that was asked for before.
    func open(_ claim: Opening? = nil) throws {
        var isReleased = false
        do {
            let work = { (flags: OpeningFlags) throws in
                try self.keepingTime(for: "open") { try self.carryOutOpening(flags) }
            }
            let isOpener = try lifecycle.open(claim, work: work) {
                isReleased = true
                try sync.release(waits: $0)
            }
            if isOpener { reporter.change { $0 = .open } }
        } catch {
            if isReleased { reporter.change { $0 = .closed } }
            throw error
        }
    }

    private func carryOutOpening(_ flags: OpeningFlags) throws {
        let steps = ProviderReporter.Steps(operation: .open)
        do {
            checkParameters()
            reporter.change { $0 = .opening }
            let isNew = !location.exists
            if isNew { reporter.change { $0.formUnion([.initializing, .initialCommunication]) } }
            reporter.reached(.creatingRequestQueueDatabase, of: steps)
            reporter.reached(.buildingEntityStore, of: steps)
            try openStore(flags)
            reporter.reached(.loadingMetadata, of: steps)
            guard let document = try document() else {
                throw OfflineODataError.named(
                    .errorLoadingEdmMetadata, "Expected metadata, found none.")
            }
            if sync.autoRegisterClient, document.entitySet(named: "ClientRegistrationSet") != nil {
                try sync.registerClient(nil)
            }
            try registerWaitingQueries()
            try arrangeQueries()
            try flags.check()
            if try !sync.hasInitialData(), try !storedQueries().isEmpty {
                try loadInitialData(steps, flags.download)
            }
            userInTheWay = nil
        } catch {
            noteUserInTheWay()
            throw error
        }
    }

    /// Remembers whose unsent changes kept the store from being opened for another user.
    private func noteUserInTheWay() {
        guard sync.forceUploadOnUserSwitch || sync.refuseOpenOnUserSwitch,
            let store = try? store(), let user = try? store.text(.user),
            user != sync.currentUser ?? ""
        else { return }
        userInTheWay = user
    }

    /// The user of the opening before this one; while the store could not be opened, the one whose changes were why.
    func previousUser() throws -> String? {
        if phase != .open, let userInTheWay { return userInTheWay.isEmpty ? nil : userInTheWay }
        try checkOpen()
        let users = sync.forceUploadOnUserSwitch || sync.refuseOpenOnUserSwitch
        return users ? try sync.previousUser() : nil
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

    private func openStore(_ flags: OpeningFlags) throws {
        // Metadata may have been loaded from the store with other settings.
        try sync.offlineStore.close()
        applyStoreSettings()
        // A refused request of the user before must not be passed over silently.
        let throwsFailures = sync.throwUploadFailures
        if sync.forceUploadOnUserSwitch { sync.throwUploadFailures = true }
        defer { sync.throwUploadFailures = throwsFailures }
        try sync.openStore(flags)
    }

    private func loadInitialData(
        _ steps: ProviderReporter.Steps, _ flag: CancellationFlag
    ) throws {
        reporter.change { $0.formUnion([.initializing, .initialCommunication]) }
        reporter.change { $0.insert(.fileDownloading) }
        report(try storedQueries(), steps)
        var download = try makeDownload(steps, flag)
        try download.run()
        reporter.reached(.analyzingReceivedData, of: steps)
        reporter.transferred(counter.count, in: .open, isLast: true)
    }

    // MARK: Download

    /// What comes before a download of some defining queries, or of all.
    ///
    /// - Parameter isOfQueries: false for names of groups that the app has made, too.
    /// - Throws: `invalidInput` for a name that no defining query has.
    func prepareDownload(
        _ names: [String], isOfQueries: Bool = true, _ steps: ProviderReporter.Steps
    ) throws {
        applyTransferSettings()
        reporter.change { $0.insert(.downloading) }
        try arrangeQueries()
        let queries = try queries()
        let known = Set(queries.map(\.name))
        if isOfQueries, let unknown = names.first(where: { !known.contains($0) }) {
            throw OfflineODataError.named(
                .definingQueryInvalid,
                "Expected defining queries of the store, found \(unknown).")
        }
        reporter.reached(.loadingMetadata, of: steps)
        let wanted = Set(names)
        let isWhole = names.isEmpty || !isOfQueries
        report(isWhole ? queries : queries.filter { wanted.contains($0.name) }, steps)
    }

    /// All queries are one step, with a notice for each: apps put its name and URL into their texts.
    private func report(_ queries: [OfflineODataDefiningQuery], _ steps: ProviderReporter.Steps) {
        for query in queries {
            reporter.reached(.processingDefiningQueries, of: steps, [query.name, query.query])
        }
    }

    /// The download as the engine runs it, with progress for the delegates.
    ///
    /// - Parameter other: is told beside them.
    func makeDownload(
        _ steps: ProviderReporter.Steps, _ flag: CancellationFlag,
        telling other: ProgressListener? = nil
    ) throws -> Download {
        let listener = listener(
            steps, .receivingDataFromServer, telling: other ?? sync.progressListener)
        return Download(try sync.scope(SyncOptions().listen(listener)), cancellation: flag)
    }

    /// What follows on a download that went well.
    func concludeDownload(_ steps: ProviderReporter.Steps) throws {
        _ = try document()
        reporter.reached(.analyzingReceivedData, of: steps)
        reporter.reached(.removingDeletedRelationships, of: steps)
        reporter.reached(.reapplyingChanges, of: steps)
        reporter.reached(.erasingExpiredRequests, of: steps)
        reporter.transferred(counter.count, in: .download, isLast: true)
    }

    // MARK: Upload

    /// Sends the queued changes, and tells the delegates what was refused.
    ///
    /// - Parameters:
    ///   - groups: the groups to send, nil for all changes; nothing is sent of none.
    ///   - other: is told of progress beside them.
    func upload(
        _ groups: [String]?, _ token: CancelToken?, telling other: ProgressListener? = nil
    ) throws {
        try checkOpen()
        guard groups?.isEmpty != true else { return }
        try keepingTime(for: "upload") { try send(groups, token, telling: other) }
    }

    private func send(
        _ groups: [String]?, _ token: CancelToken?, telling other: ProgressListener?
    ) throws {
        let steps = ProviderReporter.Steps(operation: .upload)
        applyTransferSettings()
        reporter.change { $0.insert(.uploading) }
        defer { reporter.change { $0.remove(.uploading) } }
        let passes = sync.engine.configuration.queuePasses
        if passes.mergesRequests { reporter.reached(.performingRequestQueueMerge, of: steps) }
        if passes.buildsTransactions { reporter.reached(.performingTransactionMerge, of: steps) }
        if passes.undoesCreations { reporter.reached(.performingCreateDeleteMerge, of: steps) }
        reporter.reached(.sendingDataToServer, of: steps, [String(counter.count.sent)])
        let before = try refusals()
        let options = SyncOptions()
            .listen(listener(steps, .processingRequests, telling: other ?? sync.progressListener))
        options.cancelToken = token
        do {
            try sync.upload(groups: StringList.fromArray(groups ?? []), options: options)
        } catch {
            // The reason why the upload ended says more than what the store may add to it.
            try? tellRefusals(since: before)
            throw error
        }
        reporter.transferred(counter.count, in: .upload, isLast: true)
        try tellRefusals(since: before)
    }

    /// How the refused requests of the queue were refused, and their last sendings.
    private struct Refusal: Equatable {
        var failure: RequestFailure
        var sending: SendingRecord?
    }

    private func refusals() throws -> [Int64: Refusal] {
        let store = try store()
        let sendings = try store.sendings()
        return Dictionary(
            try store.failedRequests().compactMap { request in
                request.state.failure.map {
                    (request.id, Refusal(failure: $0, sending: sendings[request.id]))
                }
            }, uniquingKeysWith: { $1 })
    }

    /// Tells of each request that was refused since, and of none that only stayed listed.
    private func tellRefusals(since before: [Int64: Refusal]) throws {
        let now = try refusals()
        let root = sync.onlineProvider.serviceRoot
        for request in try sync.failedRequests(matching: nil, headers: nil, options: nil) {
            guard let refusal = now[request.requestID], before[request.requestID] != refusal,
                let failed = OfflineODataFailedRequest(request, root: root)
            else { continue }
            reporter.failed(failed)
        }
    }

    // MARK: Progress

    /// Passes progress on to the delegates.
    private func listener(
        _ steps: ProviderReporter.Steps, _ step: OfflineODataOperationStep,
        telling other: ProgressListener?
    ) -> ProgressListener {
        let (reporter, counter) = (reporter, counter)
        return ProgressListener { progress in
            other?.notify(progress)
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
