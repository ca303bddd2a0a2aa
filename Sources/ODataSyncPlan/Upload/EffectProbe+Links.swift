import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Whether a link is there, for services whose answers to links carry nothing of their own.
extension EffectProbe {
    /// The target by its key among those of a collection, `Orders(1)/Tags('x')`, or what a single-valued property leads
    /// to (URL Conventions 4.01, sections 4.3.1 and 4.7); nil where an end is not known to the service.
    func linkURL(
        of request: QueuedRequest, _ address: (RowReference) throws -> String,
        _ key: (RowReference) throws -> [Scalar]
    ) -> String? {
        guard let navigation = request.navigation, let source = try? address(request.target),
            let property = property(of: request)
        else { return nil }
        guard property.type.isCollection else {
            return source + "/" + PercentCoding.encode(property.name, for: .path)
        }
        guard let target = navigation.row.flatMap({ try? key($0) }) else { return nil }
        return try? EntityURL(graph: graph, dialect: dialect, keys: keys)
            .text(parent: source, navigation: property, key: target)
    }

    private func property(of request: QueuedRequest) -> PropertyDefinition? {
        guard let navigation = request.navigation,
            let set = graph.entitySet(named: request.target.table)
        else { return nil }
        let type = graph[graph[set].type]
        return type.slot(named: navigation.property).map { type.properties[$0] }
    }

    /// What the answer to a question about a link means.
    ///
    /// - Parameter target: the key of the row at the other end, as the service has it; nil where the link led to whatever was
    ///   there.
    /// - Throws: `service` for an answer that says nothing about the link.
    package func finding(
        ofLink answer: ResponseMessage, about request: QueuedRequest, target: [Scalar]?
    ) throws -> ResendPolicy.Finding {
        let isThere: Bool
        switch answer.status {
        case 204, 404, 410: isThere = false
        case 200
        where property(of: request)?.type.isCollection == true
            || request.operation == .deleteLink:
            isThere = true
        case 200:
            guard let row = request.navigation?.row, let set = graph.entitySet(named: row.table),
                let found = try? AnswerReader(graph: graph, dialect: dialect)
                    .entity(answer, of: graph[set].type, in: set)
            else { return .repeatable }
            let key = EntityPlace.key(of: found, in: graph)
            isThere =
                !key.isEmpty
                && key.map(ComparableScalar.init) == target?.map(ComparableScalar.init)
        default: throw ErrorPayload(answer).error(status: answer.status)
        }
        return isThere == (request.operation != .deleteLink)
            ? .carriedOut(ResponseMessage(status: 204)) : .notCarriedOut
    }
}
