import ODataModel
import ODataSQL
import ODataSyncPlan

/// Failed requests as the app corrects them and sends them again: reads what ``RequestFix`` and ``RequestRetry`` decide by.
extension StoreTransaction {
    /// Changes a failed request in place.
    ///
    /// - Returns: the row that it is about.
    /// - Throws: what a ``RequestFix`` throws, and what speaks against the values.
    func fix(
        _ id: Int64, _ changes: StructureValue, _ binds: [RequestBody.Bind]
    ) throws -> RowReference {
        let fix = try RequestFix(
            of: try requests.requests([id]).first, changes: changes, binds: binds, graph: graph)
        let row = fix.request.target
        try WriteChecks(graph: graph).check(
            fix.values, table: try table(row.table), isComplete: false)
        try QueueChange(transaction: self).apply(try retry([fix.request], asNew: true))
        return row
    }

    /// Makes failed requests, and those blocked by them, wait again; an event tells of each that goes over the other side's row.
    ///
    /// - Parameter asNew: nothing that was sent of them counts any more.
    func retry(_ failed: [QueuedRequest], asNew: Bool) throws -> [QueueEdit] {
        let queue = try requests.all()
        var tags: [Int64: String] = [:]
        for request in failed where RequestRetry.takesTag(request) {
            tags[request.id] = try presentTag(of: request)
            try tellOverwriting(by: request, queue, asNew: asNew)
            try allowWithoutTag(request)
        }
        return RequestRetry.edits(failed, in: queue, tags: tags, asNew: asNew)
    }

    private func tellOverwriting(
        by request: QueuedRequest, _ queue: [QueuedRequest], asNew: Bool
    ) throws {
        guard mapping.table(path: request.target.table) != nil,
            let image = try images(request.target.table).image(id: request.target.id)
        else { return }
        // One that is not corrected is told when the row is read (``QueuedRequest/Flags/goesOver``).
        let isBlind =
            asNew && request.flags.contains(.rebased) && image.kind == .present
            && image.row.values.control.etag == nil
        let overwrite =
            isBlind
            ? Overwrite(sending: request, over: image.row.values, in: queue, graph: graph)
            : Overwrite(
                sendingAgain: request, over: StoredImage(row: image.row, kind: image.kind),
                in: queue, graph: graph)
        guard let overwrite else { return }
        try addEvent("overwrite", details: OverwriteText(graph).details(overwrite))
    }

    /// Who sends a change again that its row was too new for has decided: the row need not be compared once more.
    private func allowWithoutTag(_ request: QueuedRequest) throws {
        guard request.ifMatch == nil,
            request.state.failure?.code == RequestFailure.rowChanged.code,
            mapping.table(path: request.target.table) != nil
        else { return }
        let images = try images(request.target.table)
        guard let image = try images.image(id: request.target.id), image.kind == .present,
            image.row.state.contains(.untagged)
        else { return }
        var row = image.row
        row.state.remove(.untagged)
        try images.write(row, kind: .present)
    }

    /// The tag that the service last gave to what the request changes.
    private func presentTag(of request: QueuedRequest) throws -> String? {
        if request.operation.isStream {
            return try StreamRows(database: database)
                .base(request.target, request.navigation?.property)?.etag
        }
        guard mapping.table(path: request.target.table) != nil else { return nil }
        return try images(request.target.table).image(id: request.target.id)?
            .row.values.control.etag
    }
}
