// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.WorkOrder`.
open class AsyncWorkOrder: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldSyncMetadataParser.document.entityType(withName: "FieldService.WorkOrder")
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
        super.init(withDefaults: withDefaults, type: FieldSyncMetadata.EntityTypes.workOrder, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [AsyncWorkOrder] {
        ArrayConverter.convert(from.toArray(), [AsyncWorkOrder]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> AsyncWorkOrder {
        CastRequired<AsyncWorkOrder>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: AsyncWorkOrder {
        CastRequired<AsyncWorkOrder>.from(oldEntity)
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
        get { LongValue.optional(optionalValue(for: AsyncWorkOrder.keyID)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.keyID, to: LongValue.of(optional: value)) }
    }

    /// The property `SiteId` in metadata and queries.
    open class var siteID: Property {
        get { Kept.siteID.withLock { $0 } }
        set(value) { Kept.siteID.withLock { $0 = value } }
    }

    /// `SiteId`.
    open var siteID: Int64? {
        get { LongValue.optional(optionalValue(for: AsyncWorkOrder.siteID)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.siteID, to: LongValue.of(optional: value)) }
    }

    /// The property `EquipmentSerialNumber` in metadata and queries.
    open class var equipmentSerialNumber: Property {
        get { Kept.equipmentSerialNumber.withLock { $0 } }
        set(value) { Kept.equipmentSerialNumber.withLock { $0 = value } }
    }

    /// `EquipmentSerialNumber`.
    open var equipmentSerialNumber: String? {
        get { StringValue.optional(optionalValue(for: AsyncWorkOrder.equipmentSerialNumber)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.equipmentSerialNumber, to: StringValue.of(optional: value)) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: String? {
        get { StringValue.optional(optionalValue(for: AsyncWorkOrder.number)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.number, to: StringValue.of(optional: value)) }
    }

    /// The property `Title` in metadata and queries.
    open class var title: Property {
        get { Kept.title.withLock { $0 } }
        set(value) { Kept.title.withLock { $0 = value } }
    }

    /// `Title`.
    open var title: String? {
        get { StringValue.optional(optionalValue(for: AsyncWorkOrder.title)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.title, to: StringValue.of(optional: value)) }
    }

    /// The property `Description` in metadata and queries.
    open class var description: Property {
        get { Kept.description.withLock { $0 } }
        set(value) { Kept.description.withLock { $0 = value } }
    }

    /// `Description`.
    open var description: String? {
        get { StringValue.optional(optionalValue(for: AsyncWorkOrder.description)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.description, to: StringValue.of(optional: value)) }
    }

    /// The property `Priority` in metadata and queries.
    open class var priority: Property {
        get { Kept.priority.withLock { $0 } }
        set(value) { Kept.priority.withLock { $0 = value } }
    }

    /// `Priority`.
    open var priority: Int? {
        get { IntValue.optional(optionalValue(for: AsyncWorkOrder.priority)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.priority, to: IntValue.of(optional: value)) }
    }

    /// The property `Status` in metadata and queries.
    open class var status: Property {
        get { Kept.status.withLock { $0 } }
        set(value) { Kept.status.withLock { $0 = value } }
    }

    /// `Status`.
    open var status: String? {
        get { StringValue.optional(optionalValue(for: AsyncWorkOrder.status)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.status, to: StringValue.of(optional: value)) }
    }

    /// The property `CreatedAt` in metadata and queries.
    open class var createdAt: Property {
        get { Kept.createdAt.withLock { $0 } }
        set(value) { Kept.createdAt.withLock { $0 = value } }
    }

    /// `CreatedAt`.
    open var createdAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: AsyncWorkOrder.createdAt)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.createdAt, to: value) }
    }

    /// The property `ScheduledAt` in metadata and queries.
    open class var scheduledAt: Property {
        get { Kept.scheduledAt.withLock { $0 } }
        set(value) { Kept.scheduledAt.withLock { $0 = value } }
    }

    /// `ScheduledAt`.
    open var scheduledAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: AsyncWorkOrder.scheduledAt)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.scheduledAt, to: value) }
    }

    /// The property `CompletedOn` in metadata and queries.
    open class var completedOn: Property {
        get { Kept.completedOn.withLock { $0 } }
        set(value) { Kept.completedOn.withLock { $0 = value } }
    }

    /// `CompletedOn`.
    open var completedOn: LocalDate? {
        get { LocalDate.castOptional(optionalValue(for: AsyncWorkOrder.completedOn)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.completedOn, to: value) }
    }

    /// The property `EstimatedDuration` in metadata and queries.
    open class var estimatedDuration: Property {
        get { Kept.estimatedDuration.withLock { $0 } }
        set(value) { Kept.estimatedDuration.withLock { $0 = value } }
    }

    /// `EstimatedDuration`.
    open var estimatedDuration: DayTimeDuration? {
        get { DayTimeDuration.castOptional(optionalValue(for: AsyncWorkOrder.estimatedDuration)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.estimatedDuration, to: value) }
    }

    /// The property `Cost` in metadata and queries.
    open class var cost: Property {
        get { Kept.cost.withLock { $0 } }
        set(value) { Kept.cost.withLock { $0 = value } }
    }

    /// `Cost`.
    open var cost: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: AsyncWorkOrder.cost)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.cost, to: DecimalValue.of(optional: value)) }
    }

    /// The property `IsBillable` in metadata and queries.
    open class var isBillable: Property {
        get { Kept.isBillable.withLock { $0 } }
        set(value) { Kept.isBillable.withLock { $0 = value } }
    }

    /// `IsBillable`.
    open var isBillable: Bool? {
        get { BooleanValue.optional(optionalValue(for: AsyncWorkOrder.isBillable)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.isBillable, to: BooleanValue.of(optional: value)) }
    }

    /// The property `AssignedTo` in metadata and queries.
    open class var assignedTo: Property {
        get { Kept.assignedTo.withLock { $0 } }
        set(value) { Kept.assignedTo.withLock { $0 = value } }
    }

    /// `AssignedTo`.
    open var assignedTo: String? {
        get { StringValue.optional(optionalValue(for: AsyncWorkOrder.assignedTo)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.assignedTo, to: StringValue.of(optional: value)) }
    }

    /// The property `Photos` in metadata and queries.
    open class var photos: Property {
        get { Kept.photos.withLock { $0 } }
        set(value) { Kept.photos.withLock { $0 = value } }
    }

    /// `Photos`.
    open var photos: [AsyncPhoto] {
        get { AsyncPhoto.array(from: AsyncWorkOrder.photos.entityList(from: self)) }
        set(value) { AsyncWorkOrder.photos.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

    /// The property `TimeEntries` in metadata and queries.
    open class var timeEntries: Property {
        get { Kept.timeEntries.withLock { $0 } }
        set(value) { Kept.timeEntries.withLock { $0 = value } }
    }

    /// `TimeEntries`.
    open var timeEntries: [AsyncTimeEntry] {
        get { AsyncTimeEntry.array(from: AsyncWorkOrder.timeEntries.entityList(from: self)) }
        set(value) { AsyncWorkOrder.timeEntries.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

    /// The property `Site` in metadata and queries.
    open class var site: Property {
        get { Kept.site.withLock { $0 } }
        set(value) { Kept.site.withLock { $0 = value } }
    }

    /// `Site`.
    open var site: AsyncSite? {
        get { CastOptional<AsyncSite>.from(optionalValue(for: AsyncWorkOrder.site)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.site, to: value) }
    }

    /// The property `Equipment` in metadata and queries.
    open class var equipment: Property {
        get { Kept.equipment.withLock { $0 } }
        set(value) { Kept.equipment.withLock { $0 = value } }
    }

    /// `Equipment`.
    open var equipment: AsyncEquipmentItem? {
        get { CastOptional<AsyncEquipmentItem>.from(optionalValue(for: AsyncWorkOrder.equipment)) }
        set(value) { setOptionalValue(for: AsyncWorkOrder.equipment, to: value) }
    }

}
