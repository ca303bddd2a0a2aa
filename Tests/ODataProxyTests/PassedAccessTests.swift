import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Testing

/// Rules of access hold for changes that a proxy passes on: before they are sent, because nobody takes them back there.
@Suite struct PassedAccessTests {
    private static func control() throws -> AccessControl {
        let hash = try PasswordHash(of: "mia", salt: Array("some salt".utf8), logRounds: 4).text
        let text = """
            {"users": {"mia": {"password": "\(hash)", "roles": ["r"], "claims": {"order": 1}}},
             "roles": {"r": {"sets": {"Items": ["read", "create", "update", "delete"], "Orders": ["read"]},
                             "rows": {"Items": "OrderId eq @claim.order"}}}}
            """
        return AccessControl(try AccessFile.parse(Array(text.utf8)) { _ in [] })
    }

    private static let mia =
        "Authorization: Basic " + Base64.text(Array("mia:mia".utf8), urlSafe: false)

    @Test func whatAClientMayNotDoIsNotSent() async throws {
        let control = try Self.control()
        try await OrderPlace.run(adjusting: { $0.service.access = control }) { place in
            #expect(place.ask("PATCH", "/Items(1)", #"{"Name":"x"}"#).status == 401)
            for (method, url, body, status) in [
                ("PATCH", "/Orders(1)", #"{"Note":"x"}"#, 403),
                ("POST", "/Orders", #"{"Note":"x"}"#, 403),
                // Out of sight here, or out of sight then.
                ("PATCH", "/Items(1)", #"{"OrderId":2}"#, 403),
                ("POST", "/Items", #"{"Id":9,"OrderId":2,"Name":"x"}"#, 403),
                // Nobody knows what it would be.
                ("POST", "/Items", #"{"OrderId":1,"Name":"x"}"#, 501),
            ] {
                let answer = place.ask(method, url, body, Self.mia)
                #expect(answer.status == status, "\(method) \(url): \(answer.json)")
            }
            #expect(place.sent.isEmpty)
            let changed = place.ask("PATCH", "/Items(1)", #"{"Name":"mine"}"#, Self.mia)
            #expect(changed.status == 204, "\(changed.json)")
            let made = place.ask(
                "POST", "/Items", #"{"Id":9,"OrderId":1,"Name":"new"}"#, Self.mia)
            #expect(made.status == 201, "\(made.json)")
            #expect(place.rows("SELECT Name FROM Items ORDER BY Id") == ["mine", "nut", "new"])
        }
    }
}
