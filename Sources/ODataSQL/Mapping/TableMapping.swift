import ODataModel

/// A table of entities: the columns of their properties, our own columns and the ways to other tables.
package struct TableMapping: Sendable, Hashable {
    package var id: TableID
    /// The table's or view's name, unquoted.
    package var name: String
    /// The entity set or singleton, or a path of containment such as `Orders/Items`.
    package var path: String
    /// The entity set or singleton the path starts with.
    package var entitySet: EntitySetID
    /// The table of the containing entities; nil for a set or singleton.
    package var parent: TableID?
    /// The declared entity type; rows may be of types derived from it.
    package var structure: StructureID
    /// Columns in the order of the table's definition.
    package var columns: [ColumnMapping]
    /// Positions in ``columns`` of the key properties, in key order.
    package var keyColumns: [Int]
    package var navigations: [NavigationMapping] = []
    package var system: SystemColumns
    /// A stored type of the table has a media stream.
    package var hasStream = false
    /// What SQLite calls the row ids of a table of an existing database; nil where it has none.
    package var rowID: String?
    /// False for views of an existing database.
    package var isWritable = true

    package init(
        id: TableID, name: String, path: String, entitySet: EntitySetID, parent: TableID? = nil,
        structure: StructureID, columns: [ColumnMapping], keyColumns: [Int],
        system: SystemColumns
    ) {
        self.id = id
        self.name = name
        self.path = path
        self.entitySet = entitySet
        self.parent = parent
        self.structure = structure
        self.columns = columns
        self.keyColumns = keyColumns
        self.system = system
    }

    /// The columns of the key properties, in key order.
    package var keys: [ColumnMapping] { keyColumns.map { columns[$0] } }

    /// The columns that the unique key index covers: the parent for contained rows, then the key.
    package var uniqueColumns: [String] {
        [system.parent].compactMap { $0 } + keys.map(\.comparedColumn)
    }

    /// The column of a property path of the declared type or a derived type; nil when there is none.
    package func column(path: String) -> ColumnMapping? { columns.first { $0.path == path } }

    /// The column of a slot path counted in `owner`; nil when the slots have no column of their own.
    package func column(slots: [Int], owner: StructureID) -> ColumnMapping? {
        columns.first { $0.slots == slots && $0.owner == owner }
    }

    /// The navigation property with this path; nil when its links are not stored.
    package func navigation(path: String) -> NavigationMapping? {
        navigations.first { $0.path == path }
    }

    /// The columns that identify a row inside the database: the internal id, or else the key.
    package var identityColumns: [String] { system.id.map { [$0] } ?? keys.map(\.name) }
}

/// The names of our own columns; nil where the table has no such column.
package struct SystemColumns: Sendable, Hashable {
    /// INTEGER PRIMARY KEY: the internal id that links, base images and bitmaps use.
    package var id: String?
    package var etag: String?
    /// Bits of the download queries that bring the row; 0 while only one source is possible.
    package var sources: String?
    /// ``EntityState``.
    package var state: String?
    /// Qualified name of the row's type; null means the declared type.
    package var type: String?
    /// The id of the containing row.
    package var parent: String?
    /// Dynamic properties of open types as one JSON object.
    package var dynamic: String?
    /// Links and media facts that do not follow the conventions, as one JSON object; mostly null.
    package var control: String?

    package init() {}

    /// The columns of a local store's table.
    package static func local(hasTypes: Bool, isContained: Bool, isOpen: Bool) -> SystemColumns {
        var columns = SystemColumns()
        columns.id = "_odata_id"
        columns.etag = "_odata_etag"
        columns.sources = "_odata_sources"
        columns.state = "_odata_state"
        columns.control = "_odata_control"
        columns.type = hasTypes ? "_odata_type" : nil
        columns.parent = isContained ? "_odata_parent" : nil
        columns.dynamic = isOpen ? "_odata_dynamic" : nil
        return columns
    }
}
