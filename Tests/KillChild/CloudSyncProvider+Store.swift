import ODataSync
import ODataTransport
import SAPOData

extension CloudSyncProvider {
    /// A provider of the store in a file, of a service that is reached over HTTP.
    convenience init(
        _ name: String, store: String, url: String, folder: PrivateFolder = PrivateFolder()
    ) {
        self.init(
            onlineProvider: OnlineODataProvider(
                serviceName: name, serviceRoot: url, transport: StandardTransport.shared,
                folder: folder),
            offlineStore: SQLDatabaseProvider(serviceName: name, databaseURL: "sqlite:" + store))
    }
}
