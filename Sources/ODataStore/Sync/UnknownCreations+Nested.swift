import ODataModel
import ODataSQL
import ODataSyncPlan

// Creations that brought nested rows with them. They are settled as a whole: the root with a row for each nested one, or
// not at all. Rows of other sets come with reads of their own, so that those may settle it, too.

extension UnknownCreations {
    /// What the nested rows of a creation became, once its root became `row`; nil where it has none.
    func nested(of request: QueuedRequest, below row: Int64) throws -> NestedMatching? {
        guard let body = request.body, !body.inline.isEmpty,
            let values = try serviceState(of: row, in: request.target.table)
        else { return nil }
        return try NestedMatching(
            of: request, root: NestedMatching.Candidate(row: row, values: values),
            mapping: transaction.mapping, own: { try serviceState(of: $0.id, in: $0.table) },
            related: related)
    }

    /// The rows of the service that hang on a row of it.
    private func related(
        _ row: RowReference, _ navigation: String
    ) throws -> [NestedMatching.Candidate] {
        let table = try transaction.table(row.table)
        guard let mapping = table.navigation(path: navigation),
            let values = try serviceState(of: row.id, in: row.table)
        else { return [] }
        return try EffectPlanner(transaction)
            .related(StoredRow(id: row.id, values: values), table, mapping).sorted()
            .compactMap { row in
                try serviceState(of: row.id, in: row.table).map {
                    NestedMatching.Candidate(row: row.id, values: $0)
                }
            }
    }

    /// Settles creations of other sets that brought rows of this one with them: these have come now.
    ///
    /// - Returns: what was settled or found, one sentence each.
    func settleParents(of path: String) throws -> [String] {
        var sentences: [String] = []
        for table in try RowMarks(database: transaction.database).tables() where table != path {
            let creations = try all(in: table).map(\.request).filter { request in
                request.body?.inlineRows.contains { $0.table == path } ?? false
            }
            // What a read of some properties brought shows less than was sent.
            guard !creations.isEmpty, try !transaction.hasPartialRows(table) else { continue }
            let decisions = try decisions(in: table)
            for request in creations {
                guard case .happened(let row)? = decisions[request.id],
                    let sentence = try becomes(row, request)
                else { continue }
                sentences.append(try note(sentence, of: request))
            }
        }
        return sentences
    }
}
