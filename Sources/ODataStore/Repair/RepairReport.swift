/// What a repair has kept and what it could not.
package struct RepairReport: Sendable, Hashable {
    /// How far the repair had to go.
    package enum Extent: String, Sendable {
        /// Nothing was damaged.
        case none
        /// Only indexes were, and they were made again in place.
        case indexes
        /// Everything readable is in a new file that took the old one's place.
        case rebuilt
    }

    /// What became of one table.
    package struct Table: Sendable, Hashable {
        package var name: String
        package var kept: Int
        /// Rows that are known to be lost; others may be, where pages were lost and no index names their rows.
        package var lost: Int
        package var damagedPages: Int
    }

    package var extent = Extent.none
    /// The problems that the check had found.
    package var problems: [String] = []
    /// Tables that lost something.
    package var tables: [Table] = []
    /// Requests of the queue in the repaired store.
    package var keptRequests = 0
    /// Requests found outside of the damaged queue's own pages, of which nobody can tell whether they were answered: they
    /// are `unknown` and never sent by themselves.
    package var doubtfulRequests: [Int64] = []
    /// Requests that cannot be sent, because the key of their entity is lost: they are listed with the failed ones.
    package var keylessRequests: [Int64] = []
    /// Requests whose content is damaged: kept in `_odata_request_unreadable` for people.
    package var unreadableRequests: [Int64] = []
    /// Entities whose local changes are lost with their requests.
    package var rowsWithoutRequest = 0
    /// Entity sets that the next download reads in full.
    package var incompleteSets: [String] = []
    /// The metadata was lost: it is loaded from the service at the next opening.
    package var lacksMetadata = false

    package init() {}

    package func table(_ name: String) -> Table? { tables.first { $0.name == name } }
}
