import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport

extension Download {
    /// The refusal of a source with what the service document says of its set, where it was refused under its own address as
    /// if there were no such resource.
    mutating func explained(_ error: ODataError, of read: SourceRead) -> ODataError {
        let source = read.source
        guard error.code == .service, ServiceListing.isAsked(afterRefusal: error.status),
            [source.url, source.urlWithoutExpansions].contains(read.nextURL),
            let graph = try? scope.store.graph(),
            let set = graph.entitySet(named: source.entitySet).map({ graph[$0] }),
            !set.isSingleton, set.isIncludedInServiceDocument,
            let remark = askForListing(graph)?.remark(
                onSet: set.name, askedAs: graph.address(of: set))
        else { return error }
        var error = error
        let isSentence = error.message.hasSuffix(".")
        error.message =
            "\(isSentence ? String(error.message.dropLast()) : error.message) (\(remark))"
            + (isSentence ? "." : "")
        return error
    }

    /// The service document, asked for once; what does not come, or is none, explains nothing.
    private mutating func askForListing(_ graph: MetadataGraph) -> ServiceListing? {
        guard !hasAskedForListing else { return listing }
        hasAskedForListing = true
        let requests = scope.service.requests
        let headers = ReadHeaders(isV2: requests.dialect(of: graph).wrapsPayload)
        var message = RequestMessage(
            method: "GET", url: scope.connection.root, headers: headers.version)
        message.headers["Accept"] =
            headers.isV2
            ? "application/json, application/atomsvc+xml;q=0.5" : "application/json"
        let answer = try? scope.connection.exchange(
            requests.sent(message), limit: ServiceListing.limit, cancellation: cancellation)
        listing = answer.flatMap { ServiceListing($0, root: scope.connection.root) }
        return listing
    }
}
