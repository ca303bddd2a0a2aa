// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Ws.Member`.
open class OldMember: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = OldWorkshopMetadataParser.document.entityType(withName: "Ws.Member")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let name = Mutex(_owner.property(withName: "Name"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: OldWorkshopMetadata.EntityTypes.member, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [OldMember] {
        ArrayConverter.convert(from.toArray(), [OldMember]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> OldMember {
        CastRequired<OldMember>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: OldMember {
        CastRequired<OldMember>.from(oldEntity)
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
        get { IntValue.optional(optionalValue(for: OldMember.keyID)) }
        set(value) { setOptionalValue(for: OldMember.keyID, to: IntValue.of(optional: value)) }
    }

    /// The property `Name` in metadata and queries.
    open class var name: Property {
        get { Kept.name.withLock { $0 } }
        set(value) { Kept.name.withLock { $0 = value } }
    }

    /// `Name`.
    open var name: String? {
        get { StringValue.optional(optionalValue(for: OldMember.name)) }
        set(value) { setOptionalValue(for: OldMember.name, to: StringValue.of(optional: value)) }
    }

}
