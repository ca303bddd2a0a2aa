// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.WorkOrder`.
open class WorkOrder: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldServiceMetadataParser.document.entityType(withName: "FieldService.WorkOrder")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let siteID = Mutex(_owner.property(withName: "SiteId"))
        static let equipmentSerialNumber = Mutex(_owner.property(withName: "EquipmentSerialNumber"))
        static let number = Mutex(_owner.property(withName: "Number"))
        static let title = Mutex(_owner.property(withName: "Title"))
        static let description = Mutex(_owner.property(withName: "Description"))
        static let priority = Mutex(_owner.property(withName: "Priority"))
        static let status = Mutex(_owner.property(withName: "Status"))
        static let createdAt = Mutex(_owner.property(withName: "CreatedAt"))
        static let scheduledAt = Mutex(_owner.property(withName: "ScheduledAt"))
        static let completedOn = Mutex(_owner.property(withName: "CompletedOn"))
        static let estimatedDuration = Mutex(_owner.property(withName: "EstimatedDuration"))
        static let cost = Mutex(_owner.property(withName: "Cost"))
        static let isBillable = Mutex(_owner.property(withName: "IsBillable"))
        static let assignedTo = Mutex(_owner.property(withName: "AssignedTo"))
        static let photos = Mutex(_owner.property(withName: "Photos"))
        static let timeEntries = Mutex(_owner.property(withName: "TimeEntries"))
        static let site = Mutex(_owner.property(withName: "Site"))
        static let equipment = Mutex(_owner.property(withName: "Equipment"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldServiceMetadata.EntityTypes.workOrder, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [WorkOrder] {
        ArrayConverter.convert(from.toArray(), [WorkOrder]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> WorkOrder {
        CastRequired<WorkOrder>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: WorkOrder {
        CastRequired<WorkOrder>.from(oldEntity)
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
        get { LongValue.optional(optionalValue(for: WorkOrder.keyID)) }
        set(value) { setOptionalValue(for: WorkOrder.keyID, to: LongValue.of(optional: value)) }
    }

    /// The property `SiteId` in metadata and queries.
    open class var siteID: Property {
        get { Kept.siteID.withLock { $0 } }
        set(value) { Kept.siteID.withLock { $0 = value } }
    }

    /// `SiteId`.
    open var siteID: Int64? {
        get { LongValue.optional(optionalValue(for: WorkOrder.siteID)) }
        set(value) { setOptionalValue(for: WorkOrder.siteID, to: LongValue.of(optional: value)) }
    }

    /// The property `EquipmentSerialNumber` in metadata and queries.
    open class var equipmentSerialNumber: Property {
        get { Kept.equipmentSerialNumber.withLock { $0 } }
        set(value) { Kept.equipmentSerialNumber.withLock { $0 = value } }
    }

    /// `EquipmentSerialNumber`.
    open var equipmentSerialNumber: String? {
        get { StringValue.optional(optionalValue(for: WorkOrder.equipmentSerialNumber)) }
        set(value) { setOptionalValue(for: WorkOrder.equipmentSerialNumber, to: StringValue.of(optional: value)) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: String? {
        get { StringValue.optional(optionalValue(for: WorkOrder.number)) }
        set(value) { setOptionalValue(for: WorkOrder.number, to: StringValue.of(optional: value)) }
    }

    /// The property `Title` in metadata and queries.
    open class var title: Property {
        get { Kept.title.withLock { $0 } }
        set(value) { Kept.title.withLock { $0 = value } }
    }

    /// `Title`.
    open var title: String? {
        get { StringValue.optional(optionalValue(for: WorkOrder.title)) }
        set(value) { setOptionalValue(for: WorkOrder.title, to: StringValue.of(optional: value)) }
    }

    /// The property `Description` in metadata and queries.
    open class var description: Property {
        get { Kept.description.withLock { $0 } }
        set(value) { Kept.description.withLock { $0 = value } }
    }

    /// `Description`.
    open var description: String? {
        get { StringValue.optional(optionalValue(for: WorkOrder.description)) }
        set(value) { setOptionalValue(for: WorkOrder.description, to: StringValue.of(optional: value)) }
    }

    /// The property `Priority` in metadata and queries.
    open class var priority: Property {
        get { Kept.priority.withLock { $0 } }
        set(value) { Kept.priority.withLock { $0 = value } }
    }

    /// `Priority`.
    open var priority: Int? {
        get { IntValue.optional(optionalValue(for: WorkOrder.priority)) }
        set(value) { setOptionalValue(for: WorkOrder.priority, to: IntValue.of(optional: value)) }
    }

    /// The property `Status` in metadata and queries.
    open class var status: Property {
        get { Kept.status.withLock { $0 } }
        set(value) { Kept.status.withLock { $0 = value } }
    }

    /// `Status`.
    open var status: String? {
        get { StringValue.optional(optionalValue(for: WorkOrder.status)) }
        set(value) { setOptionalValue(for: WorkOrder.status, to: StringValue.of(optional: value)) }
    }

    /// The property `CreatedAt` in metadata and queries.
    open class var createdAt: Property {
        get { Kept.createdAt.withLock { $0 } }
        set(value) { Kept.createdAt.withLock { $0 = value } }
    }

    /// `CreatedAt`.
    open var createdAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: WorkOrder.createdAt)) }
        set(value) { setOptionalValue(for: WorkOrder.createdAt, to: value) }
    }

    /// The property `ScheduledAt` in metadata and queries.
    open class var scheduledAt: Property {
        get { Kept.scheduledAt.withLock { $0 } }
        set(value) { Kept.scheduledAt.withLock { $0 = value } }
    }

    /// `ScheduledAt`.
    open var scheduledAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: WorkOrder.scheduledAt)) }
        set(value) { setOptionalValue(for: WorkOrder.scheduledAt, to: value) }
    }

    /// The property `CompletedOn` in metadata and queries.
    open class var completedOn: Property {
        get { Kept.completedOn.withLock { $0 } }
        set(value) { Kept.completedOn.withLock { $0 = value } }
    }

    /// `CompletedOn`.
    open var completedOn: LocalDate? {
        get { LocalDate.castOptional(optionalValue(for: WorkOrder.completedOn)) }
        set(value) { setOptionalValue(for: WorkOrder.completedOn, to: value) }
    }

    /// The property `EstimatedDuration` in metadata and queries.
    open class var estimatedDuration: Property {
        get { Kept.estimatedDuration.withLock { $0 } }
        set(value) { Kept.estimatedDuration.withLock { $0 = value } }
    }

    /// `EstimatedDuration`.
    open var estimatedDuration: DayTimeDuration? {
        get { DayTimeDuration.castOptional(optionalValue(for: WorkOrder.estimatedDuration)) }
        set(value) { setOptionalValue(for: WorkOrder.estimatedDuration, to: value) }
    }

    /// The property `Cost` in metadata and queries.
    open class var cost: Property {
        get { Kept.cost.withLock { $0 } }
        set(value) { Kept.cost.withLock { $0 = value } }
    }

    /// `Cost`.
    open var cost: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: WorkOrder.cost)) }
        set(value) { setOptionalValue(for: WorkOrder.cost, to: DecimalValue.of(optional: value)) }
    }

    /// The property `IsBillable` in metadata and queries.
    open class var isBillable: Property {
        get { Kept.isBillable.withLock { $0 } }
        set(value) { Kept.isBillable.withLock { $0 = value } }
    }

    /// `IsBillable`.
    open var isBillable: Bool? {
        get { BooleanValue.optional(optionalValue(for: WorkOrder.isBillable)) }
        set(value) { setOptionalValue(for: WorkOrder.isBillable, to: BooleanValue.of(optional: value)) }
    }

    /// The property `AssignedTo` in metadata and queries.
    open class var assignedTo: Property {
        get { Kept.assignedTo.withLock { $0 } }
        set(value) { Kept.assignedTo.withLock { $0 = value } }
    }

    /// `AssignedTo`.
    open var assignedTo: String? {
        get { StringValue.optional(optionalValue(for: WorkOrder.assignedTo)) }
        set(value) { setOptionalValue(for: WorkOrder.assignedTo, to: StringValue.of(optional: value)) }
    }

    /// The property `Photos` in metadata and queries.
    open class var photos: Property {
        get { Kept.photos.withLock { $0 } }
        set(value) { Kept.photos.withLock { $0 = value } }
    }

    /// `Photos`.
    open var photos: [Photo] {
        get { Photo.array(from: WorkOrder.photos.entityList(from: self)) }
        set(value) { WorkOrder.photos.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

    /// The property `TimeEntries` in metadata and queries.
    open class var timeEntries: Property {
        get { Kept.timeEntries.withLock { $0 } }
        set(value) { Kept.timeEntries.withLock { $0 = value } }
    }

    /// `TimeEntries`.
    open var timeEntries: [TimeEntry] {
        get { TimeEntry.array(from: WorkOrder.timeEntries.entityList(from: self)) }
        set(value) { WorkOrder.timeEntries.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

    /// The property `Site` in metadata and queries.
    open class var site: Property {
        get { Kept.site.withLock { $0 } }
        set(value) { Kept.site.withLock { $0 = value } }
    }

    /// `Site`.
    open var site: Site? {
        get { CastOptional<Site>.from(optionalValue(for: WorkOrder.site)) }
        set(value) { setOptionalValue(for: WorkOrder.site, to: value) }
    }

    /// The property `Equipment` in metadata and queries.
    open class var equipment: Property {
        get { Kept.equipment.withLock { $0 } }
        set(value) { Kept.equipment.withLock { $0 = value } }
    }

    /// `Equipment`.
    open var equipment: EquipmentItem? {
        get { CastOptional<EquipmentItem>.from(optionalValue(for: WorkOrder.equipment)) }
        set(value) { setOptionalValue(for: WorkOrder.equipment, to: value) }
    }

}
