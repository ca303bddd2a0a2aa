import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSync
import ODataText
import ODataWire
import SAPOData

/// Reads in pages (Protocol 4.01, section 11.2.6.7): one page after the other by its next link must give what the query
/// gives as a whole.
extension OracleDesk {
    /// What is wrong with pages themselves.
    struct Misfit: Error, CustomStringConvertible {
        var description: String
    }

    /// All pages of a checked query as one answer.
    func pages(_ query: Query, _ expected: OracleAnswer, in store: LocalStore) throws
        -> OracleAnswer
    {
        let size = query.pageSize ?? 1
        var answer = OracleAnswer()
        var next = query
        var number = 0
        while true {
            guard let paging = try LocalPaging(next, HeaderFields(), graph: data.graph) else {
                throw Misfit(description: "The query is not read in pages.")
            }
            guard let page = try store.page(paging.query, behind: paging.behind) else {
                // Groups come whole, whatever size is preferred.
                guard expected.isDerived, number == 0 else {
                    throw Misfit(description: "Expected pages of entities.")
                }
                var whole = query
                whole.pageSize = nil
                return try self.answer(whole, expected)
            }
            let rows = page.values
            if number == 0 { answer.count = page.count }
            let kept = paging.kept(of: rows.count)
            answer.rows += try rows.prefix(kept).map { try OracleReading.shown($0, data.graph) }
            guard kept < rows.count, let values = page.orderKeys(row: kept - 1) else { break }
            number += 1
            guard kept == size, answer.rows.count <= expected.rows.count else {
                throw Misfit(description: "\(answer.rows.count) rows in \(number) pages of \(size)")
            }
            next = try URLParser.parse(
                paging.nextLink(behind: values), graph: data.graph,
                dialect: Dialect.of(data.graph.version))
            try QueryChecker.check(&next, graph: data.graph)
        }
        guard !expected.isDerived else { throw Misfit(description: "Expected other instances.") }
        guard !query.select.isEmpty else { return answer }
        // What orders the pages comes along.
        for (index, row) in expected.rows.enumerated() where index < answer.rows.count {
            answer.rows[index].values = Self.selected(answer.rows[index].values, as: row.values)
        }
        return answer
    }

    private static func selected(
        _ found: [String: OracleValue], as wanted: [String: OracleValue]
    ) -> [String: OracleValue] {
        var result: [String: OracleValue] = [:]
        for (name, value) in found {
            guard let other = wanted[name] else { continue }
            if case .record(let members) = value, case .record(let wanted) = other {
                result[name] = .record(selected(members, as: wanted))
            } else {
                result[name] = value
            }
        }
        return result
    }
}
