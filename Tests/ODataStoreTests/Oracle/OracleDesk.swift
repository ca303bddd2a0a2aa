import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataText

/// One random database with the oracle beside it: the store stays open for as many queries as are asked.
struct OracleDesk {
    let data: OracleData
    let oracle: Oracle
    private let store: LocalStore
    private let folder: URL
    /// A defect put between the query and the store; nil for none.
    var defect: (@Sendable (Query) -> Query)?

    /// What two sides say where they do not say the same.
    struct Difference {
        var summary: String
        var expected: String
        var found: String
        var isError: Bool
    }

    init(_ data: OracleData, defect: (@Sendable (Query) -> Query)? = nil) throws {
        self.data = data
        self.defect = defect
        oracle = Oracle(data)
        (store, folder) = try data.store()
    }

    func close() {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
        data.unlink()
    }

    /// Nil where both agree, or the query is none that the model allows.
    func difference(_ query: Query) -> Difference? {
        var checked = query
        do { try QueryChecker.check(&checked, graph: data.graph) } catch { return nil }
        let expected: OracleAnswer
        do { expected = try oracle.answer(checked) } catch {
            return Difference(
                summary: "the oracle: \(error)", expected: "\(error)", found: "", isError: true)
        }
        let found: OracleAnswer
        do { found = try answer(checked, expected) } catch {
            // SQLite's parser has a depth of its own.
            if let error = error as? ODataError, error.code == .limitExceeded { return nil }
            return Difference(
                summary: "the store: \(error)", expected: expected.text, found: "\(error)",
                isError: true)
        }
        guard let summary = expected.difference(from: found) else { return nil }
        return Difference(
            summary: summary, expected: expected.text,
            found: {
                var shown = found; shown.isDerived = expected.isDerived; return shown
            }().text,
            isError: false)
    }

    /// True for a query that the checker lets pass.
    func isAllowed(_ query: Query) -> Bool {
        var checked = query
        return (try? QueryChecker.check(&checked, graph: data.graph)) != nil
    }

    func answer(_ query: Query, _ expected: OracleAnswer) throws -> OracleAnswer {
        if query.pageSize != nil { return try pages(defect?(query) ?? query, expected, in: store) }
        let page = try store.execute(defect?(query) ?? query)
        var answer = OracleAnswer()
        answer.count = page.count
        if expected.value != nil {
            answer.value = try page.propertyValue.map {
                try OracleReading.value($0, nil, data.graph)
            }
            return answer
        }
        answer.rows = try page.values.map { try OracleReading.shown($0, data.graph) }
        return answer
    }

    /// The rows of a query as the store gives them.
    func values(_ query: Query) throws -> [StructureValue] {
        var checked = query
        try QueryChecker.check(&checked, graph: data.graph)
        return try store.execute(checked).values
    }

    // MARK: Reports

    func url(_ query: Query) -> String {
        (try? URLWriter.text(query, graph: data.graph, dialect: .v401))?
            .removingPercentEncoding ?? "\(query)"
    }

    func sql(_ query: Query) -> String {
        var checked = query
        try? QueryChecker.check(&checked, graph: data.graph)
        return (try? store.execute(checked).plan.statement?.text) ?? ""
    }

    /// The least query over the least data that shows the difference: its text, the data, both answers and the SQL.
    func report(_ query: Query, _ difference: Difference) -> String {
        let small = OracleShrink.least(query) {
            self.difference($0)?.isError == difference.isError
        }
        let few = OracleShrink.least(data) { smaller in
            guard let desk = try? OracleDesk(smaller, defect: defect) else { return false }
            defer { desk.close() }
            return desk.difference(small)?.isError == difference.isError
        }
        // A desk that was closed has let its rows go.
        let linked = few.without(0..<0, of: "Customers")
        guard let desk = try? OracleDesk(linked, defect: defect) else { return difference.summary }
        defer { desk.close() }
        let shown = desk.difference(small) ?? difference
        let rows = OracleData.sets.flatMap { set in
            (linked.payloads[set] ?? []).map { "    \(set): \($0)" }
        }
        return """
            \(url(small))
              \(shown.summary)
              at first: \(difference.summary)
              data:
            \(rows.joined(separator: "\n"))
              oracle:
                \(shown.expected)
              store:
                \(shown.found)
              sql: \(desk.sql(small))
            """
    }
}
