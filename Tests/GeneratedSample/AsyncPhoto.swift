// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.Photo`.
open class AsyncPhoto: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldSyncMetadataParser.document.entityType(withName: "FieldService.Photo")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let workOrderID = Mutex(_owner.property(withName: "WorkOrderId"))
        static let caption = Mutex(_owner.property(withName: "Caption"))
        static let contentType = Mutex(_owner.property(withName: "ContentType"))
        static let content = Mutex(_owner.property(withName: "Content"))
        static let byteCount = Mutex(_owner.property(withName: "ByteCount"))
        static let takenAt = Mutex(_owner.property(withName: "TakenAt"))
        static let workOrder = Mutex(_owner.property(withName: "WorkOrder"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldSyncMetadata.EntityTypes.photo, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [AsyncPhoto] {
        ArrayConverter.convert(from.toArray(), [AsyncPhoto]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> AsyncPhoto {
        CastRequired<AsyncPhoto>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: AsyncPhoto {
        CastRequired<AsyncPhoto>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(id: GuidValue?) -> EntityKey {
        EntityKey().with(name: "Id", value: id)
    }

    /// The property `Id` in metadata and queries.
    open class var keyID: Property {
        get { Kept.keyID.withLock { $0 } }
        set(value) { Kept.keyID.withLock { $0 = value } }
    }

    /// `Id`.
    open var keyID: GuidValue? {
        get { GuidValue.castOptional(optionalValue(for: AsyncPhoto.keyID)) }
        set(value) { setOptionalValue(for: AsyncPhoto.keyID, to: value) }
    }

    /// The property `WorkOrderId` in metadata and queries.
    open class var workOrderID: Property {
        get { Kept.workOrderID.withLock { $0 } }
        set(value) { Kept.workOrderID.withLock { $0 = value } }
    }

    /// `WorkOrderId`.
    open var workOrderID: Int64? {
        get { LongValue.optional(optionalValue(for: AsyncPhoto.workOrderID)) }
        set(value) { setOptionalValue(for: AsyncPhoto.workOrderID, to: LongValue.of(optional: value)) }
    }

    /// The property `Caption` in metadata and queries.
    open class var caption: Property {
        get { Kept.caption.withLock { $0 } }
        set(value) { Kept.caption.withLock { $0 = value } }
    }

    /// `Caption`.
    open var caption: String? {
        get { StringValue.optional(optionalValue(for: AsyncPhoto.caption)) }
        set(value) { setOptionalValue(for: AsyncPhoto.caption, to: StringValue.of(optional: value)) }
    }

    /// The property `ContentType` in metadata and queries.
    open class var contentType: Property {
        get { Kept.contentType.withLock { $0 } }
        set(value) { Kept.contentType.withLock { $0 = value } }
    }

    /// `ContentType`.
    open var contentType: String? {
        get { StringValue.optional(optionalValue(for: AsyncPhoto.contentType)) }
        set(value) { setOptionalValue(for: AsyncPhoto.contentType, to: StringValue.of(optional: value)) }
    }

    /// The property `Content` in metadata and queries.
    open class var content: Property {
        get { Kept.content.withLock { $0 } }
        set(value) { Kept.content.withLock { $0 = value } }
    }

    /// `Content`.
    open var content: Data? {
        get { BinaryValue.optional(optionalValue(for: AsyncPhoto.content)) }
        set(value) { setOptionalValue(for: AsyncPhoto.content, to: BinaryValue.of(optional: value)) }
    }

    /// The property `ByteCount` in metadata and queries.
    open class var byteCount: Property {
        get { Kept.byteCount.withLock { $0 } }
        set(value) { Kept.byteCount.withLock { $0 = value } }
    }

    /// `ByteCount`.
    open var byteCount: Int64? {
        get { LongValue.optional(optionalValue(for: AsyncPhoto.byteCount)) }
        set(value) { setOptionalValue(for: AsyncPhoto.byteCount, to: LongValue.of(optional: value)) }
    }

    /// The property `TakenAt` in metadata and queries.
    open class var takenAt: Property {
        get { Kept.takenAt.withLock { $0 } }
        set(value) { Kept.takenAt.withLock { $0 = value } }
    }

    /// `TakenAt`.
    open var takenAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: AsyncPhoto.takenAt)) }
        set(value) { setOptionalValue(for: AsyncPhoto.takenAt, to: value) }
    }

    /// The property `WorkOrder` in metadata and queries.
    open class var workOrder: Property {
        get { Kept.workOrder.withLock { $0 } }
        set(value) { Kept.workOrder.withLock { $0 = value } }
    }

    /// `WorkOrder`.
    open var workOrder: AsyncWorkOrder? {
        get { CastOptional<AsyncWorkOrder>.from(optionalValue(for: AsyncPhoto.workOrder)) }
        set(value) { setOptionalValue(for: AsyncPhoto.workOrder, to: value) }
    }

}
