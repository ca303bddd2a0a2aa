public import ODataProviders

extension OfflineODataProvider {
    /// Compares the keys of every defining query that was downloaded to its end with the service, and reads in full what
    /// differs, as `CloudSyncProvider/verify(options:)` does. Blocks the calling thread until the service has answered; the
    /// delegate hears nothing of it.
    ///
    /// - Returns: what was found, for each defining query.
    /// - Throws: `preconditionFailed` while the store is closed, `communicationError` when no answer comes; otherwise what
    ///   `CloudSyncProvider` throws.
    @discardableResult
    public final func verify() throws -> [SetVerification] {
        try opened { try session.sync.verify() }
    }
}
