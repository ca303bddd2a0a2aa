import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Changes a failed request in place, so that it is sent again at its old position (offline reference, section 6).
struct RequestFix {
    let transaction: StoreTransaction

    func fix(
        _ id: Int64, _ changes: StructureValue, _ binds: [RequestBody.Bind]
    ) throws -> RowReference {
        guard var request = try transaction.requests.requests([id]).first else {
            throw ODataError(.notFound, "Expected a request of the queue, found none.")
        }
        guard request.state.isFailure, var body = request.body else {
            throw ODataError(.conflict, "Expected a failed create or update to fix.")
        }
        let table = try transaction.table(request.target.table)
        var values = changes
        values.control = ControlInformation()
        for slot in values.slots.indices
        where transaction.graph[values.type].properties[slot].isNavigation {
            values.slots[slot] = nil
        }
        try WriteChecks(graph: transaction.graph).check(values, table: table, isComplete: false)
        body.values = StructureMerge.merge(values, over: body.values)
        for bind in binds {
            body.binds.removeAll { $0.navigation == bind.navigation }
            body.binds.append(bind)
        }
        request.body = body
        request.misfit = nil
        request.flags.insert(.fixed)
        let edits = try retry([request])
        try QueueChange(transaction: transaction).apply(edits)
        return request.target
    }

    /// The tag that the service last gave to what the request changes.
    private func presentTag(of request: QueuedRequest) throws -> String? {
        if request.operation.isStream {
            return try StreamRows(database: transaction.database)
                .base(request.target, request.navigation?.property)?.etag
        }
        return try transaction.images(request.target.table).image(id: request.target.id)?
            .row.values.control.etag
    }

    /// Makes failed requests, and those blocked by them, wait again under new identities. A request whose row has
    /// a newer base takes its ETag (offline reference, 11.4).
    func retry(_ failed: [QueuedRequest]) throws -> [QueueEdit] {
        let ids = Set(failed.map(\.id))
        var edits: [QueueEdit] = []
        for var request in failed {
            request.state = .waiting
            request.flags.remove(.open)
            request.identity = RepeatabilityIdentity(id: "")
            // Also where it had none: it was made behind a creation whose answer was lost.
            if request.operation.isUpdate || request.operation == .delete
                || request.operation.isStream
            {
                request.ifMatch = try presentTag(of: request) ?? request.ifMatch
            }
            edits.append(.replace(request))
        }
        for var request in try transaction.requests.all() {
            guard case .blocked(let by) = request.state, ids.contains(by),
                !ids.contains(request.id)
            else { continue }
            request.state = .waiting
            edits.append(.replace(request))
        }
        return edits
    }
}
