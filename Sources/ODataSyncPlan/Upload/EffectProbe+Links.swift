import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Whether a link is there, for services whose answers to links carry nothing of their own.
extension EffectProbe {
    /// The target by its key among those of a collection, `Orders(1)/Tags('x')`, or what a single-valued property leads
    /// to (URL Conventions 4.01, sections 4.3.1 and 4.7); nil where an end is not known to the service.
    func linkURL(
        of request: QueuedRequest, _ address: (RowReference) throws -> String
    ) -> String? {
        guard let navigation = request.navigation, let source = try? address(request.target),
            let isCollection = isCollection(request)
        else { return nil }
        let url = source + "/" + PercentCoding.encode(navigation.property, for: .path)
        guard isCollection else { return url }
        guard let target = navigation.row.flatMap({ try? address($0) }),
            let key = target.lastIndex(of: "(")
        else { return nil }
        return url + target[key...]
    }

    private func isCollection(_ request: QueuedRequest) -> Bool? {
        guard let navigation = request.navigation,
            let set = graph.entitySet(named: request.target.table)
        else { return nil }
        let type = graph[graph[set].type]
        return type.slot(named: navigation.property).map {
            type.properties[$0].type.isCollection
        }
    }

    /// What the answer to a question about a link means.
    ///
    /// - Parameter target: the URL of the row at the other end; nil where the link led to whatever was there.
    /// - Throws: `service` for an answer that says nothing about the link.
    package func finding(
        ofLink answer: ResponseMessage, about request: QueuedRequest, target: String?
    ) throws -> ResendPolicy.Finding {
        let isThere: Bool
        switch answer.status {
        case 204, 404, 410: isThere = false
        case 200 where isCollection(request) == true || request.operation == .deleteLink:
            isThere = true
        case 200:
            guard let row = request.navigation?.row, let set = graph.entitySet(named: row.table),
                let found = try? AnswerReader(graph: graph, dialect: dialect)
                    .entity(answer, of: graph[set].type, in: set)
            else { return .repeatable }
            let url = try? EntityURL(graph: graph, dialect: dialect)
                .text(set: row.table, key: EntityPlace.key(of: found, in: graph))
            isThere = url != nil && url == target
        default: throw ErrorPayload(answer).error(status: answer.status)
        }
        return isThere == (request.operation != .deleteLink)
            ? .carriedOut(ResponseMessage(status: 204)) : .notCarriedOut
    }
}
