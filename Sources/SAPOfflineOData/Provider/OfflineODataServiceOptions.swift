import ODataClasses

/// What an offline provider has to know of its service beyond metadata: the members of `ServiceOptions` that count for its
/// downloads and uploads, with the same meaning and the same defaults.
public struct OfflineODataServiceOptions: Sendable, Hashable {
    /// True to check the version header of answers.
    public var checkVersion = true
    /// True to check queries against metadata before they are sent.
    public var checkQueries = true
    /// True to check answers against metadata.
    public var checkResults = true
    /// True to take values that an answer leaves out as null.
    public var fixMissingNullValues = false
    /// True to take lists that an answer leaves out as empty.
    public var fixMissingEmptyLists = false
    /// True where the service answers a creation with the entity.
    public var createReturnsContent = true
    /// True where the service answers an update with the entity.
    public var updateReturnsContent = true
    /// The header of the token that changes need; nil where the service wants none. Defaults to `X-CSRF-Token`.
    public var requiresToken: String? = "X-CSRF-Token"
    /// True to send the type of each value.
    public var requiresType = false
    /// True where the service takes PATCH; without it updates replace.
    public var supportsPatch = true
    /// True where the service takes batches.
    public var supportsBatch = true
    /// True where entities may be bound while others are created or changed.
    public var supportsBind = true
    /// True where bindings may be ended so, too.
    public var supportsUnbind = true
    /// True where the service gives delta links.
    public var supportsDelta = true
    /// True where the service gives next links.
    public var supportsNext = true
    /// The name of this installation of the app for the service.
    public var clientInstanceID: String?

    /// Creates options of default values.
    public init() {}

    init(_ options: ServiceOptions.Fields) {
        checkVersion = options.checkVersion
        checkQueries = options.checkQueries
        checkResults = options.checkResults
        fixMissingNullValues = options.fixMissingNullValues
        fixMissingEmptyLists = options.fixMissingEmptyLists
        createReturnsContent = options.createReturnsContent
        updateReturnsContent = options.updateReturnsContent
        requiresToken = options.requiresToken
        requiresType = options.requiresType
        supportsPatch = options.supportsPatch
        supportsBatch = options.supportsBatch
        supportsBind = options.supportsBind
        supportsUnbind = options.supportsUnbind
        supportsDelta = options.supportsDelta
        supportsNext = options.supportsNext
        clientInstanceID = options.clientInstanceID
    }

    func apply(to options: inout ServiceOptions.Fields) {
        options.checkVersion = checkVersion
        options.checkQueries = checkQueries
        options.checkResults = checkResults
        options.fixMissingNullValues = fixMissingNullValues
        options.fixMissingEmptyLists = fixMissingEmptyLists
        options.createReturnsContent = createReturnsContent
        options.updateReturnsContent = updateReturnsContent
        options.requiresToken = requiresToken
        options.requiresType = requiresType
        options.supportsPatch = supportsPatch
        options.supportsBatch = supportsBatch
        options.supportsBind = supportsBind
        options.supportsUnbind = supportsUnbind
        options.supportsDelta = supportsDelta
        options.supportsNext = supportsNext
        options.clientInstanceID = clientInstanceID
    }
}
