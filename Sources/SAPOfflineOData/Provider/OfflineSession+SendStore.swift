import Foundation
import ODataClasses
import ODataProviders
import ODataSyncPlan

extension OfflineSession {
    /// Sends a copy of the store, in clear or under a key.
    func sendStore(key: String?) throws {
        try checkOpen()
        if let key {
            let isUsable =
                !key.isEmpty && key.first?.isWhitespace == false
                && key.last?.isWhitespace == false && !key.contains(";")
            guard isUsable else {
                throw OfflineODataError.named(
                    .invalidArgument,
                    "Expected a key without semicolon that does not begin or end with a space.")
            }
        }
        let steps = ProviderReporter.Steps(operation: .sendStore)
        let name = (location.path as NSString).lastPathComponent
        applyTransferSettings()
        reporter.change { $0.insert(.sendingStore) }
        defer { reporter.change { $0.remove(.sendingStore) } }
        let token = CancelToken()
        add(token, isDownload: false)
        defer { remove(token) }
        let told = ProgressListener { [reporter] progress in
            reporter.sending(
                name, sent: Int(progress.bytesSent), of: Int(progress.byteCount), steps)
        }
        try sync.uploadDatabaseFile(
            encryptionKey: key, note: nil,
            options: SyncOptions().cancelable(token).listen(told))
    }
}
