/// A format of the file: its number, and how a file of an older one is brought to it.
package struct StoreFormat: Sendable {
    /// `PRAGMA user_version` of a file of this format.
    package var version: Int64
    /// By the number of an older format: the statements that make the next one of it.
    package var upgrades: [Int64: [String]]

    package init(version: Int64, upgrades: [Int64: [String]]) {
        self.version = version
        self.upgrades = upgrades
    }

    /// The format that this library writes.
    package static let current = StoreFormat(
        version: BookkeepingSchema.version, upgrades: BookkeepingSchema.upgrades)
}
