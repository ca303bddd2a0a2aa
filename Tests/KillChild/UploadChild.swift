import Foundation
import ODataSyncPlan
import SAPOData

/// Uploads what waits in a store as soon as it is told, against a service that it does not take for one that recognises
/// repetitions: `KillChild upload STORE URL`. A line on its input lets it go.
struct UploadChild {
    let store: String
    let url: String

    func run() throws {
        let provider = CloudSyncProvider("Turns", store: store, url: url)
        provider.sendRepeatableRequests = false
        provider.batchEntityUploads = false
        provider.uploadWorkerThreads = 2
        try provider.open()
        print("ready")
        fflush(nil)
        _ = readLine()
        try provider.upload(groups: [], options: SyncOptions.none)
        try provider.close()
    }
}
