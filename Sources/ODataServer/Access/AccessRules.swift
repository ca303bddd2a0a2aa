import ODataText

/// What a client may do with the entities of a set, or with an operation.
package enum AccessOperation: String, Sendable, Hashable, CaseIterable {
    case read, create, update, delete
    /// For functions and actions alone.
    case call
}

/// What an access file says: who there is, how they prove it, and what each of them may do.
package struct AccessRules: Sendable {
    /// Someone who is known by name and password.
    package struct User: Sendable {
        var password: PasswordHash
        var roles: [String]
        var claims: JSONObject
    }

    /// What a role may do with the entities of one set.
    struct SetGrant: Sendable, Hashable {
        var operations: Set<AccessOperation>
        /// The filter that its entities pass; nil for all of them.
        var rows: RowFilter?
        /// What is written may fail the filter afterwards.
        var mayLeave = false
    }

    /// What whoever has it may do.
    struct Role: Sendable {
        /// By name of the entity set; `*` stands for those that are not named.
        var sets: [String: SetGrant] = [:]
        /// Names of functions and actions; `*` stands for all.
        var calls: Set<String> = []

        func grant(_ set: String) -> SetGrant? { sets[set] ?? sets["*"] }
    }

    /// Which tokens prove who someone is.
    struct Tokens: Sendable {
        var keys: JSONWebKeySet
        var issuer: String
        var audiences: Set<String>
        /// The claim that holds the names of roles.
        var rolesClaim: String
        /// How far clocks may differ.
        var leewaySeconds: Int64
    }

    package var users: [String: User] = [:]
    var tokens: Tokens?
    var roles: [String: Role] = [:]
    /// The roles of whoever proves nothing; nil where everyone has to.
    var anonymous: [String]?
}

/// Who sends a request: what was proved, and the roles that follow from it.
package struct Principal: Sendable, Hashable {
    /// Nil for who proved nothing.
    package var name: String?
    package var roles: Set<String>
    package var claims: JSONObject

    /// Whose answers are remembered: the same for each token that somebody is given, one behind the other.
    var identity: String {
        guard let name else { return "anybody" }
        return "\(claims["iss"]?.string ?? "") \(name)"
    }
}

/// Which entities of a set one may do something with.
enum RowRule: Sendable, Hashable {
    case none
    case all
    /// Those that pass one of the filters.
    case filtered([RowFilter])

    var isNone: Bool { self == .none }
}

extension AccessRules {
    /// Which entities of a set somebody with these roles may do something with.
    func rows(_ set: String, _ operation: AccessOperation, roles names: Set<String>) -> RowRule {
        var filters: [RowFilter] = []
        for name in names.sorted() {
            guard let grant = roles[name]?.grant(set), grant.operations.contains(operation) else {
                continue
            }
            guard let rows = grant.rows else { return .all }
            if !filters.contains(rows) { filters.append(rows) }
        }
        return filters.isEmpty ? .none : .filtered(filters)
    }

    /// Whether somebody with these roles may write entities out of the view that the operation has of the set.
    func mayLeave(_ set: String, _ operation: AccessOperation, roles names: Set<String>) -> Bool {
        names.contains { name in
            guard let grant = roles[name]?.grant(set), grant.operations.contains(operation) else {
                return false
            }
            return grant.mayLeave || grant.rows == nil
        }
    }

    func mayCall(_ operation: String, roles names: Set<String>) -> Bool {
        names.contains { name in
            guard let calls = roles[name]?.calls else { return false }
            return calls.contains(operation) || calls.contains("*")
        }
    }
}
