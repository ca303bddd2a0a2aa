import ODataClasses
import ODataModel
import ODataQuery

/// What a provider that keeps no streams answers.
extension DataServiceProvider {
    /// Throws `DataServiceError` with status 501.
    public func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "createMedia")
    }

    /// Throws `DataServiceError` with status 501.
    public func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "uploadMedia")
    }

    /// Throws `DataServiceError` with status 501.
    public func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        throw DataServiceError.notImplemented(method: "downloadMedia")
    }

    /// Throws `DataServiceError` with status 501.
    public func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "uploadStream")
    }

    /// Throws `DataServiceError` with status 501.
    public func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        throw DataServiceError.notImplemented(method: "downloadStream")
    }

    /// Throws `DataServiceError` with status 501.
    public func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        throw DataServiceError.notImplemented(method: "deleteStream")
    }
}
