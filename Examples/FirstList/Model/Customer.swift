// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import OData

/// An entity of `Customers`, of type `FieldService.Customer`.
nonisolated struct Customer: Entity {
    /// Where it is.
    static let entitySet = "Customers"
    /// Which entity it is, whatever key it has or gets.
    let ref: Ref<Customer>
    /// Its entity tag, and what of it waits or was refused.
    let row: RowInfo
    /// `Id`.
    let id: UUID
    /// `Number`.
    var number: String
    /// `Name`.
    var name: String
    /// `Email`.
    var email: String?
    /// `Phone`.
    var phone: String?
    /// `Industry`.
    var industry: String
    /// `CreditLimit`.
    var creditLimit: ExactDecimal?
    /// `Rating`.
    var rating: Double?
    /// `IsActive`.
    var isActive: Bool
    /// `CustomerSince`.
    var customerSince: CalendarDate?
    /// `ModifiedAt`.
    var modifiedAt: OffsetDateTime
    /// `Notes`.
    var notes: String?
    /// `Sites`.
    let sites: Links<Site>

    /// Reads a row of the store.
    init(_ row: Row) throws(ODataError) {
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
    func write(to values: inout Values) {
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
    nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        var id: Field<UUID> { path.field("Id") }
        /// `Number`.
        var number: Field<String> { path.field("Number") }
        /// `Name`.
        var name: Field<String> { path.field("Name") }
        /// `Email`.
        var email: Field<String?> { path.field("Email") }
        /// `Phone`.
        var phone: Field<String?> { path.field("Phone") }
        /// `Industry`.
        var industry: Field<String> { path.field("Industry") }
        /// `CreditLimit`.
        var creditLimit: Field<ExactDecimal?> { path.field("CreditLimit") }
        /// `Rating`.
        var rating: Field<Double?> { path.field("Rating") }
        /// `IsActive`.
        var isActive: Field<Bool> { path.field("IsActive") }
        /// `CustomerSince`.
        var customerSince: Field<CalendarDate?> { path.field("CustomerSince") }
        /// `ModifiedAt`.
        var modifiedAt: Field<OffsetDateTime> { path.field("ModifiedAt") }
        /// `Notes`.
        var notes: Field<String?> { path.field("Notes") }
        /// `Sites`.
        var sites: ToMany<Site> { path.toMany("Sites") }
    }

    /// A new one, with what the service does not make itself.
    nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        typealias Target = Customer
        /// `Id`.
        var id: UUID
        /// `Number`.
        var number: String
        /// `Name`.
        var name: String
        /// `Email`.
        var email: String?
        /// `Phone`.
        var phone: String?
        /// `Industry`.
        var industry: String
        /// `CreditLimit`.
        var creditLimit: ExactDecimal?
        /// `Rating`.
        var rating: Double?
        /// `IsActive`.
        var isActive: Bool
        /// `CustomerSince`.
        var customerSince: CalendarDate?
        /// `ModifiedAt`.
        var modifiedAt: OffsetDateTime
        /// `Notes`.
        var notes: String?

        /// What is left out is left to the service.
        init(
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
        func write(to values: inout Values) {
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
