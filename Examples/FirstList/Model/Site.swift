// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import OData

/// An entity of `Sites`, of type `FieldService.Site`.
nonisolated struct Site: Entity {
    // Without `Equipment`, Equipment was not asked for.
    /// Where it is.
    static let entitySet = "Sites"
    /// Which entity it is, whatever key it has or gets.
    let ref: Ref<Site>
    /// Its entity tag, and what of it waits or was refused.
    let row: RowInfo
    /// `Id`.
    let id: Int
    /// `CustomerId`.
    var customerID: UUID
    /// `Name`.
    var name: String
    /// `Street`.
    var street: String?
    /// `City`.
    var city: String
    /// `PostalCode`.
    var postalCode: String?
    /// `Country`.
    var country: String
    /// `Latitude`.
    var latitude: Double?
    /// `Longitude`.
    var longitude: Double?
    /// `OpensAt`.
    var opensAt: ClockTime?
    /// `HasParking`.
    var hasParking: Bool
    /// `Customer`.
    var customer: Link<Customer>
    /// `WorkOrders`.
    let workOrders: Links<WorkOrder>

    /// Reads a row of the store.
    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        id = try row.value("Id")
        customerID = try row.value("CustomerId")
        name = try row.value("Name")
        street = try row.value("Street")
        city = try row.value("City")
        postalCode = try row.value("PostalCode")
        country = try row.value("Country")
        latitude = try row.value("Latitude")
        longitude = try row.value("Longitude")
        opensAt = try row.value("OpensAt")
        hasParking = try row.value("HasParking")
        customer = try row.link("Customer")
        workOrders = try row.links("WorkOrders")
    }

    /// Says what may be changed.
    func write(to values: inout Values) {
        values.set("CustomerId", customerID)
        values.set("Name", name)
        values.set("Street", street)
        values.set("City", city)
        values.set("PostalCode", postalCode)
        values.set("Country", country)
        values.set("Latitude", latitude)
        values.set("Longitude", longitude)
        values.set("OpensAt", opensAt)
        values.set("HasParking", hasParking)
        values.set("Customer", customer)
    }

    /// What queries may ask for.
    nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        var id: Field<Int> { path.field("Id") }
        /// `CustomerId`.
        var customerID: Field<UUID> { path.field("CustomerId") }
        /// `Name`.
        var name: Field<String> { path.field("Name") }
        /// `Street`.
        var street: Field<String?> { path.field("Street") }
        /// `City`.
        var city: Field<String> { path.field("City") }
        /// `PostalCode`.
        var postalCode: Field<String?> { path.field("PostalCode") }
        /// `Country`.
        var country: Field<String> { path.field("Country") }
        /// `Latitude`.
        var latitude: Field<Double?> { path.field("Latitude") }
        /// `Longitude`.
        var longitude: Field<Double?> { path.field("Longitude") }
        /// `OpensAt`.
        var opensAt: Field<ClockTime?> { path.field("OpensAt") }
        /// `HasParking`.
        var hasParking: Field<Bool> { path.field("HasParking") }
        /// `Customer`.
        var customer: ToOne<Customer> { path.toOne("Customer") }
        /// `WorkOrders`.
        var workOrders: ToMany<WorkOrder> { path.toMany("WorkOrders") }
    }

    /// A new one, with what the service does not make itself.
    nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        typealias Target = Site
        /// `Id`.
        var id: Int?
        /// `CustomerId`.
        var customerID: UUID?
        /// `Name`.
        var name: String
        /// `Street`.
        var street: String?
        /// `City`.
        var city: String
        /// `PostalCode`.
        var postalCode: String?
        /// `Country`.
        var country: String
        /// `Latitude`.
        var latitude: Double?
        /// `Longitude`.
        var longitude: Double?
        /// `OpensAt`.
        var opensAt: ClockTime?
        /// `HasParking`.
        var hasParking: Bool
        /// `Customer`.
        var customer: Ref<Customer>?

        /// With links to what it belongs to.
        init(
            customer: Ref<Customer>,
            name: String,
            city: String,
            country: String,
            hasParking: Bool,
            id: Int? = nil,
            street: String? = nil,
            postalCode: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            opensAt: ClockTime? = nil
        ) {
            self.id = id
            self.customer = customer
            self.name = name
            self.street = street
            self.city = city
            self.postalCode = postalCode
            self.country = country
            self.latitude = latitude
            self.longitude = longitude
            self.opensAt = opensAt
            self.hasParking = hasParking
        }

        /// With the keys of what it belongs to.
        init(
            customerID: UUID,
            name: String,
            city: String,
            country: String,
            hasParking: Bool,
            id: Int? = nil,
            street: String? = nil,
            postalCode: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            opensAt: ClockTime? = nil
        ) {
            self.id = id
            self.customerID = customerID
            self.name = name
            self.street = street
            self.city = city
            self.postalCode = postalCode
            self.country = country
            self.latitude = latitude
            self.longitude = longitude
            self.opensAt = opensAt
            self.hasParking = hasParking
        }

        /// Says what is known of the new one.
        func write(to values: inout Values) {
            values.set("Id", ifPresent: id)
            values.set("CustomerId", ifPresent: customerID)
            values.set("Name", name)
            values.set("Street", ifPresent: street)
            values.set("City", city)
            values.set("PostalCode", ifPresent: postalCode)
            values.set("Country", country)
            values.set("Latitude", ifPresent: latitude)
            values.set("Longitude", ifPresent: longitude)
            values.set("OpensAt", ifPresent: opensAt)
            values.set("HasParking", hasParking)
            if let customer { values.set("Customer", Link(to: customer)) }
        }
    }
}
