// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import OData

/// An entity of `Customers`, of type `FieldService.Customer`.
public nonisolated struct Customer: Entity {
    /// Where it is.
    public static let entitySet = "Customers"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<Customer>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// `Id`.
    public let id: UUID
    /// `Number`.
    public var number: String
    /// `Name`.
    public var name: String
    /// `Email`.
    public var email: String?
    /// `Phone`.
    public var phone: String?
    /// `Industry`.
    public var industry: String
    /// `CreditLimit`.
    public var creditLimit: ExactDecimal?
    /// `Rating`.
    public var rating: Double?
    /// `IsActive`.
    public var isActive: Bool
    /// `CustomerSince`.
    public var customerSince: CalendarDate?
    /// `ModifiedAt`.
    public var modifiedAt: OffsetDateTime
    /// `Notes`.
    public var notes: String?
    /// `Sites`.
    public let sites: Links<Site>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        id = try row.value("Id")
        number = try row.value("Number")
        name = try row.value("Name")
        email = try row.value("Email")
        phone = try row.value("Phone")
        industry = try row.value("Industry")
        creditLimit = try row.value("CreditLimit")
        rating = try row.value("Rating")
        isActive = try row.value("IsActive")
        customerSince = try row.value("CustomerSince")
        modifiedAt = try row.value("ModifiedAt")
        notes = try row.value("Notes")
        sites = try row.links("Sites")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
        values.set("Number", number)
        values.set("Name", name)
        values.set("Email", email)
        values.set("Phone", phone)
        values.set("Industry", industry)
        values.set("CreditLimit", creditLimit)
        values.set("Rating", rating)
        values.set("IsActive", isActive)
        values.set("CustomerSince", customerSince)
        values.set("ModifiedAt", modifiedAt)
        values.set("Notes", notes)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        public var id: Field<UUID> { path.field("Id") }
        /// `Number`.
        public var number: Field<String> { path.field("Number") }
        /// `Name`.
        public var name: Field<String> { path.field("Name") }
        /// `Email`.
        public var email: Field<String?> { path.field("Email") }
        /// `Phone`.
        public var phone: Field<String?> { path.field("Phone") }
        /// `Industry`.
        public var industry: Field<String> { path.field("Industry") }
        /// `CreditLimit`.
        public var creditLimit: Field<ExactDecimal?> { path.field("CreditLimit") }
        /// `Rating`.
        public var rating: Field<Double?> { path.field("Rating") }
        /// `IsActive`.
        public var isActive: Field<Bool> { path.field("IsActive") }
        /// `CustomerSince`.
        public var customerSince: Field<CalendarDate?> { path.field("CustomerSince") }
        /// `ModifiedAt`.
        public var modifiedAt: Field<OffsetDateTime> { path.field("ModifiedAt") }
        /// `Notes`.
        public var notes: Field<String?> { path.field("Notes") }
        /// `Sites`.
        public var sites: ToMany<Site> { path.toMany("Sites") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = Customer
        /// `Id`.
        public var id: UUID
        /// `Number`.
        public var number: String
        /// `Name`.
        public var name: String
        /// `Email`.
        public var email: String?
        /// `Phone`.
        public var phone: String?
        /// `Industry`.
        public var industry: String
        /// `CreditLimit`.
        public var creditLimit: ExactDecimal?
        /// `Rating`.
        public var rating: Double?
        /// `IsActive`.
        public var isActive: Bool
        /// `CustomerSince`.
        public var customerSince: CalendarDate?
        /// `ModifiedAt`.
        public var modifiedAt: OffsetDateTime
        /// `Notes`.
        public var notes: String?

        /// What is left out is left to the service.
        public init(
            id: UUID,
            number: String,
            name: String,
            industry: String,
            modifiedAt: OffsetDateTime,
            email: String? = nil,
            phone: String? = nil,
            creditLimit: ExactDecimal? = nil,
            rating: Double? = nil,
            isActive: Bool = true,
            customerSince: CalendarDate? = nil,
            notes: String? = nil
        ) {
            self.id = id
            self.number = number
            self.name = name
            self.email = email
            self.phone = phone
            self.industry = industry
            self.creditLimit = creditLimit
            self.rating = rating
            self.isActive = isActive
            self.customerSince = customerSince
            self.modifiedAt = modifiedAt
            self.notes = notes
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
            values.set("Id", id)
            values.set("Number", number)
            values.set("Name", name)
            values.set("Email", ifPresent: email)
            values.set("Phone", ifPresent: phone)
            values.set("Industry", industry)
            values.set("CreditLimit", ifPresent: creditLimit)
            values.set("Rating", ifPresent: rating)
            values.set("IsActive", isActive)
            values.set("CustomerSince", ifPresent: customerSince)
            values.set("ModifiedAt", modifiedAt)
            values.set("Notes", ifPresent: notes)
        }
    }
}
