import Foundation
import ODataQuery
import ODataServer
import ODataText
import Testing

/// Where the reference model is.
private enum ReferenceFolder {
    static let path: String = {
        let given = ProcessInfo.processInfo.environment["ODATA_CONFORMANCE"]
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        return (given ?? package.path + "/shared/conformance") + "/reference-model"
    }()
    static let isThere = FileManager.default.fileExists(atPath: path)
    static let reason: Comment = "no reference model at ODATA_CONFORMANCE or ../shared/conformance"
}

/// The reference model of V4 test suites, with its rows, functions and actions.
@Suite(.enabled(if: ReferenceFolder.isThere, ReferenceFolder.reason))
struct ReferenceModelTests {
    private static let laptop = "Products(2d7463b5-1912-4be1-a96f-46010b1ad5df)"

    private func service() throws -> ModelFixture {
        let model = try ReferenceModel.document(in: ReferenceFolder.path)
        return try ModelFixture { $0.model = model }
    }

    @Test func everyRowIsServed() throws {
        let fixture = try service()
        let counts = [
            "Products": "7", "Categories": "3", "ReadOnlyItems": "2", "MediaItems": "2",
            "DecimalSamples": "1",
        ]
        for (set, count) in counts { #expect(fixture.send("GET /\(set)/$count").text == count) }
        let laptop = fixture.send("GET /\(Self.laptop)?$expand=Category,Descriptions").json
        #expect(laptop["Status"]?.string == "InStock,Featured")
        #expect(laptop["ShippingAddress"]?["City"]?.string == "Seattle")
        #expect(laptop["Category"]?["Name"]?.string == "Electronics")
        #expect(laptop["Descriptions"]?.array?.isEmpty == false)
        #expect(laptop["Data"]?.string == "dGVzdA" || laptop["Data"]?.string == "dGVzdA==")
        #expect(fixture.send("GET /Company/Name").json["value"]?.string == "TechStore Inc.")
        #expect(fixture.send("GET /DecimalSamples?$filter=Amount eq 123.45").items.count == 1)
        let photo = ["Content-Type: image/png"]
        #expect(fixture.send("PUT /\(Self.laptop)/Photo", photo, body: "png").status == 204)
        #expect(fixture.send("GET /\(Self.laptop)/Photo").text == "png")
    }

    @Test func functionsAreChosenByTheirParameters() throws {
        let fixture = try service()
        let call = "/\(Self.laptop)/ComplianceService."
        #expect(fixture.member(call + "CalculatePrice(discount=10)") == "899.99")
        #expect(fixture.member(call + "CalculatePrice(discount=10,tax=20)") == "1079.99")
        #expect(
            fixture.member(call + "GetTotalPrice(taxRate=0.5)") == "1499.99"
                || fixture.member(call + "GetTotalPrice(taxRate=0.5)") == "1499.98")
        #expect(fixture.member(call + "GetInfo(format='text')").contains("Laptop"))
        #expect(fixture.send("GET " + call + "GetRelatedProducts()").items.count > 0)
        #expect(fixture.send("GET " + call + "GetAveragePrice()").status == 200)
        #expect(fixture.member("/Calculate(value=21)") == "42")
        #expect(fixture.member("/Calculate(a=2,b=-5)") == "-3")
        #expect(fixture.member("/Convert(input='ab')") == #""AB""#)
        #expect(fixture.member("/Convert(number=7)") == #""7""#)
        #expect(fixture.send("GET /GetTopProducts(count=2)").items.count == 2)
        #expect(fixture.send("GET /GetTopProducts()?$top=1").items.count == 1)
        let kitchen = fixture.send("GET /GetTopProducts(count=9,category='Kitchen')")
        #expect(kitchen.items.count == 1)
        #expect(fixture.send("GET /FindProducts(name='Laptop',maxPrice=1000)").items.count == 1)
        #expect(fixture.member("/GetProductStats()").contains("Count: 7"))
        #expect(fixture.send("GET /Calculate(value='x')").status == 400)
        #expect(fixture.send("GET /Calculate(c=1)").status >= 400)
        #expect(fixture.send("POST /GetProductStats", body: "{}").status == 405)
        #expect(fixture.send("GET /Reseed").status == 405)
        let nobody = "/Products(00000000-0000-0000-0000-000000000000)/ComplianceService."
        #expect(fixture.send("GET \(nobody)GetAveragePrice()").status == 404)
    }

