import ODataClasses

/// What an offline provider has to know of its service beyond metadata.
public struct OfflineODataServiceOptions: Sendable, Hashable {
    /// The header of the token that changes need; nil where the service wants none. Defaults to `X-CSRF-Token`.
    public var requiresToken: String? = "X-CSRF-Token"

    /// Creates options of default values.
    public init() {}
}
