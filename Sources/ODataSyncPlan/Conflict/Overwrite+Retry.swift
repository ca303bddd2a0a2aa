import ODataModel
import ODataQuery
import ODataWire

extension Overwrite {
    /// The app as the one that has decided.
    package static let app = "app"

    /// What goes over the other side's row when the app has a refused change sent again, with the tag that the row has by now.
    ///
    /// Nil where it is the row that the change was made for, and where nobody knows: then its tag refuses it as before.
    ///
    /// - Parameters:
    ///   - image: what the service last said of the row.
    ///   - queue: later changes of the row go with it.
    package init?(
        sendingAgain request: QueuedRequest, over image: StoredImage, in queue: [QueuedRequest],
        graph: MetadataGraph
    ) {
        let server = image.row.values
        guard WriteConflict.isPossible(request), image.kind == .present,
            let now = server.control.etag
        else { return nil }
        let isOther: Bool
        if let sent = request.ifMatch {
            isOther = sent != "*" && !EntityTag(sent).matches(EntityTag(now))
        } else {
            isOther = request.state.failure?.code == RequestFailure.rowChanged.code
        }
        guard isOther else { return nil }
        self.init(sending: request, over: server, in: queue, graph: graph)
    }

    /// What a change goes over that the app has decided to send; nil where the row stays as it is.
    package init?(
        sending request: QueuedRequest, over server: StructureValue, in queue: [QueuedRequest],
        graph: MetadataGraph
    ) {
        let later = queue.filter {
            $0.target == request.target && $0.state.isUnsent
                && QueuedRequest.comesBefore(request, $0)
        }
        var again = request
        again.state = .waiting
        let after = QueueFold(graph: graph).state(
            of: request.target, base: .present(server), requests: [again] + later)
        self.init(
            request: request.id, row: request.target, policy: Self.app, side: .service,
            before: server, after: after.values)
        if properties(in: graph).isEmpty { return nil }
    }
}
