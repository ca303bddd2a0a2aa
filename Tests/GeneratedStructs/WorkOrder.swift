// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `WorkOrders`, of type `FieldService.WorkOrder`.
public nonisolated struct WorkOrder: Entity {
    /// Where it is.
    public static let entitySet = "WorkOrders"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<WorkOrder>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// `Id`.
    public let id: Int
    /// `SiteId`.
    public var siteID: Int
    /// `EquipmentSerialNumber`.
    public var equipmentSerialNumber: String?
    /// `Number`.
    public var number: String
    /// `Title`.
    public var title: String
    /// `Description`.
    public var description: String?
    /// `Priority`.
    public var priority: Int
    /// `Status`.
    public var status: String
    /// `CreatedAt`.
    public var createdAt: OffsetDateTime
    /// `ScheduledAt`.
    public var scheduledAt: OffsetDateTime?
    /// `CompletedOn`.
    public var completedOn: CalendarDate?
    /// `EstimatedDuration`.
    public var estimatedDuration: Duration?
    /// `Cost`.
    public var cost: ExactDecimal?
    /// `IsBillable`.
    public var isBillable: Bool
    /// `AssignedTo`.
    public var assignedTo: String?
    /// `Photos`.
    public let photos: Links<Photo>
    /// `TimeEntries`.
    public let timeEntries: Links<TimeEntry>
    /// `Site`.
    public var site: Link<Site>
    /// `Equipment`.
    public var equipment: Link<EquipmentItem>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
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
        photos = try row.links("Photos")
        timeEntries = try row.links("TimeEntries")
        site = try row.link("Site")
        equipment = try row.link("Equipment")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
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
        values.set("Equipment", equipment)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        public var id: Field<Int> { path.field("Id") }
        /// `SiteId`.
        public var siteID: Field<Int> { path.field("SiteId") }
        /// `EquipmentSerialNumber`.
        public var equipmentSerialNumber: Field<String?> { path.field("EquipmentSerialNumber") }
        /// `Number`.
        public var number: Field<String> { path.field("Number") }
        /// `Title`.
        public var title: Field<String> { path.field("Title") }
        /// `Description`.
        public var description: Field<String?> { path.field("Description") }
        /// `Priority`.
        public var priority: Field<Int> { path.field("Priority") }
        /// `Status`.
        public var status: Field<String> { path.field("Status") }
        /// `CreatedAt`.
        public var createdAt: Field<OffsetDateTime> { path.field("CreatedAt") }
        /// `ScheduledAt`.
        public var scheduledAt: Field<OffsetDateTime?> { path.field("ScheduledAt") }
        /// `CompletedOn`.
        public var completedOn: Field<CalendarDate?> { path.field("CompletedOn") }
        /// `EstimatedDuration`.
        public var estimatedDuration: Field<Duration?> { path.field("EstimatedDuration") }
        /// `Cost`.
        public var cost: Field<ExactDecimal?> { path.field("Cost") }
        /// `IsBillable`.
        public var isBillable: Field<Bool> { path.field("IsBillable") }
        /// `AssignedTo`.
        public var assignedTo: Field<String?> { path.field("AssignedTo") }
        /// `Photos`.
        public var photos: ToMany<Photo> { path.toMany("Photos") }
        /// `TimeEntries`.
        public var timeEntries: ToMany<TimeEntry> { path.toMany("TimeEntries") }
        /// `Site`.
        public var site: ToOne<Site> { path.toOne("Site") }
        /// `Equipment`.
        public var equipment: ToOne<EquipmentItem> { path.toOne("Equipment") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = WorkOrder
        /// `Id`.
        public var id: Int?
        /// `SiteId`.
        public var siteID: Int?
        /// `EquipmentSerialNumber`.
        public var equipmentSerialNumber: String?
        /// `Number`.
        public var number: String
        /// `Title`.
        public var title: String
        /// `Description`.
        public var description: String?
        /// `Priority`.
        public var priority: Int
        /// `Status`.
        public var status: String
        /// `CreatedAt`.
        public var createdAt: OffsetDateTime
        /// `ScheduledAt`.
        public var scheduledAt: OffsetDateTime?
        /// `CompletedOn`.
        public var completedOn: CalendarDate?
        /// `EstimatedDuration`.
        public var estimatedDuration: Duration?
        /// `Cost`.
        public var cost: ExactDecimal?
        /// `IsBillable`.
        public var isBillable: Bool
        /// `AssignedTo`.
        public var assignedTo: String?
        /// `Site`.
        public var site: Ref<Site>?
        /// `Equipment`.
        public var equipment: Ref<EquipmentItem>?

        /// With links to what it belongs to.
        public init(
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
            assignedTo: String? = nil,
            equipment: Ref<EquipmentItem>? = nil
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
            self.equipment = equipment
        }

        /// With the keys of what it belongs to.
        public init(
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
            assignedTo: String? = nil,
            equipment: Ref<EquipmentItem>? = nil
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
            self.equipment = equipment
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
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
            if let equipment { values.set("Equipment", Link(to: equipment)) }
        }
    }
}
