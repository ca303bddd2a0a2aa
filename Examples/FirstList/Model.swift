import Foundation
import OData

// The sets that the list shows, with the properties that it needs.

struct Status: OpenEnum {
    let rawValue: String
    static let open = Status(rawValue: "Open")
}

struct WorkOrder: Entity {
    static let entitySet = "WorkOrders"
    let ref: Ref<WorkOrder>
    var title: String
    var status: Status
    var site: Link<Site>

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        title = try row.value("Title")
        status = try row.value("Status")
        site = try row.link("Site")
    }

    func write(to values: inout Values) {
        values.set("Title", title)
        values.set("Status", status)
        values.set("Site", site)
    }

    struct Fields: FieldSet {
        let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var title: Field<String> { path.field("Title") }
        var status: Field<Status> { path.field("Status") }
        var site: ToOne<Site> { path.toOne("Site") }
    }
}

struct Site: Entity {
    static let entitySet = "Sites"
    let ref: Ref<Site>
    var name: String
    var customer: Link<Customer>

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        name = try row.value("Name")
        customer = try row.link("Customer")
    }

    func write(to values: inout Values) { values.set("Name", name) }

    struct Fields: FieldSet {
        let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var city: Field<String> { path.field("City") }
        var customer: ToOne<Customer> { path.toOne("Customer") }
    }
}

struct Customer: Entity {
    static let entitySet = "Customers"
    let ref: Ref<Customer>
    var name: String

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        name = try row.value("Name")
    }

    func write(to values: inout Values) { values.set("Name", name) }

    struct Fields: FieldSet {
        init(_ path: FieldPath) {}
    }
}
