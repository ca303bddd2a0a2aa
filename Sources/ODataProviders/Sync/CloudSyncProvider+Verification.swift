import ODataClasses
import ODataStore
import ODataSync
import ODataSyncPlan

/// What the comparison of a set with its service has found.
public struct SetVerification: Sendable, Hashable {
    /// The name of the download query, or of the entity set.
    public let name: String
    /// The entities that the store took the service to have; unsent changes aside.
    public let localCount: Int
    /// The entities that the service has; nil where it did not tell.
    public let serviceCount: Int?
    /// Entities of the service that the store did not have; nil where only numbers were compared.
    public let missing: Int?
    /// Entities of the store that the service does not have; nil where only numbers were compared.
    public let surplus: Int?
    /// Entities without unsent changes whose entity tag is another one at the service, where it gives any; nil where only
    /// numbers were compared.
    public let changed: Int?
    /// Whether store and service differed; the store was read in full then.
    public let isDifferent: Bool
    /// Why nothing could be compared.
    public let obstacle: String?

    init(_ found: SourceVerification) {
        name = found.source.name ?? found.source.entitySet
        localCount = found.here
        serviceCount = found.there
        missing = found.missing
        surplus = found.surplus
        changed = found.changed
        isDifferent = found.isDifferent
        obstacle = found.obstacle
    }
}

extension CloudSyncProvider {
    /// Compares the keys of every set and download query that was downloaded to its end with the service, and reads in full
    /// what differs: deltas cannot tell when a service was restored from a backup, or forgets what it tells. Each
    /// difference is an event.
    ///
    /// - Parameter options: as for a download.
    /// - Returns: what was found, for each set and download query.
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` for what the service refuses to give again.
    @discardableResult
    public final func verify(options: SyncOptions = SyncOptions()) throws -> [SetVerification] {
        try verifying(options, .keys).map { SetVerification($0) }
    }

    /// Fixes an entry of the profile of the service, which is kept with the store, or lets it be learned again.
    ///
    /// Entries are `format` (`compact`, `parameters`, `plain`, `atom`), `keys` (`parentheses`, `segments`), `update` (`patch`,
    /// `merge`, `put`), and with `yes` or `no` `batch`, `tracking` and `expand` (also `tracking:SET`, `expand:SET`), `tunnel`,
    /// `repeatable`, `version`. A pinned entry counts more than what is met, and nothing is learned over it.
    ///
    /// - Parameters:
    ///   - name: The entry.
    ///   - value: What it says; nil for an entry that is to be learned again.
    /// - Throws: `UsageError` for a name or value that there is not, and for a closed store.
    public final func pinServiceProfile(_ name: String, to value: String?) throws {
        try stored { _ = try $0.pin(name, to: value) }
    }
}
