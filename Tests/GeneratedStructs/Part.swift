// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `Parts`, of type `D.Part`.
public nonisolated struct Part: Entity, Identifiable {
    /// Where it is.
    public static let entitySet = "Parts"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<Part>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// Its `ref`.
    public var id: Ref<Part> { ref }
    /// `Code`.
    public let code: String
    /// `Name`: What people call it
    public var name: String
    /// `Kind`.
    public var kind: Kind
    /// `Rights`.
    public var rights: Rights
    /// `Box`.
    public var box: Box?
    /// `Spares`.
    public var spares: [Box]
    /// `Words`.
    public var words: [String]
    /// `Count`.
    public var count: Int
    /// `Origin`.
    public let origin: String?
    /// `ChangedAt`.
    public let changedAt: OffsetDateTime?
    /// `Stock`.
    public let stock: Int?
    /// `ShelfId`.
    public var shelfID: Int
    /// `Shelf`.
    public var shelf: Link<Shelf>

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
    public func write(to values: inout Values) {
        values.set("Name", name)
        values.set("Kind", kind)
        values.set("Rights", rights)
        values.set("Box", box)
        values.set("Spares", spares)
        values.set("Words", words)
        values.set("Count", count)
        values.set("ShelfId", shelfID)
        values.set("Shelf", shelf)
    }

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
        public var changedAt: Field<OffsetDateTime?> { path.field("ChangedAt") }
        /// `Stock`.
        public var stock: Field<Int?> { path.field("Stock") }
        /// `ShelfId`.
        public var shelfID: Field<Int> { path.field("ShelfId") }
        /// `Shelf`.
        public var shelf: ToOne<Shelf> { path.toOne("Shelf") }
        /// What `Machine` adds.
        public var machine: Machine.Fields { path.derived("D.Machine") }
        /// Whether it is a `Machine`.
        public var isMachine: Condition { path.isOf("D.Machine") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = Part
        /// `Code`.
        public var code: String
        /// `Name`: What people call it
        public var name: String
        /// `Kind`.
        public var kind: Kind
        /// `Rights`.
        public var rights: Rights
        /// `Box`.
        public var box: Box?
        /// `Spares`.
        public var spares: [Box]
        /// `Words`.
        public var words: [String]
        /// `Count`.
        public var count: Int
        /// `Origin`.
        public var origin: String?
        /// `ShelfId`.
        public var shelfID: Int?
        /// `Shelf`.
        public var shelf: Ref<Shelf>?

        /// With links to what it belongs to.
        public init(
            code: String,
            name: String,
            kind: Kind,
            rights: Rights,
            shelf: Ref<Shelf>,
            box: Box? = nil,
            spares: [Box] = [],
            words: [String] = [],
            count: Int = 1,
            origin: String? = nil
        ) {
            self.code = code
            self.name = name
            self.kind = kind
            self.rights = rights
            self.box = box
            self.spares = spares
            self.words = words
            self.count = count
            self.origin = origin
            self.shelf = shelf
        }

        /// With the keys of what it belongs to.
        public init(
            code: String,
            name: String,
            kind: Kind,
            rights: Rights,
            shelfID: Int,
            box: Box? = nil,
            spares: [Box] = [],
            words: [String] = [],
            count: Int = 1,
            origin: String? = nil
        ) {
            self.code = code
            self.name = name
            self.kind = kind
            self.rights = rights
            self.box = box
            self.spares = spares
            self.words = words
            self.count = count
            self.origin = origin
            self.shelfID = shelfID
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
            values.set("Code", code)
            values.set("Name", name)
            values.set("Kind", kind)
            values.set("Rights", rights)
            values.set("Box", ifPresent: box)
            values.set("Spares", spares)
            values.set("Words", words)
            values.set("Count", count)
            values.set("Origin", ifPresent: origin)
            values.set("ShelfId", ifPresent: shelfID)
            if let shelf { values.set("Shelf", Link(to: shelf)) }
        }
    }
}
