import Foundation
import ODataText

/// Reads the file that says who may do what.
///
/// ```json
/// {"users": {"mia": {"password": "$scrypt$…", "roles": ["member"], "claims": {"region": "north"}}},
///  "tokens": {"keys": "keys.json", "issuer": "https://id.example", "audience": "tools", "roles": "roles"},
///  "anonymous": ["guest"],
///  "roles": {"member": {"sets": {"Tools": ["read", "update"], "*": ["read"]}, "call": ["Lend"],
///                       "rows": {"Tools": "OwnerId eq @claim.sub"}, "leave": ["Tools"]}}}
/// ```
package enum AccessFile {
    /// - Throws: `usage` with the place in the file and what was expected there; never a password or key.
    package static func read(_ path: String) throws -> AccessRules {
        let folder = (path as NSString).deletingLastPathComponent
        return try parse(try bytes(path, at: path)) { name in
            let file =
                name.hasPrefix("/") ? name : (folder as NSString).appendingPathComponent(name)
            return try bytes(file, at: "tokens.keys")
        }
    }

    /// - Parameter file: the bytes of a file that is named in this one.
    package static func parse(
        _ bytes: [UInt8], file: (String) throws -> [UInt8]
    ) throws -> AccessRules {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch let error as ODataError {
            throw ODataError(
                .usage, "Expected JSON in the access file: \(error.message)", at: error.location)
        }
        let object = try members(
            document, "the file", known: ["users", "tokens", "anonymous", "roles"])
        var rules = AccessRules()
        for member in try entries(object["roles"] ?? .object(JSONObject()), "roles") {
            rules.roles[member.name] = try role(member.value, "roles.\(member.name)")
        }
        guard !rules.roles.isEmpty else { throw expected("a role or more", "roles") }
        for member in try entries(object["users"] ?? .object(JSONObject()), "users") {
            rules.users[member.name] = try user(
                member.value, "users.\(member.name)", named: member.name, rules)
        }
        rules.tokens = try object["tokens"].map { try tokens($0, file: file) }
        rules.anonymous = try object["anonymous"].map { try roles($0, "anonymous", rules) }
        guard !rules.users.isEmpty || rules.tokens != nil || rules.anonymous != nil else {
            throw expected("users, tokens or anonymous", "the file")
        }
        return rules
    }

    // MARK: Parts

    private static func user(
        _ value: JSONValue, _ place: String, named name: String, _ rules: AccessRules
    ) throws -> AccessRules.User {
        guard !name.isEmpty, !name.contains(":") else {
            throw expected("a name without a colon", place)
        }
        let object = try members(value, place, known: ["password", "roles", "claims"])
        guard let password = object["password"]?.string.flatMap({ PasswordHash(parsing: $0) })
        else {
            throw expected("a hash as 'odata service password' writes it", "\(place).password")
        }
        guard let list = object["roles"] else { throw expected("roles", place) }
        var claims = JSONObject()
        for member in try entries(object["claims"] ?? .object(claims), "\(place).claims") {
            claims[member.name] = member.value
        }
        if claims["sub"] == nil { claims["sub"] = .string(name) }
        return AccessRules.User(
            password: password, roles: try roles(list, "\(place).roles", rules), claims: claims)
    }

    private static func tokens(
        _ value: JSONValue, file: (String) throws -> [UInt8]
    ) throws -> AccessRules.Tokens {
        let object = try members(
            value, "tokens", known: ["keys", "issuer", "audience", "roles", "leeway"])
        guard let name = object["keys"]?.string else {
            throw expected("the name of a file with a key set", "tokens.keys")
        }
        let keys: JSONWebKeySet
        do {
            keys = try JSONWebKeySet(parsing: try file(name))
        } catch var error as ODataError {
            error.location = .path("tokens.keys")
            throw error
        }
        guard let issuer = object["issuer"]?.string, !issuer.isEmpty else {
            throw expected("who makes the tokens", "tokens.issuer")
        }
        let audiences = object["audience"].map {
            $0.string.map { [$0] } ?? ($0.array ?? []).compactMap(\.string)
        }
        guard let audiences, !audiences.isEmpty else {
            throw expected("whom the tokens are for", "tokens.audience")
        }
        let leeway = object["leeway"].map { $0.number.flatMap { Int64($0) } ?? -1 } ?? 60
        guard (0...600).contains(leeway) else {
            throw expected("0 to 600 seconds", "tokens.leeway")
        }
        guard let claim = (object["roles"] ?? .string("roles")).string else {
            throw expected("the name of a claim", "tokens.roles")
        }
        return AccessRules.Tokens(
            keys: keys, issuer: issuer, audiences: Set(audiences), rolesClaim: claim,
            leewaySeconds: leeway)
    }

    private static func role(_ value: JSONValue, _ place: String) throws -> AccessRules.Role {
        let object = try members(value, place, known: ["sets", "call", "rows", "leave"])
        var role = AccessRules.Role()
        for member in try entries(object["sets"] ?? .object(JSONObject()), "\(place).sets") {
            let at = "\(place).sets.\(member.name)"
            let operations = try strings(member.value, at).map { text in
                guard let operation = AccessOperation(rawValue: text), operation != .call else {
                    throw expected("read, create, update and delete", at)
                }
                return operation
            }
            role.sets[member.name] = AccessRules.SetGrant(operations: Set(operations))
        }
        role.calls = Set(
            try object["call"].map { try strings($0, "\(place).call") } ?? [])
        for member in try entries(object["rows"] ?? .object(JSONObject()), "\(place).rows") {
            let at = "\(place).rows.\(member.name)"
            guard member.name != "*", role.sets[member.name] != nil else {
                throw expected("a set that the role names in sets", at)
            }
            guard let text = member.value.string else { throw expected("a filter", at) }
            do {
                role.sets[member.name]?.rows = try RowFilter(text)
            } catch let error as ODataError {
                throw ODataError(.usage, error.message, at: .path(at))
            }
        }
        for name in try object["leave"].map({ try strings($0, "\(place).leave") }) ?? [] {
            guard role.sets[name]?.rows != nil else {
                throw expected("sets that the role has a filter for", "\(place).leave")
            }
            role.sets[name]?.mayLeave = true
        }
        return role
    }

    private static func roles(
        _ value: JSONValue, _ place: String, _ rules: AccessRules
    ) throws -> [String] {
        let names = try strings(value, place)
        guard let other = names.first(where: { rules.roles[$0] == nil }) else { return names }
        throw expected("names of roles in the file, found '\(other)'", place)
    }

    // MARK: JSON

    private static func members(
        _ value: JSONValue, _ place: String, known: [String]
    ) throws -> JSONObject {
        guard let object = value.object else { throw expected("an object", place) }
        if let other = object.members.first(where: { !known.contains($0.name) }) {
            throw expected(
                "\(known.joined(separator: ", ")), found '\(other.name)'", place)
        }
        return object
    }

    private static func entries(_ value: JSONValue, _ place: String) throws -> [JSONObject.Member] {
        guard let object = value.object else { throw expected("an object", place) }
        return object.members
    }

    private static func strings(_ value: JSONValue, _ place: String) throws -> [String] {
        guard let list = value.array, list.allSatisfy({ $0.string != nil }) else {
            throw expected("an array of texts", place)
        }
        return list.compactMap(\.string)
    }

    private static func bytes(_ path: String, at place: String) throws -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw expected("a file that can be read", place)
        }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: maximumBytes + 1), data.count <= maximumBytes
        else { throw expected("a file of at most \(maximumBytes) bytes", place) }
        return Array(data)
    }

    private static func expected(_ what: String, _ place: String) -> ODataError {
        ODataError(.usage, "Expected \(what) in the access file.", at: .path(place))
    }

    private static let maximumBytes = 16 << 20
}
