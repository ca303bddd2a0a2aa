import ODataModel
import ODataQuery
import ODataSyncPlan

/// How one download or upload runs: who is told how far it is, and what stops it.
open class SyncOptions: ObjectBase, @unchecked Sendable {
    // Confined: set up by one thread before the operation starts.
    private final var token: CancelToken?
    private final var listener: ProgressListener?

    /// Creates options without token and listener.
    public override init() { super.init() }

    /// New options without token and listener.
    public static var none: SyncOptions { SyncOptions() }

    /// The token that stops the operation; set it before the operation starts.
    open var cancelToken: CancelToken? {
        get { token }
        set { token = newValue }
    }

    /// Who is told how far this operation is, in place of the provider's listener.
    open var progressListener: ProgressListener? {
        get { listener }
        set { listener = newValue }
    }

    /// Sets the token and returns the options.
    @discardableResult
    open func cancelable(_ token: CancelToken) -> SyncOptions {
        cancelToken = token
        return self
    }

    /// Sets the listener and returns the options.
    @discardableResult
    open func listen(_ listener: ProgressListener) -> SyncOptions {
        progressListener = listener
        return self
    }

    /// New options with the same token and listener.
    open func copy() -> SyncOptions {
        let copy = SyncOptions()
        copy.token = token
        copy.listener = listener
        return copy
    }
}
