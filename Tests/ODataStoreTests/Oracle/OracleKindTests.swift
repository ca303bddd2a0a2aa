import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// The kinds of queries that ``OracleTests`` asks only now and then, each by itself: one query for each 25 of
/// `ODATA_ORACLE`, from `ODATA_SEED` on.
@Suite struct OracleKindTests {
    @Test(arguments: OracleQueries.Kind.allCases)
    func theStoreAnswersAsTheSpecificationSays(_ kind: OracleQueries.Kind) throws {
        let graph = try CSDLReader.read(Array(OracleModel.metadata.utf8))
        let total = max(50, OracleTests.setting("ODATA_ORACLE", 5_000) / 25)
        var seed = UInt64(OracleTests.setting("ODATA_SEED", 1))
        var (asked, refused, differences) = (0, 0, 0)
        while asked < total {
            let desk = try OracleDesk(OracleData(graph: graph, seed: seed))
            defer { desk.close() }
            var queries = OracleQueries(seed: seed &* 104_729)
            for _ in 0..<min(200, total - asked) {
                let query = queries.further(kind)
                asked += 1
                guard desk.isAllowed(query) else {
                    refused += 1
                    continue
                }
                guard let difference = desk.difference(query) else { continue }
                differences += 1
                guard differences <= 4 else { continue }
                Issue.record("seed \(seed): \(desk.report(query, difference))")
            }
            seed += 1
        }
        print(
            "figure: oracle \(kind) queries=\(asked) differences=\(differences) refused=\(refused)")
        #expect(differences == 0)
        #expect(refused * 10 < total)
    }

    /// What a member stands beside does not matter to `hassubset`, and does to its kin.
    @Test func anotherFunctionOnCollectionsGivesAnotherAnswer() throws {
        let graph = try CSDLReader.read(Array(OracleModel.metadata.utf8))
        let defect: @Sendable (Query) -> Query = { query in
            OracleTrees.mapped(query) {
                if case .call(.hasSubset, let arguments) = $0 {
                    .call(.hasSubsequence, arguments)
                } else {
                    $0
                }
            }
        }
        let desk = try OracleDesk(OracleData(graph: graph, seed: 3), defect: defect)
        defer { desk.close() }
        var queries = OracleQueries(seed: 5)
        let found = (0..<500).contains { _ in desk.difference(queries.further(.collections)) != nil
        }
        #expect(found)
    }

    /// What random queries have found once.
    @Test(arguments: [
        "Customers?$apply=join(Orders as J,search(red OR blue))",
        "Customers?$apply=outerjoin(Watched as J,search(lamp OR red))/groupby((J/Id))",
        "Customers?$apply=outerjoin(Orders as J,filter(Id gt 9 or Id lt 4))",
        "Items?$apply=compute(Line as C0)&$filter=2031-06-15 le cast(C0,Edm.Date)",
        "Items?$apply=compute(Line as C0)&$filter=cast(C0,Edm.Date) eq null",
        "Items?$apply=compute(Line as C0)&$filter=cast(C0,Edm.TimeOfDay) eq null",
        "Customers?$top=7&$apply=orderby(Changed desc)/descendants($root/Customers,Staff,Id,filter(Id lt 9),keep start)",
    ])
    func aQueryThatDifferedOnce(url: String) throws {
        let graph = try CSDLReader.read(Array(OracleModel.metadata.utf8))
        let desk = try OracleDesk(OracleData(graph: graph, seed: 1))
        defer { desk.close() }
        let query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: graph, dialect: .v401)
        #expect(desk.isAllowed(query))
        #expect(desk.difference(query)?.summary == nil)
    }
}
