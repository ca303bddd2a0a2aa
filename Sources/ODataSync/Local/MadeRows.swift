import ODataModel
import ODataSyncPlan

/// The rows that one transaction has made so far, by what callers name them with: no read finds them before it is over.
struct MadeRows {
    private struct Key: Hashable {
        let set: String
        let key: [Scalar]

        init?(_ place: EntityName.Place) {
            guard case .named(let set, _, let key) = place else { return nil }
            self.set = set
            self.key = key.compactMap { $0 }
            guard !key.isEmpty, self.key.count == key.count, !self.key.contains(.null) else {
                return nil
            }
        }
    }

    private var byObject: [ObjectIdentifier: RowReference] = [:]
    private var byKey: [Key: RowReference] = [:]

    subscript(name: EntityName) -> RowReference? {
        guard !byObject.isEmpty else { return nil }
        return byObject[name.object] ?? Key(name.place).flatMap { byKey[$0] }
    }

    mutating func note(_ name: EntityName, _ row: RowReference) {
        byObject[name.object] = row
        if let key = Key(name.place) { byKey[key] = row }
    }
}
