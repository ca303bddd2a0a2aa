import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// Pages that random queries found wrong, over the oracle's data: each is read by its next links and compared with the
/// whole.
@Suite struct OraclePageTests {
    @Test(arguments: [
        // NaN and infinities stand above and below the numbers, and several rows have each.
        "Customers?$orderby=Score", "Customers?$orderby=Score desc",
        "Customers?$orderby=Score,Small desc&$select=Name", "Customers?$orderby=Grade desc,Active",
        "Customers?$orderby=Address/City,Wait desc", "Customers?$orderby=length(Name) desc",
        "Customers?$orderby=Manager/Name", "Orders?$orderby=Placed desc&$skip=2&$top=17",
        // A double is not read as a decimal on the second page.
        "Customers?$filter=Score ne 0e0 div Big&$orderby=Changed desc",
        "Customers?$expand=Reports($filter=-2.5e0 in (1e300))", "Items?$orderby=-5e-1 desc&$skip=5",
        "Orders?$compute=-25e-1 mul Amount as C1&$orderby=C1 desc",
        // What steps of $apply leave has no key, or an order of its own.
        "Orders?$apply=groupby((Title),aggregate($count as N))&$orderby=Title",
        "Orders?$apply=orderby(Amount desc)", "Items?$apply=aggregate($count as N)",
    ])
    func pagesJoinToTheWhole(url: String) throws {
        let graph = try CSDLReader.read(Array(OracleModel.metadata.utf8))
        let desk = try OracleDesk(OracleData(graph: graph, seed: 3))
        defer { desk.close() }
        var query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: graph, dialect: .v401)
        for size in 1...6 {
            query.pageSize = size
            #expect(desk.isAllowed(query))
            #expect(desk.difference(query)?.summary == nil, "pages of \(size)")
        }
    }
}
