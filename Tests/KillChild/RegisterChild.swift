import ODataSync
import ODataSyncPlan
import SAPOData

/// Opens a store and downloads, as a start of an app does: `KillChild register FOLDER URL`.
struct RegisterChild {
    let folder: String
    let url: String

    func run() throws {
        let provider = CloudSyncProvider(
            "Clients", store: folder + "/store.db", url: url, folder: PrivateFolder(path: folder))
        try provider.open()
        try provider.download(groups: [], options: SyncOptions.none)
        try provider.close()
    }
}
