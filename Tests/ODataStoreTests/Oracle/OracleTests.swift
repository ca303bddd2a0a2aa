import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// Random queries over random rows: the store and the oracle give the same rows in the same order.
///
/// `ODATA_ORACLE` says how many queries, `ODATA_SEED` where they begin.
@Suite struct OracleTests {
    static func setting(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    /// How many queries each random database is asked.
    private static let round = 500

    private static func graph() throws -> MetadataGraph {
        try CSDLReader.read(Array(OracleModel.metadata.utf8))
    }

    @Test func theStoreAnswersAsTheSpecificationSays() throws {
        let (total, seed) = (Self.setting("ODATA_ORACLE", 5_000), Self.setting("ODATA_SEED", 1))
        let graph = try Self.graph()
        let start = Date()
        var (asked, refused, differences) = (0, 0, 0)
        var number = UInt64(seed)
        while asked < total {
            let desk = try OracleDesk(OracleData(graph: graph, seed: number))
            defer { desk.close() }
            var queries = OracleQueries(seed: number &* 7_919)
            for _ in 0..<min(Self.round, total - asked) {
                let query = queries.query()
                asked += 1
                guard let difference = desk.difference(query) else {
                    if asked <= 2_000, !desk.isAllowed(query) { refused += 1 }
                    continue
                }
                differences += 1
                guard differences <= 12 else { continue }
                Issue.record("seed \(number): \(desk.report(query, difference))")
            }
            number += 1
            if (asked / Self.round).isMultiple(of: 100) {
                print("oracle queries=\(asked) differences=\(differences) next seed=\(number)")
                fflush(nil)
            }
        }
        let seconds = Date().timeIntervalSince(start)
        print(
            "figure: oracle queries=\(asked) differences=\(differences) seeds=\(seed)...\(number - 1)"
                + " queries/s=\(Int(Double(asked) / seconds))"
                + " refused=\(refused) of the first \(min(asked, 2_000))")
        #expect(differences == 0)
        // The checker refuses few, else the generator would ask nothing.
        #expect(refused * 20 < min(asked, 2_000))
    }

    /// A defect between the query and the store, made in every place where it fits.
    struct Defect: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (Query) -> Query

        static func trees(
            _ name: String, _ change: @escaping @Sendable (OracleTrees.Tree) -> OracleTrees.Tree
        ) -> Defect {
            Defect(testDescription: name) { OracleTrees.mapped($0, change) }
        }
    }

    static let defects: [Defect] = [
        .trees("greater counts as greater or equal") {
            if case .binary(.gt, let left, let right) = $0 { .binary(.ge, left, right) } else { $0 }
        },
        .trees("an unknown comparison counts as false") {
            guard case .unary(.not, .binary(let symbol, let left, let right)) = $0,
                [.gt, .ge, .lt, .le].contains(symbol)
            else { return $0 }
            return .binary(
                .or, $0,
                .binary(
                    .or, .binary(.eq, left, .literal(.null, nil)),
                    .binary(.eq, right, .literal(.null, nil))))
        },
        .trees("all counts as any") {
            if case .lambda(.all, let path, let variable, let predicate) = $0 {
                .lambda(.any, path, variable: variable, predicate: predicate)
            } else {
                $0
            }
        },
        .trees("contains counts as startswith") {
            if case .call(.contains, let arguments) = $0 {
                .call(.startsWith, arguments)
            } else {
                $0
            }
        },
        .trees("div counts as divby") {
            if case .binary(.div, let left, let right) = $0 {
                .binary(.divby, left, right)
            } else {
                $0
            }
        },
        .trees("floor counts as round") {
            if case .call(.floor, let arguments) = $0 { .call(.round, arguments) } else { $0 }
        },
        .trees("has counts as equal") {
            if case .binary(.has, let left, let right) = $0 {
                .binary(.eq, left, right)
            } else {
                $0
            }
        },
        Defect(testDescription: "a join leaves out rows without related ones") { query in
            var query = query
            query.apply = query.apply.map { step in
                guard case .join(let path, let alias, let steps, _) = step else { return step }
                return .join(path, alias: alias, steps, isOuter: false)
            }
            return query
        },
        Defect(testDescription: "descending counts as ascending") { query in
            var query = query
            for index in query.orderBy.indices { query.orderBy[index].isDescending = false }
            return query
        },
        Defect(testDescription: "one row too few is skipped") { query in
            var query = query
            query.skip = query.skip.map { max(0, $0 - 1) }
            return query
        },
        Defect(testDescription: "a nested filter is forgotten") { query in
            var query = query
            for index in query.expand.indices { query.expand[index].options.filter = nil }
            return query
        },
        Defect(testDescription: "a sum counts as an average") { query in
            var query = query
            query.apply = query.apply.map { step in
                guard case .groupBy(let groupings, let inner) = step else { return step }
                return .groupBy(
                    groupings,
                    inner.map { inner in
                        guard case .aggregate(let terms) = inner else { return inner }
                        return .aggregate(
                            terms.map { term in
                                var term = term
                                if case .expression(let tree, .sum) = term.value {
                                    term.value = .expression(tree, .average)
                                }
                                return term
                            })
                    })
            }
            return query
        },
    ]

    @Test(arguments: defects) func aPlantedDefectIsFound(_ defect: Defect) throws {
        let data = OracleData(graph: try Self.graph(), seed: 3)
        let desk = try OracleDesk(data, defect: defect.change)
        defer { desk.close() }
        var queries = OracleQueries(seed: 17)
        for asked in 1...3_000 {
            let query = queries.query()
            guard let difference = desk.difference(query), !difference.isError else { continue }
            let report = desk.report(query, difference)
            print("figure: oracle finds \"\(defect.testDescription)\" with query \(asked)")
            #expect(report.contains("data:") && report.contains("oracle:"))
            // What is left is small enough to read.
            #expect(report.count { $0 == "\n" } < 100)
            return
        }
        Issue.record("Not found: \(defect.testDescription)")
    }
}
