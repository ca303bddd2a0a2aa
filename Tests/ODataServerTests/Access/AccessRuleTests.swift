import ODataModel
@testable import ODataServer
import ODataText
import Testing

/// What roles allow, as a table.
@Suite struct AccessRuleTests {
    private static let roles = """
        {"reader": {"sets": {"*": ["read"], "Hidden": []}},
         "north": {"sets": {"Sites": ["read", "update"]}, "rows": {"Sites": "Region eq 'n'"}},
         "south": {"sets": {"Sites": ["read", "delete"]}, "rows": {"Sites": "Region eq 's'"}, "leave": ["Sites"]},
         "caller": {"call": ["Lend"]}, "any": {"call": ["*"]}}
        """

    private static func rules() throws -> AccessRules {
        try AccessFixture.rules(#"{"anonymous": ["reader"], "roles": \#(roles)}"#)
    }

    private static func text(_ rule: RowRule) -> String {
        switch rule {
        case .none: "none"
        case .all: "all"
        case .filtered(let filters): filters.map(\.text).joined(separator: " | ")
        }
    }

    @Test(
        arguments: [
            ([], "Sites", AccessOperation.read, "none"),
            (["reader"], "Sites", .read, "all"), (["reader"], "Sites", .update, "none"),
            (["reader"], "Hidden", .read, "none"),
            (["north"], "Sites", .read, "Region eq 'n'"), (["north"], "Other", .read, "none"),
            (["north"], "Sites", .delete, "none"),
            (["north", "south"], "Sites", .read, "Region eq 'n' | Region eq 's'"),
            (["north", "south"], "Sites", .update, "Region eq 'n'"),
            // One role without a filter lets all rows through.
            (["north", "reader"], "Sites", .read, "all"),
            (["north", "reader"], "Sites", .update, "Region eq 'n'"),
            (["unheard"], "Sites", .read, "none"),
        ] as [([String], String, AccessOperation, String)])
    func rowsAreThoseOfTheRolesThatAllowTheOperation(
        _ names: [String], _ set: String, _ operation: AccessOperation, _ expected: String
    ) throws {
        let rows = try Self.rules().rows(set, operation, roles: Set(names))
        #expect(Self.text(rows) == expected)
    }

    @Test func onlyWhatIsNamedIsCalled() throws {
        let rules = try Self.rules()
        #expect(rules.mayCall("Lend", roles: ["caller"]))
        #expect(
            !rules.mayCall("Clear", roles: ["caller"]) && !rules.mayCall("Lend", roles: ["reader"]))
        #expect(rules.mayCall("Clear", roles: ["any"]))
    }

    @Test func rowsMayLeaveWhereARoleThatAllowsTheOperationSaysSo() throws {
        let rules = try Self.rules()
        #expect(!rules.mayLeave("Sites", .update, roles: ["north"]))
        #expect(rules.mayLeave("Sites", .delete, roles: ["south"]))
        #expect(!rules.mayLeave("Sites", .update, roles: ["south", "north"]))
    }

    @Test(arguments: [
        ("[]", "the file", "an object"),
        (#"{"roles": {}}"#, "roles", "a role or more"),
        (#"{"roles": {"r": {}}}"#, "the file", "users, tokens or anonymous"),
        (#"{"user": {}, "roles": {"r": {}}}"#, "the file", "found 'user'"),
        (#"{"anonymous": ["x"], "roles": {"r": {}}}"#, "anonymous", "found 'x'"),
        (
            #"{"users": {"u": {"password": "secret", "roles": []}}, "roles": {"r": {}}}"#,
            "users.u.password", "a hash"
        ),
        (#"{"users": {"u:v": {}}, "roles": {"r": {}}}"#, "users.u:v", "without a colon"),
        (
            #"{"anonymous": ["r"], "roles": {"r": {"sets": {"A": ["write"]}}}}"#, "roles.r.sets.A",
            "read, create"
        ),
        (
            #"{"anonymous": ["r"], "roles": {"r": {"sets": {"A": ["call"]}}}}"#, "roles.r.sets.A",
            "read, create"
        ),
        (
            #"{"anonymous": ["r"], "roles": {"r": {"rows": {"A": "B eq 1"}}}}"#, "roles.r.rows.A",
            "names in sets"
        ),
        (
            #"{"anonymous": ["r"], "roles": {"r": {"sets": {"A": ["read"]}, "rows": {"A": "B eq"}}}}"#,
            "roles.r.rows.A", ""
        ),
        (
            #"{"anonymous": ["r"], "roles": {"r": {"sets": {"A": ["read"]}, "leave": ["A"]}}}"#,
            "roles.r.leave", "a filter"
        ),
        (
            #"{"tokens": {"keys": "k", "issuer": "i", "audience": "a"}, "roles": {"r": {}}}"#,
            "tokens.keys", "an array named keys"
        ),
        (#"{"tokens": {"issuer": "i"}, "roles": {"r": {}}}"#, "tokens.keys", "key set"),
    ])
    func aFileThatIsWrongSaysWhere(_ text: String, _ place: String, _ sentence: String) {
        do {
            _ = try AccessFixture.rules(text)
            Issue.record("taken: \(text)")
        } catch let error as ODataError {
            #expect(error.code == .usage && error.location == .path(place), "\(error)")
            #expect(error.message.contains(sentence), "\(error)")
            #expect(!error.message.contains("secret"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(arguments: [
        (#"{"A": ["read"]}"#, "{}", "roles.r.sets.A"),
        (#"{"Tools": ["read"]}"#, #"{"Tools": "Nothing eq 1"}"#, "roles.r.rows.Tools"),
        (#"{"Tools": ["read"]}"#, #"{"Tools": "Title"}"#, "roles.r.rows.Tools"),
        (#"{"Tools": ["read"]}"#, #"{"Tools": "Id eq @other"}"#, "roles.r.rows.Tools"),
        (
            #"{"Tools": ["read"]}"#, #"{"Tools": "Id eq @claim.a and isof(@claim.b,Edm.Int32)"}"#,
            "roles.r.rows.Tools"
        ),
    ])
    func aFileThatDoesNotFitTheModelIsRefusedAtTheStart(
        _ sets: String, _ rows: String, _ place: String
    ) {
        let text = #"{"anonymous": ["r"], "roles": {"r": {"sets": \#(sets), "rows": \#(rows)}}}"#
        do {
            _ = try AccessFixture.service(text)
            Issue.record("taken: \(text)")
        } catch let error as ODataError {
            #expect(error.code == .usage && error.location == .path(place), "\(error)")
        } catch {
            Issue.record("\(error)")
        }
    }
}
