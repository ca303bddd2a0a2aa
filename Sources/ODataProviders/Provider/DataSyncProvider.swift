import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan

/// A provider with a local store that is brought up to date with a remote service from time to time.
///
/// Queries and changes work on the store; changes also wait in a queue until an upload sends them.
public protocol DataSyncProvider: DataServiceProvider {
    /// Opens the store, making it where there is none.
    func open() throws
    /// Closes the store.
    func close() throws
    /// Closes the store and deletes its files.
    func clear() throws

    /// Reads what is new from the service; no groups means all.
    func download(groups: StringList, options: SyncOptions) throws
    /// Sends what waits in the queue; no groups means all.
    func upload(groups: StringList, options: SyncOptions) throws
    /// Stops running downloads; what was stored stays.
    func cancelDownload() throws
    /// Stops running uploads; what has no answer stays in the queue.
    func cancelUpload() throws
    /// True once a download succeeded.
    func hasInitialData() throws -> Bool
    /// True while a download runs, or when the last one failed or was cancelled.
    func hasPendingDownload() throws -> Bool
    /// True while an upload runs, or when the last one failed or was cancelled.
    func hasPendingUpload() throws -> Bool
    /// When the last download succeeded; nil before the first.
    func lastDownloadTime() throws -> GlobalDateTime?
    /// When the last upload succeeded; nil before the first.
    func lastUploadTime() throws -> GlobalDateTime?

    /// Keeps a query by which entities are downloaded from now on.
    func createDownloadQuery(name: String, query: DataQuery, streams: Bool) throws
    /// Removes a query, and the entities that only it brought.
    func deleteDownloadQuery(name: String) throws
    /// The queries kept for a set; nil for those of all sets.
    func downloadQueries(from: EntitySet?) throws -> DownloadQueryList
    /// The query of this name; nil when there is none.
    func downloadQuery(name: String) throws -> DownloadQuery?

    /// The changes that the service has not answered yet.
    func queuedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> PendingRequestList
    /// The changes that the service refused, or that depend on a refused one.
    func failedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> PendingRequestList
    /// True when ``queuedRequests(matching:headers:options:)`` would find some.
    func hasQueuedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> Bool
    /// True when ``failedRequests(matching:headers:options:)`` would find some.
    func hasFailedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> Bool
    /// Drops requests as one step; nil drops all, an empty list none.
    func cancelPendingRequests(_ requests: PendingRequestList?) throws
    /// The synchronisations that succeeded since the store was made.
    func eventHistory(matching query: DataQuery?) throws -> SyncEventList
    /// The user that the store was opened for the time before; nil when none was named.
    func previousUser() throws -> String?
    /// Sends a copy of the store to where it can be examined.
    func uploadDatabaseFile(encryptionKey: String?, note: String?, options: SyncOptions) throws
}

/// A provider whose downloads are divided into groups and phases; `OfflineDataService` passes its own calls on.
package protocol DownloadDivision: AnyObject {
    /// The group of this name, made where there is none.
    func downloadGroup(_ group: String) -> DownloadGroup
    /// The phase of this number, made where there is none.
    func downloadPhase(_ phase: Int) -> DownloadPhase
}
