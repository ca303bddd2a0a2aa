import Foundation
import ODataQuery
import ODataServer
import ODataText
import ODataWire

/// Who may do what with the tools of ``ServiceFixture``, and requests of them.
enum AccessFixture {
    /// A hash that takes no time, of a password that is the name.
    static func hash(_ password: String) -> String {
        (try? PasswordHash(of: password, salt: Array("some salt".utf8), logRounds: 4).text) ?? ""
    }

    /// Mia (member 1) has the tools 1 and 2 with their loans, Noah (member 2) has tool 3; nobody has tool 4.
    static let roles = """
        {"member": {"sets": {"Tools": ["read", "create", "update", "delete"], "Members": ["read"],
                             "Loans": ["read", "create", "update", "delete"], "Tags": ["read"]},
                    "rows": {"Tools": "OwnerId eq @claim.member", "Members": "Id eq @claim.member",
                             "Loans": "Tool/OwnerId eq @claim.member"},
                    "call": ["CheaperThan", "ToolOf"]},
         "keeper": {"sets": {"*": ["read", "create", "update", "delete"]}, "call": ["*"]},
         "clerk": {"sets": {"Tools": ["read", "update"], "Tags": ["create"]}, "rows": {"Tools": "OwnerId eq 1"},
                   "leave": ["Tools"]},
         "guest": {"sets": {"Tags": ["read"]}}}
        """

    static func file(
        _ more: String = "", roles: String = roles, anonymous: String? = nil
    ) -> String {
        let users = [
            ("mia", "member", #"{"member": "1"}"#), ("noah", "member", #"{"member": 2}"#),
            ("eve", "member", "{}"), ("kim", "keeper", "{}"), ("carl", "clerk", "{}"),
            ("gus", "guest", "{}"),
        ].map { name, role, claims in
            #""\#(name)": {"password": "\#(hash(name))", "roles": ["\#(role)"], "claims": \#(claims)}"#
        }
        let open = anonymous.map { #", "anonymous": ["\#($0)"]"# } ?? ""
        return
            #"{"users": {\#(users.joined(separator: ", "))}, "roles": \#(roles)\#(open)\#(more)}"#
    }

    static func rules(_ text: String = file(), files: [String: String] = [:]) throws -> AccessRules
    {
        try AccessFile.parse(Array(text.utf8)) { name in Array((files[name] ?? "").utf8) }
    }

    static func service(
        _ text: String = file(), schema: String = ServiceFixture.schema,
        configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws -> ServiceFixture {
        let control = AccessControl(try rules(text))
        let operations = try ServiceOperation.parse(Array(ServiceOperationTests.declaration.utf8))
        return try ServiceFixture(schema: schema) {
            $0.access = control
            if schema == ServiceFixture.schema { $0.operations = operations }
            configure(&$0)
        }
    }

    /// The credentials of a user whose password is the name.
    static func basic(_ name: String, _ password: String? = nil) -> String {
        "Authorization: Basic "
            + Base64.text(Array("\(name):\(password ?? name)".utf8), urlSafe: false)
    }
}

extension ServiceFixture {
    /// Sends a request as a user.
    @discardableResult
    func send(
        _ line: String, as user: String, _ headers: [String] = [], body: String = ""
    ) -> ResponseMessage {
        send(line, headers + [AccessFixture.basic(user)], body: body)
    }

    /// The values of one property in an answer.
    func ids(_ line: String, as user: String, _ name: String = "Id") -> [String] {
        (send(line, as: user).json["value"]?.array ?? []).map { $0[name]?.text ?? "none" }
    }
}
