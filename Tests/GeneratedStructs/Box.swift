// odata-generate: Depot. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// The complex type `D.Box`.
public nonisolated struct Box: ComplexValue {
    /// `Label`.
    public var label: String
    /// `Width`.
    public var width: ExactDecimal?
    /// `Fits`.
    public var fits: Kind

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        label = try row.value("Label")
        width = try row.value("Width")
        fits = try row.value("Fits")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
        values.set("Label", label)
        values.set("Width", width)
        values.set("Fits", fits)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `Label`.
        public var label: Field<String> { path.field("Label") }
        /// `Width`.
        public var width: Field<ExactDecimal?> { path.field("Width") }
        /// `Fits`.
        public var fits: Field<Kind> { path.field("Fits") }
    }

    /// A value with these parts.
    public init(
        label: String,
        fits: Kind,
        width: ExactDecimal? = nil
    ) {
        self.label = label
        self.width = width
        self.fits = fits
    }
}
