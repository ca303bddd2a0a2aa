import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport

/// What the app has set for single entity sets.
extension UploadRun {
    private var look: RowLook {
        RowLook(
            store: store, connection: connection, writer: builder.writer,
            cancellation: cancellation)
    }

    // MARK: Rows with entity tags

    /// Reads the entity tags that answers left out, so that waiting changes of the same rows are not refused for an old one.
    /// Where the service does not show a row, or another one than they were made for, they keep the tags that they have.
    mutating func fetchTags(of rows: [RowReference]) throws {
        for row in rows {
            guard let shown = try? look.entity(row) else { continue }
            progress.refused += try store.takeTag(
                of: shown, for: row, isCompared: settings.rules.compared.contains(row.table))
        }
    }

    /// Before changes of rows go whose tags nobody has told since the last one, the rows are read: they take the tags of those
    /// that they were made for, and are listed for others.
    ///
    /// - Returns: false when something is not to be sent.
    mutating func haveTags(_ requests: [QueuedRequest]) throws -> Bool {
        let tagless = requests.filter(\.lacksTag)
        guard !tagless.isEmpty else { return true }
        var isReady = true
        for request in try store.untagged(Set(tagless.map(\.id))) {
            // The look for another change of the row may have settled it.
            guard try !store.untagged([request.id]).isEmpty else {
                isReady = try isReady && store.requests([request.id]).first?.state == .waiting
                continue
            }
            try checkCancellation()
            guard let failure = try refusal(ofUntagged: request) else { continue }
            isReady = false
            progress.refused += try refuse(request, of: requests, with: failure)
        }
        return isReady
    }

    /// Lists a request, and those that go only together with it for that.
    ///
    /// - Returns: how many were listed.
    private func refuse(
        _ request: QueuedRequest, of requests: [QueuedRequest], with failure: RequestFailure
    ) throws -> Int {
        let others = requests.filter {
            $0.id != request.id && $0.changeSet != nil && $0.changeSet == request.changeSet
        }
        let company = RequestFailure(
            status: failure.status, code: RequestFailure.changeSetNotSent,
            message: "It was not sent because another request of its change set could not be.")
        var count = 0
        for (ids, failure) in [([request.id], failure), (others.map(\.id), company)] {
            let left = try store.requests(Set(ids)).filter { $0.state == .waiting }
            try store.refuse(Set(left.map(\.id)), with: failure)
            count += left.count
        }
        return count
    }

    /// Why a change is not to be sent; nil where it has the tag of its row now, or needs none.
    private mutating func refusal(ofUntagged request: QueuedRequest) throws -> RequestFailure? {
        let base = try store.baseRow(request.target)
        // A download has brought the row, and it was not the one that the change was made for.
        if base?.values.control.etag != nil || request.flags.contains(.rebased) {
            return .rowChanged
        }
        do {
            guard let shown = try look.entity(request.target) else {
                return request.operation == .delete ? nil : .rowChanged
            }
            guard base != nil else { return .rowChanged }
            progress.refused += try store.takeTag(of: shown, for: request.target)
        } catch let error as ODataError where isRefusal(error) {
            return Self.notShown(error)
        }
        let waits = try store.requests([request.id]).first?.state == .waiting
        return try waits && store.untagged([request.id]).isEmpty ? nil : .rowChanged
    }

    /// What the service, or somebody in front of this one row, says of it; anything else is said of the upload as a whole.
    private func isRefusal(_ error: ODataError) -> Bool {
        [.service, .network].contains(error.code) && isOfOnePlace(error)
    }

    private static func notShown(_ error: ODataError) -> RequestFailure {
        RequestFailure(
            status: error.status, code: "RowNotShown",
            message: "The row could not be compared before it was changed: \(error.message)")
    }

    /// What the app has sent again although its row is another one by now takes the row that is there, with its tag.
    mutating func goOver(_ requests: [QueuedRequest]) throws {
        for request in requests where request.flags.contains(.goesOver) {
            try checkCancellation()
            let shown: StructureValue?
            do {
                shown = try look.entity(request.target)
            } catch let error as ODataError where isRefusal(error) {
                // The service says for itself what it takes; the decision stands.
                continue
            }
            compared.insert(request.id)
            if let overwrite = try store.goOver(shown, with: request.id) {
                overwritten(overwrite)
                progress.overwrites.append(overwrite)
            }
        }
    }

    // MARK: Rows without entity tags

    /// Compares the rows of changes with what they were made for; those that have changed since become conflicts.
    ///
    /// - Returns: false when something is not to be sent.
    mutating func passesComparison(_ requests: [QueuedRequest]) throws -> Bool {
        guard !settings.rules.compared.isEmpty else { return true }
        var isUnchanged = true
        for request in requests where isCompared(request) && !compared.contains(request.id) {
            try checkCancellation()
            guard let failure = try difference(of: request) else {
                compared.insert(request.id)
                continue
            }
            isUnchanged = false
            progress.refused += try refuse(request, of: requests, with: failure)
        }
        return isUnchanged
    }

