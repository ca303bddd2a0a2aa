import Foundation
import ODataQuery
import ODataServer
import PostgreSQLFixture
import Testing

/// Changes over PostgreSQL are answered as those over SQLite, and leave the same rows.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct SameChangesTests {
    private let twins: TwinServices

    init() throws { twins = try TwinServices(isReadOnly: false) }

    /// A request with the status that both services answer with.
    private struct Step {
        var method: String
        var url: String
        var body: String?
        var headers: HeaderFields
        var status: Int

        init(
            _ method: String, _ url: String, _ body: String? = nil, _ status: Int,
            _ headers: HeaderFields = [:]
        ) {
            (self.method, self.url, self.body) = (method, url, body)
            (self.headers, self.status) = (headers, status)
        }
    }

    private func expectSame(_ steps: [Step]) {
        for step in steps {
            let (lite, postgres) = (answer(step, twins.sqlite), answer(step, twins.postgres))
            let name = "\(step.method) \(step.url) \(step.body ?? "")"
            #expect(lite.status == step.status, "\(name) \(lite.text)")
            #expect(postgres.status == step.status, "\(name) \(postgres.text)")
            let plain = [lite, postgres].map { TwinServices.plain($0.json) as? NSObject }
            #expect(plain[0] == plain[1], "\(name)\n\(lite.text)\n\(postgres.text)")
            for field in ["Location", "OData-EntityId", "Preference-Applied", "Allow"] {
                #expect(lite.headers[field] == postgres.headers[field], "\(name) \(field)")
            }
            #expect((lite.headers["ETag"] == nil) == (postgres.headers["ETag"] == nil), "\(name)")
            expectSameRows(name)
        }
    }

    private func expectSameRows(_ name: String) {
        for url in [
            "Customers?$orderby=Id", "Orders?$orderby=Id", "Items?$orderby=OrderId,Line",
            "Labels?$orderby=Code",
        ] {
            let lite = TwinServices.get(url, twins.sqlite)
            let postgres = TwinServices.get(url, twins.postgres)
            #expect(lite.status == 200)
            #expect(lite.body == postgres.body, "\(url) after \(name)")
        }
    }

    private func answer(_ step: Step, _ service: ODataService) -> ChangingService.Answer {
        ChangingService.send(step.method, step.url, step.body, step.headers, to: service)
    }

    @Test func entities() {
        expectSame([
            Step(
                "POST", "Customers",
                """
                {"Id":6,"Name":"Eva 'x' \\u00e9","Balance":-12.34,"Score":1.5e-3,"Active":false,
                "Since":"2024-02-29","Changed":"2026-05-06T05:08:09.125Z",
                "Token":"6F9619FF-8B86-D011-B42D-00C04FC964F1","Wakes":"05:06:07.5","Level":-7}
                """, 201),
            Step("POST", "Customers", #"{"Id":7,"Name":""}"#, 204, ["Prefer": "return=minimal"]),
            Step("POST", "Labels", #"{"Code":"a b ü'","Text":null}"#, 201),
            Step("PATCH", "Labels('a b ü''')", #"{"Text":"found"}"#, 204),
            Step("POST", "Items", #"{"OrderId":12,"Line":3,"Product":"Saw"}"#, 201),
            Step("PATCH", "Items(OrderId=12,Line=3)", #"{"Quantity":4}"#, 204),
            Step(
                "PATCH", "Customers(1)", #"{"Balance":null,"Active":true,"Score":-0.25}"#, 200,
                ["Prefer": "return=representation"]),
            Step("PUT", "Customers(4)", #"{"Name":"only"}"#, 204),
            Step("PATCH", "Customers(4)", #"{"Id":9,"Name":"key stays"}"#, 204),
            Step("PATCH", "Customers(5)", "{}", 204),
            Step("DELETE", "Customers(7)", nil, 204),
            Step("DELETE", "Items(OrderId=12,Line=3)", nil, 204),
            Step("DELETE", "Labels('a b ü''')", nil, 204),
        ])
    }

    @Test func properties() {
        expectSame([
            Step("PUT", "Customers(1)/Name", #"{"value":"Ann"}"#, 204),
            Step("PUT", "Customers(1)/Name/$value", "Änne", 204, ["Content-Type": "text/plain"]),
            Step("PUT", "Customers(1)/Balance", #"{"value":3.5}"#, 204),
            Step("DELETE", "Customers(1)/Balance", nil, 204),
            Step("DELETE", "Customers(1)/Name", nil, 400),
            Step("PUT", "Customers(1)/Id", #"{"value":3}"#, 405),
        ])
    }

    @Test func relatedEntities() {
        expectSame([
            Step("POST", "Customers(2)/Orders", #"{"Id":20,"Amount":1}"#, 201),
            Step("POST", "Orders", #"{"Id":21,"Customer@odata.bind":"Customers(3)"}"#, 201),
            Step(
                "POST", "Customers",
                """
                {"Id":30,"Name":"deep","Orders":[{"Id":31,"Items":[{"Line":1,"Product":"x"},
                {"Line":2}]},{"Id":32}]}
                """, 201),
            Step("POST", "Orders", #"{"Id":33,"Customer":{"Id":34,"Name":"above"}}"#, 201),
            Step("PATCH", "Orders(10)", #"{"Customer@odata.bind":"Customers(5)"}"#, 204),
            Step("PATCH", "Orders(11)", #"{"Customer":null}"#, 204),
            Step("PUT", "Orders(12)/Customer/$ref", #"{"@odata.id":"Customers(4)"}"#, 204),
            Step("DELETE", "Orders(12)/Customer/$ref", nil, 204),
            Step("POST", "Customers(3)/Orders/$ref", #"{"@odata.id":"Orders(13)"}"#, 204),
            Step("DELETE", "Customers(3)/Orders/$ref?$id=Orders(13)", nil, 204),
            Step("PATCH", "Orders(10)/Customer", #"{"Level":77}"#, 204),
            Step("DELETE", "Customers(3)/Orders/$ref?$id=Orders(13)", nil, 404),
        ])
    }

    @Test func refusals() {
        expectSame([
            Step("POST", "Customers", #"{"Id":1,"Name":"taken"}"#, 409),
            Step("POST", "Items", #"{"OrderId":10,"Line":1}"#, 409),
            Step("POST", "Labels", #"{"Code":"a"}"#, 409),
            Step("POST", "Orders", #"{"Id":40,"CustomerId":99}"#, 409),
            Step("PATCH", "Orders(10)", #"{"CustomerId":99}"#, 409),
            Step("DELETE", "Customers(1)", nil, 409),
            Step("POST", "Customers", #"{"Id":41}"#, 400),
            Step("POST", "Customers", #"{"Id":41,"Name":null}"#, 400),
            Step("POST", "Customers", #"{"Id":41,"Name":"x","Balance":1.234}"#, 400),
            Step("POST", "Customers", #"{"Id":41,"Name":"x","Nothing":1}"#, 400),
            Step("POST", "Orders", #"{"Id":41,"Customer@odata.bind":"Customers(99)"}"#, 400),
            Step("POST", "Customers", "{", 400),
            Step("POST", "Customers", "x", 415, ["Content-Type": "text/plain"]),
            Step("PATCH", "Customers(99)", #"{"Name":"x"}"#, 404),
            Step("PUT", "Customers(99)", #"{"Name":"x"}"#, 404),
            Step("DELETE", "Customers(99)", nil, 404),
            Step("POST", "Nothing", "{}", 404),
            Step("POST", "Customers(1)", "{}", 405),
            Step("DELETE", "Customers", nil, 405),
            Step("PATCH", "Customers(1)", #"{"Orders":[{"Id":50}]}"#, 501),
            Step(
                "POST", "Customers",
                #"{"Id":60,"Name":"all or none","Orders":[{"Id":61},{"Id":10}]}"#, 409),
        ])
    }

    @Test func preconditions() {
        expectSame([
            Step("PATCH", "Customers(1)", #"{"Level":1}"#, 412, ["If-Match": #"W/"no""#]),
            Step("DELETE", "Labels('a')", nil, 412, ["If-Match": #"W/"no""#]),
            Step("PATCH", "Customers(1)", #"{"Level":1}"#, 204, ["If-Match": "*"]),
            Step("PATCH", "Customers(1)", #"{"Level":2}"#, 412, ["If-None-Match": "*"]),
            Step("PATCH", "Customers(99)", #"{"Level":2}"#, 404, ["If-Match": "*"]),
            Step("POST", "Labels", #"{"Code":"n"}"#, 412, ["If-Match": "*"]),
            Step(
                "PUT", "Orders(10)/Customer/$ref", #"{"@odata.id":"Customers(4)"}"#, 412,
                ["If-Match": #"W/"no""#]),
        ])
    }
}
