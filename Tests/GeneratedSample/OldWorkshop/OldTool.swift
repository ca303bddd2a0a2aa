// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Ws.Tool`.
open class OldTool: EntityValue, Identifiable, OldWorkshopStructure, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = OldWorkshopMetadataParser.document.entityType(withName: "Ws.Tool")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let title = Mutex(_owner.property(withName: "Title"))
        static let price = Mutex(_owner.property(withName: "Price"))
        static let size = Mutex(_owner.property(withName: "Size"))
        static let ownerID = Mutex(_owner.property(withName: "OwnerId"))
        static let owner = Mutex(_owner.property(withName: "Owner"))
        static let helpers = Mutex(_owner.property(withName: "Helpers"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: OldWorkshopMetadata.EntityTypes.tool, withIndexMap: withIndexMap)
    }

    /// For classes of derived types.
    public override init(withDefaults: Bool, type: EntityType?, withIndexMap: SparseIndexMap?) {
        super.init(withDefaults: withDefaults, type: type, withIndexMap: withIndexMap)
    }

    /// A copy that shares nothing with this one.
    open func copy() -> OldTool {
        CastRequired<OldTool>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: OldTool {
        CastRequired<OldTool>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(id: Int?) -> EntityKey {
        EntityKey().with(name: "Id", value: IntValue.of(optional: id))
    }

    /// The property `Id` in metadata and queries.
    open class var keyID: Property {
        get { Kept.keyID.withLock { $0 } }
        set(value) { Kept.keyID.withLock { $0 = value } }
    }

    /// `Id`.
    open var keyID: Int? {
        get { IntValue.optional(optionalValue(for: OldTool.keyID)) }
        set(value) { setOptionalValue(for: OldTool.keyID, to: IntValue.of(optional: value)) }
    }

    /// The property `Title` in metadata and queries.
    open class var title: Property {
        get { Kept.title.withLock { $0 } }
        set(value) { Kept.title.withLock { $0 = value } }
    }

    /// `Title`.
    open var title: String? {
        get { StringValue.optional(optionalValue(for: OldTool.title)) }
        set(value) { setOptionalValue(for: OldTool.title, to: StringValue.of(optional: value)) }
    }

    /// The property `Price` in metadata and queries.
    open class var price: Property {
        get { Kept.price.withLock { $0 } }
        set(value) { Kept.price.withLock { $0 = value } }
    }

    /// `Price`.
    open var price: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: OldTool.price)) }
        set(value) { setOptionalValue(for: OldTool.price, to: DecimalValue.of(optional: value)) }
    }

    /// The property `Size` in metadata and queries.
    open class var size: Property {
        get { Kept.size.withLock { $0 } }
        set(value) { Kept.size.withLock { $0 = value } }
    }

    /// `Size`.
    open var size: OldSize? {
        get { CastOptional<OldSize>.from(optionalValue(for: OldTool.size)) }
        set(value) { setOptionalValue(for: OldTool.size, to: value) }
    }

    /// The property `OwnerId` in metadata and queries.
    open class var ownerID: Property {
        get { Kept.ownerID.withLock { $0 } }
        set(value) { Kept.ownerID.withLock { $0 = value } }
    }

    /// `OwnerId`.
    open var ownerID: Int? {
        get { IntValue.optional(optionalValue(for: OldTool.ownerID)) }
        set(value) { setOptionalValue(for: OldTool.ownerID, to: IntValue.of(optional: value)) }
    }

    /// The property `Owner` in metadata and queries.
    open class var owner: Property {
        get { Kept.owner.withLock { $0 } }
        set(value) { Kept.owner.withLock { $0 = value } }
    }

    /// `Owner`.
    open var owner: OldMember? {
        get { CastOptional<OldMember>.from(optionalValue(for: OldTool.owner)) }
        set(value) { setOptionalValue(for: OldTool.owner, to: value) }
    }

    /// The property `Helpers` in metadata and queries.
    open class var helpers: Property {
        get { Kept.helpers.withLock { $0 } }
        set(value) { Kept.helpers.withLock { $0 = value } }
    }

    /// `Helpers`.
    open var helpers: [OldMember] {
        get { OldMember.array(from: OldTool.helpers.entityList(from: self)) }
        set(value) { OldTool.helpers.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
