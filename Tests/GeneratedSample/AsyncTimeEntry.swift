// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.TimeEntry`.
open class AsyncTimeEntry: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldSyncMetadataParser.document.entityType(withName: "FieldService.TimeEntry")
        static let workOrderID = Mutex(_owner.property(withName: "WorkOrderId"))
        static let position = Mutex(_owner.property(withName: "Position"))
        static let technician = Mutex(_owner.property(withName: "Technician"))
        static let startedAt = Mutex(_owner.property(withName: "StartedAt"))
        static let duration = Mutex(_owner.property(withName: "Duration"))
        static let hours = Mutex(_owner.property(withName: "Hours"))
        static let isOvertime = Mutex(_owner.property(withName: "IsOvertime"))
        static let note = Mutex(_owner.property(withName: "Note"))
        static let workOrder = Mutex(_owner.property(withName: "WorkOrder"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldSyncMetadata.EntityTypes.timeEntry, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [AsyncTimeEntry] {
        ArrayConverter.convert(from.toArray(), [AsyncTimeEntry]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> AsyncTimeEntry {
        CastRequired<AsyncTimeEntry>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: AsyncTimeEntry {
        CastRequired<AsyncTimeEntry>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(workOrderID: Int64?, position: Int?) -> EntityKey {
        EntityKey().with(name: "WorkOrderId", value: LongValue.of(optional: workOrderID)).with(name: "Position", value: IntValue.of(optional: position))
    }

    /// The property `WorkOrderId` in metadata and queries.
    open class var workOrderID: Property {
        get { Kept.workOrderID.withLock { $0 } }
        set(value) { Kept.workOrderID.withLock { $0 = value } }
    }

    /// `WorkOrderId`.
    open var workOrderID: Int64? {
        get { LongValue.optional(optionalValue(for: AsyncTimeEntry.workOrderID)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.workOrderID, to: LongValue.of(optional: value)) }
    }

    /// The property `Position` in metadata and queries.
    open class var position: Property {
        get { Kept.position.withLock { $0 } }
        set(value) { Kept.position.withLock { $0 = value } }
    }

    /// `Position`.
    open var position: Int? {
        get { IntValue.optional(optionalValue(for: AsyncTimeEntry.position)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.position, to: IntValue.of(optional: value)) }
    }

    /// The property `Technician` in metadata and queries.
    open class var technician: Property {
        get { Kept.technician.withLock { $0 } }
        set(value) { Kept.technician.withLock { $0 = value } }
    }

    /// `Technician`.
    open var technician: String? {
        get { StringValue.optional(optionalValue(for: AsyncTimeEntry.technician)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.technician, to: StringValue.of(optional: value)) }
    }

    /// The property `StartedAt` in metadata and queries.
    open class var startedAt: Property {
        get { Kept.startedAt.withLock { $0 } }
        set(value) { Kept.startedAt.withLock { $0 = value } }
    }

    /// `StartedAt`.
    open var startedAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: AsyncTimeEntry.startedAt)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.startedAt, to: value) }
    }

    /// The property `Duration` in metadata and queries.
    open class var duration: Property {
        get { Kept.duration.withLock { $0 } }
        set(value) { Kept.duration.withLock { $0 = value } }
    }

    /// `Duration`.
    open var duration: DayTimeDuration? {
        get { DayTimeDuration.castOptional(optionalValue(for: AsyncTimeEntry.duration)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.duration, to: value) }
    }

    /// The property `Hours` in metadata and queries.
    open class var hours: Property {
        get { Kept.hours.withLock { $0 } }
        set(value) { Kept.hours.withLock { $0 = value } }
    }

    /// `Hours`.
    open var hours: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: AsyncTimeEntry.hours)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.hours, to: DecimalValue.of(optional: value)) }
    }

    /// The property `IsOvertime` in metadata and queries.
    open class var isOvertime: Property {
        get { Kept.isOvertime.withLock { $0 } }
        set(value) { Kept.isOvertime.withLock { $0 = value } }
    }

    /// `IsOvertime`.
    open var isOvertime: Bool? {
        get { BooleanValue.optional(optionalValue(for: AsyncTimeEntry.isOvertime)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.isOvertime, to: BooleanValue.of(optional: value)) }
    }

    /// The property `Note` in metadata and queries.
    open class var note: Property {
        get { Kept.note.withLock { $0 } }
        set(value) { Kept.note.withLock { $0 = value } }
    }

    /// `Note`.
    open var note: String? {
        get { StringValue.optional(optionalValue(for: AsyncTimeEntry.note)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.note, to: StringValue.of(optional: value)) }
    }

    /// The property `WorkOrder` in metadata and queries.
    open class var workOrder: Property {
        get { Kept.workOrder.withLock { $0 } }
        set(value) { Kept.workOrder.withLock { $0 = value } }
    }

    /// `WorkOrder`.
    open var workOrder: AsyncWorkOrder? {
        get { CastOptional<AsyncWorkOrder>.from(optionalValue(for: AsyncTimeEntry.workOrder)) }
        set(value) { setOptionalValue(for: AsyncTimeEntry.workOrder, to: value) }
    }

}
