import Foundation
import ODataQuery
import ODataServer
import PostgreSQLFixture
import Testing

/// What a service over PostgreSQL answers is what one over SQLite answers for the same tables.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct SameServiceTests {
    private let twins: TwinServices

    init() throws { twins = try TwinServices() }

    private func expectSame(_ urls: [String], _ status: Int = 200) {
        for url in urls {
            let (lite, postgres) = (
                TwinServices.get(url, twins.sqlite), TwinServices.get(url, twins.postgres)
            )
            #expect(lite.status == status, "\(url) \(lite.body)")
            #expect(postgres.status == status, "\(url) \(postgres.body)")
            #expect(postgres.body == lite.body, "\(url)")
        }
    }

    @Test func rowsAndKeys() {
        expectSame([
            "", "Customers", "Orders", "Items", "Labels", "Customers(1)", "Customers(3)",
            "Items(OrderId=10,Line=2)", "Labels('ä')", "Labels('')", "Customers(1)/Name",
            "Customers(1)/Name/$value", "Customers(2)/Balance", "Customers(2)/Changed/$value",
            "Customers/$count", "Customers(1)/Orders", "Customers(1)/Orders/$count",
            "Orders(10)/Customer", "Orders(10)/Items", "Customers(1)/$ref", "Customers/$ref",
            "Customers?$select=Name,Since", "Customers(1)?$select=Token",
        ])
        expectSame(["Customers(99)", "Customers(99)/Name", "Nothing"], 404)
        expectSame(["Customers?$filter=Nothing eq 1", "Customers?$top=x"], 400)
        expectSame(["Orders(13)/Customer"], 204)
    }

    @Test func filters() {
        expectSame(
            [
                "Name eq 'Anna'", "Name gt 'Z'", "Name lt 'a'", "contains(Name,'nna')",
                "startswith(Name,'Z')", "endswith(Name,'_%')", "tolower(Name) eq 'anna'",
                "length(Name) eq 3", "indexof(Name,'n') eq 1", "substring(Name,1) eq 'nna'",
                "Balance eq 12.5", "Balance gt 0", "Balance lt 12.50", "Balance eq null",
                "Balance mul 2 eq 25", "Score ge -2.25", "Score div 2 gt 0", "Level lt 0",
                "Level add 1 gt 32767", "Id mod 2 eq 1", "Active", "not Active", "Active eq null",
                "Since eq 2024-07-01", "Since lt 2020-03-01", "year(Since) eq 1999",
                "Changed gt 2026-01-01T00:00:00Z", "Changed eq 2026-01-02T04:04:05.250+01:00",
                "Token eq 6F9619FF-8B86-D011-B42D-00C04FC964FF",
                "Token gt 00000000-0000-0000-0000-000000000001",
                "Wakes eq 07:30:00", "hour(Wakes) eq 23", "Id in (1,3,5)", "Name in ('Anna','Zoë')",
                "Orders/any()", "Orders/any(o:o/Amount gt 6)", "Orders/all(o:o/Amount gt 6)",
                "Orders/any(o:o/Items/any(i:i/Product eq 'Saw'))", "Orders/$count gt 1",
            ].map { "Customers?$filter=\($0)&$orderby=Id" } + [
                "Orders?$filter=Customer/Name eq 'Anna'&$orderby=Id",
                "Orders?$filter=Placed ge 2026-03-01T10:00:00.5Z&$orderby=Id",
                "Customers/$count?$filter=Active", "Customers?$filter=Active&$count=true&$top=1",
            ])
    }

    @Test func orders() {
        expectSame(
            [
                "Name", "Name desc", "Balance,Id", "Balance desc,Id", "Score", "Active,Id desc",
                "Since desc,Id", "Changed,Id", "Token", "Wakes desc", "Level", "length(Name),Id",
                "Orders/$count desc,Id",
            ].map { "Customers?$orderby=\($0)" } + [
                "Labels?$orderby=Code", "Orders?$orderby=Customer/Name,Id",
                "Customers?$orderby=Id&$top=2&$skip=1", "Customers?$top=0&$count=true",
            ])
    }

    @Test func expandedRowsAndAggregates() {
        expectSame([
            "Customers?$expand=Orders&$orderby=Id", "Orders?$expand=Customer,Items&$orderby=Id",
            "Customers?$expand=Orders($expand=Items($orderby=Quantity desc;$top=1);$select=Id)&$orderby=Id",
            "Customers?$expand=Orders($filter=Amount gt 6;$count=true)&$orderby=Id",
            "Customers(1)?$expand=Orders($orderby=Id desc)",
            "Customers?$expand=Orders/$count&$orderby=Id",
            "Customers?$expand=Orders/$ref&$orderby=Id",
            "Items?$expand=Order($expand=Customer)&$orderby=OrderId,Line",
            "Customers?$apply=aggregate(Balance with sum as S,$count as N)",
            "Customers?$apply=groupby((Active),aggregate(Level with max as M))&$orderby=Active",
            "Orders?$apply=groupby((Customer/Name),aggregate(Amount with sum as S))&$orderby=S",
            "Customers?$compute=Level mul 2 as Twice&$select=Id,Twice&$orderby=Id",
        ])
    }

    @Test(arguments: ["Id", "Name desc", "Balance,Id desc", "Changed desc", "Token", "Since,Name"])
    func pages(_ order: String) throws {
        let url = "Customers?$orderby=\(order)"
        let lite = try TwinServices.pages(url, size: 2, twins.sqlite)
        let postgres = try TwinServices.pages(url, size: 2, twins.postgres)
        #expect(lite.count == 5)
        #expect(postgres == lite)
    }

    @Test func batchesReadAndChangesAreRefused() {
        let body =
            #"{"requests":[{"id":"1","method":"GET","url":"Customers(1)"},{"id":"2","method":"DELETE","url":"Customers(1)"}]}"#
        let answer = twins.postgres.respond(
            to: .init(
                method: "POST", url: "/$batch",
                headers: ["Content-Type": "application/json", "Prefer": "continue-on-error"],
                body: Array(body.utf8)))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200)
        #expect(text.contains("Anna"))
        #expect(text.contains("405"))
        let deleted = twins.postgres.respond(
            to: .init(method: "DELETE", url: "/Customers(1)", headers: [:], body: []))
        #expect(deleted.status == 405)
    }
}
