public import Foundation
import ODataClasses
import Synchronization

/// How an ``OfflineODataProvider`` works: its store, its requests and its upload.
///
/// ```swift
/// let parameters = OfflineODataParameters()
/// parameters.storeName = "field"
/// parameters.storeEncryptionKey = passphrase
/// parameters.enableRequestQueueOptimization = true
/// let provider = try OfflineODataProvider(
///     serviceRoot: root, parameters: parameters, sapURLSession: session)
/// ```
///
/// ``storeName``, ``storePath`` and ``urlSuffix`` are read when the provider is made. Set everything else before the store
/// is opened; only ``customHeaders`` and ``customCookies`` also count later, from the next upload or download on. Switches
/// of features that do not exist yet make opening fail with ``OfflineODataError/notSupported(code:message:)`` when they
/// are on, so that nothing is silently different.
///
/// Any thread may set and read them. The provider keeps this object, not a copy
/// (``OfflineODataProvider/providerParameters``). Setting throws nothing: a key that does not fit fails the opening.
public class OfflineODataParameters: @unchecked Sendable {
    // Guarded by `stored`.
    private let stored = Mutex(Values())

    /// The values of all properties at one moment.
    struct Values: Sendable {
        var storeEncryptionKey: String?
        var storeName: String?
        var storePath: URL?
        var urlSuffix: String?
        var extraStreamParameters: String?
        var extraDatabaseConnectionParameters: String?
        var customHeaders: [String: String] = [:]
        var customCookies: [String: String] = [:]
        var enableRepeatableRequests = true
        var pageSize: Int?
        var timeout: Int32?
        var enableRequestQueueOptimization = false
        var enableUndoLocalCreation = false
        var enableTransactionBuilder = false
        var enableIndividualErrorArchiveDeletion = false
        var enableBackgroundDataTransfer = true
        var forceUploadOnUserSwitch = false
        var refuseOpenOnUserSwitch = false
        var refreshInOrderOfAddition = false
        var autoRegisterClient = false
        var currentUser: String?
        var enableClientOnlyMetadata = false
        var clientMetadataFile: URL?
        var forcePurgeClientOnlyDataOnUserSwitch = true
        var forcePurgeClientOnlyDataOnMetadataChange = false
        var conflictPolicies: [String: ConflictPolicy] = [:]
        var probeProperties: [String: String] = [:]
        var comparedEntitySets: Set<String> = []
        var volatileHeaders: [String] = []
    }

    /// Creates parameters of default values.
    public init() {}

    /// The default of ``pageSize``: local reads are not cut into pages.
    public static let noPaging: Int? = nil

    var values: Values { stored.withLock { $0 } }

    subscript<Value: Sendable>(path: any WritableKeyPath<Values, Value> & Sendable) -> Value
    {
        get { stored.withLock { $0[keyPath: path] } }
        set { stored.withLock { $0[keyPath: path] = newValue } }
    }

    /// The key that the store is sealed with; nil for a store in clear. Defaults to nil.
    ///
    /// 64 hexadecimal digits are a key of 32 bytes, any other text is a passphrase. Another key than the store's, a missing
    /// one, and one for a store in clear fail the opening and leave the store as it is.
    public var storeEncryptionKey: String? {
        get { self[\.storeEncryptionKey] }
        set { self[\.storeEncryptionKey] = newValue }
    }

    /// The name of the store, which is also that of its file; nil stands for `localstore`. Defaults to nil.
    public var storeName: String? {
        get { self[\.storeName] }
        set { self[\.storeName] = newValue }
    }

    /// The folder of the store; nil stands for the app's documents folder, or its data folder where there is none.
    /// Defaults to nil.
    public var storePath: URL? {
        get { self[\.storePath] }
        set { self[\.storePath] = newValue }
    }

    /// A path that follows the service root in the URL of each request. Defaults to nil.
    public var urlSuffix: String? {
        get { self[\.urlSuffix] }
        set { self[\.urlSuffix] = newValue }
    }

