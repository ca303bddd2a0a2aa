// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import OData

/// An entity of `Sites`, of type `FieldService.Site`.
public nonisolated struct Site: Entity {
    /// Where it is.
    public static let entitySet = "Sites"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<Site>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// `Id`.
    public let id: Int
    /// `CustomerId`.
    public var customerID: UUID
    /// `Name`.
    public var name: String
    /// `Street`.
    public var street: String?
    /// `City`.
    public var city: String
    /// `PostalCode`.
    public var postalCode: String?
    /// `Country`.
    public var country: String
    /// `Latitude`.
    public var latitude: Double?
    /// `Longitude`.
    public var longitude: Double?
    /// `OpensAt`.
    public var opensAt: ClockTime?
    /// `HasParking`.
    public var hasParking: Bool
    /// `Equipment`.
    public let equipment: Links<EquipmentItem>
    /// `Customer`.
    public var customer: Link<Customer>
    /// `WorkOrders`.
    public let workOrders: Links<WorkOrder>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
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
        equipment = try row.links("Equipment")
        customer = try row.link("Customer")
        workOrders = try row.links("WorkOrders")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
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
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        public var id: Field<Int> { path.field("Id") }
        /// `CustomerId`.
        public var customerID: Field<UUID> { path.field("CustomerId") }
        /// `Name`.
        public var name: Field<String> { path.field("Name") }
        /// `Street`.
        public var street: Field<String?> { path.field("Street") }
        /// `City`.
        public var city: Field<String> { path.field("City") }
        /// `PostalCode`.
        public var postalCode: Field<String?> { path.field("PostalCode") }
        /// `Country`.
        public var country: Field<String> { path.field("Country") }
        /// `Latitude`.
        public var latitude: Field<Double?> { path.field("Latitude") }
        /// `Longitude`.
        public var longitude: Field<Double?> { path.field("Longitude") }
        /// `OpensAt`.
        public var opensAt: Field<ClockTime?> { path.field("OpensAt") }
        /// `HasParking`.
        public var hasParking: Field<Bool> { path.field("HasParking") }
        /// `Equipment`.
        public var equipment: ToMany<EquipmentItem> { path.toMany("Equipment") }
        /// `Customer`.
        public var customer: ToOne<Customer> { path.toOne("Customer") }
        /// `WorkOrders`.
        public var workOrders: ToMany<WorkOrder> { path.toMany("WorkOrders") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = Site
        /// `Id`.
        public var id: Int?
        /// `CustomerId`.
        public var customerID: UUID?
        /// `Name`.
        public var name: String
        /// `Street`.
        public var street: String?
        /// `City`.
        public var city: String
        /// `PostalCode`.
        public var postalCode: String?
        /// `Country`.
        public var country: String
        /// `Latitude`.
        public var latitude: Double?
        /// `Longitude`.
        public var longitude: Double?
        /// `OpensAt`.
        public var opensAt: ClockTime?
        /// `HasParking`.
        public var hasParking: Bool
        /// `Customer`.
        public var customer: Ref<Customer>?

        /// With links to what it belongs to.
        public init(
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
        public init(
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
        public func write(to values: inout Values) {
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
