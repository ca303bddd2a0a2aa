import Foundation
import ODataClasses
import ODataModel
import ODataSyncPlan
import Synchronization

/// Tells the delegate of a provider what happens. Used by the provider's one working thread, outside of all locks; only
/// the state may be read from elsewhere.
final class ProviderReporter: @unchecked Sendable {
    // `current` is guarded by its lock; the delegates do not change after the provider was made.
    private let delegate: (any OfflineODataDelegate)?
    private let stepDelegate: (any OfflineODataProviderDelegate)?
    weak var provider: OfflineODataProvider?
    private let current = Mutex(OfflineODataStoreState.closed)

    init(
        _ delegate: (any OfflineODataDelegate)?,
        _ stepDelegate: (any OfflineODataProviderDelegate)?
    ) {
        self.delegate = delegate
        self.stepDelegate = stepDelegate
    }

    // MARK: State

    var state: OfflineODataStoreState { current.withLock { $0 } }

    /// Changes the state and says so, unless it stays the same.
    func change(_ change: (inout OfflineODataStoreState) -> Void) {
        let changed = current.withLock { state -> OfflineODataStoreState? in
            let old = state
            change(&state)
            return state == old ? nil : state
        }
        guard let changed, let provider else { return }
        delegate?.offlineODataProvider(provider, stateDidChange: changed)
    }

    // MARK: Transfers

    enum Operation: Sendable {
        case open, download, upload, sendStore

        var steps: [OfflineODataOperationStep] {
            switch self {
            case .open: OfflineODataOperationStep.open
            case .download: OfflineODataOperationStep.download
            case .upload: OfflineODataOperationStep.upload
            case .sendStore: [.sendingEntityStoreDatabase]
            }
        }
    }

    /// The bytes of an operation so far; `isLast` when there will be no more.
    func transferred(_ count: TransferCounter.Count, in operation: Operation, isLast: Bool) {
        guard let provider, let delegate else { return }
        let progress = OfflineODataProgress(
            bytesSent: count.sent, bytesReceived: count.received)
        switch operation {
        case .upload: delegate.offlineODataProvider(provider, didUpdateUploadProgress: progress)
        case .sendStore: break
        case .download:
            delegate.offlineODataProvider(provider, didUpdateDownloadProgress: progress)
        case .open:
            delegate.offlineODataProvider(
                provider,
                didUpdateFileDownloadProgress: OfflineODataFileDownloadProgress(
                    bytesReceived: count.received,
                    fileSize: isLast ? count.received : max(count.expected, count.received)))
        }
    }

    // MARK: Steps

    /// One operation's notices share an identity.
    struct Steps: Sendable {
        let operation: Operation
        let id = UUID().uuidString.lowercased()
    }

    func reached(
        _ step: OfflineODataOperationStep, of steps: Steps, _ parameters: [String] = []
    ) {
        guard let provider, let stepDelegate else { return }
        let all = steps.operation.steps
        let progress = OfflineODataProviderOperationProgress(
            operationId: steps.id,
            currentStepNumber: (all.firstIndex(of: step) ?? 0) + 1, totalNumberOfSteps: all.count,
            time: GlobalDateTime.now(), step: step, parameters: parameters,
            defaultMessage: step.message)
        switch steps.operation {
        case .open:
            stepDelegate.offlineODataProvider(provider, didUpdateOpenProgress: progress)
        case .upload:
            stepDelegate.offlineODataProvider(provider, didUpdateUploadProgress: progress)
        case .download:
            stepDelegate.offlineODataProvider(
                provider,
                didUpdateDownloadProgress: OfflineODataProviderDownloadProgress(progress))
        case .sendStore:
            stepDelegate.offlineODataProvider(provider, didUpdateSendStoreProgress: progress)
        }
    }

    /// How much of a copy of the store has gone.
    func sending(_ file: String, sent: Int, of size: Int, _ steps: Steps) {
        reached(.sendingEntityStoreDatabase, of: steps, [String(sent), String(size)])
        guard let provider, let delegate else { return }
        delegate.offlineODataProvider(
            provider,
            didUpdateSendStoreProgress: OfflineODataSendStoreProgress(
                fileName: file, bytesSent: sent, fileSize: size))
    }

    // MARK: Failures

    func overwritten(_ overwrite: EntityOverwrite) {
        guard let provider else { return }
        delegate?.offlineODataProvider(provider, didOverwrite: overwrite)
        stepDelegate?.offlineODataProvider(provider, didOverwrite: overwrite)
    }

    func failed(_ request: OfflineODataFailedRequest) {
        guard let provider else { return }
        delegate?.offlineODataProvider(provider, requestDidFail: request)
        stepDelegate?.offlineODataProvider(provider, requestDidFail: request)
    }
}
