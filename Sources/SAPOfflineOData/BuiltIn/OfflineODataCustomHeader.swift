import ODataClasses
import ODataModel

/// A header field that an app gave a request.
open class OfflineODataCustomHeader: EntityValue, @unchecked Sendable {
    // Confined as its base class says.

    /// Creates an entry without values.
    public override init(withDefaults: Bool = true, type: EntityType? = nil) {
        super.init(
            withDefaults: withDefaults, type: type ?? OfflineODataMetadata.EntityTypes.customHeader)
    }

    /// Reads the encoded form; see `StructureBase`.
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    /// The number of the field in its request, from 1 on.
    public static var headerID: Property { property("HeaderID") }
    /// The name of the field.
    public static var name: Property { property("Name") }
    /// The value of the field.
    public static var value: Property { property("Value") }

    private static func property(_ name: String) -> Property {
        OfflineODataMetadata.EntityTypes.customHeader.property(withName: name)
    }

    /// The number of the field in its request, from 1 on.
    open var headerID: Int { Int(builtInNumber("HeaderID") ?? 0) }

    /// The name of the field.
    open var name: String { builtInText("Name") ?? "" }

    /// The value of the field.
    open var value: String { builtInText("Value") ?? "" }

    /// The key of the field with this number.
    open class func key(headerID: Int) -> EntityKey {
        EntityKey().with(name: "HeaderID", value: LongValue.of(Int64(headerID)))
    }
}
