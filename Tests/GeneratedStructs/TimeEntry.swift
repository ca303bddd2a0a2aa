// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import OData

/// An entity of `TimeEntries`, of type `FieldService.TimeEntry`.
public nonisolated struct TimeEntry: Entity, Identifiable {
    /// Where it is.
    public static let entitySet = "TimeEntries"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<TimeEntry>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// Its `ref`.
    public var id: Ref<TimeEntry> { ref }
    /// `WorkOrderId`.
    public let workOrderID: Int
    /// `Position`.
    public let position: Int
    /// `Technician`.
    public var technician: String
    /// `StartedAt`.
    public var startedAt: OffsetDateTime
    /// `Duration`.
    public var duration: Duration
    /// `Hours`.
    public var hours: ExactDecimal
    /// `IsOvertime`.
    public var isOvertime: Bool
    /// `Note`.
    public var note: String?
    /// `WorkOrder`.
    public let workOrder: Link<WorkOrder>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        workOrderID = try row.value("WorkOrderId")
        position = try row.value("Position")
        technician = try row.value("Technician")
        startedAt = try row.value("StartedAt")
        duration = try row.value("Duration")
        hours = try row.value("Hours")
        isOvertime = try row.value("IsOvertime")
        note = try row.value("Note")
        workOrder = try row.link("WorkOrder")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
        values.set("Technician", technician)
        values.set("StartedAt", startedAt)
        values.set("Duration", duration)
        values.set("Hours", hours)
        values.set("IsOvertime", isOvertime)
        values.set("Note", note)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `WorkOrderId`.
        public var workOrderID: Field<Int> { path.field("WorkOrderId") }
        /// `Position`.
        public var position: Field<Int> { path.field("Position") }
        /// `Technician`.
        public var technician: Field<String> { path.field("Technician") }
        /// `StartedAt`.
        public var startedAt: Field<OffsetDateTime> { path.field("StartedAt") }
        /// `Duration`.
        public var duration: Field<Duration> { path.field("Duration") }
        /// `Hours`.
        public var hours: Field<ExactDecimal> { path.field("Hours") }
        /// `IsOvertime`.
        public var isOvertime: Field<Bool> { path.field("IsOvertime") }
        /// `Note`.
        public var note: Field<String?> { path.field("Note") }
        /// `WorkOrder`.
        public var workOrder: ToOne<WorkOrder> { path.toOne("WorkOrder") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = TimeEntry
        /// `WorkOrderId`.
        public var workOrderID: Int?
        /// `Position`.
        public var position: Int
        /// `Technician`.
        public var technician: String
        /// `StartedAt`.
        public var startedAt: OffsetDateTime
        /// `Duration`.
        public var duration: Duration
        /// `Hours`.
        public var hours: ExactDecimal
        /// `IsOvertime`.
        public var isOvertime: Bool
        /// `Note`.
        public var note: String?
        /// `WorkOrder`.
        public var workOrder: Ref<WorkOrder>?

        /// With links to what it belongs to.
        public init(
            workOrder: Ref<WorkOrder>,
            position: Int,
            technician: String,
            startedAt: OffsetDateTime,
            duration: Duration,
            hours: ExactDecimal,
            isOvertime: Bool,
            note: String? = nil
        ) {
            self.workOrder = workOrder
            self.position = position
            self.technician = technician
            self.startedAt = startedAt
            self.duration = duration
            self.hours = hours
            self.isOvertime = isOvertime
            self.note = note
        }

        /// With the keys of what it belongs to.
        public init(
            workOrderID: Int,
            position: Int,
            technician: String,
            startedAt: OffsetDateTime,
            duration: Duration,
            hours: ExactDecimal,
            isOvertime: Bool,
            note: String? = nil
        ) {
            self.workOrderID = workOrderID
            self.position = position
            self.technician = technician
            self.startedAt = startedAt
            self.duration = duration
            self.hours = hours
            self.isOvertime = isOvertime
            self.note = note
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
            values.set("WorkOrderId", ifPresent: workOrderID)
            values.set("Position", position)
            values.set("Technician", technician)
            values.set("StartedAt", startedAt)
            values.set("Duration", duration)
            values.set("Hours", hours)
            values.set("IsOvertime", isOvertime)
            values.set("Note", ifPresent: note)
            if let workOrder { values.set("WorkOrder", Link(to: workOrder)) }
        }
    }
}
