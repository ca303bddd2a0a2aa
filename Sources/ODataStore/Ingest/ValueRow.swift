import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// An entity that came as values, as Atom brings them, made ready for the statements of ingest.
struct ValueRow {
    let value: StructureValue
    let pattern: RowPattern
    /// What each slot of the plan brings: one argument for each parameter of its column; nil where the entity says nothing.
    let arguments: [[SQLArgument]?]
    private let control: String?
    private let dynamic: String?

    /// - Parameter key: What the entity's id tells of its key, where the entity itself does not bring it.
    init(
        _ value: StructureValue, key: [Scalar] = [], plan: IngestPlan, encoder: RowEncoder
    ) throws {
        var value = value
        for (column, scalar) in zip(plan.table.keys, key) {
            value.set(.scalar(scalar), at: column.slots, in: plan.graph)
        }
        self.value = value
        var slots = Array(repeating: UInt64(0), count: plan.columns.count / 64 + 1)
        var arguments: [[SQLArgument]?] = []
        for (slot, position) in plan.columns.enumerated() {
            let found = try plan.bindings[slot].arguments(
                plan.table.columns[position], of: value, encoder)
            if found != nil { slots[slot >> 6] |= 1 << UInt64(slot & 63) }
            arguments.append(found)
        }
        self.arguments = arguments
        control =
            plan.table.system.control == nil ? nil : ControlText.control(value.control)
        dynamic = ControlText.dynamic(value, EntityJSONWriter(plan.graph, dialect: .v4))
        pattern = RowPattern(
            slots: slots, hasETag: value.control.etag != nil && plan.keepsETags,
            hasControl: control != nil)
    }

    /// The key as it compares; nil when the entity does not bring all of it.
    func key(of plan: IngestPlan) -> [SQLArgument]? {
        var key: [SQLArgument] = []
        for slot in plan.keySlots {
            guard let arguments = arguments[slot], arguments[0] != .null else { return nil }
            key.append(
                plan.bindings[slot].encoding.hasOrderCompanion ? arguments[1] : arguments[0])
        }
        return key
    }

    /// The text of one of our own columns.
    func text(_ own: IngestSQL.Own, of plan: IngestPlan) -> String? {
        switch own {
        case .etag: value.control.etag
        case .control: control
        case .type:
            value.type == plan.table.structure ? nil : plan.graph[value.type].qualifiedName
        case .dynamic: dynamic
        case .parent: nil
        }
    }
}
