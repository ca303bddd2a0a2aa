import Foundation
import OData

struct Site: Entity {
    static let entitySet = "Sites"

    let ref: Ref<Site>
    let id: Int
    let customerID: UUID
    var name: String
    var city: String
    var country: String
    var latitude: Double?
    var opensAt: ClockTime?
    var hasParking: Bool
    var workOrders: Links<WorkOrder>

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        customerID = try row.value("CustomerId")
        name = try row.value("Name")
        city = try row.value("City")
        country = try row.value("Country")
        latitude = try row.value("Latitude")
        opensAt = try row.value("OpensAt")
        hasParking = try row.value("HasParking")
        workOrders = try row.links("WorkOrders")
    }

    func write(to values: inout Values) {
        values.set("Name", name)
        values.set("City", city)
        values.set("Country", country)
        values.set("Latitude", latitude)
        values.set("OpensAt", opensAt)
        values.set("HasParking", hasParking)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var customerID: Field<UUID> { path.field("CustomerId") }
        var name: Field<String> { path.field("Name") }
        var city: Field<String> { path.field("City") }
        var country: Field<String> { path.field("Country") }
        var latitude: Field<Double?> { path.field("Latitude") }
        var opensAt: Field<ClockTime?> { path.field("OpensAt") }
        var hasParking: Field<Bool> { path.field("HasParking") }
        var workOrders: ToMany<WorkOrder> { path.toMany("WorkOrders") }
    }

    struct Draft: EntityDraft {
        typealias Target = Site
        var customerID: UUID
        var name: String
        var city: String
        var country = "DE"
        var hasParking = false

        func write(to values: inout Values) {
            values.set("CustomerId", customerID)
            values.set("Name", name)
            values.set("City", city)
            values.set("Country", country)
            values.set("HasParking", hasParking)
        }
    }
}

struct TimeEntry: Entity {
    static let entitySet = "TimeEntries"

    let ref: Ref<TimeEntry>
    let workOrderID: Int
    let position: Int
    var technician: String
    var duration: Duration
    var hours: ExactDecimal

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        workOrderID = try row.value("WorkOrderId")
        position = try row.value("Position")
        technician = try row.value("Technician")
        duration = try row.value("Duration")
        hours = try row.value("Hours")
    }

    func write(to values: inout Values) {
        values.set("Technician", technician)
        values.set("Duration", duration)
        values.set("Hours", hours)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var workOrderID: Field<Int> { path.field("WorkOrderId") }
        var position: Field<Int> { path.field("Position") }
        var technician: Field<String> { path.field("Technician") }
        var hours: Field<ExactDecimal> { path.field("Hours") }
        var workOrder: ToOne<WorkOrder> { path.toOne("WorkOrder") }
    }
}
