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
    private var keyed: [RowReference: StructureValue]
    private let keys: [RowReference: [Scalar]]
    package private(set) var rows: [CreatedRow] = []
    /// The tag of the media stream that was sent.
    package private(set) var mediaETag: String?

    /// - Parameters:
    ///   - linkKey: the key in the headers of an answer without a body (Protocol 4.01, section 8.3.4).
    ///   - keys: keys of its rows that were found otherwise.
    ///   - keyed: rows whose keys became known before.
    /// - Throws: `unknownName` for a row of a set that is not stored.
    package init(
        _ message: ResponseMessage, to request: QueuedRequest, linkKey: [Scalar]? = nil,
        keys: [RowReference: [Scalar]] = [:], mapping: SchemaMapping,
        keyed: [RowReference: StructureValue] = [:]
    ) throws {
        self.mapping = mapping
        self.keyed = keyed
        self.keys = keys
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
        if table.key(of: values) == nil, let linkKey { set(linkKey, of: &values, table) }
        mediaETag = answer?.control.mediaETag
        add(request.target, values, table, isShown: answer != nil)
        for child in body.inline {
            try addInline(child, of: request, answer.flatMap { nested(child, in: $0) })
        }
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
        _ child: RequestBody.InlineEntity, of request: QueuedRequest, _ answer: StructureValue?
    ) throws {
        let table = try mapping.existingTable(path: child.row.table)
        var values = child.body.values
        for case .values(child.row, let change, let principal?) in request.effects {
            // The parent's key may have been a provisional one.
            guard let known = keyed[principal] else {
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
        for next in child.body.inline {
            try addInline(next, of: request, answer.flatMap { nested(next, in: $0) })
        }
    }

    /// A to-one child in the answer; a collection's order is not promised, so its children are told by key only.
    private func nested(
        _ child: RequestBody.InlineEntity, in answer: StructureValue
    ) -> StructureValue? {
        guard let slot = graph[answer.type].slot(named: child.navigation) else { return nil }
        switch answer.slots[slot] {
        case .structure(let value): return value
        case .list(let items) where items.count == 1: return items[0].structure
        default: return nil
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
