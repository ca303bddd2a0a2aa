import ODataModel
import ODataQuery
import ODataWire

/// `Prefer: omit-values=nulls`: properties without a value are left out of answers (Protocol 4.01, section 8.2.8.6).
struct OmittedValues {
    let graph: MetadataGraph

    /// The row without structural properties that are null, also inside complex values and related entities.
    func withoutNulls(_ row: StructureValue, depth: Int = 0) -> StructureValue {
        var result = row
        guard depth < 16 else { return result }
        for slot in result.slots.indices {
            switch result.slots[slot] {
            case .scalar(.null)?:
                if !graph[row.type].properties[slot].isNavigation { result.slots[slot] = nil }
            case .structure(let inner)?:
                result.slots[slot] = .structure(withoutNulls(inner, depth: depth + 1))
            case .list(let members)?:
                result.slots[slot] = .list(
                    members.map { member in
                        guard case .structure(let inner) = member else { return member }
                        return .structure(withoutNulls(inner, depth: depth + 1))
                    })
            default: continue
            }
        }
        return result
    }
}

extension Exchange {
    /// The row as the client wants its values.
    func shown(_ row: StructureValue) -> StructureValue {
        omitsNulls ? OmittedValues(graph: graph).withoutNulls(row) : row
    }

    /// `defaults` is not carried out, and so not said to be applied.
    var omitsNulls: Bool { preferences.omittedValues == "nulls" }
}
