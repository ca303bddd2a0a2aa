import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Whether a service has a `$batch`.
extension UploadRun {
    /// Sends a batch of one read, which does no harm whoever deals with it.
    ///
    /// - Returns: false where it is refused as one at a service without batches is, and the service itself is there.
    func takesBatches(beside attempt: Attempt) throws -> Result<Bool, ODataError> {
        let requests = try store.requests(Set(attempt.members.map(\.request)))
        do {
            try checkCancellation()
            let writer = builder.writer
            let read = RequestMessage(
                method: "GET", url: Self.readURL(near: requests, writer.graph))
            let batch = try BatchForm(writer.settings, writer.dialect).request(
                [.request(writer.inside(read), contentID: "1")],
                boundary: BatchWriter.boundary(world.makeIdentifier()))
            let answer = try connection.exchange(writer.alone(batch), cancellation: cancellation)
            guard !ServiceRefusal.isOfTheMoment(answer.status) else {
                throw ServiceRefusal.error(answer, of: connection.absolute(batch.url))
            }
            guard ReadProfile.refusesBatches(answer.status) else { return .success(true) }
            // Who stands in front of everything for a moment knows nothing of batches.
            guard isServiceThere() || (try? self.read(read.url)) != nil else {
                throw foreign(answer, batch.url)
            }
            return .success(false)
        } catch let error as ODataError {
            return .failure(error)
        }
    }

    /// One row of a set that the requests write.
    private static func readURL(near requests: [QueuedRequest], _ graph: MetadataGraph) -> String {
        let tables = requests.map(\.target.table) + graph.entitySets.map(\.name)
        guard let table = tables.first(where: { graph.entitySet(named: $0) != nil }) else {
            return "$metadata"
        }
        return PercentCoding.encode(graph.address(ofSetNamed: table), for: .path) + "?$top=1"
    }
}
