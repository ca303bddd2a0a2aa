import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Testing

/// What a proxy passes on to a service with batches, of V4 and of V2, from clients of both.
@Suite struct PassedBatchTests {
    private static func batch(_ members: [(String, String, String)], group: String = "g") -> String
    {
        let items = members.enumerated().map { position, member in
            let (method, url, body) = member
            let content = body.isEmpty ? "" : #","body":\#(body)"#
            return #"{"id":"m\#(position)","atomicityGroup":"\#(group)","method":"\#(method)","#
                + #""url":"\#(url)","headers":{"content-type":"application/json"}\#(content)}"#
        }
        return #"{"requests":[\#(items.joined(separator: ","))]}"#
    }

    private static func answers(_ answer: ResponseMessage) -> [JSONValue] {
        answer.json["responses"]?.array ?? []
    }

    @Test(arguments: [false, true])
    func aChangeSetIsOneThere(_ isV2: Bool) async throws {
        try await OrderPlace.run(originSpeaksV2: isV2) { place in
            let answer = place.ask(
                "POST", "/$batch",
                Self.batch([
                    ("POST", "Orders", #"{"Note":"new"}"#), ("POST", "$m0/Items", #"{"Name":"a"}"#),
                    ("POST", "Items", #"{"Name":"b","Order@odata.bind":"$m0"}"#),
                    ("PATCH", "Items(2)", #"{"Name":"wing nut"}"#),
                ]))
            #expect(
                Self.answers(answer).map { $0["status"]?.text } == ["201", "201", "201", "204"],
                "\(answer.json)")
            #expect(place.sent == ["POST $batch"])
            #expect(place.rows("SELECT Name FROM Items WHERE OrderId = 3") == ["a", "b"])
            #expect(place.rows("SELECT Name FROM Items WHERE Id = 2") == ["wing nut"])
            let items = place.ask("GET", "/Items?$filter=OrderId%20eq%203&$orderby=Id").items
            #expect(items.compactMap { $0["Name"]?.string } == ["a", "b"])
            #expect(place.ask("GET", "/Orders(3)").json["Note"]?.string == "new")
            let link = place.ask("GET", "/Items", "", "Prefer: odata.track-changes").deltaLink
            place.proxy.sweep()
            #expect(place.ask("GET", link).items.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func aChangeSetThatIsRefusedLeavesNothing(_ isV2: Bool) async throws {
        try await OrderPlace.run(originSpeaksV2: isV2) { place in
            let answer = place.ask(
                "POST", "/$batch",
                Self.batch([
                    ("POST", "Orders", #"{"Note":"new"}"#), ("POST", "Items", #"{"OrderId":1}"#),
                ]))
            let statuses = Self.answers(answer).compactMap { $0["status"]?.text }
            #expect(statuses.count == 2)
            #expect(statuses.allSatisfy { $0.hasPrefix("4") }, "\(answer.json)")
            #expect(place.rows("SELECT count(*) FROM Orders") == ["2"])
            #expect(place.ask("GET", "/Orders/$count").body == Array("2".utf8))
            let other = place.ask(
                "POST", "/$batch",
                Self.batch([("DELETE", "Items(1)", ""), ("PATCH", "Items(99)", #"{"Name":"x"}"#)]))
            #expect(Self.answers(other).contains { $0["status"]?.text == "404" })
            #expect(place.rows("SELECT count(*) FROM Items") == ["2"])
        }
    }

    @Test(arguments: [false, true])
    func entitiesThatAreMadeTogetherComeTogether(_ isV2: Bool) async throws {
        try await OrderPlace.run(originSpeaksV2: isV2) { place in
            let answer = place.ask(
                "POST", "/Orders",
                #"{"Note":"deep","Placed":"2026-02-03T04:05:06Z","Total":7.25,"#
                    + #""Items":[{"Name":"a"},{"Name":"b"}]}"#
            )
            #expect(answer.status == 201, "\(answer.json)")
            #expect(answer.json["Items"]?.array?.count == 2, "\(answer.json)")
            #expect(answer.json["Placed"]?.string == "2026-02-03T04:05:06Z")
            #expect(place.rows("SELECT Name FROM Items WHERE OrderId = 3") == ["a", "b"])
            let links = ["/Items", "/Orders"].map {
                place.ask("GET", $0, "", "Prefer: odata.track-changes").deltaLink
            }
            place.proxy.sweep()
            for link in links { #expect(place.ask("GET", link).items.isEmpty) }
            let beneath = place.ask("POST", "/Orders(2)/Items", #"{"Name":"c"}"#)
            #expect(beneath.status == 201, "\(beneath.json)")
            #expect(beneath.json["OrderId"]?.text == "2")
        }
    }

    /// The service behind the proxy knows the identity again itself.
    @Test(arguments: [false, true])
    func theIdentityGoesOn(_ isV2: Bool) async throws {
        try await OrderPlace.run(originSpeaksV2: isV2) { place in
            let request = PassPlace.request(
                "POST", "/Orders", #"{"Note":"once"}"#, PassPlace.identity(1))
            place.origin.observer.setFaults { message, _ in
                message.method == "POST" ? .loseAnswer : nil
            }
            #expect(place.proxy.service.respond(to: request).status == 504)
            place.origin.observer.setFaults(nil)
            let again = place.proxy.service.respond(to: request)
            #expect(again.status == 201, "\(again.json)")
            #expect(place.rows("SELECT Note FROM Orders WHERE Id > 2") == ["once"])
            #expect(again.json["Id"]?.text == "3")
            let ids = place.origin.observer.requests.filter {
                // The readings of the proxy ask for batches, too.
                $0.method == "POST" && $0.url.hasSuffix("Orders")
            }.map {
                $0.headers["Repeatability-Request-ID"] ?? "none"
            }
            #expect(ids.count == 2)
            #expect(Set(ids) == ["00000000-0000-4000-8000-000000000001"])
        }
    }

    @Test(arguments: [false, true])
    func clientsOfV2ChangeToo(_ isV2: Bool) async throws {
        try await OrderPlace.run(
            originSpeaksV2: isV2, adjusting: { $0.service.speaksV2 = true }
        ) { place in
            let made = place.ask(
                "POST", "/Orders",
                #"{"Note":"v2","Placed":"/Date(1767323045000+0000)/","Total":"3.10"}"#)
            #expect(made.status == 201, "\(made.json)")
            let id = made.json["d"]?["Id"]?.text.filter(\.isNumber) ?? ""
            #expect(made.json["d"]?["Note"]?.string == "v2")
            #expect(made.headers["Location"]?.contains("Orders(\(id)") == true)
            #expect(
                place.rows("SELECT Placed FROM Orders WHERE Id = \(id)").first?
                    .hasPrefix("2026-01-02T03:04:05") == true)
            let url = "/Orders(\(id)L)"
            let merged = place.ask("MERGE", url, #"{"Note":"merged"}"#, place.tag(url))
            #expect(merged.status == 204, "\(merged.json)")
            #expect(place.rows("SELECT Note FROM Orders WHERE Id = \(id)") == ["merged"])
            #expect(place.ask("GET", url).json["d"]?["Note"]?.string == "merged")
            let stale = place.ask("MERGE", url, #"{"Note":"x"}"#, #"If-Match: W/"0""#)
            #expect(stale.status == 412)
            #expect(place.ask("DELETE", url, "", place.tag(url)).status == 204)
            #expect(place.rows("SELECT count(*) FROM Orders") == ["2"])
            #expect(place.ask("GET", url).status == 404)
        }
    }

    @Test func theModelSaysThatChangesAreTaken() async throws {
        try await OrderPlace.run { place in
            let text = String(decoding: place.ask("GET", "/$metadata").body, as: UTF8.self)
            #expect(text.contains("Org.OData.Repeatability.V1.Supported"))
            #expect(!text.contains("InsertRestrictions"))
        }
    }
}
