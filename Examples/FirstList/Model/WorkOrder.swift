// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `WorkOrders`, of type `FieldService.WorkOrder`.
nonisolated struct WorkOrder: Entity {
    // Without `Photos`, Photos was not asked for.
    // Without `TimeEntries`, TimeEntries was not asked for.
    // Without `Equipment`, Equipment was not asked for.
    /// Where it is.
    static let entitySet = "WorkOrders"
    /// Which entity it is, whatever key it has or gets.
    let ref: Ref<WorkOrder>
    /// Its entity tag, and what of it waits or was refused.
    let row: RowInfo
    /// `Id`.
    let id: Int
    /// `SiteId`.
    var siteID: Int
    /// `EquipmentSerialNumber`.
    var equipmentSerialNumber: String?
    /// `Number`.
    var number: String
    /// `Title`.
    var title: String
    /// `Description`.
    var description: String?
    /// `Priority`.
    var priority: Int
    /// `Status`.
    var status: String
    /// `CreatedAt`.
    var createdAt: OffsetDateTime
    /// `ScheduledAt`.
    var scheduledAt: OffsetDateTime?
    /// `CompletedOn`.
    var completedOn: CalendarDate?
    /// `EstimatedDuration`.
    var estimatedDuration: Duration?
    /// `Cost`.
    var cost: ExactDecimal?
    /// `IsBillable`.
    var isBillable: Bool
    /// `AssignedTo`.
    var assignedTo: String?
    /// `Site`.
    var site: Link<Site>

    /// Reads a row of the store.
    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        id = try row.value("Id")
        siteID = try row.value("SiteId")
        equipmentSerialNumber = try row.value("EquipmentSerialNumber")
        number = try row.value("Number")
        title = try row.value("Title")
        description = try row.value("Description")
        priority = try row.value("Priority")
        status = try row.value("Status")
        createdAt = try row.value("CreatedAt")
        scheduledAt = try row.value("ScheduledAt")
        completedOn = try row.value("CompletedOn")
        estimatedDuration = try row.value("EstimatedDuration")
        cost = try row.value("Cost")
        isBillable = try row.value("IsBillable")
        assignedTo = try row.value("AssignedTo")
        site = try row.link("Site")
    }

    /// Says what may be changed.
    func write(to values: inout Values) {
        values.set("SiteId", siteID)
        values.set("EquipmentSerialNumber", equipmentSerialNumber)
        values.set("Number", number)
        values.set("Title", title)
        values.set("Description", description)
        values.set("Priority", priority)
        values.set("Status", status)
        values.set("CreatedAt", createdAt)
        values.set("ScheduledAt", scheduledAt)
        values.set("CompletedOn", completedOn)
        values.set("EstimatedDuration", estimatedDuration)
        values.set("Cost", cost)
        values.set("IsBillable", isBillable)
        values.set("AssignedTo", assignedTo)
        values.set("Site", site)
    }

    /// What queries may ask for.
    nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        var id: Field<Int> { path.field("Id") }
        /// `SiteId`.
        var siteID: Field<Int> { path.field("SiteId") }
        /// `EquipmentSerialNumber`.
        var equipmentSerialNumber: Field<String?> { path.field("EquipmentSerialNumber") }
        /// `Number`.
        var number: Field<String> { path.field("Number") }
        /// `Title`.
        var title: Field<String> { path.field("Title") }
        /// `Description`.
        var description: Field<String?> { path.field("Description") }
        /// `Priority`.
        var priority: Field<Int> { path.field("Priority") }
        /// `Status`.
        var status: Field<String> { path.field("Status") }
        /// `CreatedAt`.
        var createdAt: Field<OffsetDateTime> { path.field("CreatedAt") }
        /// `ScheduledAt`.
        var scheduledAt: Field<OffsetDateTime?> { path.field("ScheduledAt") }
        /// `CompletedOn`.
        var completedOn: Field<CalendarDate?> { path.field("CompletedOn") }
        /// `EstimatedDuration`.
        var estimatedDuration: Field<Duration?> { path.field("EstimatedDuration") }
        /// `Cost`.
        var cost: Field<ExactDecimal?> { path.field("Cost") }
        /// `IsBillable`.
        var isBillable: Field<Bool> { path.field("IsBillable") }
        /// `AssignedTo`.
        var assignedTo: Field<String?> { path.field("AssignedTo") }
        /// `Site`.
        var site: ToOne<Site> { path.toOne("Site") }
    }

    /// A new one, with what the service does not make itself.
    nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        typealias Target = WorkOrder
        /// `Id`.
        var id: Int?
        /// `SiteId`.
        var siteID: Int?
        /// `EquipmentSerialNumber`.
        var equipmentSerialNumber: String?
        /// `Number`.
        var number: String
        /// `Title`.
        var title: String
        /// `Description`.
        var description: String?
        /// `Priority`.
        var priority: Int
        /// `Status`.
        var status: String
        /// `CreatedAt`.
        var createdAt: OffsetDateTime
        /// `ScheduledAt`.
        var scheduledAt: OffsetDateTime?
        /// `CompletedOn`.
        var completedOn: CalendarDate?
        /// `EstimatedDuration`.
        var estimatedDuration: Duration?
        /// `Cost`.
        var cost: ExactDecimal?
        /// `IsBillable`.
        var isBillable: Bool
        /// `AssignedTo`.
        var assignedTo: String?
        /// `Site`.
        var site: Ref<Site>?

        /// With links to what it belongs to.
        init(
            site: Ref<Site>,
            number: String,
            title: String,
            priority: Int,
            status: String,
            createdAt: OffsetDateTime,
            isBillable: Bool,
            id: Int? = nil,
            equipmentSerialNumber: String? = nil,
            description: String? = nil,
            scheduledAt: OffsetDateTime? = nil,
            completedOn: CalendarDate? = nil,
            estimatedDuration: Duration? = nil,
            cost: ExactDecimal? = nil,
            assignedTo: String? = nil
        ) {
            self.id = id
            self.site = site
            self.equipmentSerialNumber = equipmentSerialNumber
            self.number = number
            self.title = title
            self.description = description
            self.priority = priority
            self.status = status
            self.createdAt = createdAt
            self.scheduledAt = scheduledAt
            self.completedOn = completedOn
            self.estimatedDuration = estimatedDuration
            self.cost = cost
            self.isBillable = isBillable
            self.assignedTo = assignedTo
        }

        /// With the keys of what it belongs to.
        init(
            siteID: Int,
            number: String,
            title: String,
            priority: Int,
            status: String,
            createdAt: OffsetDateTime,
            isBillable: Bool,
            id: Int? = nil,
            equipmentSerialNumber: String? = nil,
            description: String? = nil,
            scheduledAt: OffsetDateTime? = nil,
            completedOn: CalendarDate? = nil,
            estimatedDuration: Duration? = nil,
            cost: ExactDecimal? = nil,
            assignedTo: String? = nil
        ) {
            self.id = id
            self.siteID = siteID
            self.equipmentSerialNumber = equipmentSerialNumber
            self.number = number
            self.title = title
            self.description = description
            self.priority = priority
            self.status = status
            self.createdAt = createdAt
            self.scheduledAt = scheduledAt
            self.completedOn = completedOn
            self.estimatedDuration = estimatedDuration
            self.cost = cost
            self.isBillable = isBillable
            self.assignedTo = assignedTo
        }

        /// Says what is known of the new one.
        func write(to values: inout Values) {
            values.set("Id", ifPresent: id)
            values.set("SiteId", ifPresent: siteID)
            values.set("EquipmentSerialNumber", ifPresent: equipmentSerialNumber)
            values.set("Number", number)
            values.set("Title", title)
            values.set("Description", ifPresent: description)
            values.set("Priority", priority)
            values.set("Status", status)
            values.set("CreatedAt", createdAt)
            values.set("ScheduledAt", ifPresent: scheduledAt)
            values.set("CompletedOn", ifPresent: completedOn)
            values.set("EstimatedDuration", ifPresent: estimatedDuration)
            values.set("Cost", ifPresent: cost)
            values.set("IsBillable", isBillable)
            values.set("AssignedTo", ifPresent: assignedTo)
            if let site { values.set("Site", Link(to: site)) }
        }
    }
}
