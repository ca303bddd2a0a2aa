import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld

/// One upload of what waits in the queue, as the configuration wants it sent.
package struct QueueUpload {
    let scope: SyncScope
    let cancellation: CancellationFlag
    /// Told how far it is, also where it does not come to its end.
    package var told: (UploadProgress) -> Void = { _ in }

    package init(_ scope: SyncScope, cancellation: CancellationFlag = CancellationFlag()) {
        self.scope = scope
        self.cancellation = cancellation
    }

    /// Sends queued changes, of the groups or all. A refusal keeps back only what depends on it.
    ///
    /// - Throws: `network`, `timeout` or `cancelled`; `service` after the end when the service refused something and
    ///   `throwUploadFailures` is on.
    package func run(groups: [String] = []) throws {
        let result = try sending(groups: groups)
        guard scope.configuration.throwUploadFailures, result.refused > 0 else { return }
        let first = try scope.store.failedRequests().first { $0.state.failure != nil }
        let failure = first?.state.failure
        throw ODataError(
            .service,
            "The service refused \(result.refused) of \(result.sent) requests"
                + (failure?.message.map { ", the first with: \($0)" } ?? "."),
            at: first.map { .path($0.target.table) }, status: failure?.status ?? 0)
    }

    /// As ``run(groups:)``, but refusals are counted, not thrown.
    package func sending(groups: [String]) throws -> UploadProgress {
        try scope.engine.begin(.upload, cancellation)
        defer { scope.engine.end(.upload, cancellation) }
        let lock = try UploadLock(
            store: scope.store.path, world: scope.world, cancellation: cancellation
        ) { scope.events.info("The upload waits for one of the same store by \($0).") }
        defer { lock.release() }
        do {
            return try send(groups)
        } catch let error as ODataError where error.code == .network || error.code == .timeout {
            scope.events.error("An upload ended without an answer of the service.")
            throw error
        }
    }

    private func send(_ groups: [String]) throws -> UploadProgress {
        let store = scope.store
        let graph = try store.graph()
        try store.setFlag(true, for: .pendingUpload)
        let notice = ProgressNotice(.upload, scope)
        let rulesOfApp = scope.configuration.rules
        try rulesOfApp.check(against: graph, gone: store.formerSets(among: rulesOfApp.sets))
        try scope.rememberRules()
        let (rules, undecided) = try scope.writeRules(graph)
        for set in undecided {
            scope.events.info(
                "A function of the app decides conflicts of \(set): here they stay listed.")
        }
        let unseen = try store.noteUntagged(untagged(rules))
        var settings = SyncSettings(scope.configuration)
        settings.rules = rules
        var run = UploadRun(
            store: store, connection: scope.connection, world: scope.world,
            settings: settings,
            builder: AttemptBuilder(writer: scope.requestWriter(graph)),
            supportsBatch: ServiceCapabilities(graph).supportsBatch
                && scope.service.requests.supportsBatch,
            cancellation: cancellation,
            report: { [told] progress in
                told(progress)
                notice.report(progress)
            })
        run.background = try scope.backgroundUpload()
        run.overwritten = { [events = scope.events] overwrite in
            events.info(overwrite.sentence(in: graph))
            events.overwritten?(overwrite)
        }
        var result: UploadProgress
        do {
            result = try uploadAndDecide(run, try selection(groups, graph))
        } catch {
            // The reason why the upload ended says more than what the store may add to it.
            try? store.listUnsent()
            throw error
        }
        try store.listUnsent()
        result.unseenConflicts = unseen
        result.undecidedSets = undecided
        for reason in result.undecidedConflicts { scope.events.info(reason + ".") }
        try store.sweepStreams()
        try run.background?.forgetSendings(but: store.attempts())
        let details = groups.isEmpty ? nil : groups.joined(separator: ",")
        try store.noteFinished("upload", details: details)
        notice.finish()
        if result.refused > 0 {
            scope.events.error(
                "The service refused \(result.refused) of \(result.sent) requests.")
        }
        if scope.configuration.traceUploadFailures { try traceFailures() }
        return result
    }

    /// Uploads, and again what the policies of the sets have decided to send over what the service has.
    private func uploadAndDecide(
        _ run: UploadRun, _ selection: UploadSelection
    ) throws -> UploadProgress {
        var first = run
        var result = try first.run(selection)
        let conflicts = ConflictRun(
            scope: scope, rules: run.settings.rules,
            look: RowLook(
                store: scope.store, connection: scope.connection, writer: run.builder.writer,
                cancellation: cancellation))
        for _ in 0..<ConflictRun.maximumRounds {
            let decided = try conflicts.settle()
            result.refused -= decided.settled
            result.overwrites += decided.overwrites
            result.undecidedConflicts = decided.undecided
            guard decided.isSentAgain else { break }
            var again = run
            again.takesUpFailed = false
            let next = try again.run(selection)
            result.sent += next.sent
            result.accepted += next.accepted
            result.refused += next.refused
            result.overwrites += next.overwrites
        }
        return result
    }

    /// Sets with changes to send that say nothing of the rows they were made for.
    private func untagged(_ rules: WriteRules) throws -> [String] {
        // A queue of creations is not read for this.
        guard try scope.store.hasUntaggedRequests() else { return [] }
        let requests = try scope.store.queuedRequests()
        let created = Set(requests.flatMap(\.createdRows))
        let sets = requests.filter {
            ($0.operation.isUpdate || $0.operation == .delete) && $0.ifMatch == nil
                && $0.state == .waiting && !created.contains($0.target)
        }.map(\.target.table)
        return Set(sets).subtracting(rules.compared).sorted()
    }

    private func selection(
        _ groups: [String], _ graph: MetadataGraph
    ) throws -> UploadSelection {
        guard !groups.isEmpty else { return .all }
        let known = scope.choice.selection(of: graph.entitySets.map(\.name))
        let members = try known.members(ofGroups: groups.filter { known.groups[$0] != nil })
        return UploadSelection(groups: Set(groups), entitySets: Set(members.entitySets))
    }

    /// Logs what was refused and how, data included.
    private func traceFailures() throws {
        for entry in try PendingQueue(scope).entries(isFailed: true) {
            guard let failure = entry.request.state.failure else { continue }
            let body = entry.preview?.body ?? []
            let sent = body.isEmpty ? "without a body" : String(decoding: body, as: UTF8.self)
            scope.events.error(
                "Refused with \(failure.status): \(entry.preview?.method ?? "") \(entry.preview?.url ?? "")"
                    + " \(sent), answered: \(failure.responseBody ?? "nothing")")
        }
    }
}
