import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan

extension IngestPlan {
    /// The plan for a download query with its expanded navigation properties, at any depth; those whose links are not
    /// stored are left out.
    ///
    /// - Parameters:
    ///   - hold: how the query holds its own rows.
    ///   - holds: how its expansions hold theirs.
    ///   - expanded: the tables whose rows come through expansions only.
    package init(
        table: TableMapping, mapping: SchemaMapping, selection: Set<String>?,
        expanding items: [ExpandTerm], hold: RowHold? = nil, holds: [TableID: RowHold] = [:],
        expanded: ExpandedTables = ExpandedTables()
    ) {
        let expansions = items.compactMap { item -> IngestExpansion? in
            guard let path = item.path.propertyNames?.joined(separator: "/"),
                let navigation = table.navigation(path: path)
            else { return nil }
            let selected: Set<String>? =
                item.options.select.isEmpty || item.options.selectsAll
                ? nil
                : Set(
                    item.options.select.compactMap { $0.path.propertyNames?.joined(separator: "/") }
                )
            var plan = IngestPlan(
                table: mapping[navigation.target], mapping: mapping, selection: selected,
                expanding: item.options.expand, hold: holds[navigation.target], holds: holds,
                expanded: expanded)
            if selected != nil { plan.keepsETags = false }
            plan.marksReferences = plan.hasMoreThanKeys
            return IngestExpansion(
                navigation: navigation, plan: plan,
                ownsRows: expanded.contains(navigation.target),
                tellsRows: plan.hold != nil
                    && SourceExpansions.tells(
                        navigation, from: table, selection, to: mapping[navigation.target],
                        selected)
            )
        }
        self.init(
            table: table, graph: mapping.graph, selection: selection, expansions: expansions,
            hold: hold)
    }
}