    @Test func actionsChangeRowsAndReseedBringsThemBack() throws {
        let fixture = try service()
        let call = "POST /\(Self.laptop)/ComplianceService."
        let price = "/\(Self.laptop)/Price"
        let off = fixture.send(call + "ApplyDiscount", body: #"{"percentage":50}"#)
        #expect(off.status == 200)
        #expect(off.json["Price"]?.text == "500.0" || off.json["Price"]?.text == "500")
        #expect(fixture.member("/\(Self.laptop)/Version") == "2")
        #expect(fixture.send(call + "ApplyDiscount", body: #"{"percentage":101}"#).status == 400)
        #expect(fixture.send(call + "ApplyDiscount", body: "{}").status == 400)
        #expect(fixture.send(call + "IncreasePrice", body: #"{"amount":1}"#).status == 204)
        #expect(fixture.member(price).hasPrefix("501"))
        #expect(fixture.send(call + "Activate").status == 204)
        #expect(
            fixture.send("POST /Process", body: #"{"percentage":10,"minPrice":501}"#).status == 204)
        #expect(fixture.member(price).hasPrefix("551.1"))
        #expect(fixture.send("POST /ResetAllPrices").json["value"]?.string?.isEmpty == false)
        #expect(fixture.member(price) == "999.99")
        let delta = fixture.send("GET /Products", ["Prefer: odata.track-changes"]).deltaLink
        #expect(fixture.send("DELETE /\(Self.laptop)").status == 204)
        #expect(
            fixture.send(
                "GET /ProductDescriptions?$filter=ProductID eq 2d7463b5-1912-4be1-a96f-46010b1ad5df"
            ).items.isEmpty)
        #expect(
            fixture.send("DELETE /Categories(76dcd929-efe1-4012-8369-1445f2e33c17)").status == 204)
        #expect(fixture.send("PATCH /Company", body: #"{"Name":"Other"}"#).status == 204)
        #expect(fixture.send("POST /Reseed").status == 204)
        #expect(fixture.member(price) == "999.99")
        #expect(fixture.member("/Company/Name") == #""TechStore Inc.""#)
        #expect(fixture.send("GET /Categories/$count").text == "3")
        // Clients that follow changes see what became of it.
        #expect(fixture.send(follow(delta)).items.count == 7)
        #expect(fixture.send("POST /ResetProducts").status == 204)
        #expect(fixture.send("GET /Products/$count").text == "7")
    }

    @Test func annotationsHoldForWrites() throws {
        let fixture = try service()
        #expect(fixture.send("POST /ReadOnlyItems", body: #"{"Name":"x"}"#).status == 405)
        let item = "/ReadOnlyItems(3595345e-a3f3-4cf3-abcc-624a2cc3ddce)"
        #expect(fixture.send("PATCH \(item)", body: #"{"Name":"x"}"#).status == 405)
        let gone = fixture.send("DELETE \(item)")
        #expect(gone.status == 405)
        #expect(gone.headers["Allow"] == "GET, HEAD")
        let made = fixture.send(
            "POST /Products",
            body:
                #"{"Name":"New","Price":1,"Version":9,"SerialNumber":"s1","CreatedAt":"2001-01-01T00:00:00Z"}"#
        )
        #expect(made.status == 201)
        #expect(made.json["Version"]?.text == "1")
        #expect(made.json["Status"]?.string == "None")
        #expect(made.json["CreatedAt"]?.string?.hasPrefix("2001") == false)
        let id = "/Products(\(made.json["ID"]?.string ?? ""))"
        let patch = #"{"SerialNumber":"s2","Version":7,"Rating":3}"#
        #expect(fixture.send("PATCH \(id)", body: patch).status == 204)
        #expect(fixture.member(id, "SerialNumber") == #""s1""#)
        #expect(fixture.member(id, "Version") == "2")
        #expect(fixture.member(id, "Rating") == "3")
        #expect(fixture.send("PUT \(id)/SerialNumber", body: #"{"value":"s3"}"#).status == 405)
        #expect(fixture.send("POST /Products", body: #"{"Price":1}"#).status == 400)
        let long = String(repeating: "x", count: 101)
        #expect(fixture.send("PATCH \(id)", body: #"{"Name":"\#(long)"}"#).status == 400)
    }
}
