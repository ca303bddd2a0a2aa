import ODataSQL
import ODataSyncPlan
import ODataModel
import ODataText

/// Binds for services that take none inside an entity: what no foreign key of the entity says has requests of its own.
extension LocalWriter {
    /// Takes the binds out of a body that no foreign key of its row can stand for.
    ///
    /// - Throws: `usage` for such a bind of a nested entity, which has no request of its own.
    func takeApart(
        _ body: inout RequestBody, of row: RowReference, created: [RowReference: StructureValue]
    ) throws -> [RequestBody.Bind] {
        guard emulation.binds, emulation.keepsOthers else { return [] }
        let binds = body.binds
        let apart = try binds.filter { try !isForeignKey($0, of: row, created) }
        body.binds = binds.filter { !apart.contains($0) }
        try checkNested(body, created)
        return apart
    }

    /// Records a request for each link.
    func linkApart(
        _ binds: [RequestBody.Bind], of row: RowReference, _ options: WriteOptions
    ) throws {
        guard !binds.isEmpty else { return }
        var own = options
        (own.flags, own.stream, own.ifMatch) = ([], nil, nil)
        let name = "\(row.table)/\(row.id)"
        if own.namesTransactionByRow { own.transactionID = (own.transactionID ?? "") + name }
        if own.namesGroupByRow { own.uploadGroup = (own.uploadGroup ?? "") + name }
        (own.namesTransactionByRow, own.namesGroupByRow) = (false, false)
        for bind in binds {
            let isCollection = try navigation(bind.navigation, of: row).isCollection
            for target in bind.targets {
                try link(
                    isCollection ? .createLink : .updateLink, row, bind.navigation, target, own)
            }
        }
    }

    private func isForeignKey(
        _ bind: RequestBody.Bind, of row: RowReference, _ created: [RowReference: StructureValue]
    ) throws -> Bool {
        let navigation = try navigation(bind.navigation, of: row)
        guard case .columns = navigation.storage, !navigation.isCollection,
            let target = bind.targets.first
        else { return false }
        var planner = EffectPlanner(transaction, created: created)
        try planner.link(row, navigation, target)
        return planner.effects.contains { effect in
            guard case .values(row, _, target) = effect else { return false }
            return true
        }
    }

    private func checkNested(
        _ body: RequestBody, _ created: [RowReference: StructureValue]
    ) throws {
        for child in body.inline {
            for bind in child.body.binds
            where try !isForeignKey(bind, of: child.row, created) {
                throw ODataError(
                    .usage,
                    "Expected a link that a foreign key says, because the service takes no others inside an entity and a"
                        + " nested one has no request of its own.",
                    at: .path("\(child.row.table)/\(bind.navigation)"))
            }
            try checkNested(child.body, created)
        }
    }
}
