import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Cuts a local read into pages (Protocol 4.01, section 11.2.6.7): one more entity than a page holds is read, to know
/// whether there is a rest. Where pages are ordered by columns, the next one begins behind the last row of this one,
/// whatever was inserted or deleted in between.
struct LocalPaging {
    /// The query of this page.
    let query: Query
    private let size: Int
    private let order: PageOrder
    private let position: PagePosition?
    private let original: Query
    private let dialect: Dialect

    /// Nil for a read that is not asked for in pages, or does not lead to a collection of entities.
    ///
    /// - Throws: `invalidQuery` (400) for a page size below 1, or a token of another query.
    init?(_ original: Query, _ headers: HTTPHeaders, mapping: SchemaMapping) throws {
        let asked = try Self.size(original, headers)
        guard asked != nil || original.skipToken != nil,
            case .entitySet(let name)? = original.path.segments.first,
            original.path.segments.count == 1, let table = mapping.table(path: name),
            !mapping.graph[table.entitySet].isSingleton
        else { return nil }
        dialect = Dialect.of(mapping.graph.version)
        self.original = original
        var bare = original
        bare.skipToken = nil
        bare.pageSize = nil
        let link = PageLink(try URLWriter.text(bare, graph: mapping.graph, dialect: dialect))
        position = try PagePosition(token: original.skipToken, link: link)
        size = asked ?? position?.pageSize ?? Self.defaultSize
        order = PageOrder(original.orderBy, table: table)
        query = Self.query(bare, order, position, size)
    }

    private static func query(
        _ bare: Query, _ order: PageOrder, _ position: PagePosition?, _ size: Int
    ) -> Query {
        var query = bare
        query.orderBy = order.items
        let remaining = position == nil ? bare.top : position?.remaining
        query.top = min(remaining ?? .max, size < .max ? size + 1 : size)
        if let position {
            query.skip = position.offset
            query.includesCount = false
            if let values = position.values {
                query.filter = [query.filter, order.after(values)].compactMap { $0 }.joined(.and)
            }
        }
        guard !query.select.isEmpty, !query.selectsAll else { return query }
        let given = Set(query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
        for path in order.items.compactMap(PageOrder.property) where !given.contains(path) {
            query.select.append(SelectTerm(ExpressionPath(path)))
        }
        return query
    }

    /// How many rows of what was read belong to the page.
    func kept(of count: Int) -> Int { min(count, size) }

    /// The link to the rest; nil when `count` rows were all.
    func nextLink(after last: StructureValue?, of count: Int, graph: MetadataGraph) throws
        -> String?
    {
        guard count > size else { return nil }
        let wanted = position == nil ? original.top : position?.remaining
        var next = PagePosition(remaining: wanted.map { max(0, $0 - size) }, sequence: nil)
        next.pageSize = size
        if let last, let values = order.values(of: last) {
            next.values = values.scalars
            next.types = values.types
        } else {
            next.offset = (position?.offset ?? original.skip ?? 0) + size
        }
        var bare = original
        bare.skipToken = nil
        bare.pageSize = nil
        return PageLink(try URLWriter.text(bare, graph: graph, dialect: dialect)).with(next)
    }

    /// What the query or its `Prefer` header asks for, the smaller of the two.
    private static func size(_ query: Query, _ headers: HTTPHeaders) throws -> Int? {
        let preferred = Preferences(requestedBy: headers.fields).maximumPageSize
        let isPreferred = headers.fields.values("Prefer").contains {
            $0.lowercased().contains("maxpagesize")
        }
        guard query.pageSize ?? 1 > 0, !isPreferred || preferred != nil else {
            throw ODataError(
                .invalidQuery, "Expected a page size above zero, found another.", status: 400)
        }
        return [query.pageSize, preferred].compactMap { $0 }.min()
    }

    private static let defaultSize = 1_000
}