    /// Why a change is not to be sent; nil where the row is the one that it was made for.
    private mutating func difference(of request: QueuedRequest) throws -> RequestFailure? {
        guard let base = try store.baseRow(request.target) else { return nil }
        do {
            let shown = try look.entity(request.target)
            switch ComparedChange(
                request, over: base, shown: shown, by: try comparison(of: request.target.table),
                isWhole: builder.writer.replaces(request))
            {
            case .unchanged(let isSeen):
                if isSeen { comparedWhole.insert(request.id) }
                return nil
            case .done: return nil
            case .conflict: return .rowChanged
            }
        } catch let error as ODataError where isRefusal(error) {
            return Self.notShown(error)
        }
    }

    func isCompared(_ request: QueuedRequest) -> Bool {
        request.isCompared(in: settings.rules.compared)
    }

    /// What a look says of a change without an answer: it is sent again only over the row that it was made for.
    mutating func finding(ofCompared request: QueuedRequest) throws -> ResendPolicy.Finding {
        let answer = try readByKey(in: request.target.table) { [store] in
            try store.address(of: request.target, keys: $0)
        }
        let finding = try effectProbe.finding(of: answer, about: request)
        if case .carriedOut = finding { return finding }
        guard answer.status == 200, let base = try store.baseRow(request.target) else {
            return .undecided
        }
        let graph = builder.writer.graph
        let server = try AnswerReader(graph: graph, dialect: builder.writer.dialect).entity(
            answer, of: base.values.type, in: graph.entitySet(named: request.target.table))
        if request.isShown(in: server, over: base.values, graph) { return .carriedOut(answer) }
        // What a download has brought since is not the row that it was made for.
        if request.flags.contains(.rebased) { return .undecided }
        let isUnchanged = try comparison(of: request.target.table).isUnchanged(
            base, in: server, under: request, isWhole: builder.writer.replaces(request))
        if isUnchanged { return .notCarriedOut }
        // Only what it binds is open, and that ends in the same state however often it arrives.
        return request.showsValues(in: server, over: base.values, graph)
            ? .repeatable : .undecided
    }

    private func comparison(of table: String) throws -> BaseComparison {
        BaseComparison(
            graph: builder.writer.graph, ignoresNulls: try store.hasPartialRows(table))
    }

    /// What the service makes of accepted changes is what the next ones are compared with, unless somebody else has written what
    /// those overwrite. A row that it does not show stays unseen (``BaseComparison``).
    ///
    /// - Parameter answered: accepted changes that were answered themselves, not by a look.
    mutating func rereadCompared(
        _ requests: [QueuedRequest], accepted: [Int64], answered: Set<Int64>
    ) throws {
        let changes = requests.filter {
            accepted.contains($0.id) && $0.operation != .delete && !$0.operation.isLink
                && settings.rules.compared.contains($0.target.table)
        }
        for (row, changes) in Dictionary(grouping: changes, by: \.target) {
            guard let values = try? look.entity(row) else { continue }
            let areOwn = changes.allSatisfy {
                $0.operation.isUpdate && !$0.flags.contains(.open)
                    && answered.contains($0.id) && comparedWhole.contains($0.id)
            }
            progress.refused += try store.adoptAccepted(
                values, of: row, behind: areOwn ? changes : [])
        }
    }

    // MARK: Creations of unknown fate

    /// Looks for creations by the properties that the app has named since their answers were lost.
    mutating func lookForUnknownCreations() throws {
        guard !settings.rules.probes.isEmpty else { return }
        for request in try store.failedRequests()
        where request.state.isUnknown && settings.rules.probes[request.target.table] != nil {
            try checkCancellation()
            let question = effectProbe.question(
                for: request, address: { try store.knownAddress(of: $0) }, key: store.knownKey)
            guard case .alternateKey = question else { continue }
            let finding: ResendPolicy.Finding
            do {
                finding = try shown { try $0.look(for: request, question) }
            } catch let error as ODataError where [429, 503].contains(error.status) {
                // It is asked again by the next upload; what waits does not wait for that.
                return
            }
            switch finding {
            case .carriedOut(let answer): try store.settle(request.id, with: answer)
            case .notCarriedOut: try store.retry([request.id], asNew: true)
            case .repeatable, .undecided: continue
            }
        }
    }

    var effectProbe: EffectProbe { effectProbe(builder.writer.settings.keyStyle) }

    func effectProbe(_ keys: KeyStyle) -> EffectProbe {
        EffectProbe(
            graph: builder.writer.graph, dialect: builder.writer.dialect, keys: keys,
            probes: settings.rules.probes)
    }
}
