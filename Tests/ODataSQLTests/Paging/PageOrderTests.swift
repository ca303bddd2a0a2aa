import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ShopFixture
import Testing

/// The order of pages, and the condition for the rows behind one.
@Suite struct PageOrderTests {
    private func order(_ text: String) throws -> PageOrder {
        let mapping = try Shop.mapping()
        let url = "Customers?$orderby=" + text.replacing(" ", with: "%20")
        let query = try URLParser.parse(url, graph: mapping.graph, dialect: .v4)
        return PageOrder(query.orderBy, table: try mapping.existingTable(path: "Customers"))
    }

    @Test(arguments: [
        ("Name", ["Name", "Id"]), ("Id desc", ["Id"]), ("Score,Id,Name", ["Score", "Id", "Name"]),
        ("Address/City", ["Address/City", "Id"]),
    ])
    func theKeyEndsTheOrderUnlessItIsNamed(_ text: String, _ names: [String]) throws {
        #expect(try order(text).items.map(PageOrder.property) == names)
    }

    @Test func whatIsNoColumnOfTheRowIsNamedByNothing() throws {
        #expect(try order("length(Name)").items.map(PageOrder.property) == [nil, "Id"])
    }

    /// Null sorts below every value and NaN above, in either direction.
    @Test(arguments: [
        ("Name", [Scalar.string("m"), .integer(3)], "Name gt 'm' or Name eq 'm' and Id gt 3"),
        (
            "Name desc", [.string("m"), .integer(3)],
            "Name lt 'm' or Name eq null or Name eq 'm' and Id gt 3"
        ),
        ("Name", [.null, .integer(3)], "Name ne null or Name eq null and Id gt 3"),
        ("Name desc", [.null, .integer(3)], "Name eq null and Id gt 3"),
        (
            "Score", [.double(1.5), .integer(3)],
            "Score gt 1.5 or not (Score le INF) or Score eq 1.5 and Id gt 3"
        ),
        ("Score", [.double(.nan), .integer(3)], "not (Score le INF) and Id gt 3"),
    ])
    func theRowsBehindARowAreACondition(
        _ text: String, _ values: [Scalar], _ expected: String
    ) throws {
        let mapping = try Shop.mapping()
        var query = Query(entitySet: "Customers")
        query.filter = try order(text).after(values)
        let url = try URLWriter.text(query, dialect: .v4)
        let wanted = try URLParser.parse(
            "Customers?$filter=" + expected.replacing(" ", with: "%20"), graph: mapping.graph,
            dialect: .v4)
        #expect(url == (try URLWriter.text(wanted, dialect: .v4)))
    }
}
