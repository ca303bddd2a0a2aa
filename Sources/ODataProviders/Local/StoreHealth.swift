import ODataClasses
import ODataStore
import ODataText

/// What a check of a store's file has found.
public struct StoreCheckReport: Sendable, Hashable {
    /// A sentence for each problem, at most 100; none when every page and index is whole.
    public let problems: [String]

    /// Whether nothing is damaged.
    public var isIntact: Bool { problems.isEmpty }

    init(_ check: StoreCheck) { problems = check.problems }
}

/// What a repair of a store's file has kept, and what it could not.
public struct StoreRepairReport: Sendable, Hashable {
    /// What is known of the losses of one table.
    public struct TableLoss: Sendable, Hashable {
        /// The table's name, as `docs/store-format.md` explains it.
        public let name: String
        /// Rows that are in the repaired store.
        public let keptRows: Int
        /// Rows that are known to be lost.
        public let lostRows: Int
        /// Pages that could not be read.
        public let damagedPages: Int
    }

    /// Whether anything was damaged at all.
    public let wasDamaged: Bool
    /// Whether making indexes again was enough; nothing is lost then.
    public let onlyIndexes: Bool
    /// What the check before the repair had found.
    public let problems: [String]
    /// The tables that lost something; data comes back with the next download.
    public let tables: [TableLoss]
    /// How many requests the queue holds.
    public let keptRequests: Int
    /// Requests that may have been answered already: listed with the failed ones as unknown, and never sent by themselves.
    public let doubtfulRequests: [Int64]
    /// Requests listed with the failed ones because the key of their entity is lost.
    public let keylessRequests: [Int64]
    /// Requests whose content cannot be read; the table `_odata_request_unreadable` keeps them.
    public let unreadableRequests: [Int64]
    /// Entities whose unsent changes are lost.
    public let rowsWithoutRequest: Int
    /// Entity sets that the next download reads in full.
    public let incompleteEntitySets: [String]
    /// Whether metadata was lost, which is loaded from the service then.
    public let lacksMetadata: Bool

    package init(_ report: RepairReport) {
        wasDamaged = report.extent != .none
        onlyIndexes = report.extent == .indexes
        problems = report.problems
        tables = report.tables.map {
            TableLoss(
                name: $0.name, keptRows: $0.kept, lostRows: $0.lost, damagedPages: $0.damagedPages)
        }
        keptRequests = report.keptRequests
        doubtfulRequests = report.doubtfulRequests
        keylessRequests = report.keylessRequests
        unreadableRequests = report.unreadableRequests
        rowsWithoutRequest = report.rowsWithoutRequest
        incompleteEntitySets = report.incompleteSets
        lacksMetadata = report.lacksMetadata
    }
}
