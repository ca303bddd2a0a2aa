import GRDB
import ODataSQL

/// How often the service has accepted changes, and in which tables last: by this a read knows whether what it has asked for
/// may be older than what is here. Kept in `_odata_meta`, as `answers` and `answers:TABLE`.
struct AcceptedAnswers {
    let database: Database

    private var settings: StoreSettings { StoreSettings(database: database) }

    /// How often in the whole store.
    func count() throws -> Int64 { try settings.integer(.answers) ?? 0 }

    /// Counts one more acceptance, of changes in these tables.
    func add(_ tables: Set<String>) throws {
        let before = try count()
        // Earlier versions kept the whole count alone: up to there, any table may be meant.
        if try settings.integer(.answers, of: "") == nil {
            try settings.set(.answers, of: "", before)
        }
        try settings.set(.answers, before + 1)
        for table in tables { try settings.set(.answers, of: table, before + 1) }
    }

    /// The count as it was when changes in one of these tables were last accepted.
    func last(in tables: [TableMapping]) throws -> Int64 {
        guard let unknown = try settings.integer(.answers, of: "") else { return try count() }
        return try Set(tables.map(\.path)).reduce(unknown) { last, table in
            max(last, try settings.integer(.answers, of: table) ?? 0)
        }
    }
}

extension LocalStore {
    /// How often the service has accepted changes of the store.
    package func acceptedAnswers() throws -> Int64 {
        try read { try AcceptedAnswers(database: $0).count() }
    }
}
