import ODataModel
import ODataSQL

/// Tells which rows are which of the entities that a creation sent through one navigation property (pure): by key, then by
/// content as ``CreationMatching`` does, each row at most once. A collection of an answer has no order that is promised.
package struct SiblingMatching: Sendable, Hashable {
    /// For each entity the position of its row; nil where none, or more than one, can be it.
    package private(set) var places: [Int?]

    /// - Parameter sent: what was sent of each, foreign keys with the keys that are known by now.
    package init(
        _ sent: [StructureValue], in rows: [StructureValue], table: TableMapping,
        graph: MetadataGraph
    ) {
        places = Array(repeating: nil, count: sent.count)
        var open = Array(rows.indices)
        for (index, entity) in sent.enumerated() where table.key(of: entity) != nil {
            let place = open.firstIndex {
                table.key(of: rows[$0]) != nil && table.names(entity, as: rows[$0])
            }
            places[index] = place.map { open.remove(at: $0) }
        }
        let creations = sent.indices.filter { places[$0] == nil }.map {
            CreationMatching.Creation(request: Int64($0), sent: sent[$0])
        }
        var matching = CreationMatching(creations, graph: graph)
        for place in open { matching.look(at: Int64(place), rows[place]) { _ in true } }
        for case (let index, .happened(let place)) in matching.decisions() {
            places[Int(index)] = Int(place)
        }
    }
}

extension QueuedRequest {
    /// What was sent of an entity that goes with this creation, its foreign keys by the rows that are known by now. Those of
    /// rows that this creation makes, too, and that are not known, are left out: nobody could have sent them.
    func sent(
        of child: RequestBody.InlineEntity, knowing known: (RowReference) -> StructureValue?,
        _ mapping: SchemaMapping
    ) throws -> StructureValue {
        var sent = child.body.values
        for case .values(child.row, let change, let principal?) in effects {
            if let values = known(principal) {
                let keys = ForeignKeys(mapping)
                if let new = try keys.following(child.row, principal, change, values) {
                    sent = StructureMerge.merge(new, over: sent)
                }
            } else if !createdRows.contains(principal) {
                sent = StructureMerge.merge(change, over: sent)
            }
        }
        return sent
    }
}
