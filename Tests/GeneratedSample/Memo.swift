// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Own.Memo`.
open class Memo: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldServiceMetadataParser.document.entityType(withName: "Own.Memo")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let text = Mutex(_owner.property(withName: "Text"))
        static let mood = Mutex(_owner.property(withName: "Mood"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldServiceMetadata.EntityTypes.memo, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [Memo] {
        ArrayConverter.convert(from.toArray(), [Memo]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> Memo {
        CastRequired<Memo>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: Memo {
        CastRequired<Memo>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(id: Int64?) -> EntityKey {
        EntityKey().with(name: "Id", value: LongValue.of(optional: id))
    }

    /// The property `Id` in metadata and queries.
    open class var keyID: Property {
        get { Kept.keyID.withLock { $0 } }
        set(value) { Kept.keyID.withLock { $0 = value } }
    }

    /// `Id`.
    open var keyID: Int64? {
        get { LongValue.optional(optionalValue(for: Memo.keyID)) }
        set(value) { setOptionalValue(for: Memo.keyID, to: LongValue.of(optional: value)) }
    }

    /// The property `Text` in metadata and queries.
    open class var text: Property {
        get { Kept.text.withLock { $0 } }
        set(value) { Kept.text.withLock { $0 = value } }
    }

    /// `Text`.
    open var text: String? {
        get { StringValue.optional(optionalValue(for: Memo.text)) }
        set(value) { setOptionalValue(for: Memo.text, to: StringValue.of(optional: value)) }
    }

    /// The property `Mood` in metadata and queries.
    open class var mood: Property {
        get { Kept.mood.withLock { $0 } }
        set(value) { Kept.mood.withLock { $0 = value } }
    }

    /// `Mood`.
    open var mood: Mood? {
        get { MoodConvert.fromOptionalEnumValue(optionalValue(for: Memo.mood)) }
        set(value) { setOptionalValue(for: Memo.mood, to: MoodConvert.toOptionalEnumValue(value)) }
    }

}
