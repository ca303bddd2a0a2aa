import ODataModel
import ODataText

/// What the app corrects in a failed request, which is then sent again (``RequestRetry``) at its old place (offline reference,
/// section 6): state → request (pure).
package struct RequestFix: Sendable {
    /// The request as it is corrected.
    package private(set) var request: QueuedRequest
    /// What the changes say of the entity itself, to be checked against the metadata.
    package let values: StructureValue

    /// - Parameter request: nil where the queue does not have it.
    /// - Throws: `notFound` without a request, `conflict` for one that has not failed, was cancelled or carries no values.
    package init(
        of request: QueuedRequest?, changes: StructureValue, binds: [RequestBody.Bind] = [],
        graph: MetadataGraph
    ) throws(ODataError) {
        guard var request else {
            throw ODataError(.notFound, "Expected a request of the queue, found none.")
        }
        guard !request.isCancelled else { throw RequestRetry.cancelled }
        guard request.state.isFailure, var body = request.body else {
            throw ODataError(.conflict, "Expected a failed create or update to fix.")
        }
        values = changes.structural(in: graph)
        body.values = StructureMerge.merge(values, over: body.values)
        for bind in binds {
            body.binds.removeAll { $0.navigation == bind.navigation }
            body.binds.append(bind)
        }
        request.body = body
        request.misfit = nil
        request.storedBody = nil
        request.flags.insert(.fixed)
        self.request = request
    }
}
