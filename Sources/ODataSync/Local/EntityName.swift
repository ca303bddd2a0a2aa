import ODataModel
import ODataSyncPlan

/// How a caller names an entity of the store.
package struct EntityName: Sendable {
    /// What names it.
    package enum Place: Sendable {
        /// It was read from the store, or created in it.
        case row(RowReference)
        /// Found by its read or edit link, and by its key where it has none or the link leads nowhere.
        case named(set: String, link: String?, key: [Scalar?])
        /// It is to be created in this set, and nothing names it yet.
        case new(set: String)
        /// Its set is not known; the qualified name of its type, for the error.
        case outside(type: String)
    }

    /// Tells the entities of one call apart: the same for the same entity.
    package let object: ObjectIdentifier
    package let place: Place

    package init(_ object: ObjectIdentifier, _ place: Place) {
        self.object = object
        self.place = place
    }
}
