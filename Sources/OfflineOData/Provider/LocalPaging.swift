import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Cuts a local read into pages: one more entity than the page holds is read, to know whether there is a rest.
struct LocalPaging {
    private let query: Query
    /// The page's size; nil for a read in one piece.
    private let size: Int?

    /// The size is what the query or its `Prefer` header asks for, but at most that of the parameters.
    init(_ query: Query, _ headers: HTTPHeaders, pageSize: Int?) {
        self.query = query
        let preferred = Preferences(requestedBy: headers.fields).maximumPageSize
        size = [query.pageSize, preferred, pageSize].compactMap { $0 }.filter { $0 > 0 }.min()
    }

    /// The query that is executed in place of the app's; nil when there are no pages to make.
    func query(in document: CSDLDocument) -> DataQuery? {
        guard let size, query.path.segments.count == 1,
            case .entitySet(let name)? = query.path.segments.first,
            document.entitySet(named: name)?.isSingleton == false
        else { return nil }
        var wanted = query
        wanted.top = min(query.top ?? Int.max, size + 1)
        wanted.pageSize = nil
        return DataQuery(wanted, in: document)
    }

    /// The result for the app: at most a page, with the link to the rest.
    func cut(
        _ result: QueryResult, of original: DataQuery, _ document: CSDLDocument
    ) throws -> QueryResult {
        let found = try result.entityList()
        guard let size, found.length > size else {
            return QueryResult(query: original, result: found, status: result.status)
        }
        let page = found.copy()
        page.items = Array(found.toArray().prefix(size))
        var rest = query
        rest.skip = (query.skip ?? 0) + size
        rest.top = query.top.map { $0 - size }
        rest.pageSize = nil
        page.nextLink = try URLWriter.text(
            rest, graph: document.graph, dialect: Dialect.of(document.graph.version))
        return QueryResult(query: original, result: page, status: result.status)
    }
}
