import ODataModel
import ODataSQL

/// Finds out which rows of the service the nested rows of a creation became, once it is known what its root became (pure).
///
/// Each is looked for among the rows that hang on what its parent became, and told from its siblings by
/// ``SiblingMatching``. What hangs on a row that nothing but this creation made came with it, so that no age is asked.
package struct NestedMatching: Sendable {
    /// A row as the service last said it.
    package struct Candidate: Sendable, Hashable {
        package var row: Int64
        package var values: StructureValue

        package init(row: Int64, values: StructureValue) {
            self.row = row
            self.values = values
        }
    }

    /// What each nested row became; its own id where a download has brought it under the key that it was sent with.
    package private(set) var found: [RowReference: Int64] = [:]
    /// The nested rows of which no row, or more than one, can be what they became, and all below them.
    package private(set) var missing: [RowReference] = []
    private let request: QueuedRequest
    private let mapping: SchemaMapping
    private var known: [RowReference: Candidate]

    /// - Parameters:
    ///   - root: what the creation's own row became.
    ///   - own: what a download has brought of a nested row itself.
    ///   - related: the rows that hang on a row by a navigation property.
    /// - Throws: what the two throw, `unknownName` for a row of a set that is not stored.
    package init(
        of request: QueuedRequest, root: Candidate, mapping: SchemaMapping,
        own: (RowReference) throws -> StructureValue?,
        related: (_ row: RowReference, _ navigation: String) throws -> [Candidate]
    ) throws {
        self.request = request
        self.mapping = mapping
        known = [request.target: root]
        guard let body = request.body else { return }
        try match(body, of: request.target, own, related)
        leaveShared()
    }

    /// A row to which two navigation properties lead is nobody's.
    private mutating func leaveShared() {
        var all = found
        all[request.target] = known[request.target]?.row
        let shared = Dictionary(grouping: all) { RowReference(table: $0.key.table, id: $0.value) }
            .values.filter { $0.count > 1 }.joined().map(\.key)
        for row in shared.sorted() where found.removeValue(forKey: row) != nil {
            missing.append(row)
        }
    }

    private mutating func match(
        _ body: RequestBody, of row: RowReference,
        _ own: (RowReference) throws -> StructureValue?,
        _ related: (RowReference, String) throws -> [Candidate]
    ) throws {
        guard let parent = known[row] else {
            missing += body.inlineRows
            return
        }
        let place = RowReference(table: row.table, id: parent.row)
        for (navigation, children) in Dictionary(grouping: body.inline, by: \.navigation) {
            var open: [RequestBody.InlineEntity] = []
            for child in children {
                if let values = try own(child.row), try isWhole(child, in: values) {
                    take(Candidate(row: child.row.id, values: values), for: child)
                } else {
                    open.append(child)
                }
            }
            // Those that were there before and are only related to what was made.
            let bound = Set(body.binds.filter { $0.navigation == navigation }.flatMap(\.targets))
            try match(
                open,
                try related(place, navigation).filter { candidate in
                    !bound.contains { $0.id == candidate.row }
                })
        }
        for child in body.inline { try match(child.body, of: child.row, own, related) }
    }

    private mutating func match(
        _ children: [RequestBody.InlineEntity], _ candidates: [Candidate]
    ) throws {
        guard let first = children.first else { return }
        let matching = SiblingMatching(
            try children.map { try sent(of: $0) }, in: candidates.map(\.values),
            table: try mapping.existingTable(path: first.row.table), graph: mapping.graph)
        for (child, place) in zip(children, matching.places) {
            if let place {
                take(candidates[place], for: child)
            } else {
                missing.append(child.row)
            }
        }
    }

    private mutating func take(_ candidate: Candidate, for child: RequestBody.InlineEntity) {
        known[child.row] = candidate
        found[child.row] = candidate.row
    }

    private func isWhole(
        _ child: RequestBody.InlineEntity, in values: StructureValue
    ) throws -> Bool {
        ContentComparison(graph: mapping.graph).shows(try sent(of: child), in: values)
    }

    private func sent(of child: RequestBody.InlineEntity) throws -> StructureValue {
        try request.sent(of: child, knowing: { known[$0]?.values }, mapping)
    }
}
