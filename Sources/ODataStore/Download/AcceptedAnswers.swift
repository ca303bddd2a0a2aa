import GRDB
import ODataSQL

/// How often the service has accepted changes, and in which tables last: by this a read knows whether what it has asked for
/// may be older than what is here. Kept in `_odata_meta`, as `answers` and `answers:TABLE`.
struct AcceptedAnswers {
    let database: Database

    private static let prefix = "answers:"

    /// How often in the whole store.
    func count() throws -> Int64 {
        try StoreSettings(database: database).integer(.answers) ?? 0
    }

    /// Counts one more acceptance, of changes in these tables.
    func add(_ tables: Set<String>) throws {
        let before = try count()
        // Earlier versions kept the whole count alone: up to there, any table may be meant.
        if try value(Self.prefix) == nil { try set(Self.prefix, before) }
        try StoreSettings(database: database).set(.answers, before + 1)
        for table in tables { try set(Self.prefix + table, before + 1) }
    }

    /// The count as it was when changes in one of these tables were last accepted.
    func last(in tables: [TableMapping]) throws -> Int64 {
        guard let unknown = try value(Self.prefix) else { return try count() }
        return try Set(tables.map(\.path)).reduce(unknown) { last, table in
            max(last, try value(Self.prefix + table) ?? 0)
        }
    }

    private func value(_ name: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM _odata_meta WHERE name = ?"),
            arguments: [name])
    }

    private func set(_ name: String, _ value: Int64) throws {
        try database.cachedStatement(
            sql: "INSERT INTO _odata_meta (name, value) VALUES (?, ?)"
                + " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ).execute(arguments: [name, value])
    }
}
