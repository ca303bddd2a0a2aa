import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText

/// Answers queries from the store.
package struct LocalReads {
    /// What was found.
    package enum Answer {
        /// The rows, in place where the store read them, each with what was asked for about its relatives.
        case page(ODataSQLite.ResultPage, relatives: [RelativesOption], rest: Rest?)
        /// The entities that a navigation property of an entity without a key leads to.
        case related([Related], source: RowReference, navigation: String)
    }

    /// Where a page ends that is not the last.
    package struct Rest {
        /// How many of the rows belong to the page.
        package let kept: Int
        package let nextLink: String
    }

    /// A related entity in view.
    package typealias Related = (row: RowReference, state: RowState)

    package let store: LocalStore

    package init(store: LocalStore) { self.store = store }

    // MARK: Queries

    /// One entity of a set by the one value of its key, with nothing else asked for.
    ///
    /// - Parameters:
    ///   - query: The read as a query, made when no such read of the set was met before.
    ///   - check: Types the literals of a query.
    /// - Throws: What `check` and the store throw.
    package func entity(
        of set: String, key: Scalar, onCancel: QueryCancellation?, query: () -> Query,
        check: (Query) throws -> Query
    ) throws -> ODataSQLite.ResultPage {
        try store.execute(
            entityOf: set, key: key, onCancel: onCancel, query: query, check: check)
    }

    /// Answers any other query.
    ///
    /// - Parameters:
    ///   - url: What the query is made of; nil for one that is made of typed parts.
    ///   - headers: May ask for pages (`Prefer`).
    ///   - query: Checked where it is made of a URL.
    ///   - check: Types the literals of a query of typed parts; nil where `query` is checked.
    ///   - graph: The model that the query is written by.
    /// - Throws: `invalidQuery` for what does not fit the model or cannot be compiled, `notLoaded` when it expands links
    ///   that were never downloaded.
    package func answer(
        _ query: @autoclosure () throws -> Query, url: String?, headers: HeaderFields,
        onCancel: QueryCancellation?, in graph: @autoclosure () -> MetadataGraph,
        check: ((Query) throws -> Query)?
    ) throws -> Answer {
        if let url, let related = try relatedToNew(url, in: graph()) { return related }
        let whole = try query()
        if whole.pageSize != nil || whole.skipToken != nil || !headers.fields.isEmpty,
            let paging = try LocalPaging(try check?(whole) ?? whole, headers, graph: graph())
        {
            if let page = try page(paging, onCancel) { return page }
            guard whole.skipToken == nil else {
                throw ODataError(
                    .invalidQuery, "Expected a token for a collection of entities only.",
                    status: 400)
            }
        }
        let page =
            if let check {
                try store.execute(whole, onCancel: onCancel, check: check)
            } else {
                try store.execute(whole, onCancel: onCancel)
            }
        return .page(page, relatives: Self.relatives(whole), rest: nil)
    }

    /// One page with the link to the rest; nil for a query that does not lead to a collection of entities.
    private func page(_ paging: LocalPaging, _ onCancel: QueryCancellation?) throws -> Answer? {
        guard
            let page = try store.page(paging.query, behind: paging.behind, onCancel: onCancel)
        else { return nil }
        let count = page.rowCount
        let kept = paging.kept(of: count)
        let relatives = Self.relatives(paging.query)
        guard kept < count, let values = page.orderKeys(row: kept - 1) else {
            return .page(page, relatives: relatives, rest: nil)
        }
        return .page(
            page, relatives: relatives,
            rest: Rest(kept: kept, nextLink: paging.nextLink(behind: values)))
    }

    private static func relatives(_ query: Query) -> [RelativesOption] {
        guard !query.customOptions.isEmpty else { return [] }
        return RelativesOption.allCases.filter { $0.paths(in: query) != nil }
    }

    // MARK: Navigation

    /// The entities that a navigation property of a row leads to, as far as the options let them through.
    ///
    /// - Throws: `notLoaded` when its links were never downloaded.
    package func related(
        _ row: RowReference, _ navigation: String, _ options: NestedOptions,
        in graph: @autoclosure () -> MetadataGraph
    ) throws -> [Related] {
        let found = try store.related(row, navigation).compactMap { row -> Related? in
            guard let state = try store.entity(row), state.values != nil else { return nil }
            try state.checkLoaded(at: row.table)
            return (row, state)
        }
        guard !options.isEmpty else { return found }
        var query = Query(path: ResourcePath())
        query.filter = options.filter
        query.orderBy = options.orderBy
        query.skip = options.skip
        query.top = options.top
        let evaluator = ListEvaluator(ExpressionEvaluator(graph: graph()))
        return try evaluator.positions(query, of: found.compactMap(\.state.values)).map {
            found[$0]
        }
    }

    /// What a navigation property of an entity leads to that was created here and has no key yet: its URL is the local
    /// link with the property behind it. Nil for any other query.
    private func relatedToNew(_ url: String, in graph: @autoclosure () -> MetadataGraph) throws
        -> Answer?
    {
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        guard let slash = parts[0].lastIndex(of: "/"),
            let row = try store.row(link: String(parts[0][..<slash])), row.id < 0
        else { return nil }
        let graph = graph()
        let name = String(parts[0][parts[0].index(after: slash)...])
        guard let set = graph.entitySet(named: row.table).map({ graph[$0] }),
            let slot = graph[set.type].slot(named: name),
            graph[set.type].properties[slot].isNavigation
        else { return nil }
        var options = NestedOptions()
        if parts.count > 1 {
            options = NestedOptions(
                try URLParser.parse(
                    row.table + "?" + parts[1], graph: nil, dialect: Dialect.of(graph.version)))
        }
        return .related(
            try related(row, name, options, in: graph), source: row, navigation: name)
    }
}
