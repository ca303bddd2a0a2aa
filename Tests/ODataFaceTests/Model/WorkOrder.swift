import Foundation
import OData

// The types of the sample service as somebody writes them by hand, and as a generator would.

struct Status: OpenEnum {
    let rawValue: String
    static let open = Status(rawValue: "Open")
    static let done = Status(rawValue: "Done")
}

struct WorkOrder: Entity {
    static let entitySet = "WorkOrders"

    let ref: Ref<WorkOrder>
    let id: Int
    var number: String
    var title: String
    var description: String?
    var priority: Int
    var status: Status
    var createdAt: OffsetDateTime
    var completedOn: CalendarDate?
    var estimatedDuration: Duration?
    var cost: ExactDecimal?
    var isBillable: Bool
    var site: Link<Site>
    var timeEntries: Links<TimeEntry>
    let info: RowInfo

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        id = try row.value("Id")
        number = try row.value("Number")
        title = try row.value("Title")
        description = try row.value("Description")
        priority = try row.value("Priority")
        status = try row.value("Status")
        createdAt = try row.value("CreatedAt")
        completedOn = try row.value("CompletedOn")
        estimatedDuration = try row.value("EstimatedDuration")
        cost = try row.value("Cost")
        isBillable = try row.value("IsBillable")
        site = try row.link("Site")
        timeEntries = try row.links("TimeEntries")
        info = row.info
    }

    func write(to values: inout Values) {
        values.set("Number", number)
        values.set("Title", title)
        values.set("Description", description)
        values.set("Priority", priority)
        values.set("Status", status)
        values.set("CreatedAt", createdAt)
        values.set("CompletedOn", completedOn)
        values.set("EstimatedDuration", estimatedDuration)
        values.set("Cost", cost)
        values.set("IsBillable", isBillable)
        values.set("Site", site)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var id: Field<Int> { path.field("Id") }
        var number: Field<String> { path.field("Number") }
        var title: Field<String> { path.field("Title") }
        /// The title as it is not: nothing can be compared with a list.
        var titles: Field<[String]> { path.field("Title") }
        var description: Field<String?> { path.field("Description") }
        var priority: Field<Int> { path.field("Priority") }
        var status: Field<Status> { path.field("Status") }
        var createdAt: Field<OffsetDateTime> { path.field("CreatedAt") }
        var completedOn: Field<CalendarDate?> { path.field("CompletedOn") }
        var estimatedDuration: Field<Duration?> { path.field("EstimatedDuration") }
        var cost: Field<ExactDecimal?> { path.field("Cost") }
        var isBillable: Field<Bool> { path.field("IsBillable") }
        var site: ToOne<Site> { path.toOne("Site") }
        var timeEntries: ToMany<TimeEntry> { path.toMany("TimeEntries") }
    }

    struct Draft: EntityDraft {
        typealias Target = WorkOrder
        var number: String
        var title: String
        var priority = 3
        var status = Status.open
        var createdAt: OffsetDateTime
        var isBillable = false
        var description: String?
        var site: Ref<Site>

        func write(to values: inout Values) {
            values.set("Number", number)
            values.set("Title", title)
            values.set("Priority", priority)
            values.set("Status", status)
            values.set("CreatedAt", createdAt)
            values.set("IsBillable", isBillable)
            values.set("Description", ifPresent: description)
            values.set("Site", Link(to: site))
        }
    }
}
