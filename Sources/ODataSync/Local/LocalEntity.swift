import ODataModel

/// An entity as a caller wants it stored: what creates and updates read of it.
package struct LocalEntity {
    /// A link to add or to remove with the next change of the entity.
    package struct Binding {
        package let navigation: String
        /// Nil when the link of a single-valued property is removed, whatever it leads to.
        package let target: EntityName?
        package let isBind: Bool

        package init(navigation: String, target: EntityName?, isBind: Bool) {
            self.navigation = navigation
            self.target = target
            self.isBind = isBind
        }
    }

    /// Entities that a navigation property holds and that are new or changed.
    package struct Relatives {
        package let navigation: PropertyDefinition
        package let entities: [LocalEntity]

        package init(navigation: PropertyDefinition, entities: [LocalEntity]) {
            self.navigation = navigation
            self.entities = entities
        }
    }

    package let name: EntityName
    /// Everything that is set; in an update of what changed only those dynamic properties that did, null for those that went.
    package let value: StructureValue
    /// The slots that an update writes, rising; none of navigation properties.
    package let changedSlots: [Int]
    package let bindings: [Binding]
    /// The entity in whose collection it is created, and the navigation property that holds the collection.
    package var parent: (entity: EntityName, navigation: String)?
    /// True for one that no store and no service has.
    package var isNew = false
    /// What goes along with an update; each entity once in a call.
    package var relatives: [Relatives] = []
    /// Makes a value of the store's model of one of the caller's, which may hold another version; nil where they are one.
    package var adopted: ((StructureValue) throws -> StructureValue)?

    package init(
        name: EntityName, value: StructureValue, changedSlots: [Int], bindings: [Binding]
    ) {
        self.name = name
        self.value = value
        self.changedSlots = changedSlots
        self.bindings = bindings
    }
}
