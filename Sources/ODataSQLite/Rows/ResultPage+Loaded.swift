import ODataQuery
import ODataSQL

extension ResultPage {
    /// The table of which the result has a row whose key alone is known, as `Customers`; nil where it has none. Those that it
    /// expands do not count (see ``leavingOut(_:)``).
    ///
    /// References say no more than keys, so that these rows belong to them.
    package var placeOfKeyOnlyRow: String? {
        switch plan.result {
        case .count, .references: return nil
        case .entities, .entity, .property, .media: break
        }
        guard plan.namesRows, chunks.contains(where: \.hasKeyOnlyRow) else { return nil }
        return query.layout.table.path
    }
}

extension SQLiteRowChunk {
    /// True when the key is all that is known of a row.
    var hasKeyOnlyRow: Bool {
        var isFound = false
        forEachState(in: .keyOnly) { _, _ in isFound = true }
        return isFound
    }
}
