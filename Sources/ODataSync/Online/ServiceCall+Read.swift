import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire

/// What a query gave, and what the service said beside it.
package struct QueryAnswer: Sendable {
    package var content: AnswerContent
    package var status: Int
    package var messages: [ServiceMessage]
}

extension ServiceCall {
    /// The most pages that one query may bring.
    private static let maximumPages = 100_000

    /// The request of a query.
    ///
    /// - Throws: What the checker throws, unless queries are not checked.
    package func plan(_ input: QueryInput, headers: HeaderFields? = nil) throws -> ReadPlan {
        try ReadPlan(input, writer(input.graph), headers: headers ?? self.headers)
    }

    /// Executes a query or a call of an operation; all pages are read where the plan says so.
    package func execute(_ plan: ReadPlan) throws -> QueryAnswer {
        try queryAnswer(exchange(plan.message, writer(plan.graph)), to: plan)
    }

    /// What an answer says, further pages read where the caller did not ask for pages.
    func queryAnswer(_ answer: ResponseMessage, to plan: ReadPlan) throws -> QueryAnswer {
        let reader = plan.reader(settings, root: connection.root)
        var content = try reading(answer, plan, at: plan.message.url) {
            try reader.content(answer, of: plan.resource, at: plan.message.url)
        }
        if case .entities(let pages) = content, plan.followsPages {
            content = .entities(try following(pages, plan, reader))
        }
        return QueryAnswer(
            content: content, status: answer.status,
            messages: ServiceMessage.all(in: answer.headers))
    }

    /// Follows next links until there is none, or what was asked for is there (Protocol 4.01, section 11.2.6.7): some
    /// services have a next link behind the last entity within `$top`.
    private func following(
        _ first: [AnswerPage], _ plan: ReadPlan, _ reader: AnswerReader
    ) throws -> [AnswerPage] {
        var pages = first
        var seen: Set<String> = []
        var read = first.reduce(0) { $0 + $1.rows.count }
        while let next = pages.last?.nextLink {
            if plan.isWhole(after: read) {
                pages[pages.count - 1].nextLink = nil
                break
            }
            guard pages.count < Self.maximumPages, seen.insert(next).inserted else {
                throw ODataError(
                    .limitExceeded, "Expected next links that come to an end, found none that do.",
                    at: .path(next))
            }
            pages[pages.count - 1].nextLink = nil
            pages.append(try page(at: next, plan, reader))
            read += pages[pages.count - 1].rows.count
        }
        return pages
    }

    private func page(
        at link: String, _ plan: ReadPlan, _ reader: AnswerReader
    ) throws -> AnswerPage {
        guard let own = ServiceLink.followable(link, root: connection.root) else {
            throw ODataError(
                .invalidPayload,
                "Expected a next link below the service root, found one that leads to"
                    + " \(ServiceLink.host(of: link) ?? link).",
                at: .resource(of: connection.absolute(plan.message.url)))
        }
        let message = RequestMessage(method: "GET", url: own)
        let answer = try exchange(message, writer(plan.graph))
        return try reading(answer, plan, at: own) { try reader.page(answer, plan.resource) }
    }

    private func reading<Result>(
        _ answer: ResponseMessage, _ plan: ReadPlan, at url: String, _ body: () throws -> Result
    ) throws -> Result {
        try reading(
            answer, of: url, set: plan.resource.targetSet ?? plan.resource.entitySet,
            in: plan.graph, body)
    }

    /// The first page of a query for entities.
    package func firstPage(_ plan: ReadPlan) throws -> AnswerPage {
        let reader = plan.reader(settings, root: connection.root)
        let answer = try exchange(plan.message, writer(plan.graph))
        return try reading(answer, plan, at: plan.message.url) {
            try reader.page(answer, plan.resource)
        }
    }

    /// The page behind another.
    package func page(at link: String, of plan: ReadPlan) throws -> AnswerPage {
        try page(at: link, plan, plan.reader(settings, root: connection.root))
    }

    /// The present state of one entity.
    package func load(
        _ plan: ReadPlan, type: StructureID, set: EntitySetID?
    ) throws -> StructureValue {
        let answer = try exchange(plan.message, writer(plan.graph))
        return try reading(answer, of: plan.message.url, set: set, in: plan.graph) {
            try plan.reader(settings, root: connection.root).entity(answer, of: type, in: set)
        }
    }

    /// The plan that reads one entity by its URL.
    package func plan(_ place: EntityPlace, options: Query) throws -> ReadPlan {
        try ReadPlan(place, options: options, writer(place.graph), address)
    }
}
