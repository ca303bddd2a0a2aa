import GRDB
import ODataSyncPlan

/// Whose store it is: the service that its metadata and rows come from.
package struct StoreOrigin: Sendable, Hashable {
    package var name: String
    /// The service root, without credentials.
    package var root: String

    package init(name: String, root: String) {
        self.name = name
        self.root = root
    }
}

extension LocalStore {
    /// Keeps whose store it is, for stores that earlier versions made without saying so.
    package func note(_ origin: StoreOrigin) throws {
        try write(.full) { try StoreSettings(database: $0).note(origin) }
    }
}

extension StoreSettings {
    /// Keeps whose store it is. In one that has no metadata yet, what was met belongs to whoever was asked before, and is
    /// not true of another service; what is pinned stays.
    func note(_ origin: StoreOrigin) throws {
        if try text(.metadata) == nil, try text(.serviceRoot) != origin.root {
            var profile = ServiceProfile()
            profile.pins = try self.profile().pins
            try set(.serviceProfile, profile == ServiceProfile() ? nil : profile.text)
        }
        try set(.serviceName, origin.name)
        try set(.serviceRoot, origin.root)
    }
}
