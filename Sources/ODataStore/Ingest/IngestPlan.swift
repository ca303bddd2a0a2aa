import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// How the rows of one download query go into one table: which columns it brings, and their encodings.
///
/// Made once per query; a query writes, compares and clears only the columns that it selects.
package struct IngestPlan: Sendable {
    package let table: TableMapping
    package let graph: MetadataGraph
    /// What to read rows with.
    package let shape: ODataWire.RowShape
    /// How the query holds its rows; nil while only one source can bring rows of the table.
    package var hold: RowHold?
    /// The query brings every row of its table: rows without a source, made here and not read since, are among them.
    package var ownsRowsWithoutSource: Bool
    /// False for rows of which an expansion brings a part: their ETag would speak for columns that did not come.
    package var keepsETags = true
    /// Rows that bring nothing but their key name an entity that is still to come (`EntityState.keyOnly`).
    package var marksReferences = false
    /// Positions in the table's columns, by slot of the shape.
    let columns: [Int]
    /// The navigation properties that the query expands, in the order of the shape's navigations.
    let expansions: [IngestExpansion]
    let bindings: [FieldBinding]
    /// Slots of the key properties in key order.
    let keySlots: [Int]

    /// - Parameters:
    ///   - selection: Paths of the properties the query selects; nil for all. The key belongs to it in any case.
    ///   - expansions: The navigation properties that the query expands.
    package init(
        table: TableMapping, graph: MetadataGraph, selection: Set<String>? = nil,
        expansions: [IngestExpansion] = [], sourceBit: Int64 = 0
    ) {
        self.init(
            table: table, graph: graph, selection: selection, expansions: expansions,
            hold: sourceBit == 0 ? nil : RowHold(place: sourceBit.trailingZeroBitCount))
    }

    /// - Parameters:
    ///   - selection: Paths of the properties the query selects; nil for all. The key belongs to it in any case.
    ///   - expansions: The navigation properties that the query expands.
    ///   - hold: How the query holds its rows.
    package init(
        table: TableMapping, graph: MetadataGraph, selection: Set<String>?,
        expansions: [IngestExpansion], hold: RowHold?
    ) {
        self.table = table
        self.expansions = expansions
        self.graph = graph
        self.hold = hold
        ownsRowsWithoutSource = hold?.place == 0
        columns = table.columns.indices.filter { position in
            let column = table.columns[position]
            return column.isWritable
                && (table.keyColumns.contains(position) || Self.selects(column.path, selection))
        }
        let mapping = columns.map { table.columns[$0] }
        bindings = mapping.map { FieldBinding(column: $0, of: table, graph: graph) }
        let columns = columns
        keySlots = table.keyColumns.compactMap { columns.firstIndex(of: $0) }
        shape = ODataWire.RowShape(
            path: table.path, columns: mapping.map(\.path),
            navigations: expansions.map(\.navigation.path),
            keepsUnknown: table.system.dynamic != nil)
    }

    /// Sees to it that a page does not say that it holds the rows of a set of another kind: it answers another request then, and
    /// its rows would take the place of this set's. A set of the same entities is as a service may name a part of one.
    ///
    /// - Throws: `invalidPayload` with the names of both sets.
    func check(_ page: PageControl) throws {
        guard let path = page.context.map({ ContextURL(parsing: $0).rowPath }), path != table.path,
            let other = graph.entitySet(named: path).map({ graph[$0].type }),
            let own = graph.entitySet(named: table.path).map({ graph[$0].type }),
            !graph.isA(other, own), !graph.isA(own, other)
        else { return }
        throw ODataError(
            .invalidPayload, "Expected rows of \(table.path), found a page of \(path).",
            at: .path(table.path))
    }

    /// True when rows of the table have more than their key.
    var hasMoreThanKeys: Bool {
        table.columns.indices.contains {
            table.columns[$0].isWritable && !table.keyColumns.contains($0)
        }
    }

    /// True for the pattern of rows that are known by their key alone.
    func isReference(_ pattern: RowPattern) -> Bool {
        guard marksReferences else { return false }
        return columns.indices.allSatisfy { slot in
            keySlots.contains(slot) || pattern.slots[slot >> 6] & (1 << UInt64(slot & 63)) == 0
        }
    }

    /// A complex property that is selected brings its members, a member brings the presence of what it belongs to.
    private static func selects(_ path: String, _ selection: Set<String>?) -> Bool {
        guard let selection, !selection.contains(path) else { return true }
        return selection.contains { $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/") }
    }
}

/// A navigation property that a download query expands, and how the related rows go into their table.
package struct IngestExpansion: Sendable {
    package let navigation: NavigationMapping
    package let plan: IngestPlan
    /// Rows of the table come through expansions only.
    let ownsRows: Bool
    /// The rows that come tell which of them are related, so that one which is not named any more was dropped.
    let tellsRows: Bool

    package init(
        navigation: NavigationMapping, plan: IngestPlan, ownsRows: Bool = false,
        tellsRows: Bool = false
    ) {
        self.navigation = navigation
        self.plan = plan
        self.ownsRows = ownsRows
        self.tellsRows = tellsRows
    }
}
