import ODataClasses
import ODataProviders
import ODataStore
import ODataSync
import ODataSyncPlan
import Synchronization
import ODataWorld

extension OfflineODataProvider {
    /// Whoever has the face keeps the provider, so it is not kept in turn.
    struct Faces: Sendable {
        weak var face: OfflineSyncProvider?
    }

    final func face() -> OfflineSyncProvider {
        faces.withLock { faces in
            if let face = faces.face { return face }
            let face = OfflineSyncProvider(self)
            faces.face = face
            return face
        }
    }

    final func upload(
        groups: [String]?, _ completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) {
        let (session, token) = (session, CancelToken())
        session.add(token, isDownload: false)
        run(completionHandler, token) {
            try session.lifecycle.sync { try session.upload(groups, token) }
        }
    }

    final func download(
        names: [String], _ completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) -> CancelToken {
        let (session, token) = (session, CancelToken())
        session.add(token, isDownload: true)
        run(completionHandler, token) { [self] in
            try download(names, SyncOptions().cancelable(token), isOfQueries: true)
        }
        return token
    }

    /// Downloads on this thread, and tells the delegates how far it is.
    final func download(_ names: [String], _ options: SyncOptions, isOfQueries: Bool) throws {
        let stop = TokenFlag(options.cancelToken)
        defer { stop.release() }
        // Cancelling all downloads reaches one that still waits for an opening.
        let own = CancelToken()
        own.onCancel { [flag = stop.flag] in flag.cancel() }
        session.add(own, isDownload: true)
        defer { session.remove(own) }
        try session.lifecycle.sync(stoppedBy: stop.flag) {
            try session.checkOpen()
            try session.keepingTime(for: "download") {
                let steps = ProviderReporter.Steps(operation: .download)
                defer { session.reporter.change { $0.remove(.downloading) } }
                try session.prepareDownload(names, isOfQueries: isOfQueries, steps)
                var download = try session.makeDownload(
                    steps, stop.flag, telling: options.progressListener)
                try download.run(groups: names)
                try session.concludeDownload(steps)
            }
        }
    }

    /// Runs an operation after those before it, and tells its handler how it ended.
    final func run(
        _ completionHandler: @escaping @Sendable (OfflineODataError?) -> Void,
        _ token: CancelToken? = nil, _ operation: @escaping @Sendable () throws -> Void
    ) {
        // The provider lives as long as its operations.
        work.add { [self] in
            var failure: OfflineODataError?
            do {
                if token?.isCancelled == true { throw Self.cancelled }
                try operation()
            } catch {
                failure =
                    token?.isCancelled == true ? Self.cancelled : OfflineODataError.from(error)
            }
            if let token { session.remove(token) }
            completionHandler(failure)
        }
    }

    private static var cancelled: OfflineODataError {
        .named(.requestCancelled, "The operation was cancelled.")
    }

    /// Runs a call that needs an open store.
    final func opened<Result>(_ body: () throws -> Result) throws -> Result {
        try session.checkOpen()
        return try body()
    }
}
