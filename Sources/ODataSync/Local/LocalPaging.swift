import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Cuts a local read into pages (Protocol 4.01, section 11.2.6.7): one more entity than a page holds is read, to know
/// whether there is a rest. The next page begins behind the last row of this one, by the values that order it: whatever
/// was inserted, changed or deleted in between, a row that did not change comes once.
package struct LocalPaging {
    /// The query of this page.
    package let query: Query
    /// The values that order the row before it; nil for the first page.
    package let behind: [SQLArgument]?
    private let size: Int
    private let wanted: Int?
    private let link: PageLink

    /// Nil for a read that is not asked for in pages.
    ///
    /// - Throws: `invalidQuery` (400) for a page size below 1, or a token of another query.
    package init?(
        _ original: Query, _ headers: HeaderFields, graph: MetadataGraph
    ) throws {
        let asked = try Self.size(original, headers)
        guard asked != nil || original.skipToken != nil else { return nil }
        var bare = original
        bare.skipToken = nil
        bare.pageSize = nil
        let dialect = Dialect.of(graph.version)
        // The next page reads the same query again, and must read the same numbers.
        link = PageLink(
            try URLWriter.text(bare, graph: graph, dialect: dialect, keepsTypes: true))
        let position = try RowPosition(
            token: original.skipToken, fingerprint: link.fingerprint)
        size = asked ?? position?.pageSize ?? Self.defaultSize
        wanted = position == nil ? original.top : position?.remaining
        behind = position?.values
        bare.top = min(wanted ?? .max, size < .max ? size + 1 : size)
        if position != nil {
            bare.skip = nil
            bare.includesCount = false
        }
        query = bare
    }

    /// How many rows of what was read belong to the page.
    package func kept(of count: Int) -> Int { min(count, size) }

    /// The link to the rest, which begins behind the row with these values.
    package func nextLink(behind values: [SQLArgument]) -> String {
        link.with(
            RowPosition(
                remaining: wanted.map { max(0, $0 - size) }, pageSize: size, values: values))
    }

    /// What the query or its `Prefer` header asks for, the smaller of the two.
    private static func size(_ query: Query, _ headers: HeaderFields) throws -> Int? {
        let preferred = Preferences(requestedBy: headers).maximumPageSize
        let isPreferred = headers.values("Prefer").contains {
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
