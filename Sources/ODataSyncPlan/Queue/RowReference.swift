/// A row of the local store: the table it lives in and its internal entity id, which never changes while the
/// entity is known (a key can change, for instance when the service assigns one to a local create).
package struct RowReference: Sendable, Hashable, Comparable {
    /// The name of the entity set, singleton or containment path that the table holds.
    package var table: String
    /// Positive for rows that came from the service, negative for rows created here.
    package var id: Int64

    package init(table: String, id: Int64) {
        self.table = table
        self.id = id
    }

    /// By the id alone, which nearly tells rows apart: a change asks dozens of sets of rows.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    package static func < (left: RowReference, right: RowReference) -> Bool {
        (left.table, left.id) < (right.table, right.id)
    }
}

/// One relation between two rows that no column carries, so that the store keeps it as a link of its own.
package struct LinkReference: Sendable, Hashable {
    package var source: RowReference
    /// The navigation property of the source.
    package var navigation: String
    package var target: RowReference

    package init(source: RowReference, navigation: String, target: RowReference) {
        self.source = source
        self.navigation = navigation
        self.target = target
    }
}
