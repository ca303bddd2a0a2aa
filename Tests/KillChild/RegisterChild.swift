import ODataSync
import ODataSyncPlan
import ODataTransport
import SAPOData

/// Opens a store and downloads, as a start of an app does: `KillChild register FOLDER URL`.
struct RegisterChild {
    let folder: String
    let url: String

    func run() throws {
        let provider = CloudSyncProvider(
            onlineProvider: OnlineODataProvider(
                serviceName: "Clients", serviceRoot: url, transport: AsyncHTTPTransport.shared,
                folder: PrivateFolder(path: folder)),
            offlineStore: SQLDatabaseProvider(
                serviceName: "Clients", databaseURL: "sqlite:" + folder + "/store.db"))
        try provider.open()
        try provider.download(groups: [], options: SyncOptions.none)
        try provider.close()
    }
}
