import ODataSQL

/// An expanded collection of which a page brought only the beginning (JSON Format 4.01, section 8.3).
package struct OpenNavigation: Sendable, Hashable {
    /// The row that the related rows belong to.
    package var row: Int64
    /// The positions of the expansions that lead from the query's plan to the navigation property.
    package var path: [Int]
    package var navigation: NavigationMapping
    /// Where the rest is.
    package var nextLink: String
    /// The related rows that were named so far.
    package var related: [Int64] = []
    /// The payload tells changes of the collection, so that what it does not name stays.
    package var isDelta = false

    package init(row: Int64, path: [Int], navigation: NavigationMapping, nextLink: String) {
        self.row = row
        self.path = path
        self.navigation = navigation
        self.nextLink = nextLink
    }
}

extension IngestPlan {
    /// The expansion at a path of positions, and the table that has its navigation property.
    func expansion(at path: [Int]) -> (expansion: IngestExpansion, table: TableMapping)? {
        var plan = self
        var found: (IngestExpansion, TableMapping)?
        for index in path {
            guard plan.expansions.indices.contains(index) else { return nil }
            found = (plan.expansions[index], plan.table)
            plan = plan.expansions[index].plan
        }
        return found
    }
}
