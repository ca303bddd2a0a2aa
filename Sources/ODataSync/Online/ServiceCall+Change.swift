import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

extension ServiceCall {
    /// Makes a change with as many requests as it takes, one after the other.
    ///
    /// - Parameters:
    ///   - content: The content of a media entity, read while it is sent.
    ///   - record: Called after each request, so that what was done stays known when a later request fails.
    package func make(
        _ change: EntityChange, _ options: ChangeOptions, content: (any RequestContent)? = nil,
        record: (ChangeOutcome) throws -> Void
    ) throws {
        var address = address
        var completed: EntityAnswer?
        for var step in ChangePlanner(settings).steps(of: change) {
            if case .finish(let id) = step.request {
                try record(.finished(id))
                continue
            }
            if case .complete(let entity, let unbinds) = step.request, let completed {
                step.request = .complete(entity.completing(completed), unbinds: unbinds)
            }
            guard let graph = step.graph else { continue }
            let answer = try meetingUpdates(step) { call in
                let writer = call.writer(graph)
                return try writer.message(of: step, options, address).map {
                    try call.send(named($0, step.identity, options), step, writer, content)
                }
            }
            guard let answer else { continue }
            let outcome = try outcome(of: step, answer)
            switch (outcome, step.request) {
            case (.created(_, let answer), .create(let entity)):
                address.learn(answer, of: entity.place)
            case (.createdMedia(_, let answer), .createMedia(let entity, _)):
                address.learn(answer, of: entity.place)
                completed = answer
            default: break
            }
            try record(outcome)
        }
    }

    private func send(
        _ message: RequestMessage, _ step: ChangeStep, _ writer: RequestWriter,
        _ content: (any RequestContent)?
    ) throws -> ResponseMessage {
        guard case .createMedia = step.request, let content else {
            return try exchange(message, writer)
        }
        return try exchange(message, writer, streaming: content)
    }

    /// Deletes the entities that a query selects, one after the other.
    package func delete(matching plan: ReadPlan, _ options: ChangeOptions) throws {
        guard case .entities(let pages) = try execute(plan).content else {
            throw ODataError(.usage, "Expected a query for the entities to delete.")
        }
        for page in pages {
            for value in page.rows {
                let place = EntityPlace(of: value, in: page.set, graph: plan.graph)
                let step = ChangeStep(
                    .delete(place, entityTag: value.control.etag),
                    options.identity == nil ? .none : .own)
                let writer = writer(plan.graph)
                guard let message = try writer.message(of: step, options, address) else {
                    continue
                }
                _ = try exchange(named(message, step.identity, options), writer)
            }
        }
    }

    /// The request with the identity by which the service knows it again, where the caller wants one.
    func named(
        _ message: RequestMessage, _ identity: ChangeStep.Identity, _ options: ChangeOptions
    ) -> RequestMessage {
        guard let given = options.identity, identity != .none else { return message }
        var name = given.id
        var seconds = given.firstSent.map { $0 / 1000 } ?? world.now().seconds
        if identity == .own {
            let identifier = world.makeIdentifier()
            name = Guid(high: identifier.0, low: identifier.1).description
            seconds = world.now().seconds
        }
        var request = message
        request.headers.merge(
            RepeatabilityHeaders(
                requestID: name, firstSentSeconds: seconds, clientID: settings.clientID
            ).headers(.oasis))
        return request
    }
}
