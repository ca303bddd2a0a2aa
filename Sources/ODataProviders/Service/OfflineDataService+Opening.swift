import ODataClasses
import ODataSyncPlan
import ODataText
import ODataWorld

extension OfflineDataService {
    private final var lifecycle: StoreLifecycle? { (syncProvider as? CloudSyncProvider)?.lifecycle }

    /// Opens the store on this thread; the flag gives that up.
    final func open(underControlOf flag: CancellationFlag) throws {
        guard let lifecycle else {
            guard !flag.isCancelled else {
                throw ErrorBase.from(any: ODataError(.cancelled, "The opening was cancelled."))
            }
            return try open()
        }
        try lifecycle.opening(underControlOf: flag) { try open() }
    }

    /// A close that comes next stops the opening that runs. Where other calls wait between the two, they are made first, as
    /// they were asked for.
    final func stopOpeningBeforeClosing() {
        if !queues.actions.hasWaiting { lifecycle?.stopOpening() }
    }
}
