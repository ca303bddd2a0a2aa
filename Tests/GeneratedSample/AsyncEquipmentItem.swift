// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.EquipmentItem`.
open class AsyncEquipmentItem: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldSyncMetadataParser.document.entityType(withName: "FieldService.EquipmentItem")
        static let serialNumber = Mutex(_owner.property(withName: "SerialNumber"))
        static let siteID = Mutex(_owner.property(withName: "SiteId"))
        static let parentSerialNumber = Mutex(_owner.property(withName: "ParentSerialNumber"))
        static let model = Mutex(_owner.property(withName: "Model"))
        static let manufacturer = Mutex(_owner.property(withName: "Manufacturer"))
        static let status = Mutex(_owner.property(withName: "Status"))
        static let installedOn = Mutex(_owner.property(withName: "InstalledOn"))
        static let warrantyUntil = Mutex(_owner.property(withName: "WarrantyUntil"))
        static let price = Mutex(_owner.property(withName: "Price"))
        static let operatingSeconds = Mutex(_owner.property(withName: "OperatingSeconds"))
        static let serviceInterval = Mutex(_owner.property(withName: "ServiceInterval"))
        static let site = Mutex(_owner.property(withName: "Site"))
        static let parent = Mutex(_owner.property(withName: "Parent"))
        static let equipmentParent = Mutex(_owner.property(withName: "Equipment_Parent"))
        static let workOrders = Mutex(_owner.property(withName: "WorkOrders"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldSyncMetadata.EntityTypes.equipmentItem, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [AsyncEquipmentItem] {
        ArrayConverter.convert(from.toArray(), [AsyncEquipmentItem]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> AsyncEquipmentItem {
        CastRequired<AsyncEquipmentItem>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: AsyncEquipmentItem {
        CastRequired<AsyncEquipmentItem>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(serialNumber: String?) -> EntityKey {
        EntityKey().with(name: "SerialNumber", value: StringValue.of(optional: serialNumber))
    }

    /// The property `SerialNumber` in metadata and queries.
    open class var serialNumber: Property {
        get { Kept.serialNumber.withLock { $0 } }
        set(value) { Kept.serialNumber.withLock { $0 = value } }
    }

    /// `SerialNumber`.
    open var serialNumber: String? {
        get { StringValue.optional(optionalValue(for: AsyncEquipmentItem.serialNumber)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.serialNumber, to: StringValue.of(optional: value)) }
    }

    /// The property `SiteId` in metadata and queries.
    open class var siteID: Property {
        get { Kept.siteID.withLock { $0 } }
        set(value) { Kept.siteID.withLock { $0 = value } }
    }

    /// `SiteId`.
    open var siteID: Int64? {
        get { LongValue.optional(optionalValue(for: AsyncEquipmentItem.siteID)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.siteID, to: LongValue.of(optional: value)) }
    }

    /// The property `ParentSerialNumber` in metadata and queries.
    open class var parentSerialNumber: Property {
        get { Kept.parentSerialNumber.withLock { $0 } }
        set(value) { Kept.parentSerialNumber.withLock { $0 = value } }
    }

    /// `ParentSerialNumber`.
    open var parentSerialNumber: String? {
        get { StringValue.optional(optionalValue(for: AsyncEquipmentItem.parentSerialNumber)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.parentSerialNumber, to: StringValue.of(optional: value)) }
    }

    /// The property `Model` in metadata and queries.
    open class var model: Property {
        get { Kept.model.withLock { $0 } }
        set(value) { Kept.model.withLock { $0 = value } }
    }

    /// `Model`.
    open var model: String? {
        get { StringValue.optional(optionalValue(for: AsyncEquipmentItem.model)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.model, to: StringValue.of(optional: value)) }
    }

    /// The property `Manufacturer` in metadata and queries.
    open class var manufacturer: Property {
        get { Kept.manufacturer.withLock { $0 } }
        set(value) { Kept.manufacturer.withLock { $0 = value } }
    }

    /// `Manufacturer`.
    open var manufacturer: String? {
        get { StringValue.optional(optionalValue(for: AsyncEquipmentItem.manufacturer)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.manufacturer, to: StringValue.of(optional: value)) }
    }

    /// The property `Status` in metadata and queries.
    open class var status: Property {
        get { Kept.status.withLock { $0 } }
        set(value) { Kept.status.withLock { $0 = value } }
    }

    /// `Status`.
    open var status: String? {
        get { StringValue.optional(optionalValue(for: AsyncEquipmentItem.status)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.status, to: StringValue.of(optional: value)) }
    }

    /// The property `InstalledOn` in metadata and queries.
    open class var installedOn: Property {
        get { Kept.installedOn.withLock { $0 } }
        set(value) { Kept.installedOn.withLock { $0 = value } }
    }

    /// `InstalledOn`.
    open var installedOn: LocalDate? {
        get { LocalDate.castOptional(optionalValue(for: AsyncEquipmentItem.installedOn)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.installedOn, to: value) }
    }

    /// The property `WarrantyUntil` in metadata and queries.
    open class var warrantyUntil: Property {
        get { Kept.warrantyUntil.withLock { $0 } }
        set(value) { Kept.warrantyUntil.withLock { $0 = value } }
    }

    /// `WarrantyUntil`.
    open var warrantyUntil: LocalDate? {
        get { LocalDate.castOptional(optionalValue(for: AsyncEquipmentItem.warrantyUntil)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.warrantyUntil, to: value) }
    }

    /// The property `Price` in metadata and queries.
    open class var price: Property {
        get { Kept.price.withLock { $0 } }
        set(value) { Kept.price.withLock { $0 = value } }
    }

    /// `Price`.
    open var price: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: AsyncEquipmentItem.price)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.price, to: DecimalValue.of(optional: value)) }
    }

    /// The property `OperatingSeconds` in metadata and queries.
    open class var operatingSeconds: Property {
        get { Kept.operatingSeconds.withLock { $0 } }
        set(value) { Kept.operatingSeconds.withLock { $0 = value } }
    }

    /// `OperatingSeconds`.
    open var operatingSeconds: Int64? {
        get { LongValue.optional(optionalValue(for: AsyncEquipmentItem.operatingSeconds)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.operatingSeconds, to: LongValue.of(optional: value)) }
    }

    /// The property `ServiceInterval` in metadata and queries.
    open class var serviceInterval: Property {
        get { Kept.serviceInterval.withLock { $0 } }
        set(value) { Kept.serviceInterval.withLock { $0 = value } }
    }

    /// `ServiceInterval`.
    open var serviceInterval: DayTimeDuration? {
        get { DayTimeDuration.castOptional(optionalValue(for: AsyncEquipmentItem.serviceInterval)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.serviceInterval, to: value) }
    }

    /// The property `Site` in metadata and queries.
    open class var site: Property {
        get { Kept.site.withLock { $0 } }
        set(value) { Kept.site.withLock { $0 = value } }
    }

    /// `Site`.
    open var site: AsyncSite? {
        get { CastOptional<AsyncSite>.from(optionalValue(for: AsyncEquipmentItem.site)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.site, to: value) }
    }

    /// The property `Parent` in metadata and queries.
    open class var parent: Property {
        get { Kept.parent.withLock { $0 } }
        set(value) { Kept.parent.withLock { $0 = value } }
    }

    /// `Parent`.
    open var parent: AsyncEquipmentItem? {
        get { CastOptional<AsyncEquipmentItem>.from(optionalValue(for: AsyncEquipmentItem.parent)) }
        set(value) { setOptionalValue(for: AsyncEquipmentItem.parent, to: value) }
    }

    /// The property `Equipment_Parent` in metadata and queries.
    open class var equipmentParent: Property {
        get { Kept.equipmentParent.withLock { $0 } }
        set(value) { Kept.equipmentParent.withLock { $0 = value } }
    }

    /// `Equipment_Parent`.
    open var equipmentParent: [AsyncEquipmentItem] {
        get { AsyncEquipmentItem.array(from: AsyncEquipmentItem.equipmentParent.entityList(from: self)) }
        set(value) { AsyncEquipmentItem.equipmentParent.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

    /// The property `WorkOrders` in metadata and queries.
    open class var workOrders: Property {
        get { Kept.workOrders.withLock { $0 } }
        set(value) { Kept.workOrders.withLock { $0 = value } }
    }

    /// `WorkOrders`.
    open var workOrders: [AsyncWorkOrder] {
        get { AsyncWorkOrder.array(from: AsyncEquipmentItem.workOrders.entityList(from: self)) }
        set(value) { AsyncEquipmentItem.workOrders.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
