import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld
import SAPCommon

extension CloudSyncEngine {
    func upload(groups: [String], _ options: SyncOptions) throws {
        let result = try uploadReporting(groups: groups, options)
        guard configuration.throwUploadFailures, result.refused > 0 else { return }
        let failed = try ErrorBase.translating { try store().failedRequests() }
        let first = failed.compactMap(\.state.failure).first
        throw DataServiceError.withStatus(
            first?.status ?? 0,
            message: "The service refused \(result.refused) of \(result.sent) requests"
                + (first?.message.map { ", the first with: \($0)" } ?? "."))
    }

    /// As ``upload(groups:_:)``, but refusals are counted, not thrown.
    @discardableResult
    package func uploadReporting(
        groups: [String], _ options: SyncOptions
    ) throws -> UploadProgress {
        try ErrorBase.translating {
            try cancellable(.upload, options) { flag in
                try uploadTurn.take(flag) {
                    do {
                        return try runUpload(groups, options, flag)
                    } catch let error as ODataError
                        where error.code == .network || error.code == .timeout
                    {
                        logger.error("An upload ended without an answer of the service.")
                        throw error
                    }
                }
            }
        }
    }

    private func runUpload(
        _ groups: [String], _ options: SyncOptions, _ flag: CancellationFlag
    ) throws -> UploadProgress {
        let store = try store()
        let configuration = configuration
        let graph = try store.graph()
        let capabilities = ServiceCapabilities(graph)
        try store.setFlag(true, for: .pendingUpload)
        let notice = ProgressNotice(
            .upload, listener: options.progressListener ?? objects.progressListener, world: world)
        var settings = SyncSettings()
        settings.batchesUploads = configuration.batchEntityUploads
        settings.batchesStreamUploads = configuration.batchStreamUploads
        settings.uploadIterationBytes = configuration.uploadIterationSize
        settings.uploadThreads = max(1, configuration.uploadWorkerThreads)
        settings.sendsRepeatability = configuration.sendRepeatableRequests
        settings.queuePasses = configuration.queuePasses
        let requests = onlineProvider.requestSettings
        var writer = RequestWriter(
            graph: graph, root: onlineProvider.connection.root, settings: requests,
            sendsRepeatability: settings.sendsRepeatability)
        if configuration.sendsOlderRepeatability { writer.repeatabilityStyles.append(.sap) }
        let builder = AttemptBuilder(writer: writer)
        var run = UploadRun(
            store: store, connection: onlineProvider.connection, world: world, settings: settings,
            builder: builder,
            supportsBatch: capabilities.supportsBatch && requests.supportsBatch,
            cancellation: flag,
            report: notice.report)
        let result = try run.run(try uploadSelection(groups))
        try store.sweepStreams()
        let details = groups.isEmpty ? nil : groups.joined(separator: ",")
        try store.noteFinished("upload", details: details)
        notice.finish()
        if result.refused > 0 {
            logger.error("The service refused \(result.refused) of \(result.sent) requests.")
        }
        if configuration.traceUploadFailures { try traceFailures() }
        return result
    }

    private func uploadSelection(_ groups: [String]) throws -> UploadSelection {
        guard !groups.isEmpty else { return .all }
        let sets = try store().graph().entitySets.map(\.name)
        let known = selection.snapshot(of: sets).selection
        let members = try known.members(ofGroups: groups.filter { known.groups[$0] != nil })
        return UploadSelection(groups: Set(groups), entitySets: Set(members.entitySets))
    }

    /// Logs what was refused and how, data included.
    private func traceFailures() throws {
        for request in try requests(isFailed: true, nil, nil, nil) {
            guard let status = request.httpStatus else { continue }
            logger.error(
                "Refused with \(status): \(request.httpMethod) \(request.requestURL)"
                    + " \(request.requestBody ?? "without a body"),"
                    + " answered: \(request.responseBody ?? "nothing")")
        }
    }

    // MARK: Queue

    func requests(
        isFailed: Bool, _ query: DataQuery?, _ headers: HTTPHeaders?, _ options: RequestOptions?
    ) throws -> PendingRequestList {
        try ErrorBase.translating {
            let store = try store()
            let found = try isFailed ? store.failedRequests() : store.queuedRequests()
            let graph = try store.graph()
            let writer = RequestWriter(
                graph: graph, root: onlineProvider.connection.root,
                settings: onlineProvider.requestSettings)
            let list = found.map { request in
                PendingRequest(
                    request,
                    preview: try? writer.message(for: request, address: store.address(of:)),
                    owner: self)
            }
            return try PendingRequestList.matching(
                query, headers: headers, options: options, in: list)
        }
    }

    func cancel(_ requests: PendingRequestList?) throws {
        let ids = requests.map { Set($0.map(\.requestID)) }
        try ErrorBase.translating { _ = try store().cancel(ids) }
    }

    func undo(_ entities: EntityValueList) throws {
        try offlineStore.undoPendingChanges(for: entities)
    }
}

extension CloudSyncEngine: PendingRequestOwner {
    package func cancel(request: Int64) throws {
        try ErrorBase.translating { _ = try store().cancel([request]) }
    }

    package func retry(request: Int64) throws {
        try ErrorBase.translating {
            let store = try store()
            guard try store.requests([request]).first?.state.isFailure == true else {
                throw ODataError(.conflict, "Expected a failed request to send again.")
            }
            try store.retry([request])
        }
    }

    package func affectedEntity(
        of request: QueuedRequest, fixRequest: Bool
    ) throws -> EntityValue? {
        try ErrorBase.translating {
            let call = try offlineStore.call()
            guard let state = try call.writes.store.entity(request.target), state.values != nil,
                let set = call.document.entitySet(named: request.target.table)
            else { return nil }
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            try call.refresh(entity, request.target, state)
            if fixRequest { offlineStore.fix(request.id, by: request.target) }
            return entity
        }
    }
    package func confirm(request: QueuedRequest, as entity: EntityValue?) throws {
        try ErrorBase.translating {
            let store = try store()
            let graph = try store.graph()
            var url = ""
            if let values = entity?.structureValue {
                let probe = EffectProbe(graph: graph, dialect: Dialect.of(graph.version))
                url = probe.url(of: values, for: request) ?? ""
            } else if request.operation != .create {
                url = try store.address(of: request.target)
            }
            guard !url.isEmpty else {
                throw ODataError(.usage, "Expected an entity with a key that the request made.")
            }
            let answer = try onlineProvider.connection.exchange(
                RequestMessage(method: "GET", url: url, headers: ["Accept": "application/json"]))
            let isGone = request.operation == .delete && [404, 410].contains(answer.status)
            guard answer.isSuccess || isGone else {
                throw ErrorPayload(answer).error(status: answer.status)
            }
            try store.confirm(request.id, with: answer)
        }
    }
}
