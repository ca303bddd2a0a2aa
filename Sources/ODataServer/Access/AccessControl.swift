import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire
import ODataWorld
import Synchronization

/// Finds out who sends a request, by the rules of an access file.
package final class AccessControl: Sendable {
    /// What is decided of a request by its head.
    package enum Admission: Sendable {
        case admitted(Client)
        case refused(ResponseMessage)
    }

    /// A proof that was looked at before.
    private struct Proof {
        var principal: Principal
        /// Until when it is believed without another look.
        var end: Duration
    }

    private struct State {
        var rules: AccessRules
        var generation = 0
        var proofs: [[UInt8]: Proof] = [:]
    }

    private let file: String?
    private let world: any World
    private let state: Mutex<State>
    /// What kept proofs are named by: nobody who reads the memory of the service later finds a password there.
    private let secret: [UInt8]

    package init(
        _ rules: AccessRules, file: String? = nil, world: any World = LiveWorld()
    ) {
        self.file = file
        self.world = world
        state = Mutex(State(rules: rules))
        secret = (0..<4).flatMap { _ in
            let number = world.random()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }

    /// - Throws: `usage` that says what is wrong with the file, and where.
    package convenience init(file: String, world: any World = LiveWorld()) throws {
        self.init(try AccessFile.read(file), file: file, world: world)
    }

    var rules: AccessRules { state.withLock { $0.rules } }

    /// Reads the file anew; what it says holds from the next request on.
    ///
    /// - Throws: as for the first reading, also for what the model has not; nothing is changed then.
    func reload(checking model: ServiceModel?) throws {
        guard let file else { return }
        let rules = try AccessFile.read(file)
        if let model { try Self.check(rules, model) }
        state.withLock { state in
            state = State(rules: rules, generation: state.generation + 1)
        }
    }

    /// What stands before the methods, in `WWW-Authenticate`.
    private static let realm = "realm=\"odata\""
    private static let believed = Duration.seconds(300)
    private static let maximumProofs = 10_000
}

extension AccessControl {
    /// Who sends the request; nil where that takes a derivation, which is for a thread that may block.
    func quickAdmission(_ headers: HeaderFields) -> Admission? {
        let (rules, proof) = state.withLock { state in
            (state.rules, headers["Authorization"].flatMap { state.proofs[name($0)] })
        }
        guard headers["Authorization"] != nil else { return unproved(rules) }
        guard let proof, proof.end > world.uptime(), headers.values("Authorization").count == 1
        else { return nil }
        return .admitted(.known(proof.principal))
    }

    /// Who sends the request, or the answer to somebody who does not prove what is said.
    func admission(_ headers: HeaderFields) -> Admission {
        if let known = quickAdmission(headers) { return known }
        let (rules, generation) = state.withLock { ($0.rules, $0.generation) }
        let values = headers.values("Authorization")
        guard values.count == 1, let space = values[0].firstIndex(of: " ") else {
            return .refused(challenge(rules))
        }
        let scheme = values[0][..<space].lowercased()
        let rest = HeaderText.trimmed(values[0][space...])
        switch scheme {
        case "basic" where !rules.users.isEmpty:
            guard let principal = Self.principal(basic: rest, rules) else {
                return .refused(challenge(rules))
            }
            keep(principal, values[0], for: Self.believed, generation)
            return .admitted(.known(principal))
        case "bearer":
            guard let tokens = rules.tokens else { return .refused(challenge(rules)) }
            let now = world.now().seconds
            do throws(TokenRefusal) {
                let claims = try JSONWebToken.claims(of: rest, by: tokens, now: now)
                let principal = Self.principal(claims, tokens, rules)
                let rest = (JSONWebToken.end(of: claims) ?? now) - now
                if rest > 0 {
                    keep(principal, values[0], for: min(Self.believed, .seconds(rest)), generation)
                }
                return .admitted(.known(principal))
            } catch {
                return .refused(challenge(rules, refusal: error))
            }
        default: return .refused(challenge(rules))
        }
    }

    private func name(_ proof: String) -> [UInt8] {
        SHA256.authenticationCode(of: Array(proof.utf8), key: secret)
    }

    private func keep(
        _ principal: Principal, _ value: String, for time: Duration, _ generation: Int
    ) {
        let (name, now) = (name(value), world.uptime())
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.proofs.count >= Self.maximumProofs {
                state.proofs = state.proofs.filter { $0.value.end > now }
                if state.proofs.count >= Self.maximumProofs { state.proofs = [:] }
            }
            state.proofs[name] = Proof(principal: principal, end: now + time)
        }
    }

    private func unproved(_ rules: AccessRules) -> Admission {
        guard let roles = rules.anonymous else { return .refused(challenge(rules)) }
        return .admitted(
            .known(Principal(name: nil, roles: Set(roles), claims: JSONObject())))
    }

    /// Whom name and password are of; nil where they are nobody's. Names that there are not take as long as others.
    private static func principal(basic text: String, _ rules: AccessRules) -> Principal? {
        guard let bytes = Base64.bytes(text), let pair = String(validating: bytes, as: UTF8.self),
            let colon = pair.firstIndex(of: ":")
        else { return nil }
        let name = String(pair[..<colon])
        let password = String(pair[pair.index(after: colon)...])
        guard let user = rules.users[name] else {
            _ = rules.users.values.first?.password.matches(password)
            return nil
        }
        guard user.password.matches(password) else { return nil }
        return Principal(name: name, roles: Set(user.roles), claims: user.claims)
    }

    /// Who a token is of: roles that the file does not have are other services'.
    private static func principal(
        _ claims: JSONObject, _ tokens: AccessRules.Tokens, _ rules: AccessRules
    ) -> Principal {
        let named = RowFilter.claim(tokens.rolesClaim, in: claims)
        let roles =
            named.array?.compactMap(\.string)
            ?? named.string?.split(separator: " ").map(String.init) ?? []
        return Principal(
            name: claims["sub"]?.string ?? "", roles: Set(roles.filter { rules.roles[$0] != nil }),
            claims: claims)
    }
}