    /// Settings of the exchange with the service, as `key=value` separated by semicolons; `timeout` is known, other keys
    /// are logged and ignored. Defaults to nil.
    public var extraStreamParameters: String? {
        get { self[\.extraStreamParameters] }
        set { self[\.extraStreamParameters] = newValue }
    }

    /// Settings of the database connection, as `cache_size=16m`; they count when the store is opened. Other names than
    /// `cache_size` and `cache_max_size` are logged as ignored. Defaults to nil.
    public var extraDatabaseConnectionParameters: String? {
        get { self[\.extraDatabaseConnectionParameters] }
        set { self[\.extraDatabaseConnectionParameters] = newValue }
    }

    /// Header fields of every request to the service, by name. Defaults to none.
    public var customHeaders: [String: String] {
        get { self[\.customHeaders] }
        set { self[\.customHeaders] = newValue }
    }

    /// Ours: names of headers, of ``customHeaders`` for instance, whose values change from request to request and say nothing of
    /// what the service answers. A delta link belongs to all other headers: where one of them has another value, the next
    /// download reads in full. Names of requests, traces and clients, and credentials, never count. They count from the next
    /// download on. Defaults to none.
    public var volatileHeaders: [String] {
        get { self[\.volatileHeaders] }
        set { self[\.volatileHeaders] = newValue }
    }

    /// Cookies of every request to the service, by name. Defaults to none.
    public var customCookies: [String: String] {
        get { self[\.customCookies] }
        set { self[\.customCookies] = newValue }
    }

    /// Whether changes carry an identity by which the service recognises a repetition. Defaults to true.
    public var enableRepeatableRequests: Bool {
        get { self[\.enableRepeatableRequests] }
        set { self[\.enableRepeatableRequests] = newValue }
    }

    /// The most entities that one local read returns, with a link to the rest. Defaults to ``noPaging``.
    public var pageSize: Int? {
        get { self[\.pageSize] }
        set { self[\.pageSize] = newValue }
    }

    /// The longest silence of the service in seconds; nil for the default of the transport. Less than 30 is accepted and
    /// logged as a warning. Defaults to nil.
    public var timeout: Int32? {
        get { self[\.timeout] }
        set { self[\.timeout] = newValue }
    }

    /// Whether an upload first joins requests of the same entity: a create and its updates become one create, updates one
    /// update, a create and a delete nothing. Borders of change sets and unmodifiable requests are kept. Defaults to
    /// false; read when the store is opened.
    public var enableRequestQueueOptimization: Bool {
        get { self[\.enableRequestQueueOptimization] }
        set { self[\.enableRequestQueueOptimization] = newValue }
    }

    /// Whether an upload leaves out what was created and deleted locally, whatever change sets and flags say. What would
    /// make the service end in another state is sent all the same. Defaults to false; read when the store is opened.
    public var enableUndoLocalCreation: Bool {
        get { self[\.enableUndoLocalCreation] }
        set { self[\.enableUndoLocalCreation] = newValue }
    }

    /// Whether an upload puts requests of one ``TransactionID`` into as few change sets as their order allows. Defaults to
    /// false; read when the store is opened.
    public var enableTransactionBuilder: Bool {
        get { self[\.enableTransactionBuilder] }
        set { self[\.enableTransactionBuilder] = newValue }
    }

    /// Whether deleting an entry of the ErrorArchive takes back only that request and those that depend on it, in place
    /// of all failed ones. Defaults to false.
    public var enableIndividualErrorArchiveDeletion: Bool {
        get { self[\.enableIndividualErrorArchiveDeletion] }
        set { self[\.enableIndividualErrorArchiveDeletion] = newValue }
    }

    /// Whether opening, uploads and downloads go on when the process is in the background: on systems that suspend apps each of
    /// them asks for time, which may end before it does; what is cut off goes on with the next call. Without effect where
    /// processes are not suspended, as on Linux. Defaults to true.
    public var enableBackgroundDataTransfer: Bool {
        get { self[\.enableBackgroundDataTransfer] }
        set { self[\.enableBackgroundDataTransfer] = newValue }
    }

