import GRDB
import GRDBSQLite
import ODataSQL
import ODataSQLite
import ODataText

/// The single values of a store, in `_odata_meta`.
struct StoreSettings {
    /// The names in use; `docs/store-format.md` lists what each holds.
    enum Name: String {
        case repeatability, sendsVersion, tunnelsMethods, keepsRefusedParts, answers, changedSets
        case formatVersion, serviceRoot, serviceName, metadata, metadataVersion, metadataTime
        case mapping, user, previousUser, hasInitialData, lastDownload, lastUpload
        case pendingDownload, pendingUpload, localRowID, options
        case identitySalt, keysByOption, writeRules, replacedQueries
        case serviceMetadata, clientMetadata, deferredIndexes, serviceProfile, verified
        case traces, broken, waiting, adopting

        /// How it is kept: one value for the store, or one for each table or source.
        fileprivate func key(_ part: String?) -> String {
            part.map { rawValue + ":" + $0 } ?? rawValue
        }
    }

    let database: Database

    /// - Parameter part: the table or source that it is of, where each has its own.
    func text(_ name: Name, of part: String? = nil) throws -> String? {
        try String.fetchOne(database, cached: Self.read, arguments: [name.key(part)])
    }

    /// Who the store is open for; nil for nobody.
    func user() throws -> String? { try text(.user).flatMap { $0.isEmpty ? nil : $0 } }

    func integer(_ name: Name, of part: String? = nil) throws -> Int64? {
        try Int64.fetchOne(database, cached: Self.read, arguments: [name.key(part)])
    }

    /// What is kept for the store under several names, read by one statement.
    func values(of names: [Name]) throws -> [Name: DatabaseValue] {
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT name, value FROM _odata_meta WHERE name IN (\(places))"),
            arguments: StatementArguments(names.map(\.rawValue)))
        var values: [Name: DatabaseValue] = [:]
        for row in rows {
            let name: String = row[0]
            if let name = Name(rawValue: name) { values[name] = row[1] }
        }
        return values
    }

    func set(
        _ name: Name, of part: String? = nil, _ value: (any DatabaseValueConvertible)?
    ) throws {
        guard let value else {
            try database.cachedStatement(sql: "DELETE FROM _odata_meta WHERE name = ?")
                .execute(arguments: [name.key(part)])
            return
        }
        try database.cachedStatement(
            sql: Self.write
        ).execute(arguments: [name.key(part), value])
    }

    /// The names under which something is kept that begin with a text.
    func names(from prefix: String) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT name FROM _odata_meta WHERE substr(name, 1, length(?1)) = ?1"),
            arguments: [prefix])
    }

    /// One JSON object of times by source. Sources behind what is damaged count as never compared.
    func verifiedTimes() throws -> [String: Int64] {
        guard let text = try text(.verified) else { return [:] }
        var times: [String: Int64] = [:]
        var reader = JSONReader(Array(text.utf8))
        do {
            try reader.beginObject()
            while let member = try reader.nextMember() {
                let name = reader.text(member)
                if try reader.peek() == .number {
                    times[name] = Int64(try reader.readNumber())
                } else {
                    try reader.skipValue()
                }
            }
        } catch {
            return times
        }
        return times
    }

    func setVerifiedTimes(_ times: [String: Int64]) throws {
        let members = times.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .number(String($0.value)))
        }
        try set(.verified, JSONValue.object(JSONObject(members)).text)
    }

    /// The next id for a row created here: negative, and never given twice.
    func nextLocalRowID() throws -> Int64 {
        // Two statements: one with `RETURNING` makes a table in memory for what it returns, and costs three times as much.
        let name = SQLArgument.text(Name.localRowID.key(nil))
        let statement = try database.statement(SQLStatement(text: Self.read), [name], nil)
        let last = try statement.step() ? sqlite3_column_int64(statement.handle, 0) : 0
        withExtendedLifetime(statement) {}
        try database.run(Self.write, [name, .integer(last - 1)])
        return last - 1
    }

    private static let write =
        "INSERT INTO _odata_meta (name, value) VALUES (?, ?)"
        + " ON CONFLICT (name) DO UPDATE SET value = excluded.value"

    private static let read = "SELECT value FROM _odata_meta WHERE name = ?"
}

extension DatabaseValueConvertible {
    fileprivate static func fetchOne(
        _ database: Database, cached sql: String, arguments: StatementArguments
    ) throws -> Self? {
        try fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }
}
