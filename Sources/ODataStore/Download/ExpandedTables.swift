import ODataModel
import ODataSQL
import ODataSyncPlan

/// The tables whose rows come through `$expand` only: no read of their own tells what their rows contain. A table that is
/// downloaded as a whole, now or at any time before, is none of them.
package struct ExpandedTables: Sendable {
    private var tables: Set<TableID> = []

    package init() {}

    /// - Parameters:
    ///   - sources: every default download and download query there is.
    ///   - loaded: the entity sets that were ever downloaded whole.
    package init(_ sources: [DownloadSource], loaded: Set<String>, mapping: SchemaMapping) {
        let whole = Set(sources.filter { $0.isDefault }.map(\.entitySet)).union(loaded)
        var untold: Set<TableID> = []
        for source in sources {
            let expansions = SourceExpansions(source, mapping)
            guard !expansions.isUnknown else {
                // Nobody can tell any more which rows it leads to.
                tables = []
                return
            }
            tables.formUnion(
                expansions.targets.filter { !whole.contains(mapping[$0].path) })
            untold.formUnion(expansions.untold)
        }
        tables.subtract(untold)
    }

    /// True for a table whose rows come through expansions only.
    package func contains(_ table: TableID) -> Bool { tables.contains(table) }
}
