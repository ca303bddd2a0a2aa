// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `FieldService.Customer`.
open class Customer: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = FieldServiceMetadataParser.document.entityType(withName: "FieldService.Customer")
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
        super.init(withDefaults: withDefaults, type: FieldServiceMetadata.EntityTypes.customer, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [Customer] {
        ArrayConverter.convert(from.toArray(), [Customer]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> Customer {
        CastRequired<Customer>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: Customer {
        CastRequired<Customer>.from(oldEntity)
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
        get { GuidValue.castOptional(optionalValue(for: Customer.keyID)) }
        set(value) { setOptionalValue(for: Customer.keyID, to: value) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: String? {
        get { StringValue.optional(optionalValue(for: Customer.number)) }
        set(value) { setOptionalValue(for: Customer.number, to: StringValue.of(optional: value)) }
    }

    /// The property `Name` in metadata and queries.
    open class var name: Property {
        get { Kept.name.withLock { $0 } }
        set(value) { Kept.name.withLock { $0 = value } }
    }

    /// `Name`.
    open var name: String? {
        get { StringValue.optional(optionalValue(for: Customer.name)) }
        set(value) { setOptionalValue(for: Customer.name, to: StringValue.of(optional: value)) }
    }

    /// The property `Email` in metadata and queries.
    open class var email: Property {
        get { Kept.email.withLock { $0 } }
        set(value) { Kept.email.withLock { $0 = value } }
    }

    /// `Email`.
    open var email: String? {
        get { StringValue.optional(optionalValue(for: Customer.email)) }
        set(value) { setOptionalValue(for: Customer.email, to: StringValue.of(optional: value)) }
    }

    /// The property `Phone` in metadata and queries.
    open class var phone: Property {
        get { Kept.phone.withLock { $0 } }
        set(value) { Kept.phone.withLock { $0 = value } }
    }

    /// `Phone`.
    open var phone: String? {
        get { StringValue.optional(optionalValue(for: Customer.phone)) }
        set(value) { setOptionalValue(for: Customer.phone, to: StringValue.of(optional: value)) }
    }

    /// The property `Industry` in metadata and queries.
    open class var industry: Property {
        get { Kept.industry.withLock { $0 } }
        set(value) { Kept.industry.withLock { $0 = value } }
    }

    /// `Industry`.
    open var industry: String? {
        get { StringValue.optional(optionalValue(for: Customer.industry)) }
        set(value) { setOptionalValue(for: Customer.industry, to: StringValue.of(optional: value)) }
    }

    /// The property `CreditLimit` in metadata and queries.
    open class var creditLimit: Property {
        get { Kept.creditLimit.withLock { $0 } }
        set(value) { Kept.creditLimit.withLock { $0 = value } }
    }

    /// `CreditLimit`.
    open var creditLimit: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: Customer.creditLimit)) }
        set(value) { setOptionalValue(for: Customer.creditLimit, to: DecimalValue.of(optional: value)) }
    }

    /// The property `Rating` in metadata and queries.
    open class var rating: Property {
        get { Kept.rating.withLock { $0 } }
        set(value) { Kept.rating.withLock { $0 = value } }
    }

    /// `Rating`.
    open var rating: Double? {
        get { DoubleValue.optional(optionalValue(for: Customer.rating)) }
        set(value) { setOptionalValue(for: Customer.rating, to: DoubleValue.of(optional: value)) }
    }

    /// The property `IsActive` in metadata and queries.
    open class var isActive: Property {
        get { Kept.isActive.withLock { $0 } }
        set(value) { Kept.isActive.withLock { $0 = value } }
    }

    /// `IsActive`.
    open var isActive: Bool? {
        get { BooleanValue.optional(optionalValue(for: Customer.isActive)) }
        set(value) { setOptionalValue(for: Customer.isActive, to: BooleanValue.of(optional: value)) }
    }

    /// The property `CustomerSince` in metadata and queries.
    open class var customerSince: Property {
        get { Kept.customerSince.withLock { $0 } }
        set(value) { Kept.customerSince.withLock { $0 = value } }
    }

    /// `CustomerSince`.
    open var customerSince: LocalDate? {
        get { LocalDate.castOptional(optionalValue(for: Customer.customerSince)) }
        set(value) { setOptionalValue(for: Customer.customerSince, to: value) }
    }

    /// The property `ModifiedAt` in metadata and queries.
    open class var modifiedAt: Property {
        get { Kept.modifiedAt.withLock { $0 } }
        set(value) { Kept.modifiedAt.withLock { $0 = value } }
    }

    /// `ModifiedAt`.
    open var modifiedAt: GlobalDateTime? {
        get { GlobalDateTime.castOptional(optionalValue(for: Customer.modifiedAt)) }
        set(value) { setOptionalValue(for: Customer.modifiedAt, to: value) }
    }

    /// The property `Notes` in metadata and queries.
    open class var notes: Property {
        get { Kept.notes.withLock { $0 } }
        set(value) { Kept.notes.withLock { $0 = value } }
    }

    /// `Notes`.
    open var notes: String? {
        get { StringValue.optional(optionalValue(for: Customer.notes)) }
        set(value) { setOptionalValue(for: Customer.notes, to: StringValue.of(optional: value)) }
    }

    /// The property `Sites` in metadata and queries.
    open class var sites: Property {
        get { Kept.sites.withLock { $0 } }
        set(value) { Kept.sites.withLock { $0 = value } }
    }

    /// `Sites`.
    open var sites: [Site] {
        get { Site.array(from: Customer.sites.entityList(from: self)) }
        set(value) { Customer.sites.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