    /// Whether opening for another user than the last uploads that user's changes first. Defaults to false.
    public var forceUploadOnUserSwitch: Bool {
        get { self[\.forceUploadOnUserSwitch] }
        set { self[\.forceUploadOnUserSwitch] = newValue }
    }

    /// Whether defining queries are downloaded one after another in the order they were added. Defaults to false.
    public var refreshInOrderOfAddition: Bool {
        get { self[\.refreshInOrderOfAddition] }
        set { self[\.refreshInOrderOfAddition] = newValue }
    }

    /// Whether opening registers the client at services that keep registrations. Defaults to false.
    public var autoRegisterClient: Bool {
        get { self[\.autoRegisterClient] }
        set { self[\.autoRegisterClient] = newValue }
    }

    /// Ours: whether opening for another ``currentUser`` than the last fails, and leaves everything as it is. With
    /// ``forceUploadOnUserSwitch`` it does not, as that user's changes are sent. Defaults to false.
    public var refuseOpenOnUserSwitch: Bool {
        get { self[\.refuseOpenOnUserSwitch] }
        set { self[\.refuseOpenOnUserSwitch] = newValue }
    }

    /// Who opens the store; nil for nobody in particular. What it means to the changes and the client-only data of the user
    /// before counts only together with ``forceUploadOnUserSwitch``. Without it another user than the last is an event
    /// `userSwitch` and a line in the log. Defaults to nil.
    public var currentUser: String? {
        get { self[\.currentUser] }
        set { self[\.currentUser] = newValue }
    }

    /// Whether the metadata of ``clientMetadataFile`` is added to the service's. Switching it off again deletes all
    /// client-only data when the store is opened. Defaults to false.
    public var enableClientOnlyMetadata: Bool {
        get { self[\.enableClientOnlyMetadata] }
        set { self[\.enableClientOnlyMetadata] = newValue }
    }

    /// The CSDL document, in XML, of the types and sets that only this device has; sets and types are marked with the
    /// annotation `Offline.ClientOnly`, sets of drafts of the service's types with `Offline.LocalDraft`. Ours, beside the
    /// documented members. Defaults to nil.
    public var clientMetadataFile: URL? {
        get { self[\.clientMetadataFile] }
        set { self[\.clientMetadataFile] = newValue }
    }

    /// Whether client-only data goes when another ``currentUser`` opens the store with ``forceUploadOnUserSwitch``; without
    /// it, users share the data. Defaults to true.
    public var forcePurgeClientOnlyDataOnUserSwitch: Bool {
        get { self[\.forcePurgeClientOnlyDataOnUserSwitch] }
        set { self[\.forcePurgeClientOnlyDataOnUserSwitch] = newValue }
    }

    /// Whether client-only data goes when its metadata changes in a way that it cannot be kept, as anything but added
    /// types, sets and nullable properties; without it, opening fails then. Defaults to false.
    public var forcePurgeClientOnlyDataOnMetadataChange: Bool {
        get { self[\.forcePurgeClientOnlyDataOnMetadataChange] }
        set { self[\.forcePurgeClientOnlyDataOnMetadataChange] = newValue }
    }
}

extension OfflineODataParameters.Values {
    /// The seconds of silence after which a request is given up.
    var idleSeconds: Int? {
        if let timeout { return Int(timeout) }
        return streamSettings["timeout"].flatMap { Int($0) }
    }

    /// The settings of ``extraStreamParameters`` by name in lower case.
    var streamSettings: [String: String] { Self.settings(extraStreamParameters) }
    /// The settings of ``extraDatabaseConnectionParameters`` by name in lower case.
    var databaseSettings: [String: String] { Self.settings(extraDatabaseConnectionParameters) }

    private static func settings(_ text: String?) -> [String: String] {
        var settings: [String: String] = [:]
        for item in (text ?? "").split(separator: ";") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard let name = parts.first?.trimmingCharacters(in: .whitespaces), !name.isEmpty
            else { continue }
            let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            settings[name.lowercased()] = value
        }
        return settings
    }
}
