import ODataClasses

/// What an offline store is doing; several flags may be set at once.
public struct OfflineODataStoreState: OptionSet, Sendable, Hashable {
    /// The flags as bits.
    public let rawValue: Int

    /// The state with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The store is being opened.
    public static let opening = OfflineODataStoreState(rawValue: 1)
    /// The store is opened for the first time.
    public static let initializing = OfflineODataStoreState(rawValue: 1 << 1)
    /// The service is asked for the first time.
    public static let initialCommunication = OfflineODataStoreState(rawValue: 1 << 2)
    /// The first data is being downloaded.
    public static let fileDownloading = OfflineODataStoreState(rawValue: 1 << 3)
    /// Changes of the service are being downloaded.
    public static let downloading = OfflineODataStoreState(rawValue: 1 << 4)
    /// Changes of the store are being uploaded.
    public static let uploading = OfflineODataStoreState(rawValue: 1 << 5)
    /// The store is open.
    public static let open = OfflineODataStoreState(rawValue: 1 << 6)
    /// The store is closed.
    public static let closed = OfflineODataStoreState(rawValue: 1 << 7)
    /// A copy of the store is being sent.
    public static let sendingStore = OfflineODataStoreState(rawValue: 1 << 8)
}