extension AccessControl {
    /// 401 with the ways to prove who one is (RFC 7617, RFC 6750).
    private func challenge(
        _ rules: AccessRules, refusal: TokenRefusal? = nil
    ) -> ResponseMessage {
        var answer = ErrorAnswer.response(
            401, code: ServiceCode.unauthenticated.description,
            message: "Expected a client that proves who it is.")
        for value in Self.challenges(rules, refusal: refusal) {
            answer.headers.append(name: "WWW-Authenticate", value: value)
        }
        answer.headers["OData-Version"] = "4.0"
        return answer
    }

    private static func challenges(
        _ rules: AccessRules, refusal: TokenRefusal? = nil
    ) -> [String] {
        var values: [String] = []
        if rules.tokens != nil {
            let reason = refusal.map { ", error=\"invalid_token\", error_description=\"\($0)\"" }
            values.append("Bearer \(realm)\(reason ?? "")")
        }
        // A service whose users have neither still names a method (RFC 9110, section 15.5.2).
        if !rules.users.isEmpty || rules.tokens == nil {
            values.append("Basic \(realm), charset=\"UTF-8\"")
        }
        return values
    }

    /// Adds the ways to a 401 that a request met behind its admission.
    func completed(_ answer: ResponseMessage) -> ResponseMessage {
        guard answer.status == 401, answer.headers["WWW-Authenticate"] == nil else { return answer }
        var answer = answer
        for value in Self.challenges(rules) {
            answer.headers.append(name: "WWW-Authenticate", value: value)
        }
        return answer
    }

    /// What the client may see and do in a model; made once for all its requests.
    func view(of principal: Principal, in model: ServiceModel) throws -> AccessView {
        let (rules, generation) = state.withLock { ($0.rules, $0.generation) }
        return try model.views.view(of: principal, generation) {
            try AccessView(principal, rules, model.mapping, model.compilerOptions)
        }
    }

    /// - Throws: `usage` for rules about what the model has not, and filters that do not fit it.
    static func check(_ rules: AccessRules, _ model: ServiceModel) throws {
        let known = Set(model.mapping.tables.filter { $0.parent == nil }.map(\.path))
        let calls = Set(
            model.operations.keys + model.graph.operationImports.map(\.name)
                + model.graph.operations.flatMap { [$0.name, $0.qualifiedName] })
        for (name, role) in rules.roles.sorted(by: { $0.key < $1.key }) {
            for (set, grant) in role.sets.sorted(by: { $0.key < $1.key }) where set != "*" {
                let place = "roles.\(name).sets.\(set)"
                guard known.contains(set), let table = model.mapping.table(path: set) else {
                    throw ODataError(
                        .usage, "Expected an entity set of the service in the access file.",
                        at: .path(place))
                }
                guard let rows = grant.rows else { continue }
                do {
                    let filter = try rows.checked(of: table.structure, in: model.graph)
                    _ = try QueryCompiler(mapping: model.mapping, options: model.compilerOptions)
                        .condition(filter, on: table, alias: table.name)
                } catch let error as ODataError {
                    throw ODataError(
                        .usage, "Expected a filter that fits: \(error.message)",
                        at: .path("roles.\(name).rows.\(set)"))
                }
            }
            for call in role.calls.sorted() where call != "*" && !calls.contains(call) {
                throw ODataError(
                    .usage, "Expected a function or an action of the service in the access file.",
                    at: .path("roles.\(name).call"))
            }
        }
    }
}

/// The views of a model, the last ones that were asked for.
final class AccessViews: Sendable {
    private struct Key: Hashable {
        var principal: Principal
        var generation: Int
    }

    private static let maximumCount = 1_000
    private let views = Mutex<[Key: AccessView]>([:])

    func view(
        of principal: Principal, _ generation: Int, _ make: () throws -> AccessView
    ) throws -> AccessView {
        let key = Key(principal: principal, generation: generation)
        if let known = views.withLock({ $0[key] }) { return known }
        let made = try make()
        views.withLock { views in
            if views.count >= Self.maximumCount { views = [:] }
            views[key] = made
        }
        return made
    }
}
