import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// A row that an accepted creation made, as the service has it.
package struct CreatedRow: Sendable, Hashable {
    package var row: RowReference
    /// What was sent, and over it what the answer says.
    package var values: StructureValue
    /// Nil when neither the answer nor what was sent tells it.
    package var key: [Scalar]?
    /// The answer says what the service has made of it.
    package var isShown = false
}

/// Reads what an answer says of the rows that a creation made, parents before children (pure).
package struct CreationAnswer: Sendable {
    private let mapping: SchemaMapping
    private var graph: MetadataGraph { mapping.graph }
    /// Rows of this answer whose keys are known.
    private var keyed: [RowReference: StructureValue] = [:]
    // Beside those of earlier answers: one dictionary of both would be a copy of the whole for each creation of a batch.
    private var earlier: [RowReference: StructureValue]
    private let keys: [RowReference: [Scalar]]
    package private(set) var rows: [CreatedRow] = []
    /// The tag of the media stream that was sent.
    package private(set) var mediaETag: String?

    /// - Parameters:
    ///   - linkKey: the key in the headers of an answer without a body (Protocol 4.01, section 8.3.4); read only where
    ///     nothing else tells the key.
    ///   - keys: keys of its rows that were found otherwise.
    ///   - keyed: rows whose keys became known before.
    /// - Throws: `unknownName` for a row of a set that is not stored.
    package init(
        _ message: ResponseMessage, to request: QueuedRequest,
        linkKey: @autoclosure () throws -> [Scalar]? = nil,
        keys: [RowReference: [Scalar]] = [:], mapping: SchemaMapping,
        keyed: [RowReference: StructureValue] = [:]
    ) throws {
        self.mapping = mapping
        earlier = keyed
        self.keys = keys
        // Held on to, it would be copied when the caller adds to it.
        defer { earlier = [:] }
        guard let body = request.body else { return }
        let table = try mapping.existingTable(path: request.target.table)
        let answer = Self.entity(message, of: body.values.type, in: table, mapping)
        var values = body.values
        for case .values(request.target, let change, _?) in request.effects {
            values = StructureMerge.merge(change, over: values)
        }
        if let answer { values = StructureMerge.take(answer, over: values) }
        values.control = ControlInformation(
            etag: answer?.control.etag ?? message.headers["ETag"])
        if table.key(of: values) == nil, let linkKey = try linkKey() {
            set(linkKey, of: &values, table)
        }
        mediaETag = answer?.control.mediaETag
        add(request.target, values, table, isShown: answer != nil)
        try addInline(body, of: request, answer)
    }

    private mutating func add(
        _ row: RowReference, _ values: StructureValue, _ table: TableMapping, isShown: Bool
    ) {
        var values = values
        if table.key(of: values) == nil, let key = keys[row] { set(key, of: &values, table) }
        let key = table.key(of: values)
        if key != nil { keyed[row] = values }
        rows.append(CreatedRow(row: row, values: values, key: key, isShown: isShown))
    }

    private func set(_ key: [Scalar], of values: inout StructureValue, _ table: TableMapping) {
        for (column, scalar) in zip(table.keys, key) {
            values.set(.scalar(scalar), at: column.slots, in: graph)
        }
    }

    private mutating func addInline(
        _ body: RequestBody, of request: QueuedRequest, _ answer: StructureValue?
    ) throws {
        let answers = try answer.map { try nested(body, of: request, in: $0) } ?? [:]
        for child in body.inline {
            try add(child, of: request, answers[child.row])
            try addInline(child.body, of: request, answers[child.row])
        }
    }

    private mutating func add(
        _ child: RequestBody.InlineEntity, of request: QueuedRequest, _ answer: StructureValue?
    ) throws {
        let table = try mapping.existingTable(path: child.row.table)
        var values = child.body.values
        for case .values(child.row, let change, let principal?) in request.effects {
            // The parent's key may have been a provisional one.
            guard let known = known(principal) else {
                values = StructureMerge.merge(change, over: values)
                continue
            }
            let keys = ForeignKeys(mapping)
            if let new = try keys.following(child.row, principal, change, known) {
                values = StructureMerge.merge(new, over: values)
            }
        }
        if let answer { values = StructureMerge.take(answer, over: values) }
        values.control = ControlInformation(etag: answer?.control.etag)
        add(child.row, values, table, isShown: answer != nil)
    }

    /// A row whose key is known by now, from this answer or one before it.
    private func known(_ row: RowReference) -> StructureValue? { keyed[row] ?? earlier[row] }

    /// What an answer says of the nested rows of a body, as far as it can be told of which.
    private func nested(
        _ body: RequestBody, of request: QueuedRequest, in answer: StructureValue
    ) throws -> [RowReference: StructureValue] {
        var found: [RowReference: StructureValue] = [:]
        for (navigation, children) in Dictionary(grouping: body.inline, by: \.navigation) {
            guard let slot = graph[answer.type].slot(named: navigation) else { continue }
            switch answer.slots[slot] {
            case .structure(let value) where children.count == 1: found[children[0].row] = value
            case .list(let items):
                let isAlone = !body.binds.contains { $0.navigation == navigation }
                for (child, item) in try told(
                    children, of: request, in: items.compactMap(\.structure), isAlone)
                {
                    found[child] = item
                }
            default: continue
            }
        }
        return found
    }

    /// A collection's order is not promised: its rows are told by key or content.
    ///
    /// - Parameter isAlone: no row that was there before is in it, so that the one row of one that was sent is that one,
    ///   whatever the service made of its content.
    private func told(
        _ children: [RequestBody.InlineEntity], of request: QueuedRequest,
        in items: [StructureValue], _ isAlone: Bool
    ) throws -> [(RowReference, StructureValue)] {
        guard let first = children.first else { return [] }
        let table = try mapping.existingTable(path: first.row.table)
        let sent = try children.map { try request.sent(of: $0, knowing: known, mapping) }
        if isAlone, children.count == 1, items.count == 1, table.names(sent[0], as: items[0]) {
            return [(first.row, items[0])]
        }
        let places = SiblingMatching(sent, in: items, table: table, graph: graph).places
        return zip(children, places).compactMap { child, place in
            place.map { (child.row, items[$0]) }
        }
    }

    /// The entity in the body of an answer; nil where there is none, or one of another type.
    static func entity(
        _ message: ResponseMessage, of type: StructureID, in table: TableMapping,
        _ mapping: SchemaMapping
    ) -> StructureValue? {
        guard !message.body.isEmpty, message.status != 204 else { return nil }
        let value = try? AnswerReader(graph: mapping.graph).entity(
            message, of: type, in: table.parent == nil ? table.entitySet : nil)
        guard var value, mapping.graph.isA(value.type, table.structure) else { return nil }
        if let etag = message.headers["ETag"] { value.control.etag = etag }
        return value
    }
}

extension TableMapping {
    /// Whether two values are of one entity, as far as their keys say. Nothing that the service says changes a key.
    package func names(_ value: StructureValue, as other: StructureValue) -> Bool {
        guard let key = key(of: value), let known = self.key(of: other) else { return true }
        return zip(key, known).allSatisfy { ContentComparison.alike($0, $1) }
    }

    /// The key in key order; nil when a part of it is missing.
    package func key(of value: StructureValue) -> [Scalar]? {
        var key: [Scalar] = []
        for column in keys {
            guard let scalar = value.value(at: column.slots)?.scalar, scalar != .null else {
                return nil
            }
            key.append(scalar)
        }
        return key.isEmpty ? nil : key
    }
}
