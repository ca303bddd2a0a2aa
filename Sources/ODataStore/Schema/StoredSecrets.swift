import Foundation
import GRDB
import ODataQuery
import ODataSQLite
import ODataText
import ODataWorld

/// Keeps what proves who is asking out of the file, and takes it out of files that older versions of the library made.
struct StoredSecrets {
    let database: Database
    private static let mark = "hmac-sha256:"

    /// Whether the address of the service holds a name and a password.
    var arePresent: Bool {
        get throws {
            guard try StoreSchema(database: database).exists("table", "_odata_meta"),
                let root = try StoreSettings(database: database).text(.serviceRoot)
            else { return false }
            return URLCredentials.separated(from: root).url != root
        }
    }

    /// Takes credentials out of addresses, and puts sums in the place of header values. What was overwritten is not left
    /// behind in unused parts of the file.
    func takeOut(_ world: any World) throws {
        try database.execute(sql: "PRAGMA secure_delete = ON")
        try takeOutCredentials()
        for table in ["_odata_delta", "_odata_resume"] {
            let rows = try Row.fetchAll(database, sql: "SELECT query, identity FROM \(table)")
            for row in rows where !(row["identity"] as String).hasPrefix(Self.mark) {
                try database.execute(
                    sql: "UPDATE \(table) SET identity = ? WHERE query = ?",
                    arguments: [
                        Self.sum(of: row["identity"], try salt(world)), row["query"] as String,
                    ])
            }
        }
    }

    /// The sum of an identity under the salt of this store.
    static func sum(of identity: String, _ salt: String) -> String {
        let code = SHA256.authenticationCode(of: Array(identity.utf8), key: Array(salt.utf8))
        return mark + SHA256.hexadecimal(code)
    }

    /// A random text of this store alone; made when it is first needed.
    func salt(_ world: any World) throws -> String {
        let settings = StoreSettings(database: database)
        if let salt = try settings.text(.identitySalt) { return salt }
        let salt = world.makeToken() + world.makeToken()
        try settings.set(.identitySalt, salt)
        return salt
    }

    private func takeOutCredentials() throws {
        let settings = StoreSettings(database: database)
        guard let root = try settings.text(.serviceRoot) else { return }
        let clean = URLCredentials.separated(from: root).url
        guard clean != root else { return }
        try settings.set(.serviceRoot, clean)
        for (table, column) in [
            ("_odata_attempt", "url"), ("_odata_delta", "link"), ("_odata_resume", "next_link"),
            ("_odata_resume", "delta_link"), ("_odata_alias", "read_link"),
        ] {
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = replace(\(column), ?1, ?2)"
                    + " WHERE instr(\(column), ?1) > 0", arguments: [root, clean])
        }
        // A body is never changed: what was sent so is looked at, and then sent anew.
        try database.execute(
            sql: "UPDATE _odata_attempt SET url = '', headers = NULL, body = x''"
                + " WHERE instr(body, ?) > 0",
            arguments: [Data(Self.authority(of: root).utf8)])
    }

    /// Credentials, host and port.
    private static func authority(of root: String) -> String {
        let rest = root.firstRange(of: "://").map { root[$0.upperBound...] } ?? root[...]
        return String(rest.prefix { !"/?#".contains($0) })
    }
}

extension LocalStore {
    /// What stands in the store for user and headers that links of a service belong to: told apart, and not to be read.
    package func sum(ofIdentity identity: String) throws -> String {
        let known = try read { try StoreSettings(database: $0).text(.identitySalt) }
        let salt = try known ?? write(.normal) { try StoredSecrets(database: $0).salt(world) }
        return StoredSecrets.sum(of: identity, salt)
    }

    /// What tells the transfers of this store from those of others on the device. It stays in the file, because the path of that
    /// changes with updates of an app, and a new file in its place has nothing to do with it.
    package func nameForTransfers() throws -> String { try sum(ofIdentity: Self.transfers) }

    /// As ``nameForTransfers()``, of a store that is not open: its file is only read, and nothing in it is looked after.
    ///
    /// - Returns: nil where the store never had a name for its transfers.
    package static func nameForTransfers(
        ofFileAt path: String, key: StoreKey? = nil
    ) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let file = try StoreFile(path: path, key: key)
        let salt = try file.queue(readonly: true).read {
            try StoreSettings(database: $0).text(.identitySalt)
        }
        return salt.map { StoredSecrets.sum(of: transfers, $0) }
    }

    private static let transfers = "transfers"
}
