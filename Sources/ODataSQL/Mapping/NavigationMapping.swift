import ODataModel

/// Where a table stands in ``SchemaMapping/tables``.
package struct TableID: Sendable, Hashable {
    package let index: Int
    package init(_ index: Int) { self.index = index }
}

/// A navigation property of a table and the way its links are stored.
package struct NavigationMapping: Sendable, Hashable {
    /// Property names joined by `/`, as `Orders` or `Address/Country`.
    package var path: String
    /// The slot in the entity, then in each complex value on the way.
    package var slots: [Int]
    /// The entity type that the first slot counts in.
    package var owner: StructureID
    package var isCollection: Bool
    package var containsTarget: Bool
    package var target: TableID
    package var storage: NavigationStorage

    package init(
        path: String, slots: [Int], owner: StructureID, isCollection: Bool,
        containsTarget: Bool, target: TableID, storage: NavigationStorage
    ) {
        self.path = path
        self.slots = slots
        self.owner = owner
        self.isCollection = isCollection
        self.containsTarget = containsTarget
        self.target = target
        self.storage = storage
    }
}

/// How the links of a navigation property are stored.
package enum NavigationStorage: Sendable, Hashable {
    /// Rows are linked when every pair of columns is equal: a referential constraint read in either direction, or
    /// `_odata_parent` of contained and unbound rows.
    case columns([LinkedColumns])
    /// Pairs of internal ids in the link table at this index of ``SchemaMapping/linkTables``; `isReversed` when
    /// this navigation property is the target side.
    case linkTable(Int, isReversed: Bool)
}

/// One pair of equal columns.
package struct LinkedColumns: Sendable, Hashable {
    /// Column of the table that has the navigation property.
    package var source: String
    /// Column of the table it leads to.
    package var target: String

    package init(source: String, target: String) {
        self.source = source
        self.target = target
    }
}

/// A table `_odata_link_<table>_<navigation>` of pairs of internal ids.
package struct LinkTableMapping: Sendable, Hashable {
    package var name: String
    package var source: TableID
    package var target: TableID
    /// A source has at most one target (and the other way round).
    package var isToOne: Bool
    package var isInverseToOne: Bool
    package var sourceColumn = "source"
    package var targetColumn = "target"

    package init(
        name: String, source: TableID, target: TableID, isToOne: Bool, isInverseToOne: Bool
    ) {
        self.name = name
        self.source = source
        self.target = target
        self.isToOne = isToOne
        self.isInverseToOne = isInverseToOne
    }
}
