import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText

/// Unknown is not empty, behind a path as in an expansion (docs/design.md, decision 11): `Tools(7)/Helpers` has no answer
/// as long as no download has brought such links.
struct UnknownLinks {
    let mapping: SchemaMapping
    let transaction: StoreTransaction

    /// The first step of a path that leads along links which no download has brought.
    ///
    /// - Returns: its position, and the property as `Tools/Helpers`; nil where all of the path is known.
    func step(of path: ResourcePath) throws -> (position: Int, name: String)? {
        var table: TableMapping?
        var prefix = ""
        for (position, segment) in path.segments.enumerated() {
            switch segment {
            case .entitySet(let name): table = mapping.table(path: name)
            case .property(let name):
                guard let source = table else { return nil }
                guard let navigation = source.navigation(path: prefix + name) else {
                    prefix += name + "/"
                    continue
                }
                prefix = ""
                if case .linkTable = navigation.storage,
                    try !transaction.isLoaded(table: source.path, navigation: navigation.path)
                {
                    return (position, "\(source.path)/\(navigation.path)")
                }
                table = mapping[navigation.target]
            default: continue
            }
        }
        return nil
    }
}

extension LocalStore {
    /// Refuses to take for empty what is not known. Nothing is looked up for a path that ends at its set.
    ///
    /// - Parameter run: answers a query of a part of the path.
    /// - Throws: `notLoaded` for a page without rows behind links of a downloaded entity that no download has brought.
    func checkKnown(
        _ page: ODataSQLite.ResultPage, of query: Query, _ mapping: SchemaMapping,
        _ run: (Query) throws -> ODataSQLite.ResultPage
    ) throws {
        guard query.path.segments.count > 2, page.rowCount == 0, page.count ?? 0 == 0,
            let step = try reading({
                try UnknownLinks(mapping: mapping, transaction: $0).step(of: query.path)
            })
        else { return }
        let source = query.path.segments[..<step.position].filter { $0 != .links }
        let rows = try run(Query(path: ResourcePath(Array(source))))
        // Links of entities that were made here are known here.
        let isDownloaded = rows.chunks.contains { chunk in
            (0..<chunk.count).contains { chunk.localID(row: $0).map { $0 > 0 } ?? false }
        }
        guard isDownloaded else { return }
        throw ODataError(
            .notLoaded, "Expected links that were downloaded, found none.", at: .path(step.name))
    }
}
