import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataText
import Testing

/// Random queries over random rows: the store and the oracle give the same rows in the same order.
///
/// `ODATA_ORACLE` says how many queries, `ODATA_SEED` where they begin.
@Suite struct OracleTests {
    private static func setting(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    /// How many queries each random database is asked.
    private static let round = 250

    @Test func theStoreAnswersAsTheSpecificationSays() throws {
        let (total, seed) = (Self.setting("ODATA_ORACLE", 5_000), Self.setting("ODATA_SEED", 1))
        var (asked, differences) = (0, 0)
        var number = UInt64(seed)
        while asked < total {
            let desk = try Desk(seed: number)
            defer { desk.close() }
            var queries = OracleQueries(seed: number &* 7_919)
            for _ in 0..<min(Self.round, total - asked) {
                let query = queries.query()
                asked += 1
                guard let difference = desk.difference(query) else { continue }
                differences += 1
                guard differences <= 12 else { continue }
                let least = OracleShrink.least(query) {
                    desk.difference($0)?.isError == difference.isError
                }
                let shown = desk.difference(least) ?? difference
                Issue.record(
                    "seed \(number): \(desk.url(least))\n  oracle: \(shown.expected)\n  store:  \(shown.found)\n  sql: \(desk.sql(least))"
                )
            }
            number += 1
        }
        print("oracle queries=\(asked) differences=\(differences) seed=\(seed)")
        #expect(differences == 0)
    }

    /// What two sides say where they do not say the same.
    struct Difference {
        var expected: String
        var found: String
        var isError: Bool
    }

    private struct Desk {
        let data: OracleData
        let oracle: Oracle
        let store: LocalStore
        let folder: URL

        init(seed: UInt64) throws {
            data = try OracleData(seed: seed)
            oracle = try Oracle(data)
            (store, folder) = try data.store()
        }

        func close() {
            try? store.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Nil where both agree, or the query is none that the model allows.
        func difference(_ query: Query) -> Difference? {
            var checked = query
            do { try QueryChecker.check(&checked, graph: data.graph) } catch { return nil }
            let expected: [String]
            do { expected = try oracle.answer(checked) } catch {
                return Difference(expected: "\(error)", found: "", isError: true)
            }
            let found: [String]
            do { found = try answer(checked) } catch {
                return Difference(
                    expected: expected.joined(separator: "\n"), found: "\(error)", isError: true)
            }
            guard expected != found else { return nil }
            let first = zip(expected, found).first { $0 != $1 }
            return Difference(
                expected: "\(expected.count) rows, \(first?.0 ?? expected.last ?? "none")",
                found: "\(found.count) rows, \(first?.1 ?? found.last ?? "none")", isError: false)
        }

        func url(_ query: Query) -> String {
            (try? URLWriter.text(query, graph: data.graph, dialect: .v401))?
                .removingPercentEncoding ?? "\(query)"
        }

        func sql(_ query: Query) -> String {
            var checked = query
            try? QueryChecker.check(&checked, graph: data.graph)
            return (try? store.execute(checked).plan.statement?.text) ?? ""
        }

        private func answer(_ query: Query) throws -> [String] {
            // Without an order rows may come in any; the key makes the same one on both sides.
            var ordered = query
            Self.order(&ordered.orderBy, &ordered.expand, query.path, data.graph)
            let page = try store.execute(ordered)
            var lines = page.values.map { text($0, query.expand) }
            if query.includesCount { lines.insert("count \(page.count ?? -1)", at: 0) }
            return lines
        }

        private static func order(
            _ items: inout [OrderItem], _ expand: inout [ExpandTerm], _ path: ResourcePath,
            _ graph: MetadataGraph
        ) {
            guard case .entitySet(let name)? = path.segments.first else { return }
            if items.isEmpty { items = key(name == "Items") }
            order(&expand)
        }

        private static func order(_ expand: inout [ExpandTerm]) {
            for index in expand.indices {
                let name = expand[index].path.propertyNames?.first
                if name?.hasSuffix("s") == true, expand[index].options.orderBy.isEmpty {
                    expand[index].options.orderBy = key(name == "Items")
                }
                order(&expand[index].options.expand)
            }
        }

        private static func key(_ isItem: Bool) -> [OrderItem] {
            (isItem ? ["OrderId", "Line"] : ["Id"]).map {
                OrderItem(.path(ExpressionPath($0)))
            }
        }

        private func text(_ value: StructureValue, _ expand: [ExpandTerm]) -> String {
            var text = OracleText(graph: data.graph).text(value)
            for term in expand.sorted(by: { "\($0.path)" < "\($1.path)" }) {
                guard let name = term.path.propertyNames?.first,
                    let slot = data.graph[value.type].slot(named: name)
                else { continue }
                switch value.slots[slot] {
                case .list(let members):
                    text += " \(name)=["
                    if term.options.includesCount {
                        text += "count \(value.control.counts[name] ?? -1): "
                    }
                    text +=
                        members.compactMap(\.structure)
                        .map { self.text($0, term.options.expand) }.joined(separator: "; ") + "]"
                case .structure(let one):
                    text += " \(name)={\(self.text(one, term.options.expand))}"
                default: text += " \(name)={}"
                }
            }
            return text
        }
    }
}
