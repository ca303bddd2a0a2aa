public import Foundation
import ODataClasses
import ODataModel
import ODataProviders

// What apps of older generations call at the service of an offline provider, and not at the provider itself.

extension LegacyDataService where Provider: OfflineODataProvider {
    /// Opens the store; see ``OfflineODataProvider/open(completionHandler:)``. The handler runs on a thread of the library.
    @preconcurrency
    public func open(completionHandler: @escaping @Sendable (OfflineODataError?) -> Void) {
        provider.open(completionHandler: completionHandler)
    }

    /// Closes the store; its file stays.
    ///
    /// - Throws: `OfflineODataError` when the store cannot be closed.
    public func close() throws { try provider.close() }

    /// Closes the store and deletes its files.
    ///
    /// - Throws: `OfflineODataError` when the files cannot be deleted.
    public func clear() throws { try provider.clear() }

    /// Deletes the files of a store that is not open; a nil name stands for the default name.
    ///
    /// - Throws: `OfflineODataError` when the files cannot be deleted.
    public static func clear(at path: URL, withName name: String?) throws {
        try Provider.clear(at: path, withName: name)
    }

    /// Sends the queued changes; see ``OfflineODataProvider/upload(completionHandler:)``.
    @preconcurrency
    public func upload(completionHandler: @escaping @Sendable (OfflineODataError?) -> Void) {
        provider.upload(completionHandler: completionHandler)
    }

    /// Sends the queued changes of some categories, and what they depend on.
    @preconcurrency
    public func upload(
        categories: [UploadCategory],
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) {
        provider.upload(categories: categories, completionHandler: completionHandler)
    }

    /// Brings the changes of the service into the store; see ``OfflineODataProvider/download(completionHandler:)``.
    @discardableResult
    @preconcurrency
    public func download(
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) -> CancelToken {
        provider.download(completionHandler: completionHandler)
    }

    /// Brings the changes of some defining queries into the store.
    @discardableResult
    @preconcurrency
    public func download(
        withSubset subset: [OfflineODataDefiningQuery],
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) -> CancelToken {
        provider.download(withSubset: subset, completionHandler: completionHandler)
    }

    /// Stops running downloads and those that wait; what is stored stays.
    ///
    /// - Throws: As ``OfflineODataProvider/cancelDownload()``.
    public func cancelDownload() throws { try provider.cancelDownload() }

    /// Stops running uploads and those that wait; changes without an answer stay queued and keep their identity.
    ///
    /// - Throws: As ``OfflineODataProvider/cancelUpload()``.
    public func cancelUpload() throws { try provider.cancelUpload() }

    /// Adds a query to those that say what the store holds.
    ///
    /// - Throws: ``OfflineODataError/invalidInput(code:message:)`` for a name or URL that cannot be used.
    public func add(definingQuery: OfflineODataDefiningQuery) throws {
        try provider.add(definingQuery: definingQuery)
    }

    /// Removes a query, and the entities that only it brought.
    ///
    /// - Throws: As ``OfflineODataProvider/remove(definingQuery:)``.
    public func remove(definingQuery: OfflineODataDefiningQuery) throws {
        try provider.remove(definingQuery: definingQuery)
    }

    /// Whether no change waits for an upload, refused ones included.
    ///
    /// - Throws: `preconditionFailed` while the store is closed.
    public func requestQueueIsEmpty() throws -> Bool { try provider.requestQueueIsEmpty() }

    /// The same as ``requestQueueIsEmpty()``.
    ///
    /// - Throws: `preconditionFailed` while the store is closed.
    @available(*, deprecated, renamed: "requestQueueIsEmpty()")
    public func isRequestQueueIsEmpty() throws -> Bool { try provider.requestQueueIsEmpty() }

    /// Whether a download is running, or the last one failed or was cancelled.
    ///
    /// - Throws: `preconditionFailed` while the store is closed.
    public func hasPendingDownload() throws -> Bool { try provider.hasPendingDownload() }

    /// Whether an upload is running, or the last one failed or was cancelled.
    ///
    /// - Throws: `preconditionFailed` while the store is closed.
    public func hasPendingUpload() throws -> Bool { try provider.hasPendingUpload() }

    /// The user of the opening before; see ``OfflineODataProvider/getPreviousUser()``.
    ///
    /// - Throws: As the provider.
    public func getPreviousUser() throws -> String? { try provider.getPreviousUser() }

    /// Deletes all rows of client-only sets; see ``OfflineODataProvider/purgeClientOnlyData()``.
    ///
    /// - Throws: As the provider.
    public func purgeClientOnlyData() throws { try provider.purgeClientOnlyData() }

    /// Sends a copy of the store, for those who look into errors; see ``OfflineODataProvider/sendStore(completionHandler:)``.
    @preconcurrency
    public func sendStore(completionHandler: @escaping @Sendable (OfflineODataError?) -> Void) {
        provider.sendStore(completionHandler: completionHandler)
    }

    /// Sends a copy of the store under another key; see
    /// ``OfflineODataProvider/sendEncryptedStore(newEncryptionKey:completionHandler:)``.
    @preconcurrency
    public func sendEncryptedStore(
        newEncryptionKey: String,
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) {
        provider.sendEncryptedStore(
            newEncryptionKey: newEncryptionKey, completionHandler: completionHandler)
    }
}
