import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWorld

/// What a store remembers of itself: its service, user, last times and events.
extension LocalStore {
    /// A successful synchronisation, or another fact of the store's history.
    package struct Event: Sendable, Hashable {
        package var id: Int64
        /// `download`, `upload`, `metadata`, `userSwitch`.
        package var type: String
        /// Milliseconds since 1970.
        package var time: Int64
        /// Comma-separated group names; nil for all.
        package var details: String?
    }

    /// The single facts by name.
    package enum Fact: Sendable {
        case serviceRoot, serviceName, user, previousUser, options
        case hasInitialData, pendingDownload, pendingUpload
        case lastDownload, lastUpload, metadataTime
        /// A change set that the service refuses is not taken back as a whole.
        case keepsRefusedParts
        /// The style of keys is pinned by the app's option, and for as long as that says so.
        case keysByOption
        /// ``RememberedRules`` as text.
        case writeRules
        /// How often the service has accepted changes; a number.
        case answers

        var name: StoreSettings.Name {
            switch self {
            case .serviceRoot: .serviceRoot
            case .serviceName: .serviceName
            case .user: .user
            case .previousUser: .previousUser
            case .options: .options
            case .hasInitialData: .hasInitialData
            case .pendingDownload: .pendingDownload
            case .pendingUpload: .pendingUpload
            case .lastDownload: .lastDownload
            case .lastUpload: .lastUpload
            case .metadataTime: .metadataTime
            case .keepsRefusedParts: .keepsRefusedParts
            case .keysByOption: .keysByOption
            case .writeRules: .writeRules
            case .answers: .answers
            }
        }
    }

    package func text(_ fact: Fact) throws -> String? {
        try read { try StoreSettings(database: $0).text(fact.name) }
    }

    package func setText(_ text: String?, for fact: Fact) throws {
        try write(.full) { try StoreSettings(database: $0).set(fact.name, text) }
    }

    /// Notes whose store it is, and whose it was before. Most openings are by the same user again, and write nothing.
    package func noteUser(_ user: String, after last: String?) throws {
        let known = try read {
            let settings = StoreSettings(database: $0)
            return try [settings.text(.previousUser), settings.text(.user)]
        }
        guard known != [last, user] else { return }
        try write(.full) {
            let settings = StoreSettings(database: $0)
            try settings.set(.previousUser, last)
            try settings.set(.user, user)
        }
    }

    package func flag(_ fact: Fact) throws -> Bool {
        try read { try StoreSettings(database: $0).integer(fact.name) == 1 }
    }

    package func setFlag(_ flag: Bool, for fact: Fact) throws {
        try write(.full) { try StoreSettings(database: $0).set(fact.name, flag ? Int64(1) : nil) }
    }

    package func number(_ fact: Fact) throws -> Int64? {
        try read { try StoreSettings(database: $0).integer(fact.name) }
    }

    /// Milliseconds since 1970; nil before the first time.
    package func time(_ fact: Fact) throws -> Int64? {
        try read { try StoreSettings(database: $0).integer(fact.name) }
    }

    package func setTime(_ milliseconds: Int64?, for fact: Fact) throws {
        try write(.full) { try StoreSettings(database: $0).set(fact.name, milliseconds) }
    }

    /// A download or upload ended well: event, time and flags in one transaction.
    package func noteFinished(_ type: String, details: String?) throws {
        try write(.full) { database in
            let settings = StoreSettings(database: database)
            let now = world.now()
            let time = now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
            try database.addEvent(type, at: time, details: details)
            if type == "download" {
                try settings.set(.lastDownload, time)
                try settings.set(.hasInitialData, Int64(1))
                let isOwed = try SourceHolds(database: database).isAwaited()
                try settings.set(.pendingDownload, isOwed ? Int64(1) : nil)
            } else if type == "upload" {
                try settings.set(.lastUpload, time)
                try settings.set(.pendingUpload, nil)
            }
        }
    }

    /// The events, oldest first.
    package func events() throws -> [Event] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM _odata_event ORDER BY id").map {
                Event(
                    id: $0["id"], type: $0["type"], time: $0["time"], details: $0["details"])
            }
        }
    }

    /// The navigation properties whose links nobody knows, as `Orders/Customer`; of two that share their links, one,
    /// with their link table. Contained entities that were asked for and never came have none.
    package func unknownLinks() throws -> [(link: Int?, name: String)] {
        try reading { transaction in
            let mapping = transaction.mapping
            var known: Set<Int> = []
            var names: [Int: String] = [:]
            var contained: [(link: Int?, name: String)] = []
            for table in mapping.tables {
                for navigation in table.navigations {
                    if try transaction.isUnmet(navigation, of: table) {
                        contained.append((nil, table.path + "/" + navigation.path))
                    }
                    guard case .linkTable(let link, let isReversed) = navigation.storage else {
                        continue
                    }
                    if !isReversed { names[link] = table.path + "/" + navigation.path }
                    if try transaction.isLoaded(table: table.path, navigation: navigation.path) {
                        known.insert(link)
                    }
                }
            }
            return names.filter { !known.contains($0.key) }.sorted { $0.value < $1.value }
                .map { ($0.key, $0.value) } + contained
        }
    }

    /// Number of rows in view of each table that has any.
    package func rowCounts() throws -> [String: Int] {
        try reading { transaction in
            var counts: [String: Int] = [:]
            for table in transaction.mapping.tables {
                var sql = "SELECT count(*) FROM \"\(table.name)\""
                if let state = table.system.state {
                    sql += " WHERE (\"\(state)\" & \(EntityState.hidden.rawValue)) = 0"
                }
                let count = try Int.fetchOne(transaction.database, sql: sql) ?? 0
                if count > 0 { counts[table.path] = count }
            }
            return counts
        }
    }
}
