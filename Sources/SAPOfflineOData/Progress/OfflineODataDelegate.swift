import ODataClasses

/// What both delegates of an offline store can be told beside the documented calls. It stands alone so that one class may be
/// both, and needs no more than the documented calls for it.
public protocol OfflineODataOverwriteDelegate: AnyObject {
    /// A conflict policy has decided, and one side's state was put in the place of the other's.
    func offlineODataProvider(
        _ provider: OfflineODataProvider, didOverwrite overwrite: EntityOverwrite)
}

extension OfflineODataOverwriteDelegate {
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider, didOverwrite overwrite: EntityOverwrite
    ) {}
}

/// Follows an offline store by bytes and states. Every requirement has a default; calls come one after another, on a
/// thread of the library, while no lock is held.
///
/// Superseded by ``OfflineODataProviderDelegate``.
public protocol OfflineODataDelegate: OfflineODataOverwriteDelegate {
    /// A download has transferred more.
    func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateDownloadProgress progress: OfflineODataProgress)
    /// The first download has transferred more.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress)
    /// An upload has transferred more.
    func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateUploadProgress progress: OfflineODataProgress)
    /// The service refused a request.
    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest)
    /// The store does something else now.
    func offlineODataProvider(
        _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState)
    /// More of a copy of the store has been sent.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataSendStoreProgress)
}

extension OfflineODataDelegate {
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateDownloadProgress progress: OfflineODataProgress
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider, didUpdateUploadProgress progress: OfflineODataProgress
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataSendStoreProgress
    ) {}
}

/// Follows an offline store by steps. Every requirement has a default; calls come one after another, on a thread of the
/// library, while no lock is held.
public protocol OfflineODataProviderDelegate: OfflineODataOverwriteDelegate {
    /// Opening has reached a step.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProviderOperationProgress)
    /// A download has reached a step.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProviderDownloadProgress)
    /// An upload has reached a step.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProviderOperationProgress)
    /// The service refused a request; the upload goes on with others.
    func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest)
    /// Sending a copy of the store has reached a step.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataProviderOperationProgress)
}

extension OfflineODataProviderDelegate {
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProviderOperationProgress
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProviderDownloadProgress
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProviderOperationProgress
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
    ) {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataProviderOperationProgress
    ) {}
}
