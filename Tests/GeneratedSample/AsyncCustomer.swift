// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.Customer`.
open class AsyncCustomer: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldSyncMetadataParser.document.entityType(withName: "FieldService.Customer")
        static let keyID = Mutex(_owner.property(withName: "Id"))
        static let number = Mutex(_owner.property(withName: "Number"))
        static let name = Mutex(_owner.property(withName: "Name"))
        static let email = Mutex(_owner.property(withName: "Email"))
        static let phone = Mutex(_owner.property(withName: "Phone"))
        static let industry = Mutex(_owner.property(withName: "Industry"))
        static let creditLimit = Mutex(_owner.property(withName: "CreditLimit"))
        static let rating = Mutex(_owner.property(withName: "Rating"))
        static let isActive = Mutex(_owner.property(withName: "IsActive"))
        static let customerSince = Mutex(_owner.property(withName: "CustomerSince"))
        static let modifiedAt = Mutex(_owner.property(withName: "ModifiedAt"))
        static let notes = Mutex(_owner.property(withName: "Notes"))
        static let sites = Mutex(_owner.property(withName: "Sites"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: FieldSyncMetadata.EntityTypes.customer, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [AsyncCustomer] {
        ArrayConverter.convert(from.toArray(), [AsyncCustomer]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> AsyncCustomer {
        CastRequired<AsyncCustomer>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: AsyncCustomer {
        CastRequired<AsyncCustomer>.from(oldEntity)
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
        get { GuidValue.castOptional(optionalValue(for: AsyncCustomer.keyID)) }
        set(value) { setOptionalValue(for: AsyncCustomer.keyID, to: value) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: String? {
        get { StringValue.optional(optionalValue(for: AsyncCustomer.number)) }
        set(value) { setOptionalValue(for: AsyncCustomer.number, to: StringValue.of(optional: value)) }
    }

    /// The property `Name` in metadata and queries.
    open class var name: Property {
        get { Kept.name.withLock { $0 } }
        set(value) { Kept.name.withLock { $0 = value } }
    }

    /// `Name`.
    open var name: String? {
        get { StringValue.optional(optionalValue(for: AsyncCustomer.name)) }
        set(value) { setOptionalValue(for: AsyncCustomer.name, to: StringValue.of(optional: value)) }
    }

    /// The property `Email` in metadata and queries.
    open class var email: Property {
        get { Kept.email.withLock { $0 } }
        set(value) { Kept.email.withLock { $0 = value } }
    }

    /// `Email`.
    open var email: String? {
        get { StringValue.optional(optionalValue(for: AsyncCustomer.email)) }
        set(value) { setOptionalValue(for: AsyncCustomer.email, to: StringValue.of(optional: value)) }
    }

    /// The property `Phone` in metadata and queries.
    open class var phone: Property {
        get { Kept.phone.withLock { $0 } }
        set(value) { Kept.phone.withLock { $0 = value } }
    }

    /// `Phone`.
    open var phone: String? {
        get { StringValue.optional(optionalValue(for: AsyncCustomer.phone)) }
        set(value) { setOptionalValue(for: AsyncCustomer.phone, to: StringValue.of(optional: value)) }
    }

    /// The property `Industry` in metadata and queries.
    open class var industry: Property {
        get { Kept.industry.withLock { $0 } }
        set(value) { Kept.industry.withLock { $0 = value } }
    }

    /// `Industry`.
    open var industry: String? {
        get { StringValue.optional(optionalValue(for: AsyncCustomer.industry)) }
        set(value) { setOptionalValue(for: AsyncCustomer.industry, to: StringValue.of(optional: value)) }
    }

    /// The property `CreditLimit` in metadata and queries.
    open class var creditLimit: Property {
        get { Kept.creditLimit.withLock { $0 } }
        set(value) { Kept.creditLimit.withLock { $0 = value } }
    }

    /// `CreditLimit`.
    open var creditLimit: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: AsyncCustomer.creditLimit)) }
        set(value) { setOptionalValue(for: AsyncCustomer.creditLimit, to: DecimalValue.of(optional: value)) }
    }

    /// The property `Rating` in metadata and queries.
    open class var rating: Property {
        get { Kept.rating.withLock { $0 } }
        set(value) { Kept.rating.withLock { $0 = value } }
    }

    /// `Rating`.
    open var rating: Double? {
        get { DoubleValue.optional(optionalValue(for: AsyncCustomer.rating)) }
        set(value) { setOptionalValue(for: AsyncCustomer.rating, to: DoubleValue.of(optional: value)) }
    }

    /// The property `IsActive` in metadata and queries.
    open class var isActive: Property {
        get { Kept.isActive.withLock { $0 } }
        set(value) { Kept.isActive.withLock { $0 = value } }
    }

    /// `IsActive`.
    open var isActive: Bool? {
        get { BooleanValue.optional(optionalValue(for: AsyncCustomer.isActive)) }
        set(value) { setOptionalValue(for: AsyncCustomer.isActive, to: BooleanValue.of(optional: value)) }
    }

    /// The property `CustomerSince` in metadata and queries.
    open class var customerSince: Property {
        get { Kept.customerSince.withLock { $0 } }
        set(value) { Kept.customerSince.withLock { $0 = value } }
    }

    /// `CustomerSince`.
    open var customerSince: LocalDate? {
        get { LocalDate.castOptional(optionalValue(for: AsyncCustomer.customerSince)) }
        set(value) { setOptionalValue(for: AsyncCustomer.customerSince, to: value) }
    }

    /// The property `ModifiedAt` in metadata and queries.
    open class var modifiedAt: Property {
        get { Kept.modifiedAt.withLock { $0 } }
        set(value) { Kept.modifiedAt.withLock { $0 = value } }
    }

    /// `ModifiedAt`.
    open var modifiedAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: AsyncCustomer.modifiedAt)) }
        set(value) { setOptionalValue(for: AsyncCustomer.modifiedAt, to: value) }
    }

    /// The property `Notes` in metadata and queries.
    open class var notes: Property {
        get { Kept.notes.withLock { $0 } }
        set(value) { Kept.notes.withLock { $0 = value } }
    }

    /// `Notes`.
    open var notes: String? {
        get { StringValue.optional(optionalValue(for: AsyncCustomer.notes)) }
        set(value) { setOptionalValue(for: AsyncCustomer.notes, to: StringValue.of(optional: value)) }
    }

    /// The property `Sites` in metadata and queries.
    open class var sites: Property {
        get { Kept.sites.withLock { $0 } }
        set(value) { Kept.sites.withLock { $0 = value } }
    }

    /// `Sites`.
    open var sites: [AsyncSite] {
        get { AsyncSite.array(from: AsyncCustomer.sites.entityList(from: self)) }
        set(value) { AsyncCustomer.sites.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
