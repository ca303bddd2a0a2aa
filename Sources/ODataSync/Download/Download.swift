import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// One download: phase after phase, each source read to its end and stored by this thread while workers fetch ahead.
package struct Download {
    let scope: SyncScope
    let cancellation: CancellationFlag
    /// Expands what whole sets need so that no link stays unknown.
    package var loadsLinks = false
    /// Reads all rows, whatever delta links there are.
    package var readsAll = false
    /// The keys of the sources to read; nil for all of the groups.
    package var only: Set<String>?
    /// What was done so far, and what was found out.
    var progress = DownloadProgress()
    /// What was refused since the last source that was read.
    var refusedInRow: [SourceRefusal] = []
    /// The errors of sources whose answers broke off or were somebody else's.
    var broken: [ODataError] = []
    /// What the service document says, once a set was not found.
    var listing: ServiceListing?
    var hasAskedForListing = false
    /// What carries the reads of data where the system does.
    private var background: BackgroundRun?
    /// What the reads of data go over.
    var connection: ServiceConnection { background?.connectionForReads ?? scope.connection }

    package init(_ scope: SyncScope, cancellation: CancellationFlag = CancellationFlag()) {
        self.scope = scope
        self.cancellation = cancellation
    }

    /// Brings the changes of the service into the store, of the groups or of everything.
    ///
    /// - Throws: what the network, the service or the store says; what was stored stays, and the next download goes on
    ///   there. Of sources that the service refuses the first, when all others are stored.
    package mutating func run(groups: [String] = []) throws {
        _ = try reading(groups: groups)
        if let error = refusal { throw error }
    }

    /// One error for what was left out: the network's where nothing else was to blame.
    var refusal: ODataError? {
        guard var error = broken.first, progress.refused.allSatisfy(\.isBroken) else {
            return SourceRefusal.error(progress.refused)
        }
        if broken.count > 1, let all = SourceRefusal.error(progress.refused) {
            error.message = all.message
        }
        return error
    }

    /// As ``run(groups:)``, and says what became of each source; what the service refuses is left out.
    package mutating func reading(groups: [String]) throws -> DownloadProgress {
        try scope.engine.begin(.download, cancellation)
        defer { scope.engine.end(.download, cancellation) }
        var columns: Set<String> = []
        while true {
            do {
                try readOnce(groups)
                try noteMarks()
                return progress
            } catch let error as ODataError where error.code == .valueBeyondColumn {
                // The column is widened, what was stored stays, and the download is repeated.
                guard case .path(let column)? = error.location, columns.insert(column).inserted
                else { throw error }
                try scope.store.widenColumn(column)
            }
        }
    }

    private mutating func readOnce(_ groups: [String]) throws {
        let store = scope.store
        try store.setFlag(true, for: .pendingDownload)
        background = try scope.backgroundDownload()
        let started = scope.milliseconds
        try MetadataRefresh(scope).refresh(cancellation)
        var work = try DownloadWork(
            scope, groups: groups, loadsLinks: loadsLinks, readsAll: readsAll)
        if let only { work.keepOnly(only) }
        let notice = ProgressNotice(.download, scope)
        scope.loadEstimatesOnce()
        notice.expect(
            scope.engine.estimates.total(of: work.phases.flatMap(\.sources).map(\.key)))
        progress = DownloadProgress()
        (refusedInRow, broken) = ([], [])
        progress.profile = work.profile
        progress.sourceCount = work.phases.reduce(0) { $0 + $1.sources.count }
        notice.report(progress)
        do {
            try store.checkpointing {
                for phase in work.phases { try read(phase, of: work, notice) }
            }
            if work.settings.persistsEntities {
                try store.releaseSources(
                    at: work.ending(
                        refused: Set(progress.refused.map(\.source.key))
                            .union(progress.skipped.keys)))
            }
            if progress.results.isEmpty, !broken.isEmpty, let error = refusal,
                error.code == .network
            {
                throw error
            }
            try verifyDeltas(work, notice)
        } catch {
            try? store.note(progress.lessons, leadingTo: progress.profile.reads)
            throw error
        }
        for refusal in progress.refused { progress.skipped[refusal.source.key] = refusal.reason }
        let details = groups.isEmpty ? nil : groups.joined(separator: ",")
        try conclude(work, since: started, details: details)
        background?.forgetReads()
        notice.finish()
    }

    /// What follows on the rows: links, streams, and how the download ended.
    private mutating func conclude(
        _ work: DownloadWork, since started: Int64, details: String?
    ) throws {
        let store = scope.store
        try store.note(progress.lessons, leadingTo: progress.profile.reads)
        try work.links?.report(to: &progress, unknown: store.unknownLinks())
        let contents = try readStreams(of: progress.results.map(\.source), work)
        for refusal in contents { progress.skipped[refusal.source.key] = refusal.reason }
        progress.refused += contents
        for (set, reason) in work.capabilities.unreadable {
            progress.skipped["set:" + set] = reason
        }
        progress.undefined = try store.graph().undefinedSets.map(\.name).sorted()
        scope.noteEstimates(progress.results)
        try store.noteRefreshed(progress.results.map(\.source.entitySet))
        if !progress.refused.isEmpty {
            try store.noteRefused(progress.refused, details: details)
            // What does not fit the metadata may fit what the service has by now: the next download looks at once, unless this
            // one has.
            if progress.refused.contains(where: { $0.status == 0 && !$0.isBroken }),
                let looked = try store.time(.metadataTime), looked < started
            {
                try store.setTime(0, for: .metadataTime)
            }
        } else if work.settings.persistsEntities {
            try store.noteFinished("download", details: details)
        } else {
            try store.setFlag(false, for: .pendingDownload)
        }
        store.checkpointIfLarge()
    }

    /// Keeps what the answers of the service carry, so that uploads can tell it from others.
    private func noteMarks() throws {
        guard scope.connection.hasSeenVersion else { return }
        _ = try scope.store.learn(.version)
    }

    /// The links that tell of changes of the sources that this would read; nil where the app sends the requests, which it
    /// expects to be answered soon.
    package func changeLinks(groups: [String] = []) throws -> ChangeLinks? {
        guard !scope.service.isSentByApp else { return nil }
        let work = try DownloadWork(
            scope, groups: groups, loadsLinks: loadsLinks, readsAll: false)
        return ChangeLinks(
            links: try work.changeLinks(), connection: scope.connection.forHeldRequests,
            requests: scope.service.requests)
    }

    func checkCancellation() throws {
        if cancellation.isCancelled {
            throw ODataError(.cancelled, "The download was cancelled; what was stored stays.")
        }
    }
}
