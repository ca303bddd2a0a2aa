import ODataSync

/// One opening of a store, from the moment it is asked for until its outcome is known.
package final class Opening: @unchecked Sendable {
    enum Outcome {
        case opened
        case failed(any Error)
        /// Somebody closed the store meanwhile.
        case stopped
        /// Its own caller gave it up; others that waited for it open the store themselves.
        case withdrawn
    }

    package let flags = OpeningFlags()
    /// Guarded by the monitor of the ``StoreLifecycle``.
    var outcome: Outcome?
}
