// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `OldParts`, of type `D.Part`.
public nonisolated struct OldParts: Entity, Identifiable {
    // No draft, the service creates no entities of the set.
    /// Where it is.
    public static let entitySet = "OldParts"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<OldParts>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// Its `ref`.
    public var id: Ref<OldParts> { ref }
    /// `Code`.
    public let code: String
    /// `Name`: What people call it
    public let name: String
    /// `Kind`.
    public let kind: Kind
    /// `Rights`.
    public let rights: Rights
    /// `Box`.
    public let box: Box?
    /// `Spares`.
    public let spares: [Box]
    /// `Words`.
    public let words: [String]
    /// `Count`.
    public let count: Int
    /// `Origin`.
    public let origin: String?
    /// `ChangedAt`.
    public let changedAt: OffsetDateTime
    /// `Stock`.
    public let stock: Int
    /// `ShelfId`.
    public let shelfID: Int
    /// `Shelf`.
    public let shelf: Link<Shelf>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        code = try row.value("Code")
        name = try row.value("Name")
        kind = try row.value("Kind")
        rights = try row.value("Rights")
        box = try row.value("Box")
        spares = try row.value("Spares")
        words = try row.value("Words")
        count = try row.value("Count")
        origin = try row.value("Origin")
        changedAt = try row.value("ChangedAt")
        stock = try row.value("Stock")
        shelfID = try row.value("ShelfId")
        shelf = try row.link("Shelf")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {}

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `Code`.
        public var code: Field<String> { path.field("Code") }
        /// `Name`.
        public var name: Field<String> { path.field("Name") }
        /// `Kind`.
        public var kind: Field<Kind> { path.field("Kind") }
        /// `Rights`.
        public var rights: Field<Rights> { path.field("Rights") }
        /// `Box`.
        public var box: Box.Fields { path.complex("Box") }
        /// `Spares`.
        public var spares: Field<[Box]> { path.field("Spares") }
        /// `Words`.
        public var words: Field<[String]> { path.field("Words") }
        /// `Count`.
        public var count: Field<Int> { path.field("Count") }
        /// `Origin`.
        public var origin: Field<String?> { path.field("Origin") }
        /// `ChangedAt`.
        public var changedAt: Field<OffsetDateTime> { path.field("ChangedAt") }
        /// `Stock`.
        public var stock: Field<Int> { path.field("Stock") }
        /// `ShelfId`.
        public var shelfID: Field<Int> { path.field("ShelfId") }
        /// `Shelf`.
        public var shelf: ToOne<Shelf> { path.toOne("Shelf") }
        /// What `OldPartsMachine` adds.
        public var machine: OldPartsMachine.Fields { path.derived("D.Machine") }
        /// Whether it is a `OldPartsMachine`.
        public var isMachine: Condition { path.isOf("D.Machine") }
    }
}
