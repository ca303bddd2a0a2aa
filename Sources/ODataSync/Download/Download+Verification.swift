import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Deltas can lie: sources are compared with the service on demand, and at an interval after their deltas. What differs is
/// read in full.
extension Download {
    /// How closely sources are compared.
    package enum Verification: Sendable {
        /// By their numbers where the service tells them, else by their keys.
        case counts
        /// By their keys.
        case keys
    }

    /// Compares every source that was read to its end with the service, and reads again what differs.
    ///
    /// - Returns: what was found, in the order of the reads.
    /// - Throws: what the network says, or a store that cannot be written; of sources that the service refuses the first,
    ///   when all others are read.
    package mutating func verify(_ verification: Verification = .keys) throws
        -> [SourceVerification]
    {
        try scope.engine.begin(.download, cancellation)
        defer { scope.engine.end(.download, cancellation) }
        let work = try DownloadWork(scope, groups: [], loadsLinks: loadsLinks, readsAll: false)
        progress = DownloadProgress()
        progress.profile = work.profile
        let sources = work.phases.flatMap(\.sources)
        let found = try verify(sources, verification, work, ProgressNotice(.download, scope))
        if let error = refusal { throw error }
        return found
    }

    /// Compares what deltas have brought where the last comparison is long ago.
    mutating func verifyDeltas(_ work: DownloadWork, _ notice: ProgressNotice) throws {
        let interval = scope.configuration.verificationSeconds
        guard interval > 0, work.settings.persistsEntities else { return }
        let (now, known) = (scope.milliseconds, try scope.store.verifiedTimes())
        let isRight = { (result: DownloadProgress.SourceResult) in
            result.mode != .delta || known[result.source.key] == nil
        }
        try scope.store.noteVerified(
            progress.results.filter(isRight).map(\.source.key), at: now)
        let due = progress.results.filter { result in
            result.mode == .delta
                && VerificationPlan.isDue(
                    last: known[result.source.key], now: now, interval: interval)
        }
        guard !due.isEmpty else { return }
        _ = try verify(due.map(\.source), .counts, work, notice)
    }

    private mutating func verify(
        _ sources: [DownloadSource], _ verification: Verification, _ work: DownloadWork,
        _ notice: ProgressNotice
    ) throws -> [SourceVerification] {
        var found: [SourceVerification] = []
        for source in sources {
            try checkCancellation()
            do {
                guard let (plan, ingest) = try work.comparison(of: source) else { continue }
                found.append(try compare(source, verification, plan, ingest, work))
            } catch let error as ODataError where DownloadWork.hasNoPlace(error) {
                var result = SourceVerification(source: source, here: 0)
                result.obstacle = error.message
                found.append(result)
            }
        }
        let different = found.filter(\.isDifferent).map(\.source)
        if !different.isEmpty {
            try read(
                DownloadPlanner.Phase(number: .max, mode: .sequence, sources: different),
                of: work.readingAll, notice)
        }
        let refused = Set(progress.refused.map(\.source.key))
        for index in found.indices where found[index].isDifferent {
            guard !refused.contains(found[index].source.key),
                let (_, ingest) = try work.comparison(of: found[index].source)
            else { continue }
            found[index].after = try scope.store.presentRows(ingest)
            try scope.store.note("verification", details: found[index].sentence)
        }
        let compared = found.filter { $0.obstacle == nil && !refused.contains($0.source.key) }
        try scope.store.noteVerified(compared.map(\.source.key), at: scope.milliseconds)
        return found
    }

    private func compare(
        _ source: DownloadSource, _ verification: Verification, _ plan: VerificationPlan,
        _ ingest: IngestPlan, _ work: DownloadWork
    ) throws -> SourceVerification {
        var result = SourceVerification(
            source: source, here: try scope.store.presentRows(ingest))
        if verification == .counts, let url = plan.countURL, let count = try count(url, work) {
            result.there = count
            return result
        }
        for url in [plan.keysURL, plan.rowsURL] {
            let keys = KeyComparison(scope.store, ingest)
            switch try readKeys(at: url, of: source, into: keys, work) {
            case nil:
                result.there = keys.there
                result.missing = keys.missing
                result.changed = keys.changed
                result.surplus = try keys.surplus()
                result.obstacle = nil
                return result
            case let refusal?: result.obstacle = refusal
            }
        }
        return result
    }

    /// The number of rows as the service tells it; nil where it does not.
    private func count(_ url: String, _ work: DownloadWork) throws -> Int? {
        var headers = work.settings.readHeaders.version
        headers["Accept"] = "text/plain, */*;q=0.5"
        let answer = try scope.connection.exchange(
            work.settings.requests.sent(
                RequestMessage(method: "GET", url: url, headers: headers)),
            limit: 1 << 20, cancellation: cancellation)
        if [401, 407, 429].contains(answer.status) {
            throw ErrorPayload(answer).error(status: answer.status)
        }
        return VerificationPlan.count(in: answer)
    }

    /// Reads the keys of a source page by page.
    ///
    /// - Returns: why the service did not give them; nil when it did.
    private func readKeys(
        at url: String, of source: DownloadSource, into keys: KeyComparison, _ work: DownloadWork
    ) throws -> String? {
        let settings = work.settings
        let wish = ReadForm(.plain, tracksChanges: false, expands: false)
        var machine = ReadMachine(
            source: DownloadSource(entitySet: source.entitySet, url: url, bit: source.bit),
            state: SourceState(), root: scope.connection.root, form: wish)
        let pages = PageReader(
            connection: scope.connection, world: scope.world,
            headers: settings.readHeaders.fields(wish, .first), requests: settings.requests,
            pageLimit: settings.downloadWindow, maximumPageBytes: settings.maximumPageBytes,
            foresees: false, cancellation: cancellation)
        defer { pages.close() }
        var action = machine.start()
        while true {
            try checkCancellation()
            switch action {
            case .fetch(let url, _), .restart(let url, _):
                let fetch = pages.page(at: url)
                let head = try fetch.waitForHead()
                guard head.status == 200 else {
                    if [401, 407, 429].contains(head.status) {
                        throw ODataError(
                            .service, "Expected rows to compare, found status \(head.status).",
                            at: .path(source.url), status: head.status)
                    }
                    action = machine.step(.refused(status: head.status))
                    continue
                }
                do {
                    let control = try keys.take(fetch.pipe)
                    action = machine.step(
                        .page(nextLink: control.nextLink, deltaLink: nil))
                } catch let error as ODataError where SourceRefusal.isAboutOneSource(error) {
                    return error.message
                }
            case .finish: return nil
            case .fail(.status(let status)): return "the service answers with status \(status)"
            case .fail(.circle): return "its pages lead in a circle"
            case .fail(.foreign(let host)): return "its pages lead to \(host)"
            }
        }
    }
}
