import ODataModel
import ODataSyncPlan
import ODataText

/// Whether relations are written as foreign keys, for services that know neither binds nor link operations.
package struct LinkEmulation: Sendable, Hashable {
    package var binds: Bool
    package var links: Bool
    /// A bind without a foreign key stays one in place of failing.
    package var keepsOthers: Bool

    package init(binds: Bool = false, links: Bool = false, keepsOthers: Bool = false) {
        self.binds = binds
        self.links = links
        self.keepsOthers = keepsOthers
    }

    /// The body with the foreign keys of its binds in place of them, at every depth.
    ///
    /// - Throws: `usage` for a bind whose foreign key is not on the entity itself, or that has no referential constraint,
    ///   unless such binds stay.
    func applied(
        to body: RequestBody, of row: RowReference, _ effects: [RequestEffect]
    ) throws -> RequestBody {
        guard binds else { return body }
        var body = body
        var kept: [RequestBody.Bind] = []
        for bind in body.binds {
            for target in bind.targets {
                let key = effects.lazy.compactMap { effect -> StructureValue? in
                    guard case .values(row, let values, target) = effect else { return nil }
                    return values
                }.first
                guard let key else {
                    guard keepsOthers else { throw Self.missing(row.table, bind.navigation) }
                    kept.append(.init(navigation: bind.navigation, targets: [target]))
                    continue
                }
                body.values = StructureMerge.merge(key, over: body.values)
            }
        }
        body.binds = kept
        body.inline = try body.inline.map { child in
            var child = child
            child.body = try applied(to: child.body, of: child.row, effects)
            return child
        }
        return body
    }

    /// The row whose foreign key a link operation changes, with the values it gets.
    ///
    /// - Throws: `usage` without referential constraint.
    func change(
        _ row: RowReference, _ navigation: String, _ effects: [RequestEffect]
    ) throws -> (row: RowReference, values: StructureValue) {
        guard effects.count == 1, case .values(let owner, let values, _) = effects[0] else {
            throw Self.missing(row.table, navigation)
        }
        return (owner, values)
    }

    private static func missing(_ table: String, _ navigation: String) -> ODataError {
        ODataError(
            .usage, "Expected a relation with a referential constraint to write its foreign key.",
            at: .path("\(table)/\(navigation)"))
    }
}
