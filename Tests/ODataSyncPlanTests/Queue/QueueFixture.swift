import ODataModel
import ODataSyncPlan

/// Two rows of a set `T` with key `K` and values `A` and `B`, and a queue built step by step.
struct QueueFixture {
    static let graph: MetadataGraph = {
        var graph = MetadataGraph(version: .v4)
        var type = StructureDefinition(kind: .entity, namespace: "S", name: "T")
        for name in ["K", "A", "B"] {
            type.properties.append(
                PropertyDefinition(name: name, type: TypeReference(.primitive(.int64))))
        }
        type.key = [KeyProperty(path: "K")]
        graph.structures = [type]
        try? graph.freeze()
        return graph
    }()

    static func values(_ key: Int64?, _ first: Int64?, _ second: Int64? = nil) -> StructureValue {
        StructureValue(
            type: StructureID(0),
            slots: [key, first, second].map { $0.map { .scalar(.integer($0)) } })
    }

    static func row(_ id: Int64) -> RowReference { RowReference(table: "T", id: id) }

    var queue: [QueuedRequest] = []
    var nextID: Int64 = 1
    var join: JoinOnWrite

    init(join: JoinOnWrite) { self.join = join }

    mutating func record(
        _ operation: QueuedRequest.Operation, _ id: Int64, _ values: StructureValue? = nil,
        binds: [Int64] = [], changeSet: String? = nil, flags: QueuedRequest.Flags = []
    ) {
        var body = values.map { RequestBody(values: $0) }
        if !binds.isEmpty {
            body?.binds = [
                RequestBody.Bind(navigation: "N", targets: binds.map(Self.row))
            ]
        }
        let request = QueuedRequest(
            id: 0, identity: RepeatabilityIdentity(id: ""), operation: operation,
            target: Self.row(id), body: body, changeSet: changeSet, flags: flags, position: 0)
        queue = QueueEdit.apply(
            join.edits(recording: request, behind: queue), to: queue, nextID: &nextID)
    }

    mutating func undo(_ rows: Set<Int64>) {
        let rules = UndoRules(undoing: Set(rows.map(Self.row)), in: queue)
        queue = QueueEdit.apply(rules.edits, to: queue, nextID: &nextID)
    }

    func state(_ id: Int64, _ base: BaseImage) -> StructureValue? {
        QueueFold(graph: Self.graph).state(of: Self.row(id), base: base, requests: queue).values
    }
}
