// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `Shelves`, of type `D.Shelf`.
public nonisolated struct Shelf: Entity {
    /// Where it is.
    public static let entitySet = "Shelves"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<Shelf>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// `Id`.
    public let id: Int
    /// `Path`.
    public var path: String?
    /// `Row`.
    public var row_: String?
    /// `Parts`.
    public let parts: Links<Part>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        id = try row.value("Id")
        path = try row.value("Path")
        row_ = try row.value("Row")
        parts = try row.links("Parts")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
        values.set("Path", path)
        values.set("Row", row_)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let _path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self._path = path }
        /// `Id`.
        public var id: Field<Int> { _path.field("Id") }
        /// `Path`.
        public var path: Field<String?> { _path.field("Path") }
        /// `Row`.
        public var row_: Field<String?> { _path.field("Row") }
        /// `Parts`.
        public var parts: ToMany<Part> { _path.toMany("Parts") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = Shelf
        /// `Id`.
        public var id: Int?
        /// `Path`.
        public var path: String?
        /// `Row`.
        public var row_: String?

        /// What is left out is left to the service.
        public init(
            id: Int? = nil,
            path: String? = nil,
            row_: String? = nil
        ) {
            self.id = id
            self.path = path
            self.row_ = row_
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
            values.set("Id", ifPresent: id)
            values.set("Path", ifPresent: path)
            values.set("Row", ifPresent: row_)
        }
    }
}
