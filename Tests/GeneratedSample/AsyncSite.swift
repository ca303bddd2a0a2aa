// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.Site`.
open class AsyncSite: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldSyncMetadataParser.document.entityType(withName: "FieldService.Site")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let customerID = Mutex(_owner.property(withName: "CustomerId"))
        static let name = Mutex(_owner.property(withName: "Name"))
        static let street = Mutex(_owner.property(withName: "Street"))
        static let city = Mutex(_owner.property(withName: "City"))
        static let postalCode = Mutex(_owner.property(withName: "PostalCode"))
        static let country = Mutex(_owner.property(withName: "Country"))
        static let latitude = Mutex(_owner.property(withName: "Latitude"))
        static let longitude = Mutex(_owner.property(withName: "Longitude"))
        static let opensAt = Mutex(_owner.property(withName: "OpensAt"))
        static let hasParking = Mutex(_owner.property(withName: "HasParking"))
        static let equipment = Mutex(_owner.property(withName: "Equipment"))
        static let customer = Mutex(_owner.property(withName: "Customer"))
        static let workOrders = Mutex(_owner.property(withName: "WorkOrders"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldSyncMetadata.EntityTypes.site, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [AsyncSite] {
        ArrayConverter.convert(from.toArray(), [AsyncSite]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> AsyncSite {
        CastRequired<AsyncSite>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: AsyncSite {
        CastRequired<AsyncSite>.from(oldEntity)
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
        get { LongValue.optional(optionalValue(for: AsyncSite.keyID)) }
        set(value) { setOptionalValue(for: AsyncSite.keyID, to: LongValue.of(optional: value)) }
    }

    /// The property `CustomerId` in metadata and queries.
    open class var customerID: Property {
        get { Kept.customerID.withLock { $0 } }
        set(value) { Kept.customerID.withLock { $0 = value } }
    }

    /// `CustomerId`.
    open var customerID: GuidValue? {
        get { GuidValue.castOptional(optionalValue(for: AsyncSite.customerID)) }
        set(value) { setOptionalValue(for: AsyncSite.customerID, to: value) }
    }

    /// The property `Name` in metadata and queries.
    open class var name: Property {
        get { Kept.name.withLock { $0 } }
        set(value) { Kept.name.withLock { $0 = value } }
    }

    /// `Name`.
    open var name: String? {
        get { StringValue.optional(optionalValue(for: AsyncSite.name)) }
        set(value) { setOptionalValue(for: AsyncSite.name, to: StringValue.of(optional: value)) }
    }

    /// The property `Street` in metadata and queries.
    open class var street: Property {
        get { Kept.street.withLock { $0 } }
        set(value) { Kept.street.withLock { $0 = value } }
    }

    /// `Street`.
    open var street: String? {
        get { StringValue.optional(optionalValue(for: AsyncSite.street)) }
        set(value) { setOptionalValue(for: AsyncSite.street, to: StringValue.of(optional: value)) }
    }

    /// The property `City` in metadata and queries.
    open class var city: Property {
        get { Kept.city.withLock { $0 } }
        set(value) { Kept.city.withLock { $0 = value } }
    }

    /// `City`.
    open var city: String? {
        get { StringValue.optional(optionalValue(for: AsyncSite.city)) }
        set(value) { setOptionalValue(for: AsyncSite.city, to: StringValue.of(optional: value)) }
    }

    /// The property `PostalCode` in metadata and queries.
    open class var postalCode: Property {
        get { Kept.postalCode.withLock { $0 } }
        set(value) { Kept.postalCode.withLock { $0 = value } }
    }

    /// `PostalCode`.
    open var postalCode: String? {
        get { StringValue.optional(optionalValue(for: AsyncSite.postalCode)) }
        set(value) { setOptionalValue(for: AsyncSite.postalCode, to: StringValue.of(optional: value)) }
    }

    /// The property `Country` in metadata and queries.
    open class var country: Property {
        get { Kept.country.withLock { $0 } }
        set(value) { Kept.country.withLock { $0 = value } }
    }

    /// `Country`.
    open var country: String? {
        get { StringValue.optional(optionalValue(for: AsyncSite.country)) }
        set(value) { setOptionalValue(for: AsyncSite.country, to: StringValue.of(optional: value)) }
    }

    /// The property `Latitude` in metadata and queries.
    open class var latitude: Property {
        get { Kept.latitude.withLock { $0 } }
        set(value) { Kept.latitude.withLock { $0 = value } }
    }

    /// `Latitude`.
    open var latitude: Double? {
        get { DoubleValue.optional(optionalValue(for: AsyncSite.latitude)) }
        set(value) { setOptionalValue(for: AsyncSite.latitude, to: DoubleValue.of(optional: value)) }
    }

    /// The property `Longitude` in metadata and queries.
    open class var longitude: Property {
        get { Kept.longitude.withLock { $0 } }
        set(value) { Kept.longitude.withLock { $0 = value } }
    }

    /// `Longitude`.
    open var longitude: Double? {
        get { DoubleValue.optional(optionalValue(for: AsyncSite.longitude)) }
        set(value) { setOptionalValue(for: AsyncSite.longitude, to: DoubleValue.of(optional: value)) }
    }

    /// The property `OpensAt` in metadata and queries.
    open class var opensAt: Property {
        get { Kept.opensAt.withLock { $0 } }
        set(value) { Kept.opensAt.withLock { $0 = value } }
    }

    /// `OpensAt`.
    open var opensAt: LocalTime? {
        get { LocalTime.castOptional(optionalValue(for: AsyncSite.opensAt)) }
        set(value) { setOptionalValue(for: AsyncSite.opensAt, to: value) }
    }

    /// The property `HasParking` in metadata and queries.
    open class var hasParking: Property {
        get { Kept.hasParking.withLock { $0 } }
        set(value) { Kept.hasParking.withLock { $0 = value } }
    }

    /// `HasParking`.
    open var hasParking: Bool? {
        get { BooleanValue.optional(optionalValue(for: AsyncSite.hasParking)) }
        set(value) { setOptionalValue(for: AsyncSite.hasParking, to: BooleanValue.of(optional: value)) }
    }

    /// The property `Equipment` in metadata and queries.
    open class var equipment: Property {
        get { Kept.equipment.withLock { $0 } }
        set(value) { Kept.equipment.withLock { $0 = value } }
    }

    /// `Equipment`.
    open var equipment: [AsyncEquipmentItem] {
        get { AsyncEquipmentItem.array(from: AsyncSite.equipment.entityList(from: self)) }
        set(value) { AsyncSite.equipment.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

    /// The property `Customer` in metadata and queries.
    open class var customer: Property {
        get { Kept.customer.withLock { $0 } }
        set(value) { Kept.customer.withLock { $0 = value } }
    }

    /// `Customer`.
    open var customer: AsyncCustomer? {
        get { CastOptional<AsyncCustomer>.from(optionalValue(for: AsyncSite.customer)) }
        set(value) { setOptionalValue(for: AsyncSite.customer, to: value) }
    }

    /// The property `WorkOrders` in metadata and queries.
    open class var workOrders: Property {
        get { Kept.workOrders.withLock { $0 } }
        set(value) { Kept.workOrders.withLock { $0 = value } }
    }

    /// `WorkOrders`.
    open var workOrders: [AsyncWorkOrder] {
        get { AsyncWorkOrder.array(from: AsyncSite.workOrders.entityList(from: self)) }
        set(value) { AsyncSite.workOrders.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
