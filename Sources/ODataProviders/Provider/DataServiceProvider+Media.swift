import ODataClasses
import ODataModel
import ODataQuery

/// What a provider that keeps no streams answers.
extension DataServiceProvider {
    /// Throws `DataServiceError` with status 501.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    public func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "createMedia")
    }

    /// Throws `DataServiceError` with status 501.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    public func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "uploadMedia")
    }

    /// Throws `DataServiceError` with status 501.
    ///
    /// - Throws: `UndefinedError` for content that a store never had, `DataServiceError` when there
    ///   is no such entity or the service refuses, `DataNetworkError` when no answer comes; over a
    ///   store `UsageError` while the store is closed.
    public func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        throw DataServiceError.notImplemented(method: "downloadMedia")
    }

    /// Throws `DataServiceError` with status 501.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    public func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "uploadStream")
    }

    /// Throws `DataServiceError` with status 501.
    ///
    /// - Throws: `UndefinedError` for content that a store never had, `DataServiceError` when there
    ///   is no such entity or the service refuses, `DataNetworkError` when no answer comes; over a
    ///   store `UsageError` while the store is closed.
    public func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        throw DataServiceError.notImplemented(method: "downloadStream")
    }

    /// Throws `DataServiceError` with status 501.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, is not there, or is
    ///   refused; then nothing is changed. `DataNetworkError` when a service gives no answer; in a
    ///   store `UsageError` while the store is closed and `DataStorageError` when its file fails.
    public func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "deleteStream")
    }
}
