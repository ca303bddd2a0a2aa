// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Ws.Tool`.
open class WsTool: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = WorkshopMetadataParser.document.entityType(withName: "Ws.Tool")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let title = Mutex(_owner.property(withName: "Title"))
        static let price = Mutex(_owner.property(withName: "Price"))
        static let size = Mutex(_owner.property(withName: "Size"))
        static let ownerID = Mutex(_owner.property(withName: "OwnerId"))
        static let manual = Mutex(_owner.property(withName: "Manual"))
        static let owner = Mutex(_owner.property(withName: "Owner"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: WorkshopMetadata.EntityTypes.tool, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [WsTool] {
        ArrayConverter.convert(from.toArray(), [WsTool]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> WsTool {
        CastRequired<WsTool>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: WsTool {
        CastRequired<WsTool>.from(oldEntity)
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
        get { IntValue.optional(optionalValue(for: WsTool.keyID)) }
        set(value) { setOptionalValue(for: WsTool.keyID, to: IntValue.of(optional: value)) }
    }

    /// The property `Title` in metadata and queries.
    open class var title: Property {
        get { Kept.title.withLock { $0 } }
        set(value) { Kept.title.withLock { $0 = value } }
    }

    /// `Title`.
    open var title: String? {
        get { StringValue.optional(optionalValue(for: WsTool.title)) }
        set(value) { setOptionalValue(for: WsTool.title, to: StringValue.of(optional: value)) }
    }

    /// The property `Price` in metadata and queries.
    open class var price: Property {
        get { Kept.price.withLock { $0 } }
        set(value) { Kept.price.withLock { $0 = value } }
    }

    /// `Price`.
    open var price: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: WsTool.price)) }
        set(value) { setOptionalValue(for: WsTool.price, to: DecimalValue.of(optional: value)) }
    }

    /// The property `Size` in metadata and queries.
    open class var size: Property {
        get { Kept.size.withLock { $0 } }
        set(value) { Kept.size.withLock { $0 = value } }
    }

    /// `Size`.
    open var size: WsSize? {
        get { CastOptional<WsSize>.from(optionalValue(for: WsTool.size)) }
        set(value) { setOptionalValue(for: WsTool.size, to: value) }
    }

    /// The property `OwnerId` in metadata and queries.
    open class var ownerID: Property {
        get { Kept.ownerID.withLock { $0 } }
        set(value) { Kept.ownerID.withLock { $0 = value } }
    }

    /// `OwnerId`.
    open var ownerID: Int? {
        get { IntValue.optional(optionalValue(for: WsTool.ownerID)) }
        set(value) { setOptionalValue(for: WsTool.ownerID, to: IntValue.of(optional: value)) }
    }

    /// The property `Manual` in metadata and queries.
    open class var manual: Property {
        get { Kept.manual.withLock { $0 } }
        set(value) { Kept.manual.withLock { $0 = value } }
    }

    /// `Manual`.
    open var manual: StreamLink {
        WsTool.manual.streamLink(from: self)
    }

    /// The property `Owner` in metadata and queries.
    open class var owner: Property {
        get { Kept.owner.withLock { $0 } }
        set(value) { Kept.owner.withLock { $0 = value } }
    }

    /// `Owner`.
    open var owner: WsMember? {
        get { CastOptional<WsMember>.from(optionalValue(for: WsTool.owner)) }
        set(value) { setOptionalValue(for: WsTool.owner, to: value) }
    }

}
