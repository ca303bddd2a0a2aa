import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// The evaluator that filters lists of the API gives the answers of the oracle, too.
@Suite struct OracleListTests {
    private static let depth = 3

    /// Everything that paths of three steps lead to.
    private static func expansion(_ type: String, _ depth: Int) -> [ExpandTerm] {
        guard depth > 0 else { return [] }
        let names = (OracleRow.toOne[type] ?? []) + (OracleRow.toMany[type] ?? [])
        return names.map { name in
            var term = ExpandTerm(ExpressionPath(name))
            term.options.expand = expansion(OracleRow.targets[name] ?? "", depth - 1)
            return term
        }
    }

    @Test func conditionsHoldForTheSameRows() throws {
        let graph = try CSDLReader.read(Array(OracleModel.metadata.utf8))
        var (asked, differences) = (0, 0)
        for seed in 40..<42 as Range<UInt64> {
            let desk = try OracleDesk(OracleData(graph: graph, seed: seed))
            defer { desk.close() }
            var queries = OracleQueries(seed: seed)
            for set in OracleData.linked {
                let type = String(set.dropLast())
                let id = try #require(graph.structure(named: "Shop." + type))
                var query = Query(entitySet: set)
                query.expand = Self.expansion(type, Self.depth)
                query.orderBy = (OracleRow.keyNames[type] ?? []).map {
                    OrderItem(.path(ExpressionPath($0)))
                }
                let values = try desk.values(query)
                let evaluator = ExpressionEvaluator(graph: graph)
                for _ in 0..<250 {
                    let tree = queries.condition(OraclePlace(type, hops: 2), 3)
                    guard let checked = try? QueryChecker.check(tree, of: id, graph: graph) else {
                        continue
                    }
                    let expected = try desk.data.rows(of: set).map {
                        try OracleEvaluator($0).truth(checked) == true
                    }
                    // A path of more steps than were read is not loaded.
                    guard let found = try? values.map({ try evaluator.holds(checked, for: $0) })
                    else { continue }
                    asked += 1
                    guard found != expected else { continue }
                    differences += 1
                    guard differences <= 8 else { continue }
                    let least = OracleTrees.least(checked) { smaller in
                        let a = try? desk.data.rows(of: set).map {
                            try OracleEvaluator($0).truth(smaller) == true
                        }
                        let b = try? values.map { try evaluator.holds(smaller, for: $0) }
                        return a != nil && b != nil && a != b
                    }
                    query.expand = []
                    query.filter = least
                    Issue.record("seed \(seed): \(desk.url(query))")
                }
            }
        }
        print("figure: oracle conditions on lists=\(asked) differences=\(differences)")
        #expect(asked > 1_000)
        #expect(differences == 0)
    }
}
