// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import OData

/// An entity of `Photos`, of type `FieldService.Photo`.
public nonisolated struct Photo: Entity {
    /// Where it is.
    public static let entitySet = "Photos"
    /// Which entity it is, whatever key it has or gets.
    public let ref: Ref<Photo>
    /// Its entity tag, and what of it waits or was refused.
    public let row: RowInfo
    /// `Id`.
    public let id: UUID
    /// `WorkOrderId`.
    public var workOrderID: Int
    /// `Caption`.
    public var caption: String?
    /// `ContentType`.
    public var contentType: String
    /// `Content`.
    public var content: Data
    /// `ByteCount`.
    public var byteCount: Int
    /// `TakenAt`.
    public var takenAt: OffsetDateTime
    /// `WorkOrder`.
    public var workOrder: Link<WorkOrder>

    /// Reads a row of the store.
    public init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        self.row = row.info
        id = try row.value("Id")
        workOrderID = try row.value("WorkOrderId")
        caption = try row.value("Caption")
        contentType = try row.value("ContentType")
        content = try row.value("Content")
        byteCount = try row.value("ByteCount")
        takenAt = try row.value("TakenAt")
        workOrder = try row.link("WorkOrder")
    }

    /// Says what may be changed.
    public func write(to values: inout Values) {
        values.set("WorkOrderId", workOrderID)
        values.set("Caption", caption)
        values.set("ContentType", contentType)
        values.set("Content", content)
        values.set("ByteCount", byteCount)
        values.set("TakenAt", takenAt)
        values.set("WorkOrder", workOrder)
    }

    /// What queries may ask for.
    public nonisolated struct Fields: FieldSet {
        private let path: FieldPath
        /// The properties of what the path leads to.
        public init(_ path: FieldPath) { self.path = path }
        /// `Id`.
        public var id: Field<UUID> { path.field("Id") }
        /// `WorkOrderId`.
        public var workOrderID: Field<Int> { path.field("WorkOrderId") }
        /// `Caption`.
        public var caption: Field<String?> { path.field("Caption") }
        /// `ContentType`.
        public var contentType: Field<String> { path.field("ContentType") }
        /// `Content`.
        public var content: Field<Data> { path.field("Content") }
        /// `ByteCount`.
        public var byteCount: Field<Int> { path.field("ByteCount") }
        /// `TakenAt`.
        public var takenAt: Field<OffsetDateTime> { path.field("TakenAt") }
        /// `WorkOrder`.
        public var workOrder: ToOne<WorkOrder> { path.toOne("WorkOrder") }
    }

    /// A new one, with what the service does not make itself.
    public nonisolated struct Draft: EntityDraft {
        /// What it becomes.
        public typealias Target = Photo
        /// `Id`.
        public var id: UUID
        /// `WorkOrderId`.
        public var workOrderID: Int?
        /// `Caption`.
        public var caption: String?
        /// `ContentType`.
        public var contentType: String
        /// `Content`.
        public var content: Data
        /// `ByteCount`.
        public var byteCount: Int
        /// `TakenAt`.
        public var takenAt: OffsetDateTime
        /// `WorkOrder`.
        public var workOrder: Ref<WorkOrder>?

        /// With links to what it belongs to.
        public init(
            id: UUID,
            workOrder: Ref<WorkOrder>,
            contentType: String,
            content: Data,
            byteCount: Int,
            takenAt: OffsetDateTime,
            caption: String? = nil
        ) {
            self.id = id
            self.workOrder = workOrder
            self.caption = caption
            self.contentType = contentType
            self.content = content
            self.byteCount = byteCount
            self.takenAt = takenAt
        }

        /// With the keys of what it belongs to.
        public init(
            id: UUID,
            workOrderID: Int,
            contentType: String,
            content: Data,
            byteCount: Int,
            takenAt: OffsetDateTime,
            caption: String? = nil
        ) {
            self.id = id
            self.workOrderID = workOrderID
            self.caption = caption
            self.contentType = contentType
            self.content = content
            self.byteCount = byteCount
            self.takenAt = takenAt
        }

        /// Says what is known of the new one.
        public func write(to values: inout Values) {
            values.set("Id", id)
            values.set("WorkOrderId", ifPresent: workOrderID)
            values.set("Caption", ifPresent: caption)
            values.set("ContentType", contentType)
            values.set("Content", content)
            values.set("ByteCount", byteCount)
            values.set("TakenAt", takenAt)
            if let workOrder { values.set("WorkOrder", Link(to: workOrder)) }
        }
    }
}
