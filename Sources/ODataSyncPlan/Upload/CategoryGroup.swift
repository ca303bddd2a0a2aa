import ODataText

/// Upload groups that stand for upload categories, apart from all names of groups that apps give.
package enum CategoryGroup {
    /// Before a name of the app's own.
    package static let named = "category:"
    /// Before the entity that the category is named by.
    package static let ofEntity = "category-of:"

    private static func isCategory(_ group: String?) -> Bool {
        guard let group else { return false }
        return group.hasPrefix(named) || group.hasPrefix(ofEntity)
    }

    /// A change set is sent as one, so that all of it is in one category or in none (offline reference, 8.4).
    ///
    /// - Parameters:
    ///   - group: that of the request that is being recorded.
    ///   - present: that of those which are in its change set already.
    /// - Throws: `usage` where they differ.
    package static func check(
        _ group: String?, against present: String?, at table: String
    ) throws(ODataError) {
        guard group != present, isCategory(group) || isCategory(present) else { return }
        throw ODataError(
            .usage,
            "Expected one upload category for all requests of a change set, found another one.",
            at: .path(table))
    }
}
