import SAPOData
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan
import Synchronization

extension StoreSession {
    /// What an upload came to.
    struct Sent {
        /// How many requests the service accepted.
        var accepted = 0
        /// What ended it early.
        var failure: (any Error)?
        /// What it did beside sending, where it came to its end.
        var progress = UploadProgress()
    }

    /// Sends what waits.
    ///
    /// - Throws: when the command was asked to end; any other failure is part of what it came to.
    func upload(_ groups: StringList, _ console: Console) throws -> Sent {
        let before = try requestCounts()
        guard before.queued + before.failed > 0 else { return Sent() }
        var sent = Sent()
        do {
            let progress = try stoppable { token in
                try provider.uploadReporting(
                    groups: groups.toArray(), syncOptions("upload", console, token: token)
                ) { sent.accepted = max(sent.accepted, $0.accepted) }
            }
            sent.accepted = progress.accepted
            sent.progress = progress
        } catch let error as CommandError where error.isInterruption {
            throw error
        } catch {
            sent.failure = error
        }
        return sent
    }

    /// Reads what is new and goes on past sets that the service refuses; returns how many entities came and what
    /// was skipped.
    func download(
        _ groups: StringList, _ console: Console, readsAll: Bool = false
    ) throws -> Received {
        try stoppable { token in
            let progress = try provider.downloadReporting(
                groups: groups.toArray(),
                syncOptions("download", console, token: token), loadsLinks: true,
                readsAll: readsAll)
            let refused = progress.skipped.map { key, reason in
                (set: key.hasPrefix("set:") ? String(key.dropFirst(4)) : key, reason: reason)
            }
            let known = Set(skipped.map(\.set))
            return Received(
                refused: progress.refused.map { $0.source.name ?? $0.source.entitySet },
                undefined: groups.toArray().isEmpty ? progress.undefined : [],
                entities: Int64(progress.results.reduce(0) { $0 + $1.received }),
                hasChanged: progress.results.contains { $0.received + $0.written + $0.removed > 0 },
                skipped: skipped
                    + refused.filter { !known.contains($0.set) }.sorted { $0.set < $1.set },
                settled: progress.settled,
                unknownLinks: progress.unknownLinks.map { ($0, $1) }.sorted { $0.0 < $1.0 })
        }
    }

    /// Compares the store with the service.
    func verify(
        _ verification: Download.Verification, _ console: Console
    ) throws -> [SourceVerification] {
        try stoppable { token in
            try provider.verifying(
                syncOptions("verify", console, token: token), verification, loadsLinks: true)
        }
    }

    struct Received {
        /// What the service was asked for and did not give.
        var refused: [String]
        /// Sets of types that no document describes; none where the download was of groups.
        var undefined: [String]
        var entities: Int64
        /// False where the store is as it was before.
        var hasChanged: Bool
        var skipped: [(set: String, reason: String)]
        /// What became of changes whose answers were lost.
        var settled: [String]
        var unknownLinks: [(navigation: String, reason: String)]

        /// - Throws: when the service did not give all that it was asked for, or has sets that nobody can ask for.
        func throwIfRefused() throws {
            var causes: [String] = []
            if !refused.isEmpty {
                causes.append("The service refused \(refused.joined(separator: ", "))")
            }
            if !undefined.isEmpty {
                causes.append(
                    "No metadata describes the types of \(undefined.joined(separator: ", "))")
            }
            guard !causes.isEmpty else { return }
            throw CommandError.failed(causes.joined(separator: "; ") + "; the rest was read.")
        }
    }

    /// Runs `body` with a token that is cancelled when the process is asked to end.
    func stoppable<Result>(_ body: (CancelToken) throws -> Result) throws -> Result {
        let token = CancelToken()
        let signals = StopSignals { token.cancel() }
        defer { signals.cancel() }
        return try CommandError.stoppable(
            { signals.status ?? (limit.isOver ? TimeLimit.status : nil) },
            saying: signals.status == nil
                ? limit.sentence : "The command was asked to end; what was done stays."
        ) {
            try limit.stopping({ token.cancel() }) { try body(token) }
        }
    }

    /// The report of what is in the store now.
    ///
    /// - Parameter countsRows: says how many rows each set has, which takes as long as the store is large.
    func report(countsRows: Bool) throws -> SyncReport {
        var report = SyncReport()
        report.service = provider.onlineProvider.serviceRoot
        report.version = document.versionText
        (report.queued, report.failed) = try requestCounts()
        report.skipped = skipped
        guard countsRows else { return report }
        let sets = graph.entitySets.map(\.name)
        let counts = try StoreMemory.rowCounts(
            path: path, tables: sets, key: provider.encryptionKey)
        report.rows = sets.compactMap { set in counts[set].map { (set, $0) } }
        return report
    }
}

/// The last number of entities that progress told.
final class EntityCounter: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }

    func set(_ value: Int64) { count.withLock { $0 = max($0, value) } }
}
