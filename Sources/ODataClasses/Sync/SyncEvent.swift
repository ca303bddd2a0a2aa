import ODataModel
import ODataQuery
import ODataSyncPlan

/// A synchronisation that succeeded, or another event in the life of a store.
open class SyncEvent: ObjectBase, @unchecked Sendable {
    // Constant after initialisation.

    /// Rises with each event of the store.
    public final let eventID: Int64
    /// `download`, `upload`, `metadata` or `userSwitch`.
    public final let type: String
    /// When it happened.
    public final let time: GlobalDateTime
    /// The names of the groups, separated by commas; nil when everything was meant.
    public final let details: String?

    package init(eventID: Int64, type: String, time: GlobalDateTime, details: String?) {
        self.eventID = eventID
        self.type = type
        self.time = time
        self.details = details
        super.init()
    }

    /// Filters and sorts by ``eventID``.
    public class var eventID: Property {
        SyncMetadata.property("eventID", of: SyncMetadata.syncEvent)
    }
    /// Filters and sorts by ``type``.
    public class var type: Property { SyncMetadata.property("type", of: SyncMetadata.syncEvent) }
    /// Filters and sorts by ``time``.
    public class var time: Property { SyncMetadata.property("time", of: SyncMetadata.syncEvent) }
    /// Filters and sorts by ``details``.
    public class var details: Property {
        SyncMetadata.property("details", of: SyncMetadata.syncEvent)
    }

    /// Time, type and details.
    open override func toString() -> String {
        "\(time.toString()) \(type)" + (details.map { " \($0)" } ?? "")
    }
}

/// A list of events.
open class SyncEventList: TypedList<SyncEvent>, @unchecked Sendable {
    /// The events that pass the query's filter, in its order.
    package static func matching(
        _ query: DataQuery?, in events: [SyncEvent]
    ) throws -> SyncEventList {
        guard let query else { return fromArray(events) }
        let values = events.map { event in
            SyncMetadata.value(
                SyncMetadata.syncEvent,
                [
                    .integer(event.eventID), .string(event.type), event.time.scalar,
                    event.details.map(Scalar.string),
                ])
        }
        let positions = try ListEvaluator(
            ExpressionEvaluator(graph: SyncMetadata.document.graph)
        ).positions(query.options, of: values)
        return fromArray(positions.map { events[$0] })
    }
}
