import ODataQuery
import ODataSQL

extension ResultPage {
    /// Where the result has a row of which nothing but the key is known, as `Orders/Customer`; nil where it has none.
    ///
    /// References say no more than keys, so that these rows belong to them.
    package var placeOfKeyOnlyRow: String? {
        let path = query.layout.table.path
        switch plan.result {
        case .count, .references: return nil
        case .entities, .entity, .property, .media: break
        }
        for chunk in chunks {
            if plan.namesRows, chunk.hasKeyOnlyRow { return path }
            if let place = chunk.placeOfKeyOnlyRow { return "\(path)/\(place)" }
        }
        return nil
    }
}

extension SQLiteRowChunk {
    fileprivate var hasKeyOnlyRow: Bool {
        var isFound = false
        forEachState(in: .keyOnly) { _, _ in isFound = true }
        return isFound
    }

    /// The expansion that leads to such a row.
    fileprivate var placeOfKeyOnlyRow: String? {
        for expansion in expanded
        where expansion.plan.kind == .entities && !expansion.plan.isDerived {
            guard let rows = expansion.rows else { continue }
            let path = expansion.plan.navigation.path
            if rows.hasKeyOnlyRow { return path }
            if let place = rows.placeOfKeyOnlyRow { return "\(path)/\(place)" }
        }
        return nil
    }
}
